import numpy as np
import pytest

from specviz.plots.square import BalanceReading, describe_square, plot_square, read_square

P, Q = (0.5, 0.3, 0.15, 0.05), (0.25,) * 4


def test_columns_are_as_wide_as_q_and_kept_up_to_p_over_q():
    ax = plot_square(P, Q, token=2, u=0.7)
    kept, rejected = ax.patches
    assert (kept.right - kept.left).tolist() == pytest.approx([0.25] * 4)
    assert kept.heights == pytest.approx([1, 1, 0.6, 0.2])
    assert rejected.bottoms + rejected.heights == pytest.approx([1] * 4)
    assert ax.lines[-1].get_xydata().tolist() == [[0.625, 0.7]], "the marked draft stands in the middle of its column"
    assert describe_square(P, Q).endswith("D 0.25 wide, kept up to 0.20. The kept area is the overlap, 0.700.")


def test_darts_are_drawn_and_counted():
    darts = np.random.default_rng(0).random((200, 2))
    ax = plot_square(P, Q, darts=darts)
    misses, hits = ax.lines[1], ax.lines[2]
    assert len(misses.get_xdata()) + len(hits.get_xdata()) == 200
    share = len(hits.get_xdata()) / 200
    assert share == read_square(P, Q, darts=darts).keeps.mean() == pytest.approx(0.7, abs=0.1)
    assert describe_square(P, Q, darts=darts).startswith(f"Of 200 darts {share:.3f} are kept. Columns: A")


@pytest.mark.parametrize(
    ("left", "right", "strict", "says"),
    [
        (0.1, 0.2, True, "keep if u q < p: kept."),
        (0.2, 0.1, True, "keep if u q < p: rejected."),
        (0.0, 0.0, True, "keep if u q < p: rejected."),
        (0.2, 0.2, False, "keep if u q <= p: kept."),
        (0.0, 0.0, False, "keep if u q <= p: kept. The target never says this token: the test must be strict."),
    ],
)
def test_both_sides_of_a_test(left, right, strict, says):
    assert BalanceReading("A", left, right, strict).says == f"Draft A: u q = {left:.3f}, p = {right:.3f}; {says}"
