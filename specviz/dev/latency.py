"""How long the browser takes from a key press to the new picture, for every explorer, beside `interact` with the same figure."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from ..explorers import EXPLORERS
from .browser import Lab, Notebook, write_notebook

WARM = 4
"""Presses before the first that counts."""

PACE = 200
"""Milliseconds from a new picture to the next press, as of a person who looks.

A browser without a graphics card paints the last picture for up to 100 ms; a press in that time waits for another frame: at 30 ms
apart half of the presses take 30 ms longer.
"""

SHOW = """from specviz.explorers import EXPLORERS
make = EXPLORERS[{name!r}].make
view = make()
if hasattr(view, "button"):  # the picture to be timed is a report, not the invitation to make one
    first = view.controls["verifier"].value
    for verifier in [value for _, value in view.controls["verifier"].options[:2]]:
        view.set(verifier=verifier)
        view.run()
    view.set(verifier=first)
view"""

FLOOR = """import ipywidgets as widgets
import numpy as np
from specviz.explorers.widgets.canvas import Canvas
from specviz.explorers.widgets.png import PngWriter

dots = [PngWriter(1, 1).write(np.full((1, 1, 4), shade, np.uint8)) for shade in (0, 255)]
slider, picture = widgets.IntSlider(max=1), Canvas(value=dots[0])
slider.observe(lambda change: picture.set_trait("value", dots[change["new"]]), names="value")
widgets.VBox([slider, picture])"""
"""A picture of one pixel, ready beforehand: what JupyterLab and the browser take for themselves."""

INTERACT = """import ipywidgets as widgets
from IPython.display import display
from specviz.explorers.widgets.figview import Keys
from specviz.plots.style import Picture

cls = type(make().scene)

def remember(cls, *arguments, **named):
    scene = object.__new__(cls)
    scene.again = lambda: cls(*arguments, **named)
    return scene

cls.__new__ = remember
other = make()
for control in other.controls.values():
    control.unobserve(other._changed, names="value")

def show(**state):
    scene = other.scene.again()
    if hasattr(view, "button"):  # a figure made anew, not an audit
        scene.reports = view.scene.reports
    says = scene.update(**state)
    display(Picture(scene.figure, says))

beside = widgets.VBox([other.children[0], widgets.interactive_output(show, other.controls), Keys()])
beside.add_class("specviz-view")  # in which the arrow keys are the controls'
beside"""

WATCH = """(cell) => {
    const output = document.querySelectorAll('.jp-CodeCell')[cell].querySelector('.jp-OutputArea-output');
    const mark = '.widget-toggle-button:not(.widget-toggle-buttons *)'; // one of a group changes nothing the second time
    const kinds = ['.noUi-handle, [role=slider]', mark, 'select'];
    const pick = kinds.map(kind => output.querySelector(kind)).find(found => found);
    pick.scrollIntoView({block: 'center'}); pick.focus();
    const state = window.specvizWatch = {};
    const source = () => [...output.querySelectorAll('img, canvas')].map(i => i.src ?? i.dataset.frame ?? '').join();
    window.addEventListener('keydown', event => {
        if (!output.contains(event.target)) return;
        state.done = new Promise(resolve => {
            const start = event.timeStamp, before = source();
            const seen = async () => {
                const now = source();
                if (!now || now === before) return;
                watch.disconnect();
                await Promise.all([...output.querySelectorAll('img')].map(i => i.decode().catch(() => 0)));
                resolve(performance.now() - start);
            };
            const watch = new MutationObserver(seen);
            watch.observe(output, {subtree: true, childList: true, attributes: true, attributeFilter: ['src', 'data-frame']});
            setTimeout(() => { watch.disconnect(); resolve(null) }, 5000);
        });
    }, {capture: true});
    if (pick.tagName === 'SELECT') return ['ArrowDown', 'ArrowUp'];
    if (pick.tagName === 'BUTTON') return ['Enter', 'Enter'];
    const full = +pick.getAttribute('aria-valuenow') >= +pick.getAttribute('aria-valuemax');
    return full ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
}"""

FOLLOW = """(cell) => {
    const output = document.querySelectorAll('.jp-CodeCell')[cell];
    const bars = output.querySelector('.specviz-bars svg');
    window.specvizFollow = [];
    bars.addEventListener('pointermove', event => {
        if (!event.buttons) return;
        const start = event.timeStamp, before = bars.innerHTML;
        requestAnimationFrame(() => { if (bars.innerHTML !== before) window.specvizFollow.push(performance.now() - start) });
    }, {capture: true});
}"""


def press(notebook: Notebook, cell: int, presses: int) -> list[float]:
    """Milliseconds from a key press in the first slider (or else mark, or menu) of a cell's output to the new picture."""
    page = notebook.page
    keys = page.evaluate(WATCH, cell)
    taken = []
    for number in range(WARM + presses):
        page.keyboard.press(keys[number % 2])
        ms = page.evaluate("() => window.specvizWatch.done")
        if ms is None:
            raise RuntimeError(f"cell {cell}: a key press changed no picture within 5 s")
        if number >= WARM:
            taken.append(ms)
        notebook.wait()
        page.wait_for_timeout(PACE)
    return taken


