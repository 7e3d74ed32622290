"""Hand in an answer, ask for a hint, look at the solution."""

from __future__ import annotations

import io
from collections import Counter
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

from .exercise import Exercise, NotAttempted, Wrong
from .exercises import n00, n01, n02, n03, n04, n05, n06, n07
from .guard import TimeLimit, limited

EXERCISES: dict[str, Exercise] = {
    each.id: each for module in (n00, n01, n02, n03, n04, n05, n06, n07) for each in module.EXERCISES
}
"""Every exercise by its id, in the order of the notebooks."""

_hints_given: Counter[str] = Counter()


@dataclass(frozen=True)
class Verdict:
    """What a check found.

    Attributes
    ----------
    state : {"not attempted yet", "needs work", "correct"}
    message : str
        The smallest counter-example, or what was checked.
    """

    state: str
    message: str = ""

    def __repr__(self) -> str:
        return f"{self.state}: {self.message}" if self.message else self.state


def check(id: str, answer: Any) -> Verdict:
    """Check an answer to an exercise.

    Parameters
    ----------
    id : str
        Such as "01a".
    answer : object
        What the exercise asks for, mostly a function.

    Returns
    -------
    Verdict
        "not attempted yet" for the stub; "needs work" with the smallest input that goes wrong, what was expected and what came;
        or "correct" with what was checked and what was not. An answer that raises or does not end needs work.

    Raises
    ------
    ValueError
        If there is no such exercise.
    """
    this = exercise(id)
    try:
        with redirect_stdout(io.StringIO()):  # what an answer prints while it is run hundreds of times helps nobody
            limited(lambda: this.judge(answer), this.seconds)
    except NotAttempted:
        return Verdict("not attempted yet", f'hint("{id}") gives the first of three hints')
    except Wrong as wrong:
        return Verdict("needs work", str(wrong))
    except TimeLimit:
        return Verdict("needs work", f"did not end within {this.seconds:g} seconds; is there a loop that never stops?")
    return Verdict("correct", this.covers)


def hint(id: str, step: int | None = None) -> None:
    """Print a hint: the next one at each call, or a chosen one.

    Parameters
    ----------
    id : str
    step : int, optional
        1, 2 or 3.
    """
    hints = exercise(id).hints
    if step is None:
        _hints_given[id] = min(_hints_given[id] + 1, len(hints))
        step = _hints_given[id]
    if not 1 <= step <= len(hints):
        raise ValueError(f"step is {step}; expected 1 to {len(hints)}")
    print(f"Hint {step} of {len(hints)}: {hints[step - 1]}")


def solution(id: str) -> None:
    """Print the source of a right answer.

    Parameters
    ----------
    id : str
    """
    print(exercise(id).solution)


def exercise(id: str) -> Exercise:
    """The exercise with this id.

    Raises
    ------
    ValueError
        If there is none; the message lists the ids.
    """
    if id not in EXERCISES:
        raise ValueError(f"there is no exercise {id!r}; expected one of {', '.join(EXERCISES)}")
    return EXERCISES[id]
