"""Reports made of findings at hand: their sentences follow from the findings, and cannot disagree."""

import json
from itertools import product
from math import inf, nan

import pytest
from asking import built

import specviz
from specviz import match_target
from specviz.auditing.check import Found, Pace
from specviz.auditing.diagnosis.diagnose import Candidate, Diagnosis
from specviz.auditing.report import AuditReport

SURE = Found("padding", "FAIL", "row 3 changes", "certain", part="rows", example="draft = [1]")
CHANCE = Found("rounds", "FAIL", "chi-square 900, 80 expected", "statistical", 1e-20, part="residual")
CLAIM = Found("token rule", "FAIL", "not the token rule", "statistical", 0.0, part="residual", claim="the token rule")
FINE = Found("rounds", "pass", "chi-square 80, 80 expected", "statistical", 0.5, sensitivity=0.053, ran="20,000 sequences")
NOTE = Found("token rule", "note", "as the token rule", "statistical", 0.3, pace=Pace(2.2, 0.01, 2.6, 2.9))
WRONG = Candidate(("residual_abs",), 1e9, "Takes abs(p - q) as the residual.")
RIGHT = Candidate(("match_target",), 1e9, "Draws from p and compares.")


def report(*found, diagnosis=None, alpha=0.001):
    return AuditReport("mine", found, alpha, "it covers this.", diagnosis)


def test_a_pass_says_what_it_promises_and_covers():
    made = report(FINE, NOTE)
    assert made.passed
    assert made.summary == (
        "mine: no bias seen; one of 0.053 in total variation is seen 999 times in 1,000. It is slower than the token rule."
    )
    assert made.caution == "A pass is no proof: it covers this."
    assert made.tried == ("20,000 sequences",)


@pytest.mark.parametrize(
    ("sensitivity", "words"),
    [(nan, "mine: no bias seen."), (inf, "mine: no bias seen, but too few sequences to promise that one would have been.")],
)
def test_a_pass_that_promises_nothing(sensitivity, words):
    assert report(Found("law", "pass", "", "statistical", 0.5, sensitivity=sensitivity)).summary == words


def test_the_weakest_promise_counts():
    made = report(FINE, Found("other", "pass", "", "statistical", 0.5, sensitivity=0.1), Found("x", "pass", "", "certain"))
    assert made.sensitivity == 0.1


def test_a_counter_example_goes_before_chance():
    made = report(CHANCE, SURE)
    assert made.failed == (SURE, CHANCE)
    assert made.summary == "mine: NOT lossless; no chance is involved in the check 'padding'."
    assert "draft = [1]" in str(made)
    assert report(CHANCE, alpha=0.01).summary == "mine: NOT lossless (a lossless one would fail this report once in 100 runs)."


def test_a_claim_that_fails_is_no_bias():
    made = report(FINE, CLAIM)
    assert made.summary == "mine: NOT the token rule, which it claims to be; no bias seen."
    assert made.accusation == "mine is not the token rule (token rule): not the token rule"
    both = report(CHANCE, CLAIM)
    assert "NOT lossless" in both.summary


def test_a_name_that_fits_is_said():
    made = report(CHANCE, diagnosis=Diagnosis((WRONG,), "is", 0.4))
    assert made.caution.startswith("Probably residual_abs (odds above a million to 1")
    assert made.accusation.endswith(made.caution)


def test_a_name_that_does_not_fit_is_called_nearest():
    made = report(CHANCE, diagnosis=Diagnosis((WRONG,), "nearest", 1e-9))
    assert "nearest, but not it, is residual_abs" in made.caution
    assert "Probably" not in made.caution
    assert made.accusation == "mine is not lossless (rounds): chi-square 900, 80 expected"


@pytest.mark.parametrize("fit", ["is", "nearest", "unknown"])
def test_a_right_rule_is_never_the_fault(fit):
    made = report(CHANCE, diagnosis=Diagnosis((RIGHT,), fit, 0.4))
    assert made.caution == "Unknown fault, in the residual: no catalogued one is near."
    assert "match_target" not in str(made)


