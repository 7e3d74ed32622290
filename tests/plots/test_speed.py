import pytest

from specviz.plots.speed import MOST, describe_speed, plot_speed, read_speed


def test_the_best_length_carries_the_star_and_the_chosen_one_the_ring():
    ax = plot_speed(0.7, 0.1, K=2)
    curve, chosen, best = ax.lines[:3]
    assert chosen.get_xydata()[0].tolist() == pytest.approx([2, 2.19 / 1.2])
    assert best.get_xydata()[0].tolist() == pytest.approx([4, 1.981], abs=5e-4)
    assert curve.get_ydata()[4] == best.get_ydata()[0] == max(curve.get_ydata())
    assert plot_speed(0.7, 0.1).lines[1].get_xdata()[0] == 4, "the best one unless another is chosen"


def test_speed_is_told():
    assert describe_speed(0.7, 0.1, K=3) == (
        "Overlap 0.70, K = 3: 2.533 tokens per pass, 1.948 times as fast at cost 0.10. Best K up to 8: 4, 1.981 times."
    )
    says = describe_speed(0.2, 0.6, K=3)
    assert "which is slower than plain decoding" in says
    assert says.endswith("Best: do not draft.")
    assert describe_speed(0.7, 0.1, measured=[1, 1.8]).endswith("Recorded: 1.00 at K = 0, 1.80 at K = 1.")


def test_a_free_drafter_drafts_all_it_may():
    reading = read_speed(0.9, 0)
    assert reading.best == reading.K == MOST
    assert reading.tokens == pytest.approx(reading.faster)
