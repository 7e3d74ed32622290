import re

import pytest
from asking import ask, built, own_stream

from specviz import match_target, verify, verify_block
from specviz.auditing.subject.batches import ragged


@pytest.mark.parametrize("verifier", [verify, match_target, verify_block])
def test_right_rules_pass(verifier):
    assert ask("padding", verifier).verdict == "pass"


@pytest.mark.parametrize("name", ["bonus_of_longest_row", "short_row_is_a_rejection", "padding_counted"])
def test_wrong_ones_are_seen(name):
    found = ask("padding", built(name))
    assert found.verdict == "FAIL"
    assert found.part == "rows"


def test_the_row_that_changes_is_short_and_is_shown():
    found = ask("padding", built("bonus_of_longest_row"))
    row, held = re.match(r"row (\d+), with (\d) of 3 drafts, changes with the padding", found.finding).groups()
    assert int(held) == ragged(0).num_draft[int(row)] < 3
    assert len(found.example.splitlines()) == 3


def test_padding_that_raises_is_a_fault():
    def verifier(draft, q, p, num_draft, rng):
        if (draft < 0).any():
            raise IndexError("id -1")
        return verify(draft, q, p, num_draft, rng)

    found = ask("padding", verifier)
    assert found.verdict == "FAIL"
    assert "with -1 and zeros in the padding: raised IndexError: id -1" in found.finding


def test_it_needs_equal_results_from_equal_seeds():
    assert ask("padding", own_stream()).verdict == "n/a"
