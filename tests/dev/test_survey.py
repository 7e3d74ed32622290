from pathlib import Path

import pytest

from specviz.catalogue.index import CATALOGUE, mutant
from specviz.dev import survey
from specviz.dev.survey import Verdict, law_alarm, right, survey_one, table, write_catalogue


@pytest.mark.parametrize("name", [entry.name for entry in CATALOGUE])
def test_every_verdict_of_the_catalogue(name):
    """At the quick budget, or, for a fault smaller than what that can promise, at the standard one. Never a false alarm."""
    verdict = survey_one(name, 0, "quick", stop_early=True)
    if not right(verdict):
        assert not mutant(name).lossless, f"a false alarm: {verdict.seen_by}"
        verdict = survey_one(name, 0, "standard", stop_early=True)
    assert right(verdict)


def test_the_table_says_what_was_found():
    verdicts = [
        Verdict("verify", 0, True, (), False, ()),
        Verdict("residual_abs", 0, False, ("edges",), False, ("residual_abs",)),
    ]
    page = table(verdicts, "quick")
    assert "0 verdict(s) wrong" in page
    assert "| `residual_abs` | Takes abs(p - q) as the residual. | refuted 1 of 1 | edges | residual_abs |" in page
    assert not right(Verdict("verify", 0, False, (), False, ()))
    assert not right(Verdict("residual_abs", 0, True, (), False, ()))


def test_false_alarms_of_the_quick_law_tests():
    """30 seeds at the rate .001: two alarms or more have probability .0004."""
    assert sum(law_alarm(seed)[0] for seed in range(30)) <= 1


PAGE = (Path(__file__).resolve().parents[2] / "figures" / "catalogue.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_the_committed_page_has_the_entry(entry):
    assert f"| `{entry.name}` | {entry.what} |" in PAGE, "run python -m specviz catalogue"


def test_the_committed_page_has_no_other():
    assert PAGE.count("\n| `") == len(CATALOGUE), "run python -m specviz catalogue"


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_which_verdict_is_the_catalogue_s(entry):
    """Right rules must pass and wrong ones must not; a fault for bad input alone may pass with a note."""

    def verdict(passed, noted):
        return Verdict(entry.name, 0, passed, (), noted, ())

    assert right(verdict(True, False)) == entry.lossless
    assert right(verdict(False, False)) != entry.lossless
    assert right(verdict(True, True)) == (entry.lossless or entry.name == "nan_becomes_a_token")


def test_one_command_writes_the_fingerprints_and_then_the_page(tmp_path, monkeypatch, capsys):
    """In this order: the survey names faults by the fingerprints."""
    order = []

    def surveyed(seeds, budget):
        order.append("survey")
        return [Verdict("verify", seed, True, (), False, ()) for seed in seeds]

    monkeypatch.setattr(survey, "write_fingerprints", lambda: order.append("fingerprints"))
    monkeypatch.setattr(survey, "survey", surveyed)
    assert write_catalogue(tmp_path / "page.md", 2, "quick")
    assert order == ["fingerprints", "survey"]
    assert "| `verify` |" in (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "2 audits, 0 wrong verdict(s)" in capsys.readouterr().out
