from dataclasses import replace
from math import erfc, sqrt
from statistics import NormalDist

import numpy as np
import pytest

from specviz.auditing.statistics.chi_square import (
    chi_square,
    count_cells,
    divergence,
    noncentrality_for,
    pool,
    power,
    smallest_visible_bias,
)

LAW = np.array([0.4, 0.3, 0.2, 0.1])


@pytest.mark.parametrize(("dof", "value"), [(3, 48.1), (15, 68.0), (63, 104.6), (255, 175.8)])
def test_noncentralities(dof, value):
    assert noncentrality_for(dof) == pytest.approx(value, abs=0.05)


def test_the_cut_of_64_cells():
    counts = np.full(64, 100)
    assert chi_square(counts, np.full(64, 1 / 64)).cut == pytest.approx(103.44, abs=0.005)


def test_count_cells():
    counts = count_cells(np.array([[0, 1], [0, 1], [2, 2]]), 3)
    assert counts[0, 1] == 2
    assert counts[2, 2] == 1
    assert counts.sum() == 3


def test_every_cell_is_counted_be_it_seen_or_not():
    assert count_cells(np.array([[0, 1, 0]]), 3).tolist() == np.eye(27, dtype=int)[3].reshape(3, 3, 3).tolist()


def test_the_statistic_of_two_cells():
    """60 and 40 where 50 and 50 are expected: 100 / 50 twice; for 1 degree of freedom P(Z^2 > 4) = erfc(sqrt 2)."""
    test = chi_square([60, 40], [0.5, 0.5], alpha=erfc(3 / sqrt(2)))
    assert (test.statistic, test.dof, test.n, test.cells) == (pytest.approx(4), 1, 100, 2)
    assert test.p_value == pytest.approx(erfc(sqrt(2)))
    assert test.cut == pytest.approx(9)
    assert test.total_variation == pytest.approx(0.1)


def test_total_variation_and_cells_are_taken_before_pooling():
    """Two of four possible cells are pooled, and the fifth can not come up."""
    test = chi_square([50, 40, 6, 4, 0], [0.46, 0.46, 0.04, 0.04, 0])
    assert test.total_variation == pytest.approx((0.04 + 0.06 + 0.02 + 0) / 2)
    assert (test.cells, test.dof) == (4, 2)
    assert test.statistic == pytest.approx(16 / 46 + 36 / 46 + 4 / 8)


def test_a_statistic_at_the_cut_passes():
    test = chi_square([50, 50], [0.5, 0.5])
    assert replace(test, statistic=test.cut).passed
    assert not replace(test, statistic=np.nextafter(test.cut, np.inf)).passed


def test_false_alarm_rate_and_power_are_as_stated():
    """2,000 seeds at rate .02: the law itself fails about 40 times, a biased one as often as `power` says."""
    rng = np.random.default_rng(0)
    n, alpha = 2000, 0.02
    alarms = [not chi_square(rng.multinomial(n, LAW), LAW, alpha=alpha).passed for _ in range(2000)]
    assert abs(sum(alarms) - 40) < 3.3 * np.sqrt(40)
    biased = LAW + np.array([0.03, -0.03, 0, 0])
    expected = power(biased, LAW, n, alpha=alpha)
    assert 0.3 < expected < 0.99
    seen = np.mean([not chi_square(rng.multinomial(n, biased), LAW, alpha=alpha).passed for _ in range(1000)])
    assert seen == pytest.approx(expected, abs=0.05)


def test_smallest_visible_bias_is_visible():
    n = 10_000
    d = smallest_visible_bias(LAW, n)
    for shift in ([d, -d, 0, 0], [0, 0, d, -d], [d / 2, d / 2, -d / 2, -d / 2]):
        assert power(LAW + np.array(shift), LAW, n) >= 0.999
    assert power(LAW + np.array([d, -d, 0, 0]) / 4, LAW, n) < 0.9, "a quarter of it is not"
    assert power(LAW, LAW, n) == 0.001


def test_bound_is_the_stated_sum_and_covers_the_truth():
    rng = np.random.default_rng(1)
    biased = LAW + np.array([0.02, 0, 0, -0.02])
    tests = [chi_square(rng.multinomial(1000, biased), LAW) for _ in range(200)]
    slack = np.sqrt(3 / 1000) / 2 + np.sqrt(np.log(1000) / 2000)
    assert [test.bound for test in tests] == pytest.approx([test.total_variation + slack for test in tests])
    assert min(test.bound for test in tests) > 0.02


def test_no_promise_where_cells_are_pooled():
    assert smallest_visible_bias(LAW, 49) == np.inf
    assert smallest_visible_bias(LAW, 50) < 1.5


