import numpy as np
import pytest

from specviz.auditing.statistics.e_process import EProcess

NULL = np.random.default_rng(7).dirichlet(np.ones(64))
SHIFTED = 0.9 * NULL + 0.1 * np.eye(64)[3]


def new():
    """Evidence against one law, with one alternative."""
    return EProcess({"A": NULL}, {"A": np.log(SHIFTED / NULL)[None]})


def cells(law, n, rng):
    return rng.choice(len(law), n, p=law)


def peaks(seeds, n, alpha):
    """Runs on the null that reach 1 / alpha at any of many looks."""
    alarms = 0
    for seed in range(seeds):
        rng, process = np.random.default_rng(seed), new()
        for _ in range(n // 50):
            process.update("A", cells(NULL, 50, rng))
            if process.log_e >= np.log(1 / alpha):
                alarms += 1
                break
    return alarms


def test_looking_all_the_time_does_not_raise_the_rate():
    """300 runs of 40 looks at rate .1: at most 30 alarms expected; 48 or more has probability .001."""
    assert peaks(300, 2000, 0.1) < 48


def test_the_e_value_is_at_most_1_on_average():
    """The mean of 2,000 e-values of one step under the null; each is bounded, so 4 standard errors are a fair limit."""
    rng = np.random.default_rng(0)
    values = []
    for _ in range(2000):
        process = new()
        process.update("A", cells(NULL, 1, rng))
        values.append(np.exp(process.log_e))
    assert np.mean(values) < 1 + 4 * np.std(values) / np.sqrt(2000)


def test_updates_one_by_one_and_together_agree():
    made = cells(NULL, 60, np.random.default_rng(0))
    one, many = new(), new()
    one.update("A", made)
    for row in made:
        many.update("A", row[None])
    assert one.log_e == pytest.approx(many.log_e)


def test_it_sees_a_fault_that_is_in_no_catalogue():
    wrong = 0.8 * NULL + 0.2 / 64
    rng, process = np.random.default_rng(0), new()
    while process.log_e < np.log(1000) and process.n < 20_000:
        process.update("A", cells(wrong, 100, rng))
    assert process.n < 20_000


def test_a_given_alternative_is_seen_sooner_than_one_that_must_be_learned():
    def stopping_time(ratios):
        rng, process = np.random.default_rng(0), EProcess({"A": NULL}, {"A": ratios})
        while process.log_e < np.log(1000):
            process.update("A", cells(SHIFTED, 10, rng))
        return process.n

    assert stopping_time(np.log(SHIFTED / NULL)[None]) < stopping_time(np.zeros((1, 64)))


def test_by_hand():
    """One draw of cell 3 by one alternative: half its ratio, and half the Dirichlet laws', which predict the null at first."""
    process = new()
    assert process.log_e == pytest.approx(0)
    process.update("A", np.array([3]))
    assert np.exp(process.log_e) == pytest.approx((SHIFTED[3] / NULL[3] + 1) / 2)
    assert process.n == 1


def test_what_was_learned_by_hand():
    """Cell 3 again, without an alternative: predicted by (c null + 1) / (c + 1), for each concentration, in one and in all."""
    process = EProcess({"A": NULL}, {"A": np.zeros((1, 64))})
    process.update("A", np.array([3]))
    process.update("A", np.array([3]))
    c = np.array([100.0, 1000.0, 10_000.0, 100_000.0])
    assert np.exp(process.log_e) == pytest.approx(0.5 + ((c + 1 / NULL[3]) / (c + 1)).mean() / 2)


def test_instances_are_counted_apart():
    process = EProcess({"A": NULL, "B": NULL}, {"A": np.zeros((1, 64)), "B": np.zeros((1, 64))})
    process.update("A", np.array([3]))
    process.update("B", np.array([3]))
    assert process.log_e == pytest.approx(0), "each has seen its cell for the first time"


def test_an_impossible_cell_is_infinite_evidence():
    process = EProcess({"A": np.array([0.5, 0.5, 0])}, {"A": np.zeros((1, 3))})
    process.update("A", np.array([2]))
    assert process.log_e == np.inf
