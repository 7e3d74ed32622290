"""What an audit is asked for, besides the verifier."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from typing import Any

from ..models.markov import MarkovPair

Drafter = Callable[[MarkovPair], MarkovPair]
"""Maps a pair to the one that drafts really come from."""

Progress = Callable[[int, int], None]
"""Is told how many tasks of how many are done."""


@dataclass(frozen=True)
class Budget:
    """A limit in seconds for the whole audit, and in how many tasks each draw is split. Every draw knows its size by budget."""

    seconds: float
    parts: int = 1


BUDGETS = {"quick": Budget(60), "standard": Budget(180), "deep": Budget(1200, parts=20), "anytime": Budget(180)}


@dataclass(frozen=True)
class Options:
    """The options of `specviz.audit` and `specviz.assert_lossless`.

    Attributes
    ----------
    budget : str
        "quick", "standard" or "deep": under 2 s, 10 s and 2 minutes for `verify` on two cores. "anytime" stops as soon as the
        evidence suffices, by an e-process; see `specviz.auditing.checks.anytime`.
    seed : int
        Seeds every stream; fixed before looking.
    alpha : float
        False-alarm rate of the whole report.
    claims : str, optional
        "token rule": the verifier must be that very rule, not just a lossless one.
    executor : concurrent.futures.Executor, optional
        Where the sampling runs; results are equal for every executor. "deep" takes a process pool unless one is given.
    progress : bool or callable
        True shows a bar in a terminal or a notebook. A function is called with (tasks done, tasks in all).
    one_row : bool
        The verifier takes one row at a time: draft [K], q [K, V], p [K + 1, V], an int and rng.
    drafter : callable, optional
        Maps a MarkovPair to the one that drafts really come from, to audit a fault of the drafter's side.
    name : str, optional
        What to call the verifier; its `__name__` unless given.
    stop_early : bool
        Ask no further once a check has failed.
    call_seconds : float
        A call that takes longer is stopped: in the main thread, on a system with SIGALRM. The whole audit has a limit as well.

    Raises
    ------
    ValueError
        For a value out of range.
    """

    budget: str = "standard"
    seed: int = 0
    alpha: float = 0.001
    claims: str | None = None
    executor: Executor | None = None
    progress: bool | Progress = True
    one_row: bool = False
    drafter: Drafter | None = None
    name: str | None = None
    stop_early: bool = False
    call_seconds: float = 20.0

    def __post_init__(self) -> None:
        if self.budget not in BUDGETS:
            raise ValueError(f"budget is {self.budget!r}; expected one of {', '.join(BUDGETS)}")
        if not 0 < self.alpha < 1:
            raise ValueError(f"alpha is {self.alpha}; expected a rate between 0 and 1")
        if self.claims not in (None, "token rule"):
            raise ValueError(f"claims is {self.claims!r}; expected 'token rule' or nothing")
        if not self.call_seconds > 0:
            raise ValueError(f"call_seconds is {self.call_seconds}; expected a time above 0")

    @classmethod
    def of(cls, budget: str, seed: int, options: dict[str, Any]) -> Options:
        """Options from keywords; a TypeError names one that there is none of."""
        known = [field.name for field in fields(cls)]
        if unknown := [name for name in options if name not in known]:
            raise TypeError(f"audit() has no option {unknown[0]!r}; expected one of {', '.join(known)}")
        return cls(budget=budget, seed=seed, **options)
