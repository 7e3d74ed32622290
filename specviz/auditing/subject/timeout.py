"""Stop code that runs too long, whatever it does: `time_limit` for a block, `run_limited` for a call in any thread."""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from opcode import opmap
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

AGAIN = 0.5
"""Seconds after which a stop that was swallowed is repeated."""

HANDLER_BEGINS = opmap["PUSH_EXC_INFO"]
"""The instruction with which an ``except``, a ``finally`` or the end of a ``with`` takes up an exception."""


class TimeIsUp(BaseException):
    """The code ran too long. Not an Exception, so that an ``except Exception`` inside the code does not swallow it."""


@contextmanager
def time_limit(timeout: float) -> Iterator[None]:
    """Raise `TimeIsUp` in the block after so many seconds: in the main thread of a POSIX system; elsewhere never.

    Parameters
    ----------
    timeout : float
        Seconds. Infinity is no limit.

    Raises
    ------
    TimeIsUp
        Before the block if the timeout is not above 0, else in the block when the time is up. A single call into compiled code
        (a huge NumPy product) is interrupted only when it returns.

    Notes
    -----
    A bare ``except`` that swallows the exception gets it again in the next line, and after `AGAIN` seconds wherever the code is.
    A timer that someone else has set is held back for as long as the block runs, and then goes on.
    """
    if timeout <= 0:
        raise TimeIsUp
    if timeout == float("inf") or not _alarm_reaches_here():
        yield
        return

    def stop(_: int, frame: FrameType | None) -> None:
        if frame is not None:
            frame.f_trace = _raise_in_next_line
            sys.settrace(lambda *_: None)  # a frame is traced only while there is a tracer for all
        raise TimeIsUp

    tracer = sys.gettrace()
    started = time.monotonic()
    others, interval = signal.setitimer(signal.ITIMER_REAL, 0)
    handler = signal.signal(signal.SIGALRM, stop)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, timeout, AGAIN)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:  # also if the alarm goes off in the line above
        if sys.gettrace() is not tracer:
            sys.settrace(tracer)
        signal.signal(signal.SIGALRM, handler)
        if others:
            signal.setitimer(signal.ITIMER_REAL, max(others - (time.monotonic() - started), 1e-3), interval)


def run_limited(function: Callable[[], T], timeout: float) -> T:
    """Call a function for a limited time, in any thread and on any system.

    Parameters
    ----------
    function : callable
        Takes no arguments.
    timeout : float
        Seconds. Infinity is no limit.

    Returns
    -------
    Whatever the function returns.

    Raises
    ------
    TimeIsUp
        If it takes longer, or the timeout is not above 0.
    BaseException
        Whatever the function raises, KeyboardInterrupt included.

    Notes
    -----
    Where no alarm can interrupt the code, it runs in a thread of its own, in which the exception is raised from outside. That
    costs a thread a call, and the function sees none of the caller's context (`numpy.errstate`): a `time_limit` that goes
    without a limit there is the better choice for many short calls.
    """
    if not 0 < timeout < float("inf") or _alarm_reaches_here():
        with time_limit(timeout):
            return function()
    return _in_a_thread(function, timeout)


def _alarm_reaches_here() -> bool:
    """Signals exist on POSIX systems, and Python runs their handlers in the main thread."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def _raise_in_next_line(frame: FrameType, event: str, _: Any) -> Any:
    """A tracer of one frame. Raised before a handler has begun, the exception would stay in `sys.exc_info` for ever."""
    if event == "line" and frame.f_code.co_code[frame.f_lasti] != HANDLER_BEGINS:
        raise TimeIsUp
    return _raise_in_next_line


def _in_a_thread(function: Callable[[], T], timeout: float) -> T:
    returned: list[T] = []
    raised: list[BaseException] = []

    def work() -> None:
        try:
            returned.append(function())
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(timeout)
    for _ in range(10):  # a bare except may swallow the first few
        if not thread.is_alive():
            break
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(TimeIsUp))
        thread.join(AGAIN / 5)
    if raised:
        raise raised[0]
    if not returned:
        raise TimeIsUp
    return returned[0]
