from fractions import Fraction as F
from itertools import product
from math import erf, erfc, exp, factorial, inf, log, prod, sqrt

import numpy as np
import pytest

from specviz.auditing.checks.prefixes import prefix_pair
from specviz.auditing.checks.wide import wide_cells, wide_laws
from specviz.auditing.statistics.identity import Evidence, count_by_context, evidence, pool_groups, worst_group

LAW = np.array([0.05, 0.15, 0.3, 0.5])


def say(n, i, s):
    return f"{n} and {i} and {s}"


@pytest.mark.parametrize("N", [1, 2, 3, 4])
@pytest.mark.parametrize("law", [(F(1, 2), F(1, 3), F(1, 6)), (F(1, 4), F(0), F(3, 4)), (F(1, 2), F(1, 2), F(0))], ids=str)
def test_mean_and_variance_by_summing_over_all_counts(law, N):
    """Every table of N counts with its multinomial probability, in fractions."""
    moments = [F(0), F(0)]
    for counts in product(range(N + 1), repeat=3):
        if sum(counts) == N and not any(n and not p for n, p in zip(counts, law, strict=True)):
            chance = factorial(N) * prod(p**n / F(factorial(n)) for n, p in zip(counts, law, strict=True))
            statistic = sum((n - N * p) ** 2 / (N * p) for n, p in zip(counts, law, strict=True) if p)
            one = evidence(counts, np.array(law, float))
            assert one.statistic == pytest.approx(float(statistic))
            moments = [m + chance * statistic**k for k, m in enumerate(moments, 1)]
    assert one.mean == pytest.approx(float(moments[0]))
    assert one.variance == pytest.approx(float(moments[1] - moments[0] ** 2), abs=1e-12)


def test_groups_add_up_and_empty_ones_add_nothing():
    laws = np.array([[0.5, 0.5], [0.25, 0.75], [0.5, 0.5]])
    counts = np.array([[3, 1], [2, 2], [0, 0]])
    together, apart = evidence(counts, laws), [evidence(counts[i], laws[i]) for i in range(2)]
    assert together == pytest.approx([a + b for a, b in zip(*apart, strict=True)])
    assert Evidence(1, 2, 3) + Evidence(40, 50, 60) == (41, 52, 63)


@pytest.mark.parametrize(
    ("one", "p_value", "two_sided"),
    [
        (Evidence(12, 3, 9), exp(-4), 2 * exp(-4)),  # the exponential law with mean 3
        (Evidence(0.3, 3, 9), exp(-0.1), 2 * (1 - exp(-0.1))),
        (Evidence(3 * log(2), 3, 9), 0.5, 1),
        (Evidence(2, 0.5, 0.5), erfc(sqrt(2)), 2 * erfc(sqrt(2))),  # half the square of a normal deviation
        (Evidence(0.1, 0.5, 0.5), erfc(sqrt(0.1)), 2 * erf(sqrt(0.1))),
        (Evidence(0, 0, 0), 1, 1),
        (Evidence(inf, 3, 9), 0, 0),
        (Evidence(inf, 0, 0), 0, 0),
    ],
)
def test_p_values_of_known_gamma_laws(one, p_value, two_sided):
    assert one.p_value == pytest.approx(p_value)
    assert one.two_sided == pytest.approx(two_sided)


@pytest.mark.parametrize("N", [1, 2, 7, 100])
def test_mean_and_variance_are_exact(N):
    """By simulation: 200,000 statistics; the mean is within 5 standard errors, the variance within 5%."""
    counts = np.random.default_rng(0).multinomial(N, LAW, 200_000)
    statistics = ((counts - N * LAW) ** 2 / (N * LAW)).sum(axis=1)
    one = evidence(counts[0], LAW)
    assert one.mean == 3
    assert abs(statistics.mean() - one.mean) < 5 * statistics.std() / np.sqrt(200_000) + 1e-9
    assert statistics.var() == pytest.approx(one.variance, rel=0.05, abs=1e-9)


def test_sums_of_small_groups_keep_the_rate():
    """2,000 sums of 200 groups of 20: at rate .01, 20 alarms are expected; 7 to 36 is the two-sided 99.9% range."""
    rng = np.random.default_rng(0)
    alarms = sum(evidence(rng.multinomial(20, LAW, 200), LAW).p_value < 0.01 for _ in range(2000))
    assert 7 <= alarms <= 36


