"""Every control of every explorer, moved by keyboard: picture and sentence change, and come back at the same value."""

import pytest

from browser.views import View
from specviz.explorers import EXPLORERS

every = pytest.mark.parametrize("name", EXPLORERS)


@every
def test_tab_reaches_every_control(explorers, name):
    view = View(explorers, name)
    controls = view.controls()
    controls[0].focus()
    page = explorers.page
    page.evaluate("() => { window.seen = new Set([document.activeElement]) }")
    for _ in range(3 * len(controls)):
        page.keyboard.press("Tab")
        page.evaluate("() => window.seen.add(document.activeElement)")
    missed = [c.evaluate("e => e.outerHTML.slice(0, 150)") for c in controls if not c.evaluate("e => window.seen.has(e)")]
    assert missed == []


@every
def test_sliders_menus_and_numbers(explorers, name):
    view = View(explorers, name)
    if name == "round":
        explorers.ask("views['round'].set(step=2)")  # before the first step all rounds look alike
    bars = "g[role=slider]" if name == "split" else "g[role=slider]:first-of-type"  # all bars are the same code
    numbers = "input[type=number][step='1']:not(.specviz-action *)"
    for control in view.controls(f".noUi-handle, {bars}, select, {numbers}"):
        there, back = control.evaluate(
            """e => e.tagName === 'SELECT'
            ? (e.selectedIndex < e.length - 1 ? ['ArrowDown', 'ArrowUp'] : ['ArrowUp', 'ArrowDown'])
            : e.tagName === 'INPUT' ? ['ArrowUp', 'ArrowDown']
            : +e.getAttribute('aria-valuenow') < +e.getAttribute('aria-valuemax') ? ['ArrowRight', 'ArrowLeft']
            : ['ArrowLeft', 'ArrowRight']"""
        )
        what = control.evaluate("e => (e.parentElement.textContent + ' ' + e.outerHTML).slice(0, 200)")
        before = view.look()
        assert view.press(control, there), what
        assert view.changes(before), what
        assert view.press(control, back), what
        assert view.becomes(before), f"{what}: leaves a trace"


@every
def test_choices_and_marks(explorers, name):
    """Buttons of which one is chosen, and buttons that are on or off."""
    view = View(explorers, name)
    for group in view.controls(".widget-toggle-buttons"):
        chosen = group.query_selector("button.mod-active")
        for other in group.query_selector_all("button:not(.mod-active)"):
            before = view.look()
            assert view.press(other, "Enter"), other.inner_text()
            assert view.changes(before), other.inner_text()
            assert view.press(chosen, "Enter")
            assert view.becomes(before), f"{other.inner_text()}: leaves a trace"
    for mark in view.controls(".widget-toggle-button:not(.widget-toggle-buttons *)"):
        before = view.look()
        if view.press(mark, "Enter", patient=False):
            assert view.changes(before)
            assert view.press(mark, "Enter")
            assert view.becomes(before)
