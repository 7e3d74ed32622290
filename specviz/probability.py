"""Rows of probabilities: overlap, residual, a sampler that never emits an impossible token, and checks.

Every function works along the last axis, which is the vocabulary, and accumulates in float64 whatever the input's type, so that
rows of 131,072 float32 numbers lose nothing to the order of summation.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .inverse_cdf import inverse_cdf, tiles
from .types import Array, Floats, Ints

SUM_TOLERANCE = 1e-3
"""How far the sum of a row may be from 1: wide enough for a softmax in half precision, narrow enough for logits to fail."""


def overlap(p: ArrayLike, q: ArrayLike) -> Floats:
    """Probability that a draft from q is accepted under p: sum_x min(p(x), q(x)) = 1 - TV(p, q).

    Parameters
    ----------
    p, q : array_like, shape (..., V)
        Rows of probabilities; the leading axes broadcast.

    Returns
    -------
    ndarray of float64, shape (...)
        One overlap a row, between 0 and 1.

    Raises
    ------
    ValueError
        If the vocabularies differ, or an entry is negative, infinite or a NaN.

    References
    ----------
    Leviathan, Kalman, Matias, "Fast Inference from Transformers via Speculative Decoding", ICML 2023, theorem 3.5.

    Examples
    --------
    >>> print(f"{overlap([.5, .3, .15, .05], [.25, .25, .25, .25]):.2f}")
    0.70
    """
    p, q = _pair(p, q)
    return np.asarray(np.minimum(np.minimum(p, q).sum(axis=-1, dtype=np.float64), 1))  # rounding must not lift it above 1


def total_variation(p: ArrayLike, q: ArrayLike) -> Floats:
    """Total variation distance of rows: sum_x |p(x) - q(x)| / 2.

    Parameters
    ----------
    p, q : array_like, shape (..., V)
        Rows of probabilities; the leading axes broadcast.

    Returns
    -------
    ndarray of float64, shape (...)
        0 for equal rows, 1 for rows that share no token.

    Raises
    ------
    ValueError
        If the vocabularies differ, or an entry is negative, infinite or a NaN.
    """
    p, q = _pair(p, q)
    return np.asarray(np.abs(p - q).sum(axis=-1, dtype=np.float64) / 2)


def residual(p: ArrayLike, q: ArrayLike) -> Array:
    """Law of the recovered token after a rejection: max(0, p - q), normalised.

    Parameters
    ----------
    p, q : array_like, shape (..., V)
        Rows of probabilities; the leading axes broadcast.

    Returns
    -------
    ndarray, shape (..., V)
        Rows that sum to 1, in the wider floating type of p and q. Where p never exceeds q there is nothing owed:
        with rows that sum to 1 only rounding can ask for this residual, and the row is p itself.

    Raises
    ------
    ValueError
        If the vocabularies differ, an entry is negative, infinite or a NaN, or nothing is owed by a p that sums to 0.

    References
    ----------
    Chen et al., "Accelerating Large Language Model Decoding with Speculative Sampling", 2023, algorithm 2.
    """
    p, q = _pair(p, q)
    owed = np.maximum(p - q, 0)
    mass = owed.sum(axis=-1, keepdims=True, dtype=np.float64)
    lawful = np.where(mass > 0, owed, p)
    total = lawful.sum(axis=-1, keepdims=True, dtype=np.float64)
    if not (total > 0).all():
        raise ValueError("p has a row that sums to 0; expected rows of probabilities")
    return np.asarray(lawful / total, dtype=owed.dtype)


def sample_rows(dist: ArrayLike, rng: np.random.Generator) -> Ints:
    """Draw one token from each row, by the inverse of its cumulative distribution.

    The token is the first whose cumulative probability exceeds u times the row's sum. A token of probability zero is
    never drawn, not even when u is 0 or when rounding leaves the cumulative sum short of its total.

    Parameters
    ----------
    dist : array_like, shape (..., V)
        Rows of probabilities in float32 or float64; each must sum to 1 within `SUM_TOLERANCE`.
    rng : numpy.random.Generator
        Gives one uniform a row, in the order of the rows.

    Returns
    -------
    ndarray of int64, shape (...)
        Token ids.

    Raises
    ------
    ValueError
        If a row holds a NaN, an infinity or a negative number, or does not sum to 1; the message names the row.
    """
    dist = as_floats("dist", dist)
    if dist.ndim == 0 or dist.shape[-1] == 0:
        raise ValueError(f"dist has shape {dist.shape}; expected (..., V) with at least one token")
    check_rng(rng)
    check_probabilities("dist", dist)
    rows = dist.reshape(-1, dist.shape[-1])
    u = rng.random(len(rows))
    ids = np.empty(len(rows), np.int64)
    for tile in tiles(*rows.shape):
        ids[tile], _ = inverse_cdf(rows[tile], u[tile])
    return ids.reshape(dist.shape[:-1])


def as_floats(name: str, values: ArrayLike) -> Array:
    """Array of float32 or float64, never a copy of one that is already so."""
    array = np.asarray(values)
    if array.dtype.kind in "iub":
        array = array.astype(np.float64)
    if array.dtype not in (np.float32, np.float64):
        raise ValueError(f"{name} has dtype {array.dtype}; expected float32 or float64 (convert with .astype(numpy.float32))")
    return array


def check_probabilities(name: str, rows: Array, prefix: tuple[int, ...] = ()) -> None:
    """Check that each row of an array [..., V] is a law: finite, not negative, sum 1 within `SUM_TOLERANCE`.

    Parameters
    ----------
    name : str
        The argument's name, for the message.
    rows : ndarray, shape (..., V)
    prefix : tuple of int
        Where `rows` stands in the argument: put before the index in the message.

    Raises
    ------
    ValueError
        Names the first bad entry or row, its value and what was expected.
    """
    _check_entries(name, rows, prefix)
    sums = rows.sum(axis=-1, dtype=np.float64)
    off = np.abs(sums - 1) > SUM_TOLERANCE
    if off.any():
        at = tuple(int(i) for i in np.argwhere(off)[0])
        raise ValueError(f"{_label(name, prefix + at)} sums to {sums[at]:.6g}; expected 1 (within {SUM_TOLERANCE})")


def _check_entries(name: str, rows: Array, prefix: tuple[int, ...] = ()) -> None:
    bad = ~(rows >= 0) | np.isinf(rows)
    if bad.any():
        at = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ValueError(f"{_label(name, prefix + at)} is {rows[at]}; expected a probability: finite and not negative")


def _label(name: str, index: tuple[int, ...]) -> str:
    return f"{name}[{', '.join(map(str, index))}]" if index else name


def check_rng(rng: Any) -> None:
    """Check that rng can be asked for uniforms; a seed or None is a frequent slip."""
    if not callable(getattr(rng, "random", None)):
        raise ValueError(f"rng is {rng!r}; expected a numpy.random.Generator, as made by numpy.random.default_rng(seed)")


def _pair(p: ArrayLike, q: ArrayLike) -> tuple[Array, Array]:
    p, q = as_floats("p", p), as_floats("q", q)
    if p.ndim == 0 or q.ndim == 0 or p.shape[-1] != q.shape[-1]:
        raise ValueError(f"p has shape {p.shape} and q {q.shape}; expected the same vocabulary along the last axis")
    _check_entries("p", p)
    _check_entries("q", q)
    return p, q
