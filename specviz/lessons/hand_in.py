"""Where a student hands in: check, hint, solution and stub, by the exercise's id."""

from __future__ import annotations

from typing import Any

from .checking.exercise import Answer, Exercise, NeedsWork, NotAttempted, Verdict
from .exercises import exercises

_given: dict[str, int] = {}


def exercise(id: str) -> Exercise:
    """The exercise with this id.

    Parameters
    ----------
    id : str
        Such as "01a".

    Returns
    -------
    Exercise

    Raises
    ------
    ValueError
        If there is none; the message lists the ids.
    """
    if id not in exercises():
        raise ValueError(f"no exercise is called {id!r}; expected one of {', '.join(exercises())}")
    return exercises()[id]


def check(id: str, answer: Any, *, timeout: float = 2.0) -> Verdict:
    """Check an answer.

    Parameters
    ----------
    id : str
        Such as "01a".
    answer : callable
        The student's function; in some exercises a value.
    timeout : float
        Seconds that one call of the function may take.

    Returns
    -------
    Verdict
        "not attempted yet" for the stub, "needs work" with the smallest counter-example that was found, or "correct" with what
        was and was not checked. An exception, an endless loop and a changed input are reported too; prints are not shown.

    Raises
    ------
    ValueError
        If there is no such exercise, or the timeout is not above 0.
    """
    entry = exercise(id)
    if not timeout > 0:
        raise ValueError(f"timeout is {timeout}; expected a time above 0, in seconds")
    if not (callable(answer) or entry.value or answer is None or answer is ...):
        return Verdict(id, entry.title, "needs work", f"expected your function itself, not called; got {type(answer).__name__}")
    try:
        entry.check(Answer(answer, timeout))
    except NotAttempted:
        message = f"{entry.task}\n(If you have written something: it returns nothing yet.)"
        return Verdict(id, entry.title, "not attempted yet", message)
    except NeedsWork as wrong:
        return Verdict(id, entry.title, "needs work", str(wrong))
    return Verdict(id, entry.title, "correct", entry.checked)


def hint(id: str, step: int | None = None) -> None:
    """Print the next of three hints, or a chosen one; after the third the first comes again.

    Parameters
    ----------
    id : str
    step : int, optional
        1, 2 or 3.

    Raises
    ------
    ValueError
        If there is no such exercise or hint.
    """
    entry = exercise(id)
    if step is None:
        step = _given[id] = _given.get(id, 0) % 3 + 1
    if isinstance(step, bool) or step not in (1, 2, 3):
        raise ValueError(f"step is {step!r}; expected 1, 2 or 3")
    print(f"Hint {step} of 3: {entry.hints[step - 1]}")


def solution(id: str) -> None:
    """Print the source of an answer that the check accepts.

    Parameters
    ----------
    id : str

    Raises
    ------
    ValueError
        If there is no such exercise.
    """
    print(exercise(id).solution)


def stub(id: str) -> None:
    """Print the source to start from.

    Parameters
    ----------
    id : str

    Raises
    ------
    ValueError
        If there is no such exercise.
    """
    print(exercise(id).stub)
