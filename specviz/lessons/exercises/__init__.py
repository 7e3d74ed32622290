"""Exercises by notebook: the task, an answer that is accepted, and what checks yours.

A module whose name starts with ex and the notebook's number holds some exercises of that notebook, in `EXERCISES`. An answer
imports what students import, from where they do so: these lines are printed with it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from re import match

from ..checking.exercise import Exercise


@cache
def exercises() -> dict[str, Exercise]:
    """All exercises by id, in the order of the course. They are imported when they are first asked for.

    Returns
    -------
    dict
        From ids, such as "01a", to `Exercise`.
    """
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__) if match(r"ex\d\d_", module.name)]
    found = [exercise for module in modules for exercise in module.EXERCISES]
    return {exercise.id: exercise for exercise in sorted(found, key=lambda exercise: exercise.id)}
