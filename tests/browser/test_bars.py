"""The bars of a distribution: dragged out of the picture and back, in step with sliders and numbers, by the kernel's rule."""

import json

import numpy as np
import pytest

from browser.views import View
from specviz.explorers.widgets.bars import HERE
from specviz.explorers.widgets.distribution import move_one


@pytest.fixture
def view(explorers):
    return View(explorers, "split")


def shown(view):
    """What bars, sliders and numbers of p say."""
    script = """index => [...window.specviz.view(index).querySelectorAll('.specviz-bars')].map(b => ({
        bars: [...b.querySelectorAll('[role=slider]')].map(e => e.getAttribute('aria-valuetext')),
        sliders: [...b.querySelectorAll('[type=range]')].map(e => e.valueAsNumber.toFixed(2)),
        numbers: [...b.querySelectorAll('[type=number]')].map(e => e.value)}))"""
    return view.page.evaluate(script, view.index)


def test_dragged_out_of_the_picture_and_back(view):
    before, first = view.look(), shown(view)
    bar = view.controls("[role=slider]")[0]
    bar.scroll_into_view_if_needed()
    box = bar.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = view.page.mouse
    mouse.move(x, y)
    view.page.evaluate("index => window.specviz.arm(index)", view.index)
    mouse.down()
    assert view.page.evaluate("() => window.specviz.settled()"), "the bar goes to where it is pressed"
    pressed, look = shown(view), view.look()
    mouse.move(x + 400, y - 300, steps=8)
    assert shown(view)[0]["bars"] == ["1.00", "0.00", "0.00", "0.00"]
    mouse.move(x - 60, y + 500, steps=8)
    assert shown(view)[0]["bars"][0] == "0.00"
    mouse.move(x, y, steps=8)
    assert shown(view) == pressed, "the others find their ratios again"
    mouse.up()
    mouse.move(x, y - 30, steps=3)
    view.page.wait_for_timeout(50)
    view.page.evaluate("() => window.specviz.settled()")
    assert shown(view) == pressed, "a bar that is let go stays"
    assert view.look() == look
    reset = next(button for button in view.controls("button") if button.inner_text() == "reset")
    assert view.press(reset, "Enter")
    assert (shown(view), view.look()) == (first, before)


def test_keys_of_a_bar(view):
    before = view.look()
    bar = view.controls("[role=slider]")[0]
    for key, says in (("End", "1.00"), ("PageDown", "0.90"), ("Home", "0.00"), ("PageUp", "0.10"), ("ArrowUp", "0.11")):
        assert view.press(bar, key)
        assert shown(view)[0]["bars"][0] == says
    for _ in range(39):
        view.press(bar, "ArrowRight")
    assert view.look() == before


@pytest.mark.parametrize(("kind", "keys"), [("range", ["ArrowRight"]), ("number", ["ArrowUp"])])
def test_bars_sliders_and_numbers_stay_in_step(view, kind, keys):
    before = view.look()
    control = view.controls(f".specviz-bars input[type={kind}]")[0]
    for key in keys:
        assert view.press(control, key)
    seen = shown(view)[0]
    assert seen["bars"] == seen["numbers"] == ["0.51", "0.29", "0.15", "0.05"]
    assert seen["sliders"][0] == "0.51"
    assert view.look() != before
    assert view.press(control, "ArrowLeft" if kind == "range" else "ArrowDown")
    assert view.look() == before


def test_a_typed_number(view):
    before = view.look()
    number = view.controls(".specviz-bars input[type=number]")[1]
    for typed, says in (("0.65", "0.65"), ("", "0.65"), ("7", "1.00"), ("0.3", "0.30")):
        number.focus()
        view.page.keyboard.press("ControlOrMeta+a")
        view.page.keyboard.press("Delete")
        view.page.keyboard.type(typed)
        assert view.press(number, "Enter") == bool(typed)
        assert shown(view)[0]["numbers"][1] == shown(view)[0]["bars"][1] == says
    assert view.look() == before


def test_the_browser_moves_as_the_kernel_does(view):
    rng = np.random.default_rng(0)
    cases = [(rng.dirichlet(np.ones(V)).tolist(), int(rng.integers(V)), float(rng.random())) for V in (1, 2, 3, 4, 8) * 20]
    cases += [([1.0, 0, 0], 0, 0.4), ([0.0, 1.0], 0, 0.0), ([0.5, 0.5], 1, 1.0)]
    script = """async ([source, cases]) => {
        const { moveOne } = await import(URL.createObjectURL(new Blob([source], {type: 'text/javascript'})));
        return JSON.stringify(cases.map(([dist, token, probability]) => moveOne(dist, token, probability))) }"""
    moved = json.loads(view.page.evaluate(script, [(HERE / "bars.js").read_text(encoding="utf-8"), cases]))
    for (dist, token, probability), found in zip(cases, moved, strict=True):
        assert found == pytest.approx(move_one(dist, token, probability), abs=1e-12)
