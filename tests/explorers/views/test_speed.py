import pytest

from specviz.explorers import speed_explorer
from specviz.explorers.views.speed import recorded_tokens


def test_recorded_tokens():
    tokens, errors = recorded_tokens()
    assert tokens == pytest.approx([1, 1.861, 2.514, 3.069, 3.431], abs=5e-4)
    assert errors[0] == 0


def test_what_is_above_the_axis_is_said():
    speed = speed_explorer()
    speed.set(alpha=0.9, cost=0, K=8)
    assert speed.scene.speed.label.get_text() == "K = 8: 6.126 times as fast, above this axis"
    assert speed.scene.speed.best_label.get_text() == "best: K = 8, 6.126 times, above this axis"
