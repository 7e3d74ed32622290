"""Exercises of notebook 00: the overlap, and a round by hand."""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..exercise import from_function


def overlap_of(p, q):
    """Add up, token by token, the smaller of p(x) and q(x)."""
    return sum(min(a, b) for a, b in zip(p, q))


def kept_in_round(draft, u, q, p):
    """Count the drafts before the first rejection; draft i is tested with u[i] against the laws q[i] and p[i]."""
    for i, x in enumerate(draft):
        if not u[i] * q[i][x] < p[i][x]:
            return i
    return len(draft)


def _pairs() -> Iterator[tuple[Any, ...]]:
    yield [1.0], [1.0]
    yield [1.0, 0.0], [0.0, 1.0]
    yield [0.5, 0.5], [0.8, 0.2]
    yield [0.5, 0.3, 0.15, 0.05], [0.25] * 4
    rng = np.random.default_rng(0)
    for V in (2, 3, 5, 20):
        yield rng.dirichlet(np.ones(V)).tolist(), rng.dirichlet(np.ones(V)).tolist()


def _rounds() -> Iterator[tuple[Any, ...]]:
    half = [0.5, 0.5]
    yield [], [], [], []
    yield [0], [0.9], [half], [half]
    yield [0], [0.0], [half], [[0.0, 1.0]]  # p(x) = 0 and u = 0
    yield [1], [0.5], [[0.0, 1.0]], [half]  # u q = p
    yield [0, 0], [0.9, 0.1], [[0.8, 0.2]] * 2, [half] * 2  # rejected, then passed
    yield [0, 1], [0.5, 0.5], [half, half], [half, [0.9, 0.1]]
    yield [0, 0, 1, 1], [0.1, 0.9, 0.1, 0.1], [[0.8, 0.2]] * 4, [half] * 4
    rng = np.random.default_rng(0)
    for K in (1, 2, 3, 3, 4, 5) * 3:
        q, p = rng.dirichlet(np.ones(3), (2, K))
        yield rng.integers(0, 3, K).tolist(), rng.random(K).tolist(), q.tolist(), p.tolist()


EXERCISES = (
    from_function(
        "00a",
        "Write the overlap of two laws. How much of p does the drafter already cover?",
        overlap_of,
        (
            "Take one token. How much of its probability do the two laws have in common?",
            "For token x it is min(p(x), q(x)). Now add up over the tokens.",
            "sum(min(a, b) for a, b in zip(p, q)), or np.minimum(p, q).sum().",
        ),
        "equal to the definition on 8 pairs of laws, with 1 to 20 tokens. Laws that do not sum to 1 were not tried.",
        cases=_pairs,
    ),
    from_function(
        "00b",
        "Play a round by hand: how many drafts are kept?",
        kept_in_round,
        (
            "Go through the drafts in order. When does the round end?",
            "Draft x at position i is kept if u[i] * q[i][x] < p[i][x]. At the first one that is not, return how "
            "many came before.",
            "for i, x in enumerate(draft): if the test fails, return i. After the loop: all were kept, return len(draft).",
        ),
        "right on 25 rounds, among them an empty one, p(x) = 0 with u = 0, and drafts that would pass behind a rejection.",
        cases=_rounds,
    ),
)
