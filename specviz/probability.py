"""Rows of probabilities: overlap, residual, exact checks, and a sampler that never emits an impossible token.

Every function works along the last axis, which is the vocabulary, and accumulates in float64 whatever the input's type, so that
rows of 131,072 float32 numbers lose nothing to the order of summation. One exception, for speed: `inverse_cdf_long` adds up
blocks of 256 tokens in the input's own type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

SUM_TOLERANCE = 1e-3
"""How far the sum of a row may be from 1: wide enough for a softmax in half precision, narrow enough for logits to fail."""

BLOCK = 256
"""Tokens summed together in a long row: near the root of a real vocabulary, so that both levels of the search are short."""

LONG = 8192
"""Rows longer than this are searched in blocks. Below it one cumulative sum over many rows at once is faster."""

SHORT = 16
"""Rows up to this length are handled column by column, which is faster when there are many of them."""

TILE = 1 << 16
"""Numbers handled at once: they stay in a core's second-level cache together with what they are computed from."""


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

    References
    ----------
    Chen et al., "Accelerating Large Language Model Decoding with Speculative Sampling", 2023, algorithm 2.
    """
    p, q = _pair(p, q)
    owed = np.maximum(p - q, 0)
    mass = owed.sum(axis=-1, keepdims=True, dtype=np.float64)
    lawful = np.where(mass > 0, owed, p)
    return np.asarray(lawful / lawful.sum(axis=-1, keepdims=True, dtype=np.float64), dtype=owed.dtype)


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


def inverse_cdf(weights: Array, u: Floats) -> tuple[Ints, Floats]:
    """First token of each row whose cumulative weight exceeds u times the row's total; it always has weight above zero.

    Parameters
    ----------
    weights : ndarray, shape (R, V)
        Non-negative weights, not necessarily normalised. Not checked here.
    u : ndarray of float64, shape (R,)
        Uniforms in [0, 1).

    Returns
    -------
    ids : ndarray of int64, shape (R,)
        Token ids; of no meaning where the total is zero or not finite.
    totals : ndarray of float64, shape (R,)
        Sum of each row: the caller's check for NaN, infinity and empty rows, at no further pass.
    """
    R, V = weights.shape
    if V <= LONG:
        cum = _cumulative(weights)
        return _first_above(cum, u * cum[:, -1]), cum[:, -1]
    ids, totals = np.empty(R, np.int64), np.empty(R)
    for r, row in enumerate(weights):
        ids[r], totals[r] = inverse_cdf_long(row.__getitem__, V, float(u[r]))
    return ids, totals


def inverse_cdf_long(weights_at: Callable[[slice], Array], V: int, u: float) -> tuple[int, float]:
    """`inverse_cdf` of one long row, whose weights are made piece by piece and never stand in memory all at once.

    Blocks of `BLOCK` tokens are summed; one cumulative sum runs over the blocks and one inside the chosen block, both in
    float64. The row is read once, where a full cumulative sum writes V numbers and reads them again.

    Parameters
    ----------
    weights_at : callable
        Maps a slice of the vocabulary to the weights there, shape (n,).
    V : int
    u : float

    Returns
    -------
    (int, float)
        Token id and total, as in `inverse_cdf`.
    """
    sums = np.empty(-(-V // BLOCK))
    for start in range(0, V, TILE):  # TILE is a whole number of blocks
        piece = np.ascontiguousarray(weights_at(slice(start, min(start + TILE, V))))
        at, whole = start // BLOCK, len(piece) // BLOCK
        # einsum adds up a contiguous block in many lanes: three times as fast as sum, and no less accurate
        sums[at : at + whole] = np.einsum("ij->i", piece[: whole * BLOCK].reshape(whole, BLOCK))
        if whole * BLOCK < len(piece):
            sums[at + whole] = piece[whole * BLOCK :].sum()
    cum = sums.cumsum()
    block = _first_above_in(cum, u * cum[-1])
    aim = u * cum[-1] - (cum[block - 1] if block else 0.0)
    first = block * BLOCK
    if first >= start:  # in the piece that was made last: no need to make it again
        inside = piece[first - start : first - start + BLOCK]
    else:
        inside = weights_at(slice(first, first + BLOCK))
    return first + _first_above_in(inside.astype(np.float64).cumsum(), aim), float(cum[-1])


def _cumulative(weights: Array) -> Floats:
    """Sequential cumulative sums along rows in float64. Short rows go column by column: 5 times faster, same numbers."""
    if weights.shape[1] > SHORT:
        return weights.cumsum(axis=1, dtype=np.float64)
    cum = np.empty(weights.shape[::-1])
    cum[0] = weights[:, 0]
    for v in range(1, len(cum)):
        np.add(cum[v - 1], weights[:, v], out=cum[v])
    return cum.T


def _first_above(cum: Floats, aim: Floats) -> Ints:
    """First index of each row with cum > aim; where rounding leaves none, the last index that has weight."""
    if cum.shape[1] > SHORT:
        index: Ints = (cum <= aim[:, None]).sum(axis=1)
    else:
        count = np.zeros(len(cum), np.int8)
        for column in cum.T:
            count += column <= aim
        index = count.astype(np.int64)
    if cum.shape[1] in index:
        past = np.flatnonzero(index == cum.shape[1])
        index[past] = (cum[past] < cum[past, -1:]).sum(axis=1)
    return index


def _first_above_in(cum: Floats, aim: float) -> int:
    """`_first_above` for a single row."""
    index = int(cum.searchsorted(aim, side="right"))
    return index if index < len(cum) else int(cum.searchsorted(cum[-1]))


def tile_rows(width: int) -> int:
    """Rows of this width that hold about `TILE` numbers together; at least one."""
    return max(1, TILE // width)


def tiles(rows: int, width: int) -> Iterator[slice]:
    """Slices over `rows` rows, `tile_rows` at a time."""
    step = tile_rows(width)
    for start in range(0, rows, step):
        yield slice(start, min(start + step, rows))


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
    bad = ~(rows >= 0) | np.isinf(rows)
    if bad.any():
        at = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ValueError(f"{_label(name, prefix + at)} is {rows[at]}; expected a probability: finite and not negative")
    sums = rows.sum(axis=-1, dtype=np.float64)
    off = np.abs(sums - 1) > SUM_TOLERANCE
    if off.any():
        at = tuple(int(i) for i in np.argwhere(off)[0])
        raise ValueError(f"{_label(name, prefix + at)} sums to {sums[at]:.6g}; expected 1 (within {SUM_TOLERANCE})")


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
    return p, q
