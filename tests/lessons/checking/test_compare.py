"""A wrong result becomes the smallest counter-example, and a result of the wrong kind is named."""

import numpy as np
import pytest

from specviz import overlap, verify
from specviz.lessons.checking.compare import as_verifier, compare, law_of, pairs, same, whole
from specviz.lessons.checking.exercise import Answer, NeedsWork


def refused(function, *args, **options):
    with pytest.raises(NeedsWork) as caught:
        function(*args, **options)
    return str(caught.value)


def test_the_same_numbers_are_let_through():
    compare(Answer(lambda x: x * 2, 2.0), "x", [(1,), (2.5,), (np.ones(2),)], lambda x: x + x)


def test_the_smallest_case_that_differs_is_told():
    cases = [(np.arange(4), 1), (np.arange(2), 1), (np.arange(3), 1)]
    said = refused(compare, Answer(lambda x, y: 0 if len(x) == 2 else 1, 2.0), "x y", cases, lambda x, y: 0)
    assert said == "input     x = [0, 1, 2]\n          y = 1\nexpected  0\ngot       1"


def test_of_cases_as_small_the_first_is_told_with_its_note():
    said = refused(compare, Answer(lambda x: 9, 2.0), "x", [(3,), (1,), (2,)], abs, note=lambda x: f"three is {x}")
    assert said == "input     x = 3\nexpected  3\ngot       9\nthree is 3"


@pytest.mark.parametrize(
    ("expected", "got", "said"),
    [
        (0.5, "0.5", "expected a number or an array of numbers, your function returned str"),
        (0.5, [1, [2]], "expected a number or an array of numbers, your function returned list"),
        (0.5, 10**400, "expected a number or an array of numbers, your function returned int"),
        (0.5, [0.5, 0.5], "the shape is (2,); expected ()"),
        ([0.5], 0.5, "the shape is (); expected (1,)"),
        (0.5, float("nan"), "NaN: was 0 divided by 0?"),
        (0.5, 0.5 + 1e-6, "got       0.500001"),
    ],
)
def test_a_result_of_the_wrong_kind_is_named(expected, got, said):
    assert refused(same, Answer(None, 2.0), (1,), expected, got).splitlines()[-1] == said


def test_a_note_goes_before_the_remark_on_nan():
    assert refused(same, Answer(None, 2.0), (1,), 0.5, np.nan, note="mind p = q").endswith("mind p = q")


@pytest.mark.parametrize(("expected", "got", "tol"), [(0.0, 1e-10, 1e-9), (5, 6, 1), (True, 1, 1e-9), ([], np.zeros(0), 1e-9)])
def test_rounding_and_other_types_of_number_are_let_through(expected, got, tol):
    assert same(Answer(None, 2.0), (1,), expected, got, tol=tol) is not None


@pytest.mark.parametrize("value", [3, np.int32(3), np.array(3)])
def test_whole_numbers(value):
    assert whole(value)


@pytest.mark.parametrize("value", [3.0, True, np.array(True), np.array([3]), np.array(3.0), "3", None])
def test_no_whole_numbers(value):
    assert not whole(value)


@pytest.mark.parametrize(
    "value", [[0.5, 0.4], [1.5, -0.5], [np.nan, 1], [np.inf, 0], [[1.0]], [], ["a"], [10**400, 0.5], [0.5, [0.5]], 1.0]
)
def test_no_laws(value):
    assert "expected" in refused(law_of, Answer(None, 2.0), (), "p", value)


@pytest.mark.parametrize("value", [[1], (0.5, 0.5), np.array([0, 1])])
def test_laws(value):
    np.testing.assert_array_equal(law_of(Answer(None, 2.0), (), "p", value), value)


def test_pairs_are_laws_with_the_corners_among_them():
    for p, q in pairs():
        assert p.shape == q.shape
        np.testing.assert_allclose([p.sum(), q.sum()], 1)
    overlaps = [float(overlap(p, q)) for p, q in pairs()]
    assert len(overlaps) == 32  # the number that exercises quote
    assert {0.0, 1.0} < set(overlaps)
    assert any(q.max() == 1 for _, q in pairs())


ROWS = np.full((2, 3, 4), 0.25)
CALL = (np.zeros((2, 2), int), ROWS[:, :2], ROWS, np.array([2, 0]))


def returning(*result):
    return as_verifier(Answer(lambda *args: result, 2.0))


@pytest.mark.parametrize(
    "result",
    [
        (np.zeros((2, 3), int),),
        (np.zeros((2, 2), int), np.ones(2, int)),
        (np.zeros((2, 3), int), np.ones(3, int)),
        (np.zeros((2, 3)), np.ones(2, int)),
        (np.zeros((2, 3), int), np.ones(2)),
        (np.zeros((2, 3), int), np.array([0, 1])),
        (np.zeros((2, 3), int), np.array([1, 2])),
        (np.full((2, 3), 4), np.array([1, 1])),
        (np.full((2, 3), -1), np.array([1, 1])),
    ],
    ids=["no pair", "K columns", "3 counts", "float tokens", "float counts", "count 0", "count too large", "id V", "id -1"],
)
def test_a_verifier_that_breaks_the_contract_is_refused(result):
    assert refused(returning(*result), *CALL, np.random.default_rng(0))


def test_a_verifier_that_keeps_the_contract_is_let_through():
    tokens, n_out = as_verifier(Answer(verify, 2.0))(*CALL, np.random.default_rng(0))
    wanted = verify(*CALL, np.random.default_rng(0))
    np.testing.assert_array_equal(tokens, wanted.tokens)
    np.testing.assert_array_equal(n_out, wanted.n_out)
