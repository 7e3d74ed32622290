"""How far the token rule and the block rule keep a given path of drafts: the chance of each draft, and of each length."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..types import Floats, Ints


def token_acceptance(draft: ArrayLike, q: ArrayLike, p: ArrayLike) -> Floats:
    """Probability with which the token rule accepts each draft once it is looked at: min(1, p_i(x_i) / q_i(x_i)).

    Parameters
    ----------
    draft : array_like of int, shape (N, K)
        Paths that the drafter can draw: each token has q above zero.
    q : array_like, shape (N, K, V)
    p : array_like, shape (N, K + 1, V)

    Returns
    -------
    ndarray of float64, shape (N, K)
    """
    draft, q, p = _paths(draft, q, p)
    p_x, q_x = _at(p[:, :-1], draft), _at(q, draft)
    return np.asarray(np.minimum(p_x, q_x) / q_x)


def block_weights(draft: ArrayLike, q: ArrayLike, p: ArrayLike) -> Floats:
    """Weights of the block rule: w_0 = 1 and w_i = min(1, w_{i-1} p_i(x_i) / q_i(x_i)).

    Parameters
    ----------
    draft, q, p : array_like
        As in `token_acceptance`.

    Returns
    -------
    ndarray of float64, shape (N, K + 1)
    """
    draft, q, p = _paths(draft, q, p)
    p_x, q_x = _at(p[:, :-1], draft), _at(q, draft)
    w = np.ones((len(draft), draft.shape[1] + 1))
    for i in range(draft.shape[1]):
        w[:, i + 1] = np.minimum(1, w[:, i] * p_x[:, i] / q_x[:, i])
    return w


def block_acceptance(draft: ArrayLike, q: ArrayLike, p: ArrayLike) -> Floats:
    """Probability with which the block rule accepts each sub-block: h_i = m_i / (m_i + 1 - w_i) inside, h_K = w_K at the end.

    m_i = sum_x max(0, w_i p_{i+1}(x) - q_{i+1}(x)) is what stays owed behind the i-th draft. Where w_i is 1 the sub-block is
    accepted.

    Parameters
    ----------
    draft, q, p : array_like
        As in `token_acceptance`.

    Returns
    -------
    ndarray of float64, shape (N, K)
        Column i - 1 belongs to the sub-block of the first i drafts.

    References
    ----------
    Sun et al., "Block Verification Accelerates Speculative Decoding", ICLR 2025, algorithm 2.
    """
    w = block_weights(draft, q, p)
    draft, q, p = _paths(draft, q, p)
    K = draft.shape[1]
    h = w[:, 1:].copy()
    for i in range(1, K):
        owed = np.maximum(w[:, i, None] * p[:, i] - q[:, i], 0).sum(axis=1)
        h[:, i - 1] = np.divide(owed, owed + 1 - w[:, i], out=np.ones(len(w)), where=w[:, i] < 1)
    return h


def kept_by_token_rule(acceptance: ArrayLike) -> Floats:
    """Probability that at least 1, 2, ..., K drafts of a path are kept: every one of them must pass.

    Parameters
    ----------
    acceptance : array_like, shape (..., K)
        As from `token_acceptance`.

    Returns
    -------
    ndarray of float64, shape (..., K)
    """
    return np.asarray(np.cumprod(np.asarray(acceptance, np.float64), axis=-1), np.float64)


def kept_by_block_rule(acceptance: ArrayLike) -> Floats:
    """Probability that at least 1, 2, ..., K drafts of a path are kept: one sub-block of that length or longer must pass.

    Parameters
    ----------
    acceptance : array_like, shape (..., K)
        As from `block_acceptance`.

    Returns
    -------
    ndarray of float64, shape (..., K)
    """
    refused = 1 - np.asarray(acceptance, np.float64)
    return np.asarray(1 - np.flip(np.cumprod(np.flip(refused, -1), axis=-1), -1), np.float64)


def _paths(draft: ArrayLike, q: ArrayLike, p: ArrayLike) -> tuple[Ints, Floats, Floats]:
    ids, q, p = np.asarray(draft), np.asarray(q, np.float64), np.asarray(p, np.float64)
    N, K = ids.shape if ids.ndim == 2 else (-1, -1)
    if ids.ndim != 2 or q.ndim != 3 or q.shape[:2] != (N, K) or p.shape != (N, K + 1, q.shape[2]):
        raise ValueError(
            f"draft, q and p have shapes {ids.shape}, {q.shape}, {p.shape}; expected (N, K), (N, K, V), (N, K + 1, V)"
        )
    never = ~(_at(q, ids) > 0)
    if never.any():
        n, i = np.argwhere(never)[0]
        raise ValueError(
            f"q[{n}, {i}, {ids[n, i]}] is {q[n, i, ids[n, i]]}; expected above 0, since draft[{n}, {i}] was drawn from it"
        )
    return ids, q, p


def _at(rows: Floats, ids: Ints) -> Floats:
    return np.asarray(np.take_along_axis(rows, ids[..., None], axis=-1)[..., 0])