def test_impossible_tokens_refute_at_once():
    assert evidence([3, 0, 1], np.array([0.5, 0.5, 0.0])) == (inf, 0, 0)
    assert evidence([3, 0, 1], np.array([0.5, 0.5, 0.0])).p_value == 0
    assert evidence([0, 0, 0], np.array([0.5, 0.5, 0.0])).p_value == 1, "no counts, no evidence"


def test_counts_that_are_too_even_are_seen():
    even = sum((evidence([25, 75, 150, 250], LAW) for _ in range(30)), Evidence(0, 0, 0))
    assert even.p_value > 0.999
    assert even.two_sided < 1e-6


def test_tokens_are_counted_where_they_are_emitted():
    counts = count_by_context(
        np.array([[1, 2, -1], [0, -1, -1]]), np.array([2, 1]), np.array([2, 0]), np.array([[0, 1, 1], [0, 9, 9]]), (2, 2, 3)
    )
    assert counts.shape == (3, 3, 2, 3)
    assert counts.sum() == 3
    assert counts[2, 0, 0, 1] == counts[2, 1, 1, 2] == counts[0, 0, 0, 0] == 1


def test_a_full_row_is_counted_to_its_last_token():
    counts = count_by_context(np.array([[0, 1]]), np.array([2]), np.array([1]), np.array([[0, 1]]), (1, 2, 2))
    assert np.argwhere(counts).tolist() == [[1, 0, 0, 0], [1, 1, 1, 1]]


def test_a_group_is_large_if_its_rarest_possible_token_is_expected_five_times():
    counts = np.zeros((2, 2, 1, 3), np.int64)
    counts[0, 0, 0], counts[1, 0, 0], counts[1, 1, 0] = [9, 11, 0], [10, 9, 0], [1, 2, 0]
    pooled = pool_groups(counts, np.array([[0.75, 0.25, 0]]))
    assert pooled[:, 0].tolist() == [[9, 11, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [11, 11, 0]]
    assert pool_groups(counts, np.array([[0.75, 0.25, 0]]), least=5.25)[0].tolist() == [[0, 0, 0]]


def test_small_groups_are_put_together_and_none_is_lost():
    counts = np.zeros((3, 3, 1, 4), np.int64)
    counts[0, 0, 0], counts[1, 0, 0], counts[2, 1, 0] = [50, 150, 300, 500], [1, 2, 3, 4], [0, 1, 1, 2]
    pooled = pool_groups(counts, LAW[None])
    assert pooled.sum() == counts.sum()
    assert pooled[-1, 0].tolist() == [1, 3, 4, 6]


def test_the_instances_are_laws():
    assert prefix_pair().target.min() > 0.049
    p, q = wide_laws()
    assert p.min() > 0
    for rows in (p, q):
        assert rows.sum(axis=1) == pytest.approx(1)
    assert [cells.shape for cells in wide_cells()] == [p.shape, p.shape]


def test_the_worst_group_is_named():
    counts = np.zeros((2, 2, 1, 4), np.int64)
    counts[0, 0, 0], counts[1, 1, 0] = [50, 150, 300, 500], [500, 150, 300, 50]
    assert worst_group(counts, LAW[None], say) == "1 and 1 and 0: token 0 came out with frequency 0.500; p = 0.050"


def test_the_worst_group_may_hold_one_token_and_of_equal_ones_the_first_is_named():
    laws = np.array([[0.25, 0.75, 0], [0.75, 0.25, 0]])
    counts = np.zeros((2, 2, 2, 3), np.int64)
    counts[0, 1, 1, 2] = counts[1, 1, 0, 2] = 1
    assert worst_group(counts, laws, say) == "0 and 1 and 1: token 2 came out with frequency 1.000; p = 0.000"
    assert worst_group(counts * 0, laws, say) == ""


def test_a_token_that_comes_out_too_rarely_is_named_as_well():
    counts = np.zeros((1, 1, 1, 3), np.int64)
    counts[0, 0, 0] = [100, 300, 100]
    assert (
        worst_group(counts, np.array([[0.5, 0.4, 0.1]]), say) == "0 and 0 and 0: token 0 came out with frequency 0.200; p = 0.500"
    )
