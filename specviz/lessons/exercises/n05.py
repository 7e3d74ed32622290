"""Exercises of notebook 05: the joint law, the chi-square, and what many tests do to a false-alarm rate."""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..exercise import from_function


def joint_of_two(start, rows):
    """Return the law of the first two tokens, [V, V]: start [V] is the law of the first, rows[x] that of the token behind x."""
    return np.asarray(start)[:, None] * np.asarray(rows)


def chi_square_of(counts, law):
    """Return sum (observed - expected)^2 / expected over the cells that the law allows; inf if another cell has a count."""
    counts, law = np.asarray(counts, float), np.asarray(law, float)
    if (counts[law == 0] > 0).any():
        return float("inf")
    expected = counts.sum() * law[law > 0]
    return ((counts[law > 0] - expected) ** 2 / expected).sum()


def false_alarms(alpha, m):
    """Return the probability that at least one of m independent checks fails a right verifier, each at rate alpha."""
    return 1 - (1 - alpha) ** m


def _chains() -> Iterator[tuple[Any, ...]]:
    yield [1.0], [[1.0]]
    yield [1.0, 0.0], [[0.0, 1.0], [1.0, 0.0]]
    yield [0.75, 0.25], [[0.5, 0.5], [0.2, 0.8]]
    rng = np.random.default_rng(0)
    for V in (2, 3, 4):
        yield rng.dirichlet(np.ones(V)).tolist(), rng.dirichlet(np.ones(V), V).tolist()


def _counts() -> Iterator[tuple[Any, ...]]:
    yield [10, 10], [0.5, 0.5]
    yield [12, 8], [0.5, 0.5]
    yield [8, 2], [0.5, 0.5]
    yield [6, 4, 0], [0.5, 0.5, 0.0]
    yield [6, 3, 1], [0.5, 0.5, 0.0]
    yield [30, 10], [0.8, 0.2]
    rng = np.random.default_rng(0)
    for V in (3, 8):
        law = rng.dirichlet(np.ones(V))
        yield rng.multinomial(1000, law).tolist(), law.tolist()


def _many() -> Iterator[tuple[Any, ...]]:
    yield from ((0.01, 1), (0.5, 2), (0.01, 20), (0.001, 64), (0.05, 100), (0.0, 5))


EXERCISES = (
    from_function(
        "05a",
        "Write the exact law of two tokens.",
        joint_of_two,
        (
            "By the chain rule: the first token, times the second given the first.",
            "Entry [x, y] is start[x] * rows[x][y].",
            "np.asarray(start)[:, None] * np.asarray(rows): the row of the first token, scaled.",
        ),
        "equal on 6 chains with 1 to 4 tokens.",
        cases=_chains,
    ),
    from_function(
        "05b",
        "Write the chi-square of counts against a law. What about cells that the law forbids?",
        chi_square_of,
        (
            "Expected is the total count times the law.",
            "A forbidden cell with a count refutes the law at once: return inf. Without a count it adds nothing: "
            "leave it out, or you divide by 0.",
            "For the rest: ((observed - expected) ** 2 / expected).sum().",
        ),
        "equal on 8 tables, with forbidden cells both empty and not. Cells of small expected count were not pooled.",
        cases=_counts,
    ),
    from_function(
        "05c",
        "A report has m checks, each with its own false-alarm rate. How often is at least one of them red for a right verifier?",
        false_alarms,
        (
            "How often are all m green?",
            "(1 - alpha) ** m, if they are independent.",
            "return 1 - (1 - alpha) ** m. To keep the whole report at alpha, give each check alpha / m.",
        ),
        "equal on 6 pairs. For 20 checks at .01 it is .18.",
        cases=_many,
    ),
)
