"""Right rules that have no program to integrate: their law is held against that of the token rule."""

import pytest
from catalogued import OTHERS, counts_on_chain_a, law_on_chain_a, named

from specviz.auditing.statistics.chi_square import chi_square
from specviz.catalogue.index import mutant

RIGHT = [entry for entry in OTHERS if entry.lossless]


@pytest.mark.parametrize("entry", RIGHT, **named)
def test_right_rules_without_a_program(entry):
    assert chi_square(counts_on_chain_a(entry), law_on_chain_a(mutant("verify")), alpha=0.001 / len(RIGHT)).passed
