"""What a student's code may do while it is checked: nothing of it is suffered, all of it is said."""

import signal
import sys
import threading
import time
from contextlib import suppress

import numpy as np
import pytest

import specviz
from specviz.lessons import check
from specviz.lessons.checking.printed import HEAD
from specviz.lessons.exercises.suspects import NAMES


def endless(p, q):
    while True:
        pass


def stubborn(p, q):
    while True:
        with suppress(Exception):
            time.sleep(0.001)


def test_a_loop_that_swallows_everything_is_reported():
    def deaf(p, q):
        while True:
            try:
                time.sleep(0.001)
            except:  # noqa: E722
                x = p
        return x

    tracer = sys.gettrace()
    assert "ran longer" in check("00a", deaf, timeout=0.2).message
    assert sys.gettrace() is tracer


def in_a_thread(function):
    result = []
    thread = threading.Thread(target=lambda: result.append(function()))
    thread.start()
    thread.join()
    return result[0]


@pytest.mark.parametrize("where", [lambda function: function(), in_a_thread])
@pytest.mark.parametrize("loop", [endless, stubborn])
def test_an_endless_loop_is_reported(where, loop):
    started = time.monotonic()
    verdict = where(lambda: check("00a", loop, timeout=0.2))
    assert time.monotonic() - started < 3
    assert verdict.state == "needs work"
    assert "ran longer than 0.2 s: an endless loop?" in verdict.message
    assert "p = [1]" in verdict.message


def test_the_thread_of_an_endless_loop_ends():
    before = threading.active_count()
    in_a_thread(lambda: check("00a", endless, timeout=0.1))
    assert threading.active_count() == before


def test_a_checked_answer_in_a_thread_is_correct():
    assert in_a_thread(lambda: check("00a", lambda p, q: sum(map(min, p, q)))).state == "correct"


def test_many_slow_calls_are_too_slow():
    def slow(p, q):
        time.sleep(0.04)
        return sum(map(min, p, q))

    verdict = check("00a", slow, timeout=0.05)
    assert verdict.state == "needs work"


def test_timer_and_handler_are_put_back():
    handler = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        signal.setitimer(signal.ITIMER_REAL, 50)
        check("00a", lambda p, q: 0)
        assert signal.getsignal(signal.SIGALRM) == signal.SIG_IGN
        assert 40 < signal.getitimer(signal.ITIMER_REAL)[0] <= 50
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)


@pytest.mark.parametrize(
    "error", [KeyError("no such token"), SystemExit(3), RecursionError("too deep"), ZeroDivisionError("division")]
)
def test_an_exception_is_reported_with_its_line(error):
    def broken(p, q):
        raise error

    verdict = check("00a", broken)
    assert verdict.state == "needs work"
    assert f"your function raised {type(error).__name__}" in verdict.message
    assert "in broken" in verdict.message or "of broken" in verdict.message


def test_an_interrupt_passes():
    def interrupted(p, q):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check("00a", interrupted)
    with pytest.raises(ValueError, match="timeout is 0"):
        check("00a", min, timeout=0)


def test_prints_are_kept_back_and_told_with_a_failure(capsys):
    def talks(p, q):
        print("debug " * 1000)
        raise ValueError("stop")

    verdict = check("00a", talks)
    assert capsys.readouterr().out == ""
    assert "it printed: debug debug" in verdict.message
    assert len(verdict.message) < HEAD + 300
    assert check("00a", lambda p, q: print("fine") or sum(map(min, p, q))).state == "correct"


@pytest.mark.parametrize(
    ("id", "answer", "said"),
    [
        ("00a", lambda p, q: "0.5", "your function returned str"),
        ("00a", lambda p, q: [0.5, 0.5], r"the shape is (2,); expected ()"),
        ("00a", lambda p, q: float("nan"), "NaN"),
        ("00a", lambda p, q: p.append(1) or sum(map(min, p, q)), "changed its input p"),
        ("01a", lambda p, q: np.divide(np.maximum(p - q, 0), np.maximum(p - q, 0).sum()), "return p"),
        ("01a", lambda p, q: p[0], "the shape is (); expected (1,)"),
        ("00a", lambda p: 1, "raised TypeError"),
        ("00a", lambda p, q: sum(map(min, p, q)) if len(p) == 1 else None, "is a `return` missing?"),
        ("01c", lambda: ([1], [2]), "is no law"),
        ("02b", lambda dist, u: 7, "a whole number from 0 to 0"),
        ("06b", lambda *args: (np.zeros((1, 1)), np.ones(1)), "expected tokens of shape (1, 3)"),
    ],
)
def test_bad_results_are_named(id, answer, said):
    verdict = check(id, answer)
    assert verdict.state == "needs work"
    assert said in verdict.message


def test_warnings_of_the_students_code_are_no_errors():
    assert check("01a", lambda p, q: np.array([0.0]) / 0).state == "needs work"


def loop_over_positions(draft, q, p, num_draft, rng):
    """A right answer to 07a that goes from position to position, all rows at a time."""
    B, K = draft.shape
    tokens, n, going = np.full((B, K + 1), -1), np.zeros(B, int), np.ones(B, bool)
    for i in range(K):
        live = np.flatnonzero(going & (i < num_draft))
        if len(live):
            x = draft[live, i]
            kept = rng.random(len(live)) * q[live, i, x] < p[live, i, x]
            tokens[live[kept], i] = x[kept]
            n[live[kept]] += 1
            refused = live[~kept]
            if len(refused):
                owed = np.maximum(p[refused, i] - q[refused, i], 0)
                tokens[refused, i] = specviz.sample_rows(owed / owed.sum(axis=1, keepdims=True), rng)
                going[refused] = False
    whole = np.flatnonzero(going)
    if len(whole):
        tokens[whole, n[whole]] = specviz.sample_rows(p[whole, n[whole]], rng)
    return tokens, n + 1


def test_a_loop_over_positions_is_no_loop_over_rows():
    assert check("07a", loop_over_positions).state == "correct"


@pytest.mark.parametrize(("id", "answer"), [("04b", 10**30), ("01c", (10**400, [0.5, 0.5]))])
def test_a_huge_number_is_a_wrong_answer(id, answer):
    assert check(id, lambda *args: answer).state == "needs work"


def test_an_array_of_names_is_a_list_of_names():
    assert check("06a", lambda: np.array(NAMES)).state == "correct"
