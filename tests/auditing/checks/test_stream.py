import numpy as np
import pytest
from asking import ask, built, own_stream

from specviz import match_target, verify, verify_block


@pytest.mark.parametrize("verifier", [verify, match_target, verify_block])
def test_right_rules_pass(verifier):
    assert ask("stream", verifier).verdict == "pass"


@pytest.mark.parametrize(("name", "word"), [("frozen_seed", "frozen"), ("stale_q", "keeps state")])
def test_wrong_ones_are_seen(name, word):
    found = ask("stream", built(name))
    assert found.verdict == "FAIL"
    assert found.finding.startswith(word)
    assert found.part == "randomness"


def test_a_stream_of_its_own_is_not_a_fault_and_what_is_lost_is_said():
    found = ask("stream", own_stream())
    assert found.verdict == "n/a"
    assert "judged by law only" in found.finding


def test_numbers_that_depend_on_the_call_before_are_seen():
    calls = []

    def verifier(draft, q, p, num_draft, rng):
        other = bool(calls) and not np.array_equal(calls[-1], p)
        calls[:] = [p.copy()]
        rng.random(int(other))
        return verify(draft, q, p, num_draft, rng)

    assert "keeps state" in ask("stream", verifier).finding
