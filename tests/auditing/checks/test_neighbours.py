import pytest
from asking import ask, built, own_stream

from specviz import match_target, verify, verify_block


@pytest.mark.parametrize("verifier", [verify, match_target, verify_block])
def test_right_rules_pass(verifier):
    assert ask("neighbours", verifier).verdict == "pass"


@pytest.mark.parametrize("name", ["q_of_another_request", "p_of_another_request", "bonus_at_neighbours_length"])
def test_wrong_ones_are_seen(name):
    found = ask("neighbours", built(name))
    assert found.verdict == "FAIL"
    assert "reads its neighbours" in found.finding
    assert "every u = 0." in found.example
    assert found.part == "rows"


@pytest.mark.parametrize("verifier", [own_stream(), built("exponential_clocks")], ids=["own stream", "other methods"])
def test_drawing_in_other_ways_is_not_a_fault(verifier):
    found = ask("neighbours", verifier)
    assert found.verdict == "n/a"
    assert "left to the law" in found.finding
