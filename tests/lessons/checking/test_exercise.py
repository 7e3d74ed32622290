"""What a student's code may do while it is checked: nothing of it is suffered, all of it is said."""

import threading
import time
from collections import deque
from contextlib import suppress

import numpy as np
import pytest

from specviz.lessons import check
from specviz.lessons.checking.exercise import Answer, NeedsWork, NotAttempted, show
from specviz.lessons.checking.printed import HEAD


def endless(x):
    while True:
        pass


def stubborn(x):
    while True:
        with suppress(Exception):
            time.sleep(0.001)


def in_a_thread(function):
    result = []
    thread = threading.Thread(target=lambda: result.append(function()))
    thread.start()
    thread.join()
    return result[0]


def refused(student, *args, names=("x", "y"), timeout=2.0):
    """The counter-example that one call of the student's function gives."""
    answer = Answer(student, timeout)
    answer.names = names
    with pytest.raises(NeedsWork) as caught:
        answer(*args)
    return str(caught.value)


@pytest.mark.parametrize("where", [lambda function: function(), in_a_thread])
@pytest.mark.parametrize("loop", [endless, stubborn])
def test_an_endless_loop_is_reported(where, loop):
    said = where(lambda: refused(loop, [1], timeout=0.2))
    assert said == "input     x = [1]\nyour function ran longer than 0.2 s: an endless loop?"


@pytest.mark.parametrize("where", [lambda function: function(), in_a_thread])
def test_a_quick_answer_is_let_through(where):
    assert where(lambda: Answer(abs, 2.0)(-3)) == 3


def test_many_slow_calls_are_too_slow():
    answer = Answer(lambda x: time.sleep(0.03) or x, 0.1)
    with pytest.raises(NeedsWork, match="your function is too slow over all cases"):
        deque(map(answer, range(100)))


@pytest.mark.parametrize(
    "error", [KeyError("no such token"), SystemExit(3), RecursionError("too deep"), ZeroDivisionError("division")]
)
def test_an_exception_is_reported_with_its_line(error):
    def broken(x):
        raise error

    line = broken.__code__.co_firstlineno + 1
    assert refused(broken, 1).endswith(f"your function raised {type(error).__name__}: {error} in line {line} of broken")


def test_an_interrupt_passes():
    def interrupted(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Answer(interrupted, 2.0)(1)


def test_prints_are_kept_back_and_told_with_a_failure(capsys):
    def talks(x):
        print("debug " * 1000)
        raise ValueError("stop")

    said = refused(talks, 1)
    assert capsys.readouterr().out == ""
    assert said.endswith("it printed: " + ("debug " * 1000)[:HEAD].strip())


def test_warnings_of_the_students_code_are_no_errors():
    assert np.isnan(Answer(lambda x: x / 0, 2.0)(np.zeros(1))).all()


@pytest.mark.parametrize("student", [lambda x: None, lambda x: ..., lambda x: exec("raise NotImplementedError"), None, ...])
def test_a_first_call_that_returns_nothing_is_not_attempted(student):
    with pytest.raises(NotAttempted):
        Answer(student, 2.0)(1)


@pytest.mark.parametrize("nothing", [None, ...])
def test_nothing_after_something_is_a_missing_return(nothing):
    answer = Answer(lambda x: x or nothing, 2.0)
    answer(1)
    with pytest.raises(NeedsWork, match=r"your function returned nothing here; is a `return` missing\?"):
        answer(0)


def test_a_value_in_place_of_a_function_is_the_answer():
    assert Answer((1, 2), 2.0)() == (1, 2)


@pytest.mark.parametrize(
    ("given", "change"),
    [
        ([1, 2], lambda x: x.append(3)),
        ([[1], [2]], lambda x: x[1].clear()),
        (np.array([1.0, np.nan]), lambda x: x.fill(0)),
        (([1], np.zeros(2)), lambda x: x[1].fill(1)),
    ],
)
def test_a_changed_input_is_reported_and_stays_as_it_was(given, change):
    before = show(given)
    said = refused(lambda a, x: [change(x), 1], 0, given, names=("a",))
    assert said.endswith("your function changed its input argument 2; work on a copy")
    assert show(given) == before


def test_an_input_with_nan_that_is_left_alone_is_not_changed():
    assert Answer(lambda x, y: 1, 2.0)(np.array([np.nan]), float("nan")) == 1


def test_a_generator_is_shared_and_not_shown():
    rng = np.random.default_rng(0)
    drawn = [Answer(lambda x, rng: rng.random(), 2.0)(1, rng) for _ in range(2)]
    assert drawn == np.random.default_rng(0).random(2).tolist()
    assert refused(lambda x, rng: 1 / 0, 1, rng).startswith("input     x = 1\nyour function")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("as it is", "as it is"),
        (np.array([[0.5, 1 / 3]]), "[[0.5, 0.333333]]"),
        ((1, np.int64(2)), "(1, 2)"),
        ([True, np.bool_(False)], "[True, False]"),
        (1 - 1e-9, "0.999999999"),
        (list(range(500)), str(list(range(500)))[:297] + "..."),
        ({"a": 1}, "{'a': 1}"),
    ],
)
def test_values_are_shown_in_a_few_characters(value, text):
    assert show(value) == text


def test_a_verdict_prints_as_text():
    verdict = check("00a", lambda p, q: max(map(min, p, q)))  # right for one token, and wherever only one token overlaps
    assert str(verdict) == repr(verdict)
    assert str(verdict).splitlines() == [
        "00a overlap: needs work",
        "  input     p = [0.5, 0.5]",
        "            q = [0.8, 0.2]",
        "  expected  0.7",
        "  got       0.5",
    ]
