"""Tokens per round and what they are worth: closed forms for one acceptance rate alpha, and the block rule's mean on a chain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..models.markov import MarkovPair, draft_lengths
from ..types import Floats


def survival(alpha: ArrayLike, i: ArrayLike) -> Floats:
    """Probability that at least i drafts of a round are accepted: alpha ** i.

    Parameters
    ----------
    alpha : array_like
        Acceptance rate at each position, 0 to 1. Broadcasts with i.
    i : array_like of int
        Drafts, at most the number drafted.

    Returns
    -------
    ndarray of float64
    """
    return np.asarray(_rate("alpha", alpha) ** _whole("i", i))


def expected_tokens(alpha: ArrayLike, K: ArrayLike) -> Floats:
    """Mean tokens per round, bonus included: 1 + alpha + ... + alpha ** K = (1 - alpha ** (K + 1)) / (1 - alpha).

    Parameters
    ----------
    alpha : array_like
        Acceptance rate at each position, 0 to 1, the same in every context. Broadcasts with K.
    K : array_like of int
        Drafts per round, at least 0.

    Returns
    -------
    ndarray of float64
        Tokens per target pass, from 1 to K + 1.

    References
    ----------
    Leviathan, Kalman, Matias, "Fast Inference from Transformers via Speculative Decoding", ICML 2023, equation 1.

    Examples
    --------
    >>> print(f"{expected_tokens(0.7, 3):.3f}")
    2.533
    """
    rate, drafts = _rate("alpha", alpha), _whole("K", K)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(rate == 1, drafts + 1.0, (1 - rate ** (drafts + 1)) / (1 - rate)))


def speedup(alpha: ArrayLike, K: ArrayLike, cost: ArrayLike) -> Floats:
    """Tokens per unit of time, against one token per target pass: expected_tokens / (1 + K cost).

    Parameters
    ----------
    alpha, K : array_like
        As in `expected_tokens`.
    cost : array_like
        Time to draft one token, as a fraction of one target pass; at least 0. Checking K drafts is taken to cost one pass.

    Returns
    -------
    ndarray of float64
        Above 1: faster than plain decoding.

    References
    ----------
    Leviathan, Kalman, Matias, 2023, theorem 3.8.

    Examples
    --------
    >>> print(f"{speedup(0.7, 4, 0.1):.3f}")
    1.981
    """
    cost = np.asarray(cost, np.float64)
    if not (cost >= 0).all():
        raise ValueError(f"cost is {cost}; expected a fraction of a target pass, at least 0")
    return np.asarray(expected_tokens(alpha, K) / (1 + _whole("K", K) * cost))


def best_draft_length(alpha: float, cost: float, *, most: int = 64) -> int:
    """Smallest K from 0 to `most` with the largest `speedup`; 0 means that drafting does not pay.

    Parameters
    ----------
    alpha : float
        Acceptance rate, 0 to 1, the same in every context.
    cost : float
        Time to draft one token, as a fraction of one target pass.
    most : int
        Longest draft to consider; with a free drafter (cost 0) it is the answer.

    Returns
    -------
    int

    Examples
    --------
    >>> best_draft_length(0.7, 0.1)
    4
    """
    return int(np.argmax(speedup(alpha, np.arange(most + 1), cost)))


def block_tokens_per_round(pair: MarkovPair, K: int | Sequence[float]) -> float:
    """Exact mean tokens of the first round under the block rule: the counterpart of `MarkovPair.tokens_per_round`.

    All prefixes of drafts are followed, with their mass and their weight w, see `specviz.rules.block.verify_block_row`. A round
    keeps at least i drafts unless all sub-blocks of i drafts and more are rejected.

    Parameters
    ----------
    pair : MarkovPair
    K : int or sequence of float
        Drafts per round, or for a ragged batch the probabilities of 0, 1, 2, ... drafts.

    Returns
    -------
    float
        At least `pair.tokens_per_round(K)`, if the drafts come from the q that is reported.

    Notes
    -----
    There are V ** K prefixes: for small chains only.
    """
    longest, lengths = draft_lengths(K)
    return float(lengths @ [_block_tokens(pair, drafts) for drafts in range(longest + 1)])


def _block_tokens(pair: MarkovPair, drafts: int) -> float:
    mass, weight, state = np.ones(1), np.ones(1), np.array([pair.start])
    rejected: list[Floats] = []  # the sub-block of i drafts, given the drafts
    for i in range(1, drafts + 1):
        reached, q = weight[:, None] * pair.target[state], pair.q[state]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            weight = np.where(q > 0, np.minimum(1, reached / q), reached > 0).ravel()
        mass = (mass[:, None] * pair.drafter[state]).ravel()
        state = np.tile(np.arange(pair.V), len(state))
        m = np.maximum(weight[:, None] * pair.target[state] - pair.q[state], 0).sum(axis=1) if i < drafts else weight
        kept = np.divide(m, m + (1 - weight), out=np.ones(len(m)), where=weight < 1)
        rejected = [*(np.repeat(r, pair.V) for r in rejected), 1 - kept]
    tail, tokens = np.ones(len(mass)), 1.0
    for r in reversed(rejected):
        tail = tail * r
        tokens += float(mass @ (1 - tail))
    return tokens


def _rate(name: str, value: ArrayLike) -> Floats:
    rate = np.asarray(value, np.float64)
    if not ((rate >= 0) & (rate <= 1)).all():
        raise ValueError(f"{name} is {rate}; expected a probability from 0 to 1")
    return rate


def _whole(name: str, value: ArrayLike) -> Any:
    whole = np.asarray(value)
    if whole.dtype.kind not in "iu" or not (whole >= 0).all():
        raise ValueError(f"{name} is {value!r}; expected whole numbers, at least 0")
    return whole.astype(np.int64)
