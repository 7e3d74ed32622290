"""Run somebody's code for a limited time, whatever it does."""

from __future__ import annotations

import ctypes
import signal
import threading
from collections.abc import Callable
from typing import Any


class TimeLimit(BaseException):
    """Raised inside code that takes too long; no Exception, so that a broad `except` does not catch it."""


def limited(function: Callable[[], Any], seconds: float) -> Any:
    """Call a function, and stop it when its time is over.

    Parameters
    ----------
    function : callable
        Without arguments.
    seconds : float
        Time limit, above 0.

    Returns
    -------
    object
        What the function returns.

    Raises
    ------
    TimeLimit
        If it took longer. What the function itself raises is passed on.

    Notes
    -----
    By a timer signal in the main thread of a system that has one, else from a second thread. Either interrupts Python code, again
    and again until it ends; a single call into compiled code runs to its own end first.
    """
    if hasattr(signal, "SIGALRM") and threading.current_thread() is threading.main_thread():
        return _by_signal(function, seconds)
    return _by_thread(function, seconds)


def _by_signal(function: Callable[[], Any], seconds: float) -> Any:
    def stop(*_: Any) -> None:
        raise TimeLimit

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.2)
    try:
        return function()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _by_thread(function: Callable[[], Any], seconds: float) -> Any:
    outcome: dict[str, Any] = {}

    def run() -> None:
        try:
            outcome["value"] = function()
        except BaseException as error:
            outcome["error"] = error

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    worker.join(seconds)
    for _ in range(25):
        if not worker.is_alive():
            break
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(worker.ident or 0), ctypes.py_object(TimeLimit))
        worker.join(0.2)
    if worker.is_alive() or isinstance(outcome.get("error"), TimeLimit):
        raise TimeLimit
    if "error" in outcome:
        raise outcome["error"]
    return outcome["value"]
