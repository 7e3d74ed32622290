import numpy as np
import pytest
from scipy import stats

from specviz.plots.power import describe_power, plot_power, read_power
from specviz.theory.spread_bias import spread_bias


def test_power_is_the_share_beyond_the_cut():
    reading = read_power(32, 20_000, 0.02, 0.001)
    counts = np.random.default_rng(0).multinomial(20_000, spread_bias(32, 0.02)[1], 4_000)
    beyond = (((counts - 625) ** 2 / 625).sum(axis=1) > reading.cut).mean()
    assert beyond == pytest.approx(reading.power, abs=0.03), "3.3 standard errors are 0.026"
    assert reading.cut == pytest.approx(stats.chi2.isf(0.001, 31))
    assert read_power(32, 20_000, 0.0, 0.001).power == pytest.approx(0.001)
    assert read_power(32, 1_000_000, 0.1, 0.001).power == 1


def test_the_rule_of_thumb_fails_a_right_sampler():
    """Below 0.01 in about 2 of 1,000 runs, at V = 32 and 20,000 draws."""
    reading = read_power(32, 20_000, 0.02, 0.001)
    assert 0 < reading.right_passes < 0.005
    assert reading.right.mean() == pytest.approx(np.sqrt(32 / (2 * np.pi * 20_000)), rel=0.03)
    assert "passes a right sampler in 0.2% of runs" in describe_power(32, 20_000, 0.02)
    ax = plot_power(32, 20_000, 0.02)
    assert ax.lines[2].get_xdata()[0] == pytest.approx(reading.cut)
    assert "power 0.529" in [text.get_text() for text in ax.texts]
    assert "to the right of this axis" in plot_power(32, 1_000_000, 0.05).texts[-1].get_text()
