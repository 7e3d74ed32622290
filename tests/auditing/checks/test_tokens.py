import numpy as np
import pytest
from asking import ask, built

from specviz import MarkovPair, match_target, verify, verify_block
from specviz.auditing.checks.tokens import acceptance_bounds
from specviz.models.designed import CHAINS


@pytest.mark.parametrize("verifier", [verify, match_target, verify_block])
def test_right_rules_pass(verifier):
    assert ask("acceptance bound", verifier).verdict == "pass"


@pytest.mark.parametrize("name", ["everything_accepted", "lenience_0.5", "ratio_inverted"])
def test_more_than_any_coupling_is_refuted(name):
    found = ask("acceptance bound", built(name))
    assert found.verdict == "FAIL"
    assert "too good to be true" in found.finding
    assert found.part == "acceptance"


def test_bounds_by_hand():
    """One draft: 1 - TV, the overlap. Two that depend on nothing: sum over pairs of the smaller product."""
    pair = MarkovPair.constant([0.5, 0.5], [0.8, 0.2])
    one, two, three = acceptance_bounds(pair)
    assert one == pytest.approx(0.7)
    assert two == pytest.approx(0.25 + 0.16 + 0.16 + 0.04)
    assert three < two
    assert acceptance_bounds(CHAINS["A"])[0] == pytest.approx(
        np.minimum(*(s[4] for s in (CHAINS["A"].target, CHAINS["A"].drafter))).sum()
    )
