import pytest

from specviz.plots.block import describe_path, plot_path, read_path


def test_a_path_is_drawn_and_told():
    reading = read_path([1, 0, 0], (0.2, 0.5, 0.3), (0.6, 0.3, 0.1))
    assert (reading.mean_alone, reading.mean_together) == pytest.approx((2.176, 2.380), abs=5e-4)
    ax = plot_path([1, 0, 0], (0.2, 0.5, 0.3), (0.6, 0.3, 0.1))
    assert ax.lines[0].get_ydata() == pytest.approx([1, 0.6, 0.6, 0.6])
    assert ax.lines[1].get_ydata() == pytest.approx([1, 1, 1, 1])
    assert "token rule 2.800, block rule 4.000" in describe_path([1, 0, 0], (0.2, 0.5, 0.3), (0.6, 0.3, 0.1))
    assert read_path([], (0.5, 0.5), (0.5, 0.5)).mean_together == 1
