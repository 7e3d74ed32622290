import pytest

from specviz.plots.bars import Bars
from specviz.plots.style import new_figure


def test_bars_are_drawn_where_they_are_put():
    _, (ax,) = new_figure(4, 2)
    bars = Bars(ax, [0, 1, 2], 0.8, facecolor="black")
    bars.put([0.5, 0, 0.25], [0.1, 0, 0])
    assert bars.get_path().get_extents().bounds == pytest.approx((-0.4, 0, 2.8, 0.6))
    assert len(bars.get_path()) == 10, "a bar of no height is not drawn"
    assert bars.get_path().contains_point((0, 0.3))
    assert not bars.get_path().contains_point((1, 0.01))
