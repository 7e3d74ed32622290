import numpy as np
import pytest

from specviz.auditing.checks.drawing import prefix_pair, wide_cells, wide_laws
from specviz.auditing.statistics.identity import Evidence, count_by_context, evidence, pool_groups, worst_group

LAW = np.array([0.05, 0.15, 0.3, 0.5])


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
    assert worst_group(counts, LAW[None], lambda n, i, s: f"{n} drafts, position {i}").startswith("1 drafts, position 1: token")
