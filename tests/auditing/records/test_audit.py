from math import erfc, inf, sqrt

import numpy as np
import pytest

from specviz import audit_records
from specviz.auditing.records.sums import scores, summarise
from specviz.catalogue.build.parts import Parts, at
from specviz.models.recorded import load_rounds

QUESTIONS = {"drafts from q?": (0, 1), "acceptance right?": (2,), "outputs from p?": (3, 4)}


def cold(q):
    powered = q**2
    return powered / powered.sum(axis=-1, keepdims=True)


def test_a_right_engine_passes_all_three(engine):
    report = audit_records(engine())
    assert report.passed
    assert [check.name for check in report.checks] == list(QUESTIONS)
    assert all("No sign against it" in check.finding for check in report.checks), str(report)
    assert max(map(len, str(report).splitlines())) <= 80


def test_the_rate_is_kept(engine):
    """100 runs of 60 rounds at rate .05: 5 alarms expected at most; 14 or more has probability .0005."""
    alarms = sum(not audit_records(engine(60, V=50, seed=seed), alpha=0.05).passed for seed in range(100))
    assert alarms < 14


@pytest.mark.parametrize("weights", [lambda p, q, x: p, lambda p, q, x: np.abs(p - q)], ids=["from p", "abs(p - q)"])
def test_outputs_that_are_not_from_p(engine, weights):
    wrong = audit_records(engine(verifier=Parts(replacement=weights).verifier))
    assert [check.name for check in wrong.failed] == ["outputs from p?"]
    assert "No sign" in wrong.checks[0].finding
    assert "No sign" in wrong.checks[1].finding
    assert "biased" in wrong.checks[2].finding


def test_drafts_that_are_not_from_q(engine):
    report = audit_records(engine(sampled=cold))
    assert "not from the q" in report.checks[0].finding
    assert "No sign" in report.checks[1].finding


def test_acceptance_by_another_rule(engine):
    report = audit_records(engine(verifier=Parts(accept=lambda p, q, x, i: (0.7 * at(q, x), at(p, x))).verifier))
    assert "Drafts are not accepted" in report.checks[1].finding
    assert "No sign" in report.checks[0].finding


def test_the_rounds_of_a_real_model():
    report = audit_records(load_rounds().rounds)
    assert report.passed
    assert "72 rounds, 3.43 tokens a round." in report.remarks


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("sampled", [lambda q: q, cold], ids=["right", "cold drafts"])
def test_a_question_is_answered_by_the_largest_of_its_sums(engine, question, sampled):
    total = sum(scores(summarise(*one)) for one in engine(40, V=50, sampled=sampled))
    which = QUESTIONS[question]
    z = max((total[i, 0] / sqrt(total[i, 1]) for i in which), key=abs)
    (check,) = (c for c in audit_records(engine(40, V=50, sampled=sampled)).checks if c.name == question)
    assert check.statistic == pytest.approx(z, rel=1e-12)
    assert check.p_value == pytest.approx(min(1, len(which) * erfc(abs(z) / sqrt(2))), rel=1e-9)


@pytest.mark.parametrize(("beside", "verdict"), [(0.999, "pass"), (1.001, "FAIL")])
def test_the_outputs_fail_below_their_share_of_the_rate(engine, beside, verdict):
    """They ask two of the five sums, so two fifths of alpha are theirs."""

    def audited(alpha):
        return audit_records(engine(40, V=50, verifier=Parts(replacement=lambda p, q, x: p).verifier), alpha=alpha).checks[2]

    p_value = audited(0.5).p_value
    assert 1e-12 < p_value < 0.1
    assert audited(beside * p_value * 5 / 2).verdict == verdict


@pytest.mark.parametrize(("token", "z"), [(0, 0.0), (1, -inf)])
def test_a_token_that_p_rules_out_is_refused_at_once(token, z):
    report = audit_records([([], [], [[1.0, 0.0]], [token])])
    assert report.passed == (z == 0)
    assert report.checks[2].statistic == z


@pytest.mark.parametrize("total", [0.9991, 1.0009])
def test_rows_of_half_precision_that_are_all_but_certain_are_no_alarm(total):
    """Their sums are off 1 by rounding, always to the same side: 20,000 times that must not look like a bias."""
    row = [[total, 0.0]]
    assert audit_records([summarise([0], row, row * 2, [0, 0])] * 10_000).passed


def test_what_ran_is_counted(engine):
    rounds = list(engine(40, V=50))
    tokens = sum(len(one[3]) for one in rounds)
    report = audit_records(rounds)
    assert {check.ran for check in report.checks} == {f"40 rounds, {tokens:,} tokens"}
    assert report.remarks == (f"40 rounds, {tokens / 40:.2f} tokens a round.",)


def test_sums_at_hand_are_audited_as_their_rows(engine):
    rounds = list(engine(40, V=50))
    assert str(audit_records(summarise(*one) for one in rounds)) == str(audit_records(rounds))


def test_an_engine_is_called_as_asked(engine):
    assert audit_records(engine(20, V=50)).verifier == "records"
    assert audit_records(engine(20, V=50), name="mine").verifier == "mine"


GOOD = ([2], np.full((1, 3), 1 / 3), np.full((2, 3), 1 / 3), [2, 0])


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ((*GOOD[:3], [1, 1]), r"record 1: tokens is \[1, 1\] for draft \[2\]"),
        (([2], np.full((1, 3), 0.2), *GOOD[2:]), r"record 1: q\[0\] sums to 0.6"),
        (GOOD[:3], "record 1: .*missing 1 required positional argument"),
        (7, "record 1: "),
        (summarise(*GOOD)._replace(q2=()), "record 1: q2 has 0 numbers; expected 1"),
    ],
    ids=["tokens", "q", "three arrays", "a number", "sums"],
)
def test_a_bad_record_is_named(bad, message):
    assert audit_records([GOOD]).passed
    with pytest.raises(ValueError, match=message):
        audit_records([GOOD, bad])


def test_nothing_recorded():
    with pytest.raises(ValueError, match="holds no round; expected at least one"):
        audit_records([])


@pytest.mark.parametrize("alpha", [0, 1, -0.1, float("nan")])
def test_a_rate_is_between_0_and_1(alpha):
    with pytest.raises(ValueError, match=f"alpha is {alpha}; expected a rate between 0 and 1"):
        audit_records([GOOD], alpha=alpha)
