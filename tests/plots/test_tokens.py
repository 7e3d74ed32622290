import pytest

from specviz.plots.tokens import describe_tokens, plot_tokens


def test_tokens_curve():
    ax = plot_tokens(0.7, range(4), [1, 1.7, 2.19, 2.533], [0.001] * 4)
    assert ax.lines[0].get_ydata() == pytest.approx([1, 1.7, 2.19, 2.533])
    assert "2.533 at K = 3; measured" in describe_tokens(0.7, range(4), [1, 1.7, 2.19, 2.54])


def test_an_overlap_of_one_has_no_limit():
    ax = plot_tokens(1.0, [1, 2])
    assert ax.lines[0].get_ydata().tolist() == [2, 3]
    assert len(ax.lines) == 1, "no line for a limit"