def test_a_right_rule_is_named_where_only_a_claim_failed():
    made = report(FINE, CLAIM, diagnosis=Diagnosis((RIGHT,), "is", 0.4))
    assert made.caution == "The counts fit match_target, which is lossless (odds above a million to 1 against all others)."


def test_where_no_name_is_looked_up_the_part_is_told():
    assert report(SURE).caution == "The failed checks point at the rows; they do not say which line of the verifier is wrong."
    two = report(SURE, Found("corners", "FAIL", "emits token 3", "certain", part="bonus"), CHANCE)
    assert two.caution.startswith("The failed checks point at the rows or the bonus;")
    chance = report(CHANCE, Found("rows", "FAIL", "alike", "statistical", 0.0, part="randomness"))
    assert chance.caution.startswith("The failed checks point at the residual;")
    assert "checks above say what was seen" in report(Found("results", "FAIL", "writes to p", "certain")).caution


@pytest.mark.parametrize(
    ("found", "fit", "candidate"),
    list(product([(SURE,), (CHANCE,), (SURE, CHANCE), (CHANCE, CLAIM)], ["is", "nearest", "unknown"], [WRONG, RIGHT])),
)
def test_no_two_sentences_disagree(found, fit, candidate):
    """Under NOT lossless nothing is called lossless or without bias; a name is never both it and not it."""
    made = report(FINE, *found, diagnosis=Diagnosis((candidate,), fit, 0.4 if fit == "is" else 1e-9))
    text = str(made)
    assert "NOT lossless" in made.summary
    assert "no bias seen" not in text
    assert "which is lossless" not in text
    assert ("Probably" in text) == (fit == "is" and candidate is WRONG)
    assert ("but not it" in text) == (fit == "nearest" and candidate is WRONG)
    assert ("Unknown fault" in text) == (not ("Probably" in text or "but not it" in text))


def test_text_html_and_json_say_the_same():
    made = report(SURE, CHANCE, NOTE, diagnosis=Diagnosis((WRONG,), "is", 0.4))
    whole = json.loads(made.to_json())
    page = made._repr_html_()
    for sentence in (made.summary, made.caution):
        assert sentence in " ".join(str(made).split())
        assert sentence.replace("'", "&#x27;") in page
    assert (whole["summary"], whole["caution"], whole["scope"]) == (made.summary, made.caution, "it covers this.")
    assert whole["passed"] is False
    assert whole["diagnosis"]["fit"] == "is"
    assert whole["diagnosis"]["candidates"][0]["names"] == ["residual_abs"]
    assert whole["checks"][0]["p_value"] is None
    assert [check["kind"] for check in whole["checks"]] == ["certain", "statistical", "statistical"]


def test_html_says_certain_in_place_of_a_p_value_and_escapes():
    page = AuditReport("<mine>", (SURE, CHANCE, Found("x", "n/a", "<i>", "exact")), 0.001, "this.")._repr_html_()
    assert "<td>row 3 changes</td><td>certain</td>" in page
    assert "<td>chi-square 900, 80 expected</td><td>1e-20</td>" in page
    assert "<td>&lt;i&gt;</td><td></td>" in page
    assert "&lt;mine&gt;" in page
    assert "<mine>" not in page


def test_lines_fit_a_terminal():
    made = specviz.audit(built("replacement_from_p"), budget="quick", progress=False, name="replacement_from_p")
    assert max(map(len, str(made).splitlines())) <= 80


def test_a_real_report_of_a_fault_is_drawn():
    made = specviz.audit(built("replacement_from_p"), budget="quick", progress=False, name="<fault>")
    assert made.diagnosis.candidates[0].names[0] == "replacement_from_p"
    assert "replacement_from_p" in made.caution
    written = [text.get_text() for text in made.plot().texts]
    assert any("NOT lossless" in text for text in written)
    assert written.count("FAIL") == len(made.failed)
    assert all(found.name in written for found in made.checks)


def test_a_claim_of_a_real_report():
    made = specviz.audit(match_target, budget="quick", claims="token rule", progress=False)
    assert made.caution.startswith("The counts fit match_target")
