import pytest

from specviz.catalogue.index import CATALOGUE, mutant
from specviz.dev.survey import Verdict, law_alarm, right, survey_one, table


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
