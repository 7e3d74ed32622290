from fractions import Fraction as F
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz.uniforms import GivenUniforms, integrate


def test_questions_to_one_name_share_a_uniform():
    law = integrate(lambda u: (u.less("a", 1, F(1, 3)), u.less("a", 1, F(1, 2))))
    assert law == {(True, True): F(1, 3), (False, True): F(1, 6), (False, False): F(1, 2)}


def test_questions_to_two_names_are_independent():
    law = integrate(lambda u: (u.less("a", 1, F(1, 3)), u.less("b", 1, F(1, 2))))
    assert law[True, True] == F(1, 6)
    assert sum(law.values()) == 1


def test_choose_after_less_sees_the_interval_that_is_left():
    law = integrate(lambda u: (u.less("a", 2, 1), u.choose("a", [1, 0, 3])))
    assert law == {(True, 0): F(1, 4), (True, 2): F(1, 4), (False, 2): F(1, 2)}


def test_choices_from_one_uniform_narrow_it():
    law = integrate(lambda u: (u.choose("a", [1, 1]), u.choose("a", [1, 2, 1])))
    assert law == {(0, 0): F(1, 4), (0, 1): F(1, 4), (1, 1): F(1, 4), (1, 2): F(1, 4)}
    law = integrate(lambda u: (u.choose("a", [1, 1]), u.less("a", 4, 3), u.choose("b", [1, 1])))
    assert law[1, False, 0] == F(1, 8)
    assert sum(law.values()) == 1


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=5).filter(any), st.fractions(0, 1), st.lists(st.integers(1, 9), min_size=1)
)
def test_integration_is_the_measure_of_what_given_uniforms_answer(weights, bound, others):
    """Cut [0, 1) at every threshold: each piece answers as its midpoint does, and the pieces' lengths add up to the law."""

    def program(u):
        return u.choose("a", weights), u.less("a", 1, bound), u.choose("a", others)

    cuts = {F(0), F(1), bound} | {F(sum(w[:i]), sum(w)) for w in (weights, others) for i in range(len(w))}
    edges, law = sorted(cuts), {}
    for low, high in pairwise(edges):
        outcome = program(GivenUniforms({"a": (low + high) / 2}))
        law[outcome] = law.get(outcome, 0) + high - low
    assert integrate(program) == law


def test_floats_are_right_to_rounding():
    def program(u):
        return u.choose("a", [0.1, 0.2, 0.7]), u.less("a", 0.3, 0.1)

    exact, rounded = integrate(program), integrate(program, float)
    assert {k: float(v) for k, v in exact.items()} == pytest.approx(rounded, abs=1e-15)


def test_weights_of_nothing_are_refused():
    with pytest.raises(ValueError, match="weights for uniform 'a' sum to 0"):
        integrate(lambda u: u.choose("a", [0, 0]))


def test_zero_scale_asks_nothing_of_the_uniform():
    assert integrate(lambda u: u.less("a", 0, F(1, 9))) == {True: 1}
    assert integrate(lambda u: u.less("a", 0, 0)) == {False: 1}


def test_impossible_outcomes_do_not_appear():
    assert integrate(lambda u: u.choose("a", [0, 1, 0])) == {1: 1}
    assert integrate(lambda u: u.less("a", F(1, 2), F(3, 4))) == {True: 1}


def test_outcomes_of_several_paths_add_up():
    assert integrate(lambda u: u.choose("a", [1, 2, 3]) == 1) == {True: F(1, 3), False: F(2, 3)}


def test_less_compares_the_product():
    u = GivenUniforms({"a": F(1, 2)})
    assert u.less("a", F(1, 4), F(1, 5))
    assert not u.less("a", F(1, 4), F(1, 8)), "strictly"
    assert not u.less("a", 2, F(3, 4))


def test_given_uniforms():
    u = GivenUniforms({"a": 0.5}, np.random.default_rng(0))
    assert u.choose("a", [0.5, 0.25, 0.25]) == 1
    assert not u.less("a", 1.0, 0.5)
    assert u["new"] == u["new"] == np.random.default_rng(0).random()
    with pytest.raises(KeyError):
        GivenUniforms()["missing"]
    assert GivenUniforms({"a": np.nextafter(1, 0)}).choose("a", [0.3, 0.7, 0.0]) == 1
    assert GivenUniforms({"a": 1.0}).choose("a", [0.3, 0.7, 0.0]) == 1, "a product that rounding has lifted to the total"