def drag(notebook: Notebook, cell: int, moves: int) -> tuple[list[float], float]:
    """Milliseconds from each move of a dragged bar to its new shape, and from the last move to the last picture."""
    page = notebook.page
    page.evaluate(FOLLOW, cell)
    bar = page.locator(".jp-CodeCell").nth(cell).locator(".specviz-bars [role=slider]").first
    bar.scroll_into_view_if_needed()
    box = bar.bounding_box()
    x = box["x"] + box["width"] / 2
    page.mouse.move(x, box["y"] + box["height"] / 2)
    page.mouse.down()
    for number in range(moves):
        page.mouse.move(x, box["y"] + box["height"] * (0.1 + 0.8 * ((number * 7) % 40) / 40))
    settled = page.evaluate(
        """async (cell) => { const start = performance.now(); let last = start;
        const output = document.querySelectorAll('.jp-CodeCell')[cell];
        const watch = new MutationObserver(() => { last = performance.now() });
        watch.observe(output.querySelector('canvas'), {attributes: true, attributeFilter: ['data-frame']});
        await new Promise(resolve => setTimeout(resolve, 600)); watch.disconnect(); return last - start }""",
        cell,
    )
    page.mouse.up()
    return page.evaluate("() => window.specvizFollow"), settled


def measure(presses: int = 60) -> dict[str, Any]:
    """Measure every explorer.

    Parameters
    ----------
    presses : int
        Key presses that count, for each explorer.

    Returns
    -------
    dict
        ``name: (milliseconds of FigView, of interact)`` for each explorer; under ``"bars"`` the follow times and the settle time;
        under ``"floor"`` the milliseconds of a picture of one pixel.
    """
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in EXPLORERS:
            write_notebook(Path(folder, f"{name}.ipynb"), SHOW.format(name=name), INTERACT)
        write_notebook(Path(folder, "floor.ipynb"), FLOOR)
        with Lab(Path(folder)) as lab:
            notebook = lab.open("floor.ipynb")
            notebook.run_all()
            found["floor"] = press(notebook, 0, presses)
            notebook.close()
            for name in EXPLORERS:
                notebook = lab.open(f"{name}.ipynb")
                notebook.run_all()
                if faults := notebook.faults():
                    raise RuntimeError(f"{name}: {faults[0]}")
                if "bars" not in found and notebook.page.locator(".specviz-bars").count():
                    found["bars"] = drag(notebook, 0, 80)
                ours = press(notebook, 0, presses)
                found[name] = (ours, press(notebook, 1, max(15, presses // 4)))
                notebook.close()
    return found


def print_latency(presses: int = 60) -> None:
    """Print what `measure` finds as a table, with the goals."""
    found = measure(presses)
    print(
        f"key press to new picture, milliseconds in the browser; {presses} presses an explorer, {PACE} ms apart "
        "(goal: median 50, p95 80, 4x)"
    )
    print(f"{'explorer':<12s} {'median':>7s} {'p95':>7s}   {'interact':>8s}  {'ratio':>6s}")
    for name in EXPLORERS:
        ours, theirs = found[name]
        half, late = median(ours), quantiles(ours, n=20)[-1]
        print(f"{name:<12s} {half:7.0f} {late:7.0f}   {median(theirs):8.0f}  {median(theirs) / half:5.1f}x")
    half, late = median(found["floor"]), quantiles(found["floor"], n=20)[-1]
    print(f"a picture of one pixel takes a median of {half:.0f} ms, p95 {late:.0f}: what JupyterLab and the browser take here")
    if "bars" in found:
        follow, settled = found["bars"]
        print(f"a dragged bar follows the pointer in a median of {median(follow):.0f} ms (goal: 25);", end=" ")
        print(f"the picture settles {settled:.0f} ms after the last move (goal: 100)")
