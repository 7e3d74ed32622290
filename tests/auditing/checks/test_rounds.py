import numpy as np
import pytest
from asking import CHECK, ask, built

from specviz import match_target, verify, verify_block
from specviz.auditing.checks.rounds import Rounds, by_round
from specviz.auditing.checks.sequences import Sequences
from specviz.models.designed import CHAINS


@pytest.mark.parametrize("verifier", [verify, match_target, verify_block])
@pytest.mark.parametrize("chain", CHAINS)
def test_right_rules_pass(chain, verifier):
    found = ask(f"rounds, chain {chain}", verifier)
    assert found.verdict == "pass"
    assert found.part == found.example == ""


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("bonus_from_drafter", "bonus"),
        ("bonus_from_row_before", "bonus"),
        ("replacement_from_p", "residual"),
        ("residual_abs", "residual"),
        ("ratio_inverted", "acceptance"),
        ("everything_accepted", "acceptance"),
        ("lenience_0.5", "acceptance"),
    ],
)
def test_wrong_ones_fail_and_the_part_is_told(name, part):
    found = ask("rounds, chain A", built(name))
    assert found.verdict == "FAIL"
    assert found.part == part
    assert found.finding.endswith(found.example)
    assert "rows of" in found.example


def test_it_judges_the_sequences_of_its_chain():
    assert Rounds("B").draws == (Sequences("B"),) == CHECK["rounds, chain B"].draws


def test_the_worst_group_is_named():
    """Tokens 0 and 1 change places where rows hold two drafts, at position 1 behind token 3."""
    target = CHAINS["A"].target
    groups = np.round(2000 * target)[None, None] * np.ones((4, 4, 1, 1))
    groups[2, 1, 3, [0, 1]] = groups[2, 1, 3, [1, 0]]
    found, worst = by_round(groups.astype(np.int64), target, 0.001)
    assert found.p_value < 1e-9
    p, seen = target[3], target[3][[1, 0, 2, 3]]
    x = int(np.abs(seen - p).argmax())
    expected = f"rows of 2 drafts, position 1, context 3: token {x} came out with frequency {seen[x]:.3f}; p = {p[x]:.3f}"
    assert worst == expected
