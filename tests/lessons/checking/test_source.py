"""A right answer, written once as a function, is the stub and the solution of its exercise."""

import math
from fractions import Fraction as Ratio

import pytest

from specviz.lessons import Exercise
from specviz.lessons.checking.source import solution_of, stub_of


def halved(n, d):
    """Half of n / d, and its floor.

    d is above 0."""
    half = Ratio(n, d) / 2  # exact

    def floor():
        return math.floor(half)

    return half, floor()


TOY = Exercise(
    id="99a",
    title="halves",
    task="Write halved(n, d).",
    hints=("Half?", "Of n / d.", "Ratio(n, d) / 2."),
    answer=halved,
    check=lambda answer: None,
    checked="Nothing.",
)


def test_the_stub_is_signature_docstring_and_a_line_that_raises():
    assert (
        TOY.stub
        == '''def halved(n, d):
    """Half of n / d, and its floor.

    d is above 0."""
    raise NotImplementedError'''
    )


def test_the_solution_is_imports_signature_and_body():
    assert (
        TOY.solution
        == """import math
from fractions import Fraction as Ratio

def halved(n, d):
    half = Ratio(n, d) / 2  # exact

    def floor():
        return math.floor(half)

    return half, floor()"""
    )


def test_the_solution_runs_as_it_is_printed():
    names = {}
    exec(TOY.solution, names)
    assert names["halved"](3, 1) == (Ratio(3, 2), 1)


def test_what_is_given_is_imported_in_the_stub():
    assert stub_of(halved, [stub_of]).startswith("from specviz.lessons.checking.source import stub_of\n\ndef halved(n, d):\n")


@pytest.fixture
def nested():
    def inner(x):
        """Inside."""
        return x

    return inner


def without_docstring(x):
    return x


def without_body(x):
    """Nothing follows."""


def twice(x):
    """The first of two."""
    return x


first = twice


def twice(x):
    """The second of two."""
    return x


@pytest.mark.parametrize("take", [solution_of, stub_of])
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda x: x, "answer is <lambda>; expected a function of which the top level of its file has one"),
        (first, "answer is twice; expected a function of which the top level of its file has one"),
        (without_docstring, "answer is without_docstring; expected a docstring"),
        (without_body, "answer is without_body; expected a docstring, which is what a student is told, and a body"),
    ],
)
def test_other_functions_are_refused(take, answer, said):
    with pytest.raises(ValueError, match=said):
        take(answer)


def test_a_function_inside_another_is_refused(nested):
    with pytest.raises(ValueError, match="inner; expected a function of which the top level"):
        solution_of(nested)
