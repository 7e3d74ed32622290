import pytest

from specviz.explorers import split_explorer


def test_no_bar_lies_on_a_legend():
    split = split_explorer()
    split.set(p=(0, 1.0, 0, 0), q=(1.0, 0, 0, 0))
    for ax, bars in zip(split.scene.figure.axes, (split.scene.split.kept, split.scene.outcome.drawn), strict=True):
        low = ax.get_legend().get_window_extent().y0
        assert ax.transData.transform((0, 1))[1] < low
        assert bars.heights.max() <= 1
        assert max(ax.get_yticks()) == pytest.approx(1)
