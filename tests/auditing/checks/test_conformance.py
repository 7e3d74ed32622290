import pytest
from asking import ask, built

from specviz import match_target, verify, verify_block


def test_it_is_a_note_unless_it_is_claimed():
    assert ask("token rule", match_target).verdict == "note"
    assert ask("token rule", verify).verdict == "note"
    assert ask("token rule", verify, claims="token rule").verdict == "pass"


@pytest.mark.parametrize(
    ("verifier", "words", "part"),
    [
        (match_target, "replacements have p <= q", "residual"),
        (verify_block, "accepted at another rate", "acceptance"),
        (built("no_bonus"), "replacements have p <= q", "residual"),
    ],
    ids=["match", "block", "no bonus"],
)
def test_other_lossless_rules_are_not_it(verifier, words, part):
    found = ask("token rule", verifier, claims="token rule", budget="standard")
    assert found.verdict == "FAIL"
    assert found.claim == "the token rule"
    assert words in found.finding
    assert found.part == part


def test_pace_is_measured_on_the_first_chain():
    """2.6816 is the token rule's mean on chain A at three drafts, by dynamic programming in the tests of chains."""
    pace = ask("token rule", verify).pace
    assert pace.token_rule == pytest.approx(2.6816, abs=1e-4)
    assert pace.word == "as the token rule"
    assert abs(pace.measured - pace.token_rule) < 4 * pace.error
    assert pace.token_rule < pace.bound < 4
    slower = ask("token rule", match_target).pace
    assert slower.word == "slower"
    assert slower.error > 0
    assert ask("token rule", verify_block, budget="standard").pace.word == "faster"
