"""Pictures of processing, power, siblings and blocks, read through their artists and their sentences."""

import numpy as np
import pytest
from scipy import stats

from specviz.plots import block as block_plots
from specviz.plots import power as power_plots
from specviz.plots import process as process_plots
from specviz.plots import siblings as sibling_plots
from specviz.theory.misreport import misreported

P, Q = (0.4, 0.3, 0.2, 0.1), (0.1, 0.3, 0.2, 0.4)


def test_a_mismatch_is_drawn_and_told():
    target, drafter = np.log([0.4, 0.3, 0.2, 0.1]), np.log([0.3, 0.1, 0.2, 0.4])
    reading = process_plots.read_process(target, drafter, "q raw", top_k=2)
    assert reading.out.law == pytest.approx([0.687, 0.313, 0, 0], abs=5e-4)
    ax = process_plots.plot_mismatch(target, drafter, "q raw", top_k=2)
    assert ax.patches[0].heights == pytest.approx(reading.out.law)
    assert [segment[0][1] for segment in ax.collections[0].get_segments()] == pytest.approx([4 / 7, 3 / 7, 0, 0])
    assert "off by TV = 0.116" in ax.texts[0].get_text()
    assert "Told raw q: what comes out is off by a total variation of 0.116; 0.429" in process_plots.describe_process(reading)
    assert "exactly" in process_plots.plot_mismatch(target, drafter, top_k=2).texts[0].get_text()
    with pytest.raises(ValueError, match="told is 'raw'; expected one of 'right', 'q raw', 'p raw'"):
        process_plots.read_process(target, drafter, "raw")


def test_the_shown_tokens_and_all_others_are_the_whole_law():
    law = np.random.default_rng(0).dirichlet(np.ones(9))
    assert process_plots.shown(law, [2, 5]) == pytest.approx([law[2], law[5], 1 - law[2] - law[5]])
    assert process_plots.shown(law, range(9)) == pytest.approx(law)


def test_no_rejected_mass_below_zero():
    """Sums of 60 numbers may exceed 1 by a rounding: a negative law must not come of it."""
    for seed in range(200):
        p = np.random.default_rng(seed).dirichlet(np.ones(60))
        out = misreported(p, p, sampled=p)
        assert (out.law >= 0).all()
        assert out.acceptance <= 1


def test_the_hardest_bias_has_the_smallest_divergence():
    law, biased = power_plots.spread_bias(32, 0.02)
    assert np.abs(biased - law).sum() / 2 == pytest.approx(0.02)
    assert ((biased - law) ** 2 / law).sum() == pytest.approx(4 * 0.02**2)
    with pytest.raises(ValueError, match="expected an even number"):
        power_plots.spread_bias(3, 0.02)


def test_power_is_the_share_beyond_the_cut():
    reading = power_plots.read_power(32, 20_000, 0.02, 0.001)
    counts = np.random.default_rng(0).multinomial(20_000, power_plots.spread_bias(32, 0.02)[1], 4_000)
    beyond = (((counts - 625) ** 2 / 625).sum(axis=1) > reading.cut).mean()
    assert beyond == pytest.approx(reading.power, abs=0.03), "3.3 standard errors are 0.026"
    assert reading.cut == pytest.approx(stats.chi2.isf(0.001, 31))
    assert power_plots.read_power(32, 20_000, 0.0, 0.001).power == pytest.approx(0.001)
    assert power_plots.read_power(32, 1_000_000, 0.1, 0.001).power == 1


def test_the_rule_of_thumb_fails_a_right_sampler():
    """Below 0.01 in about 2 of 1,000 runs, at V = 32 and 20,000 draws."""
    reading = power_plots.read_power(32, 20_000, 0.02, 0.001)
    assert 0 < reading.right_passes < 0.005
    assert reading.right.mean() == pytest.approx(np.sqrt(32 / (2 * np.pi * 20_000)), rel=0.03)
    assert "passes a right sampler in 0.2% of runs" in power_plots.describe_power(reading)
    ax = power_plots.plot_power(32, 20_000, 0.02)
    assert ax.lines[2].get_xdata()[0] == pytest.approx(reading.cut)
    assert "power 0.529" in [text.get_text() for text in ax.texts]
    assert "to the right of this axis" in power_plots.plot_power(32, 1_000_000, 0.05).texts[-1].get_text()


