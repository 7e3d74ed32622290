"""Exercises of notebook 04: expected tokens, the best K, and acceptance rates that differ by position."""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..exercise import from_function


def expected(alpha, K):
    """Return the mean tokens per round for acceptance rate alpha at every position, bonus or recovered token included."""
    return sum(alpha**i for i in range(K + 1))


def best_K(alpha, cost):
    """Return the K from 0 to 20 with the largest speed-up, where a draft costs `cost` passes; the smallest if several are."""
    speed = [sum(alpha**i for i in range(K + 1)) / (1 + K * cost) for K in range(21)]
    return speed.index(max(speed))


def tokens_from_rates(rates):
    """Return the mean tokens per round; rates[i] is the probability that draft i is kept, given that those before it were."""
    tokens, alive = 1.0, 1.0
    for rate in rates:
        alive *= rate
        tokens += alive
    return tokens


def _alphas() -> Iterator[tuple[Any, ...]]:
    yield 0.5, 0
    yield 0.5, 1
    yield 0.0, 3
    yield 1.0, 3
    yield 0.7, 3
    yield from ((0.5, 2), (0.9, 8), (0.99, 20))


def _costs() -> Iterator[tuple[Any, ...]]:
    yield 0.0, 0.1
    yield 0.7, 0.1
    yield 0.5, 0.6
    yield 0.5, 0.4
    yield 0.9, 0.05
    yield 1.0, 0.1
    for alpha in (0.3, 0.6, 0.8):
        for cost in (0.02, 0.2):
            yield alpha, cost


def _rates() -> Iterator[tuple[Any, ...]]:
    yield ([],)
    yield ([0.5],)
    yield ([0.7, 0.7, 0.7],)
    yield ([0.9, 0.0, 0.9],)
    yield ([0.9, 0.5],)
    for row in np.random.default_rng(0).random((4, 4)).tolist():
        yield (row,)


EXERCISES = (
    from_function(
        "04a",
        "Write the expected tokens per round, so that alpha = 1 works as well.",
        expected,
        (
            "A round emits at least 1 token, at least 2 with probability alpha, at least 3 with probability alpha^2, ...",
            "Add up 1, alpha, ..., alpha^K. The closed form divides by 1 - alpha.",
            "sum(alpha**i for i in range(K + 1)) needs no special case.",
        ),
        "equal on 8 pairs of alpha and K, with alpha 0 and 1 and K 0 among them.",
        cases=_alphas,
    ),
    from_function(
        "04b",
        "Find the best K. Not drafting at all, K = 0, is one of the choices.",
        best_K,
        (
            "The speed-up is the expected tokens over the time of a round.",
            "A round takes 1 + K * cost passes.",
            "Make a list over K = 0, ..., 20 and take the index of its largest entry; list.index finds the first.",
        ),
        "right on 12 pairs of alpha and cost. Costs above 0.6 were not tried.",
        cases=_costs,
    ),
    from_function(
        "04c",
        "Engines measure acceptance by position. How many tokens does a round give?",
        tokens_from_rates,
        (
            "What is the probability that draft 1 is kept? It takes draft 0 as well.",
            "The probability that i drafts are kept is the product of the first i rates.",
            "1 + np.cumprod(rates).sum()",
        ),
        "equal on 9 lists of rates, an empty one and one with a rate of 0 among them.",
        cases=_rates,
    ),
)
