import numpy as np
import pytest
from asking import CHECK, built

import specviz
from specviz import verify
from specviz.auditing.checks.anytime import catalogue_ratios, run_anytime
from specviz.auditing.options import Options
from specviz.auditing.subject.contract import Adapted
from specviz.catalogue.index import mutant
from specviz.models.designed import CHAINS


@pytest.mark.parametrize(
    ("name", "most"), [("replacement_from_p", 1000), ("lenience_0.8", 2000), ("bonus_from_row_before", 2000)]
)
def test_it_stops_early(name, most):
    entry = mutant(name)
    process = run_anytime(Adapted(entry.build(CHAINS["A"])), 0, 0.001, entry.pair)
    assert process.log_e >= np.log(1000)
    assert process.n <= most


def test_a_right_rule_is_asked_to_the_end():
    process = run_anytime(Adapted(verify), 0, 0.001, None, most=500)
    assert process.n == 2000
    assert process.log_e < 0


def test_as_a_budget():
    """It takes the whole rate, and the place of every check of a fixed size."""
    report = specviz.audit(built("replacement_from_p"), budget="anytime", progress=False)
    assert report.failed[-1].name == "anytime law"
    assert "it fails at 1,000" in report.failed[-1].finding
    assert [found.name for found in report.checks if found.kind == "statistical"] == ["anytime law"]
    assert not CHECK["anytime law"].applies(Options(budget="deep"))


def test_ratios_are_those_of_the_wrong_laws_with_a_share_of_the_null():
    """So that none of them can be refuted for ever by one sequence: no ratio is below 1%."""
    ratios = np.exp(catalogue_ratios("A"))
    null = CHAINS["A"].joint_law(4).ravel()
    assert ratios.min() >= 0.01
    assert ratios @ null == pytest.approx(np.ones(len(ratios)), abs=1e-4), "each is a law over the null"
    assert (np.abs(ratios - 1) @ null > 1e-6).all(), "and none is the null"
