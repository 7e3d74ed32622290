"""Each exercise: its answer is right and accepted, its stub is not attempted, common mistakes are seen."""

import sys
import types
from math import comb
from textwrap import dedent

import numpy as np
import pytest
from lessons.exercises.wrong import WRONG
from scipy import stats

import specviz.lessons.exercises as package
from specviz.lessons import check, exercise
from specviz.lessons.exercises import exercises

every = pytest.mark.parametrize("id", exercises())


def function(source):
    """The function that a source defines, last if there are several, with NumPy at hand as in every notebook."""
    names = {"np": np}
    exec(compile(source, "<student>", "exec"), names)
    return [v for v in names.values() if isinstance(v, types.FunctionType) and v.__code__.co_filename == "<student>"][-1]


@every
def test_the_printed_solution_is_accepted(id):
    verdict = check(id, function(exercise(id).solution))
    assert verdict.state == "correct", verdict


@every
def test_the_stub_is_not_attempted(id):
    for answer in (function(exercise(id).stub), None, ..., lambda *args: None, lambda *args: ...):
        assert check(id, answer).state == "not attempted yet"


@pytest.mark.parametrize(("id", "old", "new"), [(id, old, new) for id, changes in WRONG.items() for old, new in changes])
def test_a_wrong_answer_is_rejected_with_a_counter_example(id, old, new):
    source = exercise(id).solution
    assert old in source, "the planted mistake changes nothing"
    verdict = check(id, function(source.replace(old, new)))
    assert verdict.state == "needs work"
    assert len(verdict.message.splitlines()) >= 2 or "expected" in verdict.message, verdict


@every
def test_three_mistakes_are_tried(id):
    assert len(set(WRONG[id])) >= 3


@every
def test_three_hints_lead_up_to_it_and_the_verdict_says_what_was_not_checked(id):
    entry = exercise(id)
    assert len(set(filter(None, entry.hints))) == 3
    assert "Not checked: " in entry.checked


def test_wrong_answers_belong_to_exercises():
    assert not WRONG.keys() - exercises().keys()


def test_ids_go_by_notebook_and_letter():
    ids = list(exercises())
    assert ids == [f"{notebook:02d}{letter}" for notebook in range(12) for letter in "abc" if f"{notebook:02d}{letter}" in ids]
    for entry in exercises().values():
        assert entry.answer.__module__.startswith(f"specviz.lessons.exercises.ex{entry.id[:2]}_") or entry.id == "06a"


# Most checks compare with the code of a floor below. These compare with the answer itself, so that it is held to numbers here.
@pytest.mark.parametrize(
    ("id", "args", "expected"),
    [
        ("01b", (np.array([0.6, 0.3, 0.1]), np.array([0.2, 0.5, 0.3])), [0.44, 0.42, 0.14]),
        ("03a", (np.array([[True, False, True], [True, True, True], [False, True, True]]), np.array([3, 2, 3])), [1, 2, 0]),
        ("03b", (2, 3), (2, True)),
        ("03b", (3, 3), (3, False)),
        ("05c", (0.05, 10), (0.5, 0.005)),
        ("09b", (0.5, 2), 0.5),
        ("09b", (0.3, 10), 1 - comb(10, 3) * 0.3**3 * 0.7**7),
        ("10b", (np.array([0.1, 0.3, 0.2, 0.4]), 3), [1 / 6, 1 / 2, 1 / 3, 0]),
        ("11b", ([1, 0.5, 0.25], np.array([[0.8, 0.2]] * 2), np.full((3, 2), 0.5)), [1 / 11, 1 / 4]),
        ("11b", ([1, 1, 0.5], np.full((2, 2), 0.5), np.full((3, 2), 0.5)), [0, 1 / 2]),
        ("11b", ([1], np.zeros((0, 2)), np.full((1, 2), 0.5)), []),
    ],
)
def test_an_answer_that_others_are_compared_with_is_right(id, args, expected):
    np.testing.assert_allclose(exercise(id).answer(*args), expected, rtol=1e-12)


@pytest.mark.parametrize("dof", [1, 63])
def test_so_many_sequences_are_needed_and_no_fewer(dof):
    n = exercise("09a").answer(0.05, dof)
    cut = stats.chi2.isf(0.001, dof)
    power = stats.ncx2.sf(cut, dof, 4 * 0.05**2 * np.array([n - 1, n]))
    assert power[0] < 0.999 <= power[1]


@pytest.mark.parametrize(
    ("id", "answer", "said"),
    [
        ("01a", lambda p, q: np.divide(np.maximum(p - q, 0), np.maximum(p - q, 0).sum()), "p = q: nothing is ever rejected"),
        ("01c", lambda: ([1], [2]), "q = [2] is no law"),
        ("01c", lambda: (10**400, [0.5, 0.5]), "expected a list of probabilities"),
        ("02b", lambda dist, u: 7, "a whole number from 0 to 0"),
        ("04b", lambda alpha, cost: 10**30, "K = 4 gives a speed-up of 1.9808"),
        ("06a", lambda: ["no_bonus"] * 5, "1 of 5 are right. Look at suspects[0]"),
    ],
)
def test_some_mistakes_are_named(id, answer, said):
    assert said in check(id, answer).message


def test_an_array_of_names_is_a_list_of_names():
    assert check("06a", lambda: np.array(exercise("06a").answer())).state == "correct"


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A module with one exercise beside the others, and nothing else."""
    (tmp_path / "ex99_toy.py").write_text(
        dedent(
            '''
            import numpy as np

            from ..checking.compare import compare
            from ..checking.exercise import Exercise


            def root(x):
                """The square root of x."""
                return np.sqrt(x)


            EXERCISES = (
                Exercise(
                    id="99a",
                    title="a root",
                    task="Write root(x).",
                    hints=("What times itself is x?", "NumPy has it.", "np.sqrt(x)."),
                    answer=root,
                    check=lambda answer: compare(answer, "x", [(0,), (2,), (9,)], root),
                    checked="Three numbers.",
                ),
            )
            '''
        )
    )
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    exercises.cache_clear()
    yield
    exercises.cache_clear()
    sys.modules.pop("specviz.lessons.exercises.ex99_toy", None)


def test_an_exercise_is_a_function_in_a_module_and_nothing_else(toy):
    assert list(exercises())[-1] == "99a"
    assert exercise("99a").stub == 'def root(x):\n    """The square root of x."""\n    raise NotImplementedError'
    assert exercise("99a").solution == "import numpy as np\n\ndef root(x):\n    return np.sqrt(x)"
    assert check("99a", lambda x: x**0.5).state == "correct"
    assert check("99a", lambda x: x / 2).message == "input     x = 2\nexpected  1.41421\ngot       1"