def test_stages_of_siblings():
    first, second, last = sibling_plots.sibling_stages(P, Q, [3, 1], "iid")
    assert (first.kept, second.kept) == pytest.approx((0.25, 0))
    assert second.owed == pytest.approx([1, 0, 0, 0])
    assert last.law is None
    kept = sibling_plots.sibling_stages(P, Q, [3, 1, 0], "without replacement")
    assert [stage.token for stage in kept] == [3, 1, 0], "A is kept for sure: no last draw"
    assert kept[1].law == pytest.approx([1 / 6, 1 / 2, 1 / 3, 0])
    assert kept[2].law == pytest.approx([1 / 3, 0, 2 / 3, 0])
    ranked = sibling_plots.sibling_stages(P, Q, [0, 0], "top k")
    assert [stage.token for stage in ranked] == [3, 1, -1]
    assert ranked[1].kept == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match=r"siblings\[1\] is D, which cannot be drawn there"):
        sibling_plots.sibling_stages(P, Q, [3, 3], "without replacement")
    with pytest.raises(ValueError, match=r"siblings\[1\] is B, which cannot be drawn there"):
        sibling_plots.sibling_stages(P, (1.0, 0, 0, 0), [0, 0], "top k")


def test_what_is_owed_shrinks_from_stage_to_stage():
    """Not p less the law again: (9, 6) - (4, 4) twentieths make 5/7 and 2/7, less 1/5 each make 6/7 and 1/7."""
    stages = sibling_plots.sibling_stages((0.45, 0.3, 0.15, 0.1), (0.2, 0.2, 0.25, 0.35), [3, 3], "iid")
    assert stages[1].owed == pytest.approx([5 / 7, 2 / 7, 0, 0])
    assert stages[2].owed == pytest.approx([6 / 7, 1 / 7, 0, 0])


def test_stages_add_up_to_the_acceptance_of_the_table():
    """Over all pairs of independent siblings: the first is kept, or the second is."""
    total = 0.0
    for x in range(4):
        for y in range(4):
            kept = [stage.kept for stage in sibling_plots.sibling_stages(P, Q, [x, y], "iid") if stage.law is not None]
            total += Q[x] * Q[y] * (1 - np.prod([1 - k for k in kept]))
    table = sibling_plots.acceptance_table(P, Q)
    assert total == pytest.approx(table["iid", 2][0]) == pytest.approx(0.73)
    assert table["without replacement", 2][0] == pytest.approx(0.75)
    assert all(kept <= best + 1e-9 for kept, best in table.values())
    assert ("top k", 2) not in sibling_plots.acceptance_table(P, (1.0, 0, 0, 0)), "there is no second candidate"
    heights = [height for bars in sibling_plots.plot_acceptance(P, Q).patches for height in bars.heights]
    assert heights == pytest.approx([table[d, k][0] for d in sibling_plots.DRAWINGS for k in (1, 2, 3)])
    assert "iid 0.730 of at most 0.790" in sibling_plots.describe_acceptance(table, 2)


def test_siblings_of_equal_laws_are_kept():
    stages = sibling_plots.sibling_stages((0.25,) * 4, (0.25,) * 4, [2, 1], "iid")
    assert [stage.kept for stage in stages] == [1]


def test_a_path_is_drawn_and_told():
    reading = block_plots.read_path([1, 0, 0], (0.2, 0.5, 0.3), (0.6, 0.3, 0.1))
    assert (reading.mean_alone, reading.mean_together) == pytest.approx((2.176, 2.380), abs=5e-4)
    ax = block_plots.plot_path([1, 0, 0], (0.2, 0.5, 0.3), (0.6, 0.3, 0.1))
    assert ax.lines[0].get_ydata() == pytest.approx([1, 0.6, 0.6, 0.6])
    assert ax.lines[1].get_ydata() == pytest.approx([1, 1, 1, 1])
    assert "token rule 2.800, block rule 4.000" in block_plots.describe_path(reading)
    assert block_plots.read_path([], (0.5, 0.5), (0.5, 0.5)).mean_together == 1
