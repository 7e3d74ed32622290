"""The five suspects are the catalogued verifiers that the answer names, and can be told apart by measuring."""

from itertools import combinations

import numpy as np
import pytest

from specviz import MarkovPair
from specviz.catalogue.index import mutant
from specviz.lessons import SUSPECT_NAMES, suspects
from specviz.lessons.exercises.suspects import MEASURED, NAMES, measure
from specviz.models.generate import generate

TEACHING = MarkovPair.teaching()


@pytest.mark.parametrize(("suspect", "name"), list(zip(suspects, NAMES, strict=True)))
def test_a_suspect_is_the_verifier_of_its_name_and_does_not_tell(suspect, name):
    sequences = [
        generate(TEACHING, verifier, length=3, K=2, n=200, rng=np.random.default_rng(0)).sequences
        for verifier in (suspect, mutant(name).build(TEACHING))
    ]
    np.testing.assert_array_equal(*sequences)
    assert name in SUSPECT_NAMES
    assert name not in f"{suspect.__name__} {suspect.__qualname__} {suspect.__doc__}"


@pytest.mark.parametrize(("one", "other"), list(combinations(SUSPECT_NAMES, 2)))
def test_two_names_differ_in_a_gauge_by_more_than_noise(one, other):
    assert np.abs(np.subtract(measure(one), measure(other))).max() > 4 / np.sqrt(MEASURED)


def test_a_measurement_is_close_to_the_exact_numbers():
    first, joint, _, speed = measure("replacement_from_p")
    np.testing.assert_allclose([first, joint, speed], [0.120, 0.146, 2.533], atol=0.02)
