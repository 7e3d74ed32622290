"""Run a student's code for a limited time, whatever it does: an endless loop comes back as an exception."""

from __future__ import annotations

import ctypes
import io
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from types import FrameType
from typing import Any

import numpy as np

HEAD = 400
"""Characters kept of what the code prints: enough to find one's own message, and a loop that prints cannot fill the memory."""


class TimeIsUp(BaseException):
    """The code ran too long. Not an Exception, so that an ``except Exception`` inside the code does not swallow it."""


class Head(io.TextIOBase):
    """A stream that keeps its first `HEAD` characters."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        """Keep what still fits."""
        if len(self.text) < HEAD:
            self.text += text[: HEAD - len(self.text)]
        return len(text)


def run_limited(function: Callable[..., Any], args: tuple[Any, ...], seconds: float, printed: Head) -> Any:
    """Call function(*args) and return its result; what it prints goes to `printed`.

    Parameters
    ----------
    function : callable
    args : tuple
    seconds : float
        Time limit, above 0.
    printed : Head

    Raises
    ------
    TimeIsUp
        After `seconds`. A single call into compiled code (a huge NumPy product) is interrupted only when it returns.
    BaseException
        Whatever the function raises, KeyboardInterrupt included.

    Notes
    -----
    In the main thread of a POSIX system a timer signal interrupts the code. Elsewhere it runs in a thread of
    its own, in which the
    exception is raised from outside.
    """

    def quiet() -> Any:
        with redirect_stdout(printed), redirect_stderr(printed), np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*args)

    by_signal = os.name == "posix" and threading.current_thread() is threading.main_thread()
    return (_by_signal if by_signal else _by_thread)(quiet, seconds)


def _by_signal(function: Callable[[], Any], seconds: float) -> Any:
    def stop(_: int, frame: FrameType | None) -> None:
        if frame is not None:  # should a bare except swallow this one, the next line of the code raises it again
            frame.f_trace = again
            sys.settrace(lambda *_: None)
        raise TimeIsUp

    def again(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            raise TimeIsUp
        return again

    tracer = sys.gettrace()
    started = time.monotonic()
    handler = signal.signal(signal.SIGALRM, stop)
    others, interval = signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
    try:
        return function()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.settrace(tracer)
        signal.signal(signal.SIGALRM, handler)
        if others:  # someone else's timer goes on
            signal.setitimer(signal.ITIMER_REAL, max(others - (time.monotonic() - started), 1e-3), interval)


def _by_thread(function: Callable[[], Any], seconds: float) -> Any:
    result: list[Any] = []
    raised: list[BaseException] = []

    def work() -> None:
        try:
            result.append(function())
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    for _ in range(10):
        if not thread.is_alive():
            break
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(TimeIsUp))
        thread.join(0.1)
    if raised:
        raise raised[0]
    if not result:
        raise TimeIsUp
    return result[0]
