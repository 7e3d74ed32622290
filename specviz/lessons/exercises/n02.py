"""Exercises of notebook 02: the comparison, and a draw that never returns an impossible token."""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..exercise import from_function

LAST = float(np.nextafter(1, 0))
"""The largest uniform there is."""


def accept(u, p_x, q_x):
    """Decide whether a draft x is kept, from its uniform and its two probabilities; True or False."""
    return u * q_x < p_x


def draw(law, u):
    """Return the first token whose cumulative weight exceeds u times the total; it must have a weight above zero."""
    total = sum(law)
    reached = 0.0
    for x, weight in enumerate(law):
        reached += weight
        if weight > 0:
            last = x
            if reached > u * total:
                return x
    return last


def _tests() -> Iterator[tuple[Any, ...]]:
    yield 0.5, 0.5, 0.5
    yield 0.5, 0.1, 0.5
    yield 0.5, 0.25, 0.5  # u q = p
    yield 0.0, 0.0, 0.5
    yield 0.0, 0.0, 0.0
    yield 0.5, 0.2, 0.0
    yield LAST, 0.3, 0.3
    yield 0.999, 0.5, 0.1
    rng = np.random.default_rng(0)
    yield from map(tuple, rng.random((30, 3)).tolist())


def _draws() -> Iterator[tuple[Any, ...]]:
    yield [1.0], 0.0
    yield [0.0, 1.0], 0.0
    yield [1.0, 0.0], LAST
    yield [0.5, 0.5], 0.5
    yield [2.0, 2.0], 0.6  # not normalised
    yield [0.0, 0.5, 0.5, 0.0], 0.0
    yield [0.0, 0.5, 0.5, 0.0], LAST
    yield [0.5, 0.0, 0.5], 0.5
    yield [0.1] * 10 + [0.0], LAST  # the sum ends at 0.9999999999999999
    yield [0.25] * 3, LAST  # the sum ends at 0.75
    rng = np.random.default_rng(0)
    for V in (2, 3, 5, 8):
        for u in rng.random(4).tolist():
            yield rng.dirichlet(np.ones(V)).tolist(), u


EXERCISES = (
    from_function(
        "02a",
        "Write the test of a draft, so that it has an answer for every u in [0, 1) and for probabilities of zero.",
        accept,
        (
            "The textbook says u < p / q. What if q is 0?",
            "Multiply both sides by q.",
            "return u * q_x < p_x: strictly, so that p = 0 is never kept.",
        ),
        "right on 38 inputs: zeros on either side, u = 0, the largest u below 1, and ties.",
        cases=_tests,
    ),
    from_function(
        "02b",
        "Write a draw from a law by its cumulative sum, so that a token of probability zero can never come out.",
        draw,
        (
            "Which comparison lets u = 0 skip a first token of weight 0: reached > u, or reached >= u?",
            "Scale u by the total that the sum really has; it need not be 1.",
            "Remember the last token that had a weight; return it if rounding lets the loop run out.",
        ),
        "right on 26 inputs: u = 0 and the largest u with zeros at either end, sums that end short of 1, weights "
        "that are not normalised.",
        cases=_draws,
    ),
)