def test_pooling():
    observed, expected = pool(np.array([1.0, 2, 3, 94]), np.array([1.0, 2, 3, 94]))
    assert expected.tolist() == [94, 6]
    assert observed.tolist() == [94, 6]
    _, expected = pool(np.array([0.0, 10, 90]), np.array([1.0, 9, 90]))
    assert expected.tolist() == [90, 10], "a pool that is still too small takes the next cell in"
    _, expected = pool(np.array([1.0, 4, 10, 85]), np.array([1.0, 4, 10, 85]))
    assert expected.tolist() == [10, 85, 5], "one that holds 5 does not"
    observed, _ = pool(np.array([9.0, 1]), np.array([5.0, 5]))
    assert observed.tolist() == [9, 1], "nor is a cell of 5 pooled"


def test_impossible_tokens_refute_at_once():
    test = chi_square([999_999, 1], [1.0, 0.0])
    assert test.statistic == np.inf
    assert test.p_value == 0
    assert not test.passed
    assert chi_square([10, 0], [1.0, 0.0]).passed
    assert divergence([0.5, 0.5], [1, 0]) == np.inf
    assert power([0.5, 0.5], [1, 0], 1) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2], [0.5, 0.6]), r"law sums to 1.1"),
        (([1, 2], [np.nan, 1]), r"law\[0\] is nan"),
        (([1, 2], [1.0]), "shape"),
        (([0, 0], [0.5, 0.5]), "all 0"),
        (([1, 1], [0.5, 0.5], 0), "alpha is 0"),
        (([1, 1], [0.5, 0.5], 1), "alpha is 1"),
        (([1, 1], [0.5, 0.5], 1.5), "alpha is 1.5"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        chi_square(*arguments[:2], **({"alpha": arguments[2]} if len(arguments) == 3 else {}))


def test_all_pooled_into_one_cell_passes():
    test = chi_square([0, 0, 1], [0.15880448167679984, 0.04564996889225682, 0.7955455494309432])
    assert (test.statistic, test.dof, test.cut, test.p_value, test.passed) == (0, 0, 0, 1, True)


def test_divergence_is_the_sum_over_the_possible_cells():
    assert divergence([0.5, 0.5, 0], [0.25, 0.75, 0]) == pytest.approx(1 / 4 + 1 / 12)
    assert divergence([0.5, 0.25, 0.25], [0.5, 0.5, 0]) == np.inf
    assert divergence([[0.5], [0.5]], [[0.5], [0.5]]) == 0


def test_a_cell_that_can_not_come_up_changes_neither_power_nor_sensitivity():
    biased = LAW + np.array([0.03, -0.03, 0, 0])
    assert power(np.append(biased, 0), np.append(LAW, 0), 2000) == power(biased, LAW, 2000)
    assert smallest_visible_bias(np.append(LAW, 0), 2000) == smallest_visible_bias(LAW, 2000)


def test_power_at_one_degree_of_freedom_is_that_of_a_normal_deviation():
    """100 draws from (.6, .4) against (.5, .5): noncentrality 100 * .04, the deviation has mean 2."""
    normal, alpha = NormalDist(), 0.05
    z = normal.inv_cdf(1 - alpha / 2)
    assert power([0.6, 0.4], [0.5, 0.5], 100, alpha=alpha) == pytest.approx(normal.cdf(2 - z) + normal.cdf(-2 - z))


@pytest.mark.parametrize(("alpha", "wanted"), [(0.001, 0.999), (0.1, 0.2), (1e-12, 1 - 1e-9)])
def test_noncentrality_at_one_degree_of_freedom(alpha, wanted):
    """The square of the mean at which a normal deviation exceeds its two-sided limit with the power asked for."""
    normal, mean = NormalDist(), sqrt(noncentrality_for(1, alpha=alpha, power=wanted))
    z = normal.inv_cdf(1 - alpha / 2)
    assert normal.cdf(mean - z) + normal.cdf(-mean - z) == pytest.approx(wanted, abs=1e-11)


def test_smallest_visible_bias_of_two_cells():
    """Half the deviation that is seen, 3.2905 + 3.0902 standard errors, by the square root of n."""
    assert smallest_visible_bias([0.5, 0.5], 10_000) == pytest.approx((3.2905267 + 3.0902323) / 200, rel=1e-6)


def test_corners_of_power():
    assert power([1.0], [1.0], 1000) == 0, "one cell: nothing can be seen"
    assert smallest_visible_bias([1.0], 1) == pytest.approx(0.999)
    assert power([0.5, 0.5], [1, 1e-300], 1000) == 1
    assert power([0.5, 0.5], [1, 5e-324], 1000) == 1
    assert smallest_visible_bias([1.0], 1000) == pytest.approx(0.0069, abs=1e-4), "(1 - d)^1000 = 0.001"
    assert noncentrality_for(3_000_000) > 10_000


def test_nothing_to_test():
    with pytest.raises(ValueError, match="dof is 0"):
        noncentrality_for(0)
    with pytest.raises(ValueError, match="n is 0"):
        smallest_visible_bias(LAW, 0)
