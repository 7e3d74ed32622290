from explorers.views_of_all import find

from specviz.explorers import round_explorer
from specviz.explorers.widgets.distribution import move_one


def test_another_round():
    view = round_explorer()
    view.set(step=6)
    find(view, "another round").click()
    assert view.controls["step"].value == 0
    assert view.controls["seed"].value == 4


def test_play_begins_again_when_the_round_is_over():
    view = round_explorer()
    view.set(step=7)
    play = find(view, "play the round")
    play.playing = True
    assert view.controls["step"].value == play.value == 0
    play.playing = False
    view.set(K=1, step=2)
    play.playing = True
    assert view.controls["step"].value == 2, "the round goes on"
    play.playing = False
    view.set(step=3)
    play.playing = True
    assert view.controls["step"].value == 0, "a short round is over sooner"


def test_equal_laws_of_any_shape():
    """Rounding must not lift an overlap above 1."""
    view = round_explorer()
    view.set(p=(0.25,) * 4, q=(0.25,) * 4)
    for side in ("p", "q"):
        view.controls[side].value = tuple(move_one(view.controls[side].value, 0, 0.01))
        view.controls[side].value = tuple(move_one(view.controls[side].value, 1, 0.85))
    assert "4.000 tokens" in view.says
