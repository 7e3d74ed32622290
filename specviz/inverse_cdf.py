"""The inverse of a cumulative distribution: many short rows at once, or a long one piece by piece; memory is read once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from .types import Array, Floats, Ints

BLOCK = 256
"""Tokens summed together in a long row: near the root of a real vocabulary, so that both levels of the search are short."""

LONG = 8192
"""Rows longer than this are long: handled one by one, in blocks. Of short ones many at once are faster; see `is_long`."""

BY_COLUMN = 16
"""Short rows up to this length are handled column by column, which is faster when there are many of them."""

TILE = 1 << 16
"""Numbers handled at once: they stay in a core's second-level cache together with what they are computed from."""


def is_long(V: int) -> bool:
    """Are rows of V numbers long, that is, read one by one and piece by piece? Every rule decides by this, once for a batch."""
    return V > LONG


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
    if is_long(V):
        ids, totals = np.empty(R, np.int64), np.empty(R)
        for r, row in enumerate(weights):
            ids[r], totals[r] = inverse_cdf_long(row.__getitem__, V, float(u[r]))
        return ids, totals
    cum = _cumulative(weights)
    return _first_above(cum, u * cum[:, -1]), cum[:, -1]


def inverse_cdf_long(weights_at: Callable[[slice], Array], V: int, u: float) -> tuple[int, float]:
    """`inverse_cdf` of one long row, whose weights are made piece by piece and never stand in memory all at once.

    Blocks of `BLOCK` tokens are added up, each in the row's own type; one cumulative sum runs over the blocks and one inside the
    chosen block, both in float64. The row is read once, where a full cumulative sum writes V numbers and reads them again.

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
        at = start // BLOCK
        _block_sums(piece, sums[at : at + -(-len(piece) // BLOCK)])
    cum = sums.cumsum()
    block = _first_above_in(cum, u * cum[-1])
    aim = u * cum[-1] - (cum[block - 1] if block else 0.0)
    first = block * BLOCK
    if first >= start:  # in the piece that was made last: no need to make it again
        inside = piece[first - start : first - start + BLOCK]
    else:
        inside = weights_at(slice(first, first + BLOCK))
    return first + _first_above_in(inside.astype(np.float64).cumsum(), aim), float(cum[-1])


def total_long(weights_at: Callable[[slice], Array], V: int) -> float:
    """Total of one long row whose weights are made piece by piece, as in `inverse_cdf_long`."""
    sums = np.empty(-(-min(TILE, V) // BLOCK))
    total = 0.0
    for start in range(0, V, TILE):
        piece = np.ascontiguousarray(weights_at(slice(start, min(start + TILE, V))))
        blocks = sums[: -(-len(piece) // BLOCK)]
        _block_sums(piece, blocks)
        total += float(blocks.sum())
    return total


def row_totals(weights: Array) -> Floats:
    """Total of each row of [R, V] in float64, long ones block by block."""
    if is_long(weights.shape[1]):
        return np.array([total_long(row.__getitem__, len(row)) for row in weights])
    return np.asarray(weights.sum(axis=1, dtype=np.float64))


def _block_sums(piece: Array, out: Floats) -> None:
    """Write the sum of every `BLOCK` numbers of a contiguous piece; what is left over at its end makes a block of its own."""
    whole = len(piece) // BLOCK
    # einsum adds up a contiguous block in many lanes: three times as fast as sum, and no less accurate
    out[:whole] = np.einsum("ij->i", piece[: whole * BLOCK].reshape(whole, BLOCK))
    if whole * BLOCK < len(piece):
        out[whole] = piece[whole * BLOCK :].sum()


def _cumulative(weights: Array) -> Floats:
    """Sequential cumulative sums along rows in float64. The shortest rows go column by column: 5 times faster, same numbers."""
    if weights.shape[1] > BY_COLUMN:
        return weights.cumsum(axis=1, dtype=np.float64)
    cum = np.empty(weights.shape[::-1])
    cum[0] = weights[:, 0]
    for v in range(1, len(cum)):
        np.add(cum[v - 1], weights[:, v], out=cum[v])
    return cum.T


def _first_above(cum: Floats, aim: Floats) -> Ints:
    """First index of each row with cum > aim; where rounding leaves none, the last index that has weight."""
    R, V = cum.shape
    if V > BY_COLUMN:
        index: Ints = (cum <= aim[:, None]).sum(axis=1)
    else:
        index = np.zeros(R, np.int8)
        for column in cum.T:
            index += column <= aim
    if R and index.max() == V:
        past = np.flatnonzero(index == V)
        index[past] = (cum[past] < cum[past, -1:]).sum(axis=1)
    return index.astype(np.int64, copy=False)


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
