import numpy as np
import pytest

from specviz import MarkovPair, generate, match_target, verify
from specviz.auditing.joint_law import audit_law
from specviz.auditing.statistics.chi_square import chi_square, count_cells
from specviz.catalogue.index import mutant


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
    assert max(map(len, str(report).splitlines())) <= 110


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
    """400 seeds at rate .05: 20 alarms expected; 7 to 36 is the two-sided 99.9% range."""
    alarms = sum(not audit_law(verify, n=2000, seed=seed, alpha=0.05).passed for seed in range(400))
    assert 7 <= alarms <= 36


def test_the_rate_is_split_over_the_draft_lengths():
    report = audit_law(verify, n=5000, K=(1, 2, 3), alpha=0.003)
    assert [check.test.alpha for check in report.checks if check.test] == pytest.approx([0.001] * 3)


def test_pace_is_told_apart_at_the_stated_rate():
    """1,000 rounds of the token rule are hardly ever called slower or faster; 1,000 without the bonus always are slower."""
    for seed in range(20):
        assert "as the token rule" in audit_law(verify, K=(3,), n=1000, seed=seed, alpha=1e-5).checks[1].finding
        assert "slower" in audit_law(mutant("no_bonus").build(MarkovPair.teaching()), K=(3,), n=1000, seed=seed).checks[1].finding


@pytest.mark.parametrize("K", [(), 3])
def test_draft_lengths_must_be_a_sequence(K):
    with pytest.raises(ValueError, match="expected a sequence of draft lengths"):
        audit_law(verify, K=K, n=10)


def test_corners_are_said_in_words():
    assert audit_law(verify, MarkovPair([[1.0]], [[1.0]]), n=100).passed
    assert audit_law(verify, MarkovPair(np.eye(3), np.eye(3), start=0), n=1000).passed
    assert "too few sequences" in str(audit_law(verify, n=1))
