"""Named uniforms that a rule asks questions of: given as numbers, drawn from a Generator, or integrated exactly.

A rule's scalar program never sees a random number. It asks two questions, `less` and `choose`, of a uniform that it
names. The same program then runs three ways: on numbers that a test chose, on fresh draws, and, with `integrate`, on all
values at once in fractions, which gives the law of what the program returns as a proof rather than a sample. Two
questions to one name are questions to one uniform: that is how a rule that reuses a uniform is written down.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, Protocol

import numpy as np


class Uniforms(Protocol):
    """What a scalar program may ask. Every uniform is uniform on [0, 1) and independent of those with other names."""

    def less(self, name: Hashable, scale: Any, bound: Any) -> bool:
        """Is u * scale < bound? With scale q(x) and bound p(x) this is the acceptance test; nothing is divided."""
        ...

    def choose(self, name: Hashable, weights: Sequence[Any]) -> int:
        """First index whose cumulative weight exceeds u times the total: the inverse of the cumulative distribution."""
        ...


class GivenUniforms:
    """Uniforms as numbers: those in `values` by name, any other drawn once from `rng` when it is first asked for.

    Parameters
    ----------
    values : mapping, optional
        Name to number in [0, 1).
    rng : numpy.random.Generator, optional
        Source of the uniforms that `values` does not name; without it they are a KeyError.
    """

    def __init__(self, values: Mapping[Hashable, float] | None = None, rng: np.random.Generator | None = None) -> None:
        self._values = dict(values or {})
        self._rng = rng

    def __getitem__(self, name: Hashable) -> float:
        if name not in self._values and self._rng is not None:
            self._values[name] = float(self._rng.random())
        return self._values[name]

    def less(self, name: Hashable, scale: Any, bound: Any) -> bool:
        """Is u * scale < bound?"""
        return bool(self[name] * scale < bound)

    def choose(self, name: Hashable, weights: Sequence[Any]) -> int:
        """First index whose cumulative weight exceeds u times the total; the last with weight if rounding leaves none."""
        cumulative = list(accumulate(weights))
        aim = self[name] * cumulative[-1]
        return next((i for i, c in enumerate(cumulative) if c > aim), cumulative.index(cumulative[-1]))


class _Path:
    """One run of a program along known answers: each uniform is an interval that shrinks with every question."""

    def __init__(self, answers: Sequence[int], number: Callable[[Any], Any]) -> None:
        self.answers = list(answers)
        self.open: list[list[int]] = []
        self.mass = number(1)
        self._number = number
        self._asked = 0
        self._interval: dict[Hashable, tuple[Any, Any]] = {}

    def less(self, name: Hashable, scale: Any, bound: Any) -> bool:
        if scale == 0:
            return bool(bound > 0)
        return self._part(name, [self._number(bound) / self._number(scale)]) == 0

    def choose(self, name: Hashable, weights: Sequence[Any]) -> int:
        cumulative = list(accumulate(map(self._number, weights)))
        total = cumulative[-1]
        if not total > 0:
            raise ValueError(f"the weights for uniform {name!r} sum to {total}; expected a sum above 0")
        return self._part(name, [c / total for c in cumulative[:-1]])

    def _part(self, name: Hashable, cuts: Sequence[Any]) -> int:
        """Which of the parts between rising cuts holds the uniform? Every part that it can be in becomes a path."""
        low, high = self._interval.get(name, (self._number(0), self._number(1)))
        edges = [low, *(min(max(cut, low), high) for cut in cuts), high]
        parts = [part for part in range(len(edges) - 1) if edges[part] < edges[part + 1]]
        if len(parts) == 1:
            return parts[0]
        if self._asked == len(self.answers):
            self.open += [[*self.answers, part] for part in parts[1:]]
            self.answers.append(parts[0])
        part = self.answers[self._asked]
        self._asked += 1
        self._interval[name] = (edges[part], edges[part + 1])
        self.mass *= (edges[part + 1] - edges[part]) / (high - low)
        return part


def integrate(program: Callable[[Uniforms], Hashable], number: Callable[[Any], Any] = Fraction) -> dict[Hashable, Any]:
    """Exact law of what a program returns, integrated over all its uniforms.

    The program runs once for every way in which its questions can be answered. The mass of a run is the product, over
    the uniforms, of the length of the interval that the answers leave.

    Parameters
    ----------
    program : callable
        Takes a `Uniforms` and returns something hashable, such as a tuple of tokens. It must depend on nothing else that is
        random. Probabilities may be Fractions, integers or floats; floats count as the exact binary fractions they are.
    number : callable
        `Fraction` for a proof. `float` is about five times as fast and right to rounding.

    Returns
    -------
    dict
        Outcome to its probability, in the numbers asked for; as Fractions they sum to exactly 1.

    Raises
    ------
    ValueError
        If the program draws from weights that sum to nothing.

    Examples
    --------
    >>> integrate(lambda u: u.less("u", Fraction(1, 2), Fraction(1, 3)))
    {True: Fraction(2, 3), False: Fraction(1, 3)}
    """
    law: dict[Hashable, Any] = {}
    todo: list[list[int]] = [[]]
    while todo:
        path = _Path(todo.pop(), number)
        outcome = program(path)
        law[outcome] = law.get(outcome, 0) + path.mass
        todo += path.open
    return law
