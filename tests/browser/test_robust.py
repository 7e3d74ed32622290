"""Errors are shown; haste, a second run and a new kernel leave no stale picture, no dead control, no pile of figures."""

from hashlib import sha256

import pytest

from browser.views import View
from specviz.explorers import EXPLORERS

KERNEL_SHOWS = """import hashlib
view = views["context"]
print(hashlib.sha256(view.picture.value).hexdigest(), view.says)"""
FIGURES = """import gc
from matplotlib import _pylab_helpers
from matplotlib.figure import Figure
print(len(_pylab_helpers.Gcf.figs), sum(isinstance(o, Figure) for o in gc.get_objects()))"""


@pytest.fixture
def view(explorers):
    return View(explorers, "context")


def slider(view):
    return view.controls(".noUi-handle")[0]


def agrees(explorers, view):
    """Whether the browser shows what the kernel has."""
    look = view.look()
    return explorers.ask(KERNEL_SHOWS).strip() == f"{look.picture} {look.says}"


def test_two_hundred_moves_in_two_seconds(explorers, view):
    figures = explorers.ask(FIGURES)
    before = view.look()
    handle = slider(view)
    handle.focus()
    frame = "index => +window.specviz.view(index).querySelector('canvas').dataset.frame"
    drawn = view.page.evaluate(frame, view.index)
    view.page.evaluate(
        """handle => { let left = 200; return new Promise(resolve => { const timer = setInterval(() => {
        const key = left % 20 < 10 ? 'ArrowLeft' : 'ArrowRight';
        handle.dispatchEvent(new KeyboardEvent('keydown', {key: key.replace('Arrow', ''), bubbles: true, cancelable: true}));
        if (!--left) { clearInterval(timer); resolve() } }, 10) }) }""",
        handle,
    )
    view.page.wait_for_timeout(200)
    explorers.wait()
    view.page.wait_for_timeout(100)
    assert agrees(explorers, view)
    assert view.page.evaluate(frame, view.index) >= drawn + 10, "it moved"
    assert explorers.ask(FIGURES) == figures
    assert view.becomes(before), "as many moves to the right as to the left"


def test_moved_by_mouse(explorers, view):
    before = view.look()
    handle = slider(view)
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    view.page.mouse.move(x, y)
    view.page.evaluate("index => window.specviz.arm(index)", view.index)
    view.page.mouse.down()
    view.page.mouse.move(x + 60, y, steps=5)
    assert view.page.evaluate("() => window.specviz.settled()")
    assert view.look() != before
    view.page.mouse.move(x, y, steps=5)
    view.page.mouse.up()
    view.page.wait_for_timeout(200)
    explorers.wait()
    assert view.look() == before
    assert agrees(explorers, view)


def test_an_error_in_a_callback_is_shown(explorers, view):
    broken = """scene = views["context"].scene
del_me = type(scene).update
def update(self, **_):
    raise RuntimeError("no such <thing>")
type(scene).update = update"""
    assert explorers.ask(broken) == ""
    handle = slider(view)
    view.press(handle, "ArrowRight", patient=False)
    view.page.wait_for_timeout(200)
    assert view.look().says == "RuntimeError: no such <thing>"
    explorers.ask("type(scene).update = del_me")
    assert view.press(handle, "ArrowRight")
    view.page.wait_for_timeout(200)
    assert view.look().says.startswith("After")
    view.press(handle, "ArrowLeft")
    view.press(handle, "ArrowLeft")


def test_a_second_run_and_a_new_kernel(explorers, view):
    first = view.look()
    assert sha256(b"").hexdigest() != first.picture
    for restart in (False, True):
        if restart:
            explorers.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
            explorers.wait()
        explorers.run_all()
        assert explorers.faults() == []
        explorers.page.wait_for_timeout(500)
        again = View(explorers, "context")
        assert again.becomes(first)
        assert again.press(slider(again), "ArrowRight")
        assert agrees(explorers, again)
        assert again.press(slider(again), "ArrowLeft")
        assert again.becomes(first)
        assert explorers.ask(FIGURES).split()[0] == "0"


def test_the_canvas_shows_the_png_and_says_so(explorers):
    """To the last pixel; and what it shows stands in words where a screen reader looks."""
    for index, name in enumerate(EXPLORERS):
        view = View(explorers, name)
        same, label = explorers.page.evaluate(
            """async index => { const canvas = window.specviz.view(index).querySelector('canvas');
            const bitmap = await createImageBitmap(new Blob([canvas.png])), {width, height} = bitmap;
            const other = Object.assign(document.createElement('canvas'), {width, height});
            other.getContext('2d').drawImage(bitmap, 0, 0);
            const [a, b] = [canvas, other].map(c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data);
            return [a.length === b.length && a.every((value, i) => value === b[i]), canvas.getAttribute('aria-label')] }""",
            index,
        )
        assert same, name
        assert label.endswith(view.look().says), name
