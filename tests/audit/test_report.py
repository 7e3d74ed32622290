import numpy as np
import pytest

from specviz import MarkovPair, generate, match_target, verify
from specviz.audit.law import chi_square, count_cells
from specviz.audit.mutants import mutant
from specviz.audit.report import audit_law


@pytest.mark.parametrize("K", [3, 2], ids=["headline", "sees the bonus"])
def test_joint_law_of_300_000_sequences(K):
    pair = MarkovPair.teaching()
    made = generate(pair, verify, length=3, K=K, n=300_000, rng=np.random.default_rng(2024))
    test = chi_square(count_cells(made.sequences, 4), pair.joint_law(3))
    assert test.dof == 63
    assert test.statistic < 103.44


def test_a_right_verifier_passes_and_says_what_that_means():
    report = audit_law(verify, n=50_000)
    assert report.passed
    assert [check.verdict for check in report.checks] == ["pass", "note", "pass", "note"]
    assert "as the token rule" in str(report)
    assert "no proof" in str(report)
    assert max(map(len, str(report).splitlines())) <= 100


def test_a_slower_lossless_rule_passes_and_is_called_slower():
    report = audit_law(match_target, n=50_000)
    assert report.passed
    assert "slower" in str(report)


def test_a_wrong_verifier_fails():
    report = audit_law(mutant("one_uniform_per_row").build(MarkovPair.teaching()), n=50_000, name="<one>")
    assert not report.passed
    assert "NOT lossless" in str(report)
    assert "&lt;one&gt;" in report._repr_html_()
    assert "<one>" not in report._repr_html_()


def test_the_bonus_needs_a_K_below_the_length():
    wrong = mutant("bonus_from_row_before").build(MarkovPair.teaching())
    assert audit_law(wrong, K=(3,), n=50_000).passed, "K = 3 and three tokens never show a bonus"
    assert not audit_law(wrong, K=(2,), n=50_000).passed


def test_false_alarm_rate_of_the_whole_report():
    """400 seeds at rate .05: 20 alarms expected, one-sided 0.1% point 35."""
    alarms = sum(not audit_law(verify, n=2000, seed=seed, alpha=0.05).passed for seed in range(400))
    assert alarms <= 35


def test_corners_are_said_in_words():
    assert audit_law(verify, MarkovPair([[1.0]], [[1.0]]), n=100).passed
    assert audit_law(verify, MarkovPair(np.eye(3), np.eye(3), start=0), n=1000).passed
    assert "none could have been" in str(audit_law(verify, n=1))
