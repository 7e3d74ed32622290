"""Is there a loop over rows? A function without one runs as many lines of Python for many rows as for few."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from .exercise import Answer, NeedsWork

FEW, MANY = 64, 512
"""Rows of the two calls: enough in the first for every branch that depends on what is drawn."""


class LineCounter:
    """A function that counts the lines of Python that run in its calls, those of a comprehension and of a lambda included."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.lines = 0

    def __call__(self, *args: Any) -> Any:
        """Call the function. A tracer belongs to its thread, so that it is set where the function runs."""
        before = sys.gettrace()
        sys.settrace(self._see)
        try:
            return self.function(*args)
        finally:
            sys.settrace(before)

    def _see(self, frame: FrameType, event: str, value: Any) -> Any:
        self.lines += event == "line"
        return self._see


def refuse_loops(answer: Answer, case: Callable[[int], tuple[Any, ...]]) -> None:
    """Call the answer with few and with many rows; more lines by one and more for each further row are a loop.

    Parameters
    ----------
    answer : Answer
    case : callable
        Arguments for a number of rows.

    Raises
    ------
    NeedsWork
    """
    ran = [_lines_run(answer, case(rows)) for rows in (FEW, MANY)]
    if ran[1] - ran[0] >= MANY - FEW:
        raise NeedsWork(
            f"right so far, but there is a loop over rows: {FEW} rows take {ran[0]} lines of Python, {MANY} rows take {ran[1]}\n"
            "expected  as many lines for any number of rows: let NumPy go through them"
        )


def _lines_run(answer: Answer, args: tuple[Any, ...]) -> int:
    student, counter = answer.student, LineCounter(answer.student)
    answer.student = counter
    try:
        answer(*args)
        return counter.lines
    finally:
        answer.student = student
