"""A toy engine with a signature of its own: flat arrays for all rows, as in serving code."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...arrays import Array
from ...rules.tokenwise import verify_row
from ...uniforms import GivenUniforms


def engine_verify(
    target_probs: Array, draft_probs: Array, draft_ids: Sequence[int], num_drafts: Sequence[int], generator: np.random.Generator
) -> tuple[list[int], list[int]]:
    """Verify the drafts of all requests, which lie one behind the other without padding.

    Parameters
    ----------
    target_probs : ndarray, shape (total + B, V)
        For each request its drafts' rows and then one for the bonus.
    draft_probs : ndarray, shape (total, V)
    draft_ids : sequence of int, length total
    num_drafts : sequence of int, length B
    generator : numpy.random.Generator

    Returns
    -------
    emitted : list of int
        The tokens of all requests, one behind the other.
    counts : list of int, length B
        How many of them belong to each request.
    """
    emitted: list[int] = []
    counts: list[int] = []
    at = 0
    for b, n in enumerate(num_drafts):
        p, q = target_probs[at + b : at + b + n + 1].tolist(), draft_probs[at : at + n].tolist()
        tokens = verify_row(list(draft_ids[at : at + n]), q, p, GivenUniforms(rng=generator))
        emitted += tokens
        counts.append(len(tokens))
        at += n
    return emitted, counts
