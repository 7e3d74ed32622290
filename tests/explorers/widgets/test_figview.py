import pytest

from specviz.explorers import round_explorer, split_explorer


def test_sweep_puts_the_control_back():
    view = split_explorer()
    before = view.picture.value
    said = view.sweep("replacement", ["residual", "p"])
    assert "exactly p" in said[0]
    assert "not p" in said[1]
    assert view.picture.value == before


def test_an_error_in_a_callback_is_shown_and_raised():
    view = split_explorer()

    def broken(**_):
        raise RuntimeError("no such <thing>")

    view.scene.update = broken
    with pytest.raises(RuntimeError, match="no such"):
        view.controls["replacement"].value = "p"
    assert "RuntimeError:</b> no such &lt;thing&gt;" in view.sentence.value


def test_a_rejected_value_leaves_everything_as_it_was():
    view = round_explorer()
    before = view.state(), view.picture.value
    with pytest.raises(ValueError, match="expected 4 probabilities"):
        view.set(K=5, p=(0.5, 0.5))
    assert (view.state(), view.picture.value) == before
    with pytest.raises(ValueError, match="expected 4 probabilities"):
        view.sweep("p", [(0.5, 0.5)])
    assert (view.state(), view.picture.value) == before


def test_a_view_without_a_button_has_nothing_to_run():
    view = split_explorer()
    before = view.picture.value
    assert view.run() == view.says
    assert view.picture.value == before
