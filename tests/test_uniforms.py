from fractions import Fraction as F

import numpy as np
import pytest

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


def test_zero_scale_asks_nothing_of_the_uniform():
    assert integrate(lambda u: u.less("a", 0, F(1, 9))) == {True: 1}
    assert integrate(lambda u: u.less("a", 0, 0)) == {False: 1}


def test_impossible_outcomes_do_not_appear():
    assert integrate(lambda u: u.choose("a", [0, 1, 0])) == {1: 1}
    assert integrate(lambda u: u.less("a", F(1, 2), F(3, 4))) == {True: 1}


def test_given_uniforms():
    u = GivenUniforms({"a": 0.5}, np.random.default_rng(0))
    assert u.choose("a", [0.5, 0.25, 0.25]) == 1
    assert not u.less("a", 1.0, 0.5)
    assert u["new"] == u["new"] == np.random.default_rng(0).random()
    with pytest.raises(KeyError):
        GivenUniforms()["missing"]
    assert GivenUniforms({"a": np.nextafter(1, 0)}).choose("a", [0.3, 0.7, 0.0]) == 1
