import numpy as np
import pytest

import specviz
from specviz import verify
from specviz.auditing.checks.anytime import EProcess, run_anytime
from specviz.auditing.subject.contract import Adapted
from specviz.catalogue.index import mutant
from specviz.models.designed import CHAINS

NULL = CHAINS["A"].joint_law(4).ravel()


def sequences(law, n, rng):
    return np.column_stack(np.unravel_index(rng.choice(256, n, p=law), (4,) * 4))


def peaks(seeds, n, alpha):
    """Runs on the null that reach 1 / alpha at any of many looks."""
    alarms = 0
    for seed in range(seeds):
        rng, process = np.random.default_rng(seed), EProcess(("A",))
        for _ in range(n // 50):
            process.update("A", sequences(NULL, 50, rng))
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
        process = EProcess(("A",))
        process.update("A", sequences(NULL, 1, rng))
        values.append(np.exp(process.log_e))
    assert np.mean(values) < 1 + 4 * np.std(values) / np.sqrt(2000)


def test_updates_one_by_one_and_together_agree():
    made = sequences(NULL, 60, np.random.default_rng(0))
    one, many = EProcess(("A",)), EProcess(("A",))
    one.update("A", made)
    for row in made:
        many.update("A", row[None])
    assert one.log_e == pytest.approx(many.log_e)


def test_it_stops_early():
    for name, most in (("replacement_from_p", 1000), ("lenience_0.8", 2000), ("bonus_from_row_before", 2000)):
        entry = mutant(name)
        process = run_anytime(Adapted(entry.build(CHAINS["A"])), 0, 0.001, entry.pair)
        assert process.log_e >= np.log(1000)
        assert process.n <= most, name


def test_it_sees_a_fault_that_is_in_no_catalogue():
    wrong = 0.8 * NULL + 0.2 / 256
    rng, process = np.random.default_rng(0), EProcess(("A",))
    while process.log_e < np.log(1000) and process.n < 20_000:
        process.update("A", sequences(wrong, 100, rng))
    assert process.n < 20_000


def test_as_a_budget():
    report = specviz.audit(mutant("replacement_from_p").build(CHAINS["A"]), budget="anytime", progress=False)
    assert report.failed[-1].name == "anytime law"
    process = run_anytime(Adapted(verify), 0, 0.001, None, most=500)
    assert process.n == 2000
    assert process.log_e < 0
