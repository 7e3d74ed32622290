"""The catalogue as a whole; what each entry says of itself is held against its code in test_entry.py."""

from collections import Counter

import pytest

from specviz.catalogue.index import CATALOGUE, mutant


def test_names_are_unique():
    assert max(Counter(entry.name for entry in CATALOGUE).values()) == 1


def test_every_part_of_the_rule_has_its_faults():
    families = Counter(entry.family for entry in CATALOGUE)
    assert len(CATALOGUE) - families["right"] >= 45
    assert families["right"] - 2 >= 6
    assert {"acceptance", "residual", "bonus", "count", "ragged", "randomness", "rows", "processing", "numerics"} <= set(families)


def test_unknown_names():
    with pytest.raises(ValueError, match="expected one of verify, token_rule"):
        mutant("nonsense")


def test_an_entry_is_found_by_its_name():
    assert mutant("no_bonus").what == "Leaves out the bonus token: lossless, only slower."
