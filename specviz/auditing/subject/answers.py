"""Answers of a verifier, compared: what two calls have emitted, whatever stands behind n_out."""

from __future__ import annotations

import numpy as np

from ...types import Array
from .batches import ragged
from .contract import Adapted
from .generators import generator

Answer = tuple[Array, Array]
"""tokens [B, K + 1] and n_out [B]."""


def same(one: Answer, two: Answer) -> bool:
    """Are the answers equal, but for what stands behind n_out?"""
    (tokens, n_out), (others, others_n) = one, two
    if not np.array_equal(n_out, others_n):
        return False
    emitted = np.arange(tokens.shape[1]) < n_out[:, None]
    return bool((tokens == others)[emitted].all())


def one_row(answer: Answer, b: int) -> Answer:
    """Row b of an answer, as a batch of one."""
    return answer[0][b : b + 1], answer[1][b : b + 1]


def repeatable(verifier: Adapted, seed: int) -> bool:
    """Do equal seeds give equal answers in two calls in a row? Not if the verifier draws from a stream of its own."""
    case = ragged(seed)
    one, two = (verifier(*case.copy(), generator(seed)) for _ in range(2))
    return same(one, two)
