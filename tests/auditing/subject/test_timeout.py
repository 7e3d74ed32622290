"""Code that runs too long is stopped, in the main thread by an alarm and elsewhere from a second thread; nothing else changes."""

import math
import signal
import sys
import threading
import time
from contextlib import suppress

import numpy as np
import pytest

from specviz.auditing.subject.contract import Adapted, VerifierError
from specviz.auditing.subject.timeout import TimeIsUp, run_limited, time_limit


def endless():
    while True:
        pass


def stubborn():
    while True:
        with suppress(Exception):
            time.sleep(0.001)


def retrying():
    while True:
        with suppress(Exception):
            endless()


def deaf_once():
    with suppress(BaseException):
        endless()
    while True:
        pass


def deaf_twice_a_round():
    while True:
        with suppress(BaseException), suppress(BaseException):
            time.sleep(0.001)


def deaf():
    while True:
        try:
            time.sleep(0.001)
        except:  # noqa: E722
            x = 1
    return x


def here(function):
    return function()


def in_a_thread(function):
    """What the function returns or raises in a thread that is not the main one."""
    result = []

    def work():
        try:
            result.append(function())
        except BaseException as error:
            result.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if isinstance(result[0], BaseException):
        raise result[0]
    return result[0]


everywhere = pytest.mark.parametrize("where", [here, in_a_thread])


@everywhere
@pytest.mark.parametrize("loop", [endless, stubborn, retrying, deaf_once])
def test_an_endless_call_is_stopped(where, loop):
    with pytest.raises(TimeIsUp):
        where(lambda: run_limited(loop, 0.1))


@pytest.mark.parametrize("loop", [endless, stubborn, retrying, deaf_once, deaf, deaf_twice_a_round])
def test_an_endless_block_is_stopped(loop):
    with pytest.raises(TimeIsUp), time_limit(0.1):
        loop()


@everywhere
def test_a_call_that_is_quick_enough_returns_its_result(where):
    assert where(lambda: run_limited(lambda: 7, 20.0)) == 7


@everywhere
@pytest.mark.parametrize("error", [ValueError, TimeoutError, KeyboardInterrupt])
def test_what_the_call_raises_passes(where, error):
    def raises():
        raise error("its own")

    with pytest.raises(error, match="its own"):
        where(lambda: run_limited(raises, 20.0))


@everywhere
@pytest.mark.parametrize("timeout", [0.0, -1.0, -math.inf])
def test_no_time_at_all_is_up_before_the_code_runs(where, timeout):
    ran = []
    with pytest.raises(TimeIsUp):
        where(lambda: run_limited(lambda: ran.append(1), timeout))
    with pytest.raises(TimeIsUp), time_limit(timeout):
        ran.append(1)
    assert not ran


def test_without_a_limit_no_timer_and_no_thread_is_started():
    with time_limit(math.inf):
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
    assert in_a_thread(lambda: run_limited(threading.current_thread, math.inf) is threading.current_thread())


def test_a_block_outside_the_main_thread_has_no_limit():
    def block():
        with time_limit(0.001):
            time.sleep(0.05)
            return signal.getitimer(signal.ITIMER_REAL)

    assert in_a_thread(block) == (0.0, 0.0)


def test_the_thread_of_a_stopped_call_ends():
    before = threading.active_count()
    with pytest.raises(TimeIsUp):
        in_a_thread(lambda: run_limited(endless, 0.1))
    assert threading.active_count() == before


@pytest.mark.parametrize("loop", [endless, stubborn, deaf, deaf_twice_a_round])
def test_after_a_stop_no_exception_is_left(loop):
    with suppress(TimeIsUp):
        run_limited(loop, 0.1)
    assert sys.exc_info() == (None, None, None)


@pytest.mark.parametrize("loop", [endless, deaf])
def test_after_a_stop_the_tracer_is_put_back(loop):
    def own(frame, event, value):
        return None

    before = sys.gettrace()
    try:
        sys.settrace(own)
        with suppress(TimeIsUp):
            run_limited(loop, 0.1)
        after = sys.gettrace()
    finally:
        sys.settrace(before)
    assert after is own


@pytest.fixture
def others():
    """Someone else's handler of the alarm, which counts; their timer is theirs to set."""
    rung = []
    handler = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(time.monotonic()))
    yield rung
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, handler)


@pytest.mark.parametrize("code", [int, endless])
def test_someone_elses_timer_and_handler_go_on(others, code):
    handler = signal.getsignal(signal.SIGALRM)
    signal.setitimer(signal.ITIMER_REAL, 50, 7)
    with suppress(TimeIsUp):
        run_limited(code, 0.1)
    left, interval = signal.getitimer(signal.ITIMER_REAL)
    assert 40 < left <= (49.9 if code is endless else 50)
    assert interval == 7
    assert signal.getsignal(signal.SIGALRM) is handler
    assert not others


def test_someone_elses_alarm_that_falls_into_the_block_comes_after_it(others):
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    with time_limit(20.0):
        time.sleep(0.1)
        assert not others
    time.sleep(0.05)
    assert len(others) == 1


def test_no_timer_is_left_behind():
    run_limited(int, 20.0)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


def call(verifier, **limits):
    """One call of a verifier as an audit makes it: B = 1, K = 2, V = 3."""
    rows = np.full((1, 3, 3), 1 / 3)
    return Adapted(verifier, **limits)(np.zeros((1, 2), int), rows[:, :2], rows, np.array([2]), np.random.default_rng(0))


@pytest.mark.parametrize(("limits", "said"), [({"timeout": 0.1}, "0.1 s"), ({"deadline": 0.0}, "0 s")])
def test_a_verifier_that_takes_too_long_breaks_the_contract(limits, said):
    with pytest.raises(
        VerifierError, match=f"^took more than {said} on a batch of 1 rows, K = 2, V = 3 and was stopped$"
    ) as caught:
        call(lambda *args: stubborn(), **limits)
    assert caught.value.part == "time"


def test_a_verifier_that_times_out_by_itself_has_raised():
    def asks_a_server(*args):
        raise TimeoutError("no answer")

    with pytest.raises(VerifierError, match="raised TimeoutError: no answer") as caught:
        call(asks_a_server)
    assert caught.value.part == "raised"
