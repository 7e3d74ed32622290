"""The token rule the way it is usually written in NumPy: the yardstick of `python -m specviz bench` and a second opinion.

It reads well, is right, and touches the whole vocabulary several times for every row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def verify_textbook(draft: Array, q: Array, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """Same arguments and law as `specviz.verify`, for arrays with K >= 1."""
    B, K = draft.shape
    is_draft = np.arange(K) < num_draft[:, None]
    x = np.where(is_draft, draft, 0)[..., None]
    p_x = np.take_along_axis(p[:, :K], x, axis=2)[..., 0]
    q_x = np.take_along_axis(q, x, axis=2)[..., 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        probability = np.minimum(1, p_x / q_x)
    accept = (rng.random((B, K)) < probability) & is_draft
    accepted = np.cumprod(accept, axis=1).sum(axis=1)

    stopped = accepted < num_draft
    p_at = np.take_along_axis(p, accepted[:, None, None], axis=1)[:, 0]
    q_at = np.take_along_axis(q, np.minimum(accepted, K - 1)[:, None, None], axis=1)[:, 0]
    weights = np.where(stopped[:, None], np.maximum(p_at - q_at, 0), p_at)
    weights = weights / weights.sum(axis=1, keepdims=True)
    cdf = np.cumsum(weights, axis=1)
    final = np.minimum((cdf <= rng.random((B, 1))).sum(axis=1), p.shape[2] - 1)

    tokens = np.full((B, K + 1), -1)
    tokens[:, :K] = np.where(np.arange(K) < accepted[:, None], draft, -1)
    tokens[np.arange(B), accepted] = final
    return tokens, accepted + 1
