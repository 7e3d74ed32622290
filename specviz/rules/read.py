"""How a vectorised rule reads p and q: single entries to accept by, whole rows to draw from. What is read is checked.

Everything here goes through memory once, in pieces that stay in cache: long rows one by one, read where they lie; short ones
thousands together, gathered into a tile. Which of the two, the batch says (`Batch.long`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from ..inverse_cdf import TILE, inverse_cdf, inverse_cdf_long, tiles
from ..probability import SUM_TOLERANCE
from ..types import Array, Floats, Ints, Mask
from .contract import Batch


def draft_probabilities(batch: Batch) -> tuple[Floats, Floats]:
    """p(x) and q(x) of every draft, in float64, shape [B, K].

    q(x) is 1 where the drafter is deterministic (q None). At padding p(x) is 0, so that nothing is accepted there. Only q(x) is
    checked: a p(x) that is no probability accepts nothing, and the row that the token rule then draws from is checked in full.
    """
    draft, q, p, num_draft, _ = batch
    x, is_draft = draft, None
    if draft.size and num_draft.min() < draft.shape[1]:
        is_draft = np.arange(draft.shape[1]) < num_draft[:, None]
        x = np.where(is_draft, draft, 0)
    p_x = _entries(p, x, is_draft)
    if q is None:
        return p_x, np.ones(x.shape)
    q_x = _entries(q, x, is_draft)
    check_drafts("q", q_x, batch)
    return p_x, q_x


def check_drafts(name: str, values: Floats, batch: Batch) -> None:
    """Raise ValueError if p(x) or q(x) of a draft, shape [B, K], is negative or NaN."""
    if values.size and not values.min() >= 0:  # the least of anything and a NaN is a NaN
        row, i = np.argwhere(~(values >= 0))[0]
        where = f"{row + batch.first}, {i}, {batch.draft[row, i]}"
        raise ValueError(f"{name}[{where}] is {values[row, i]}; expected a probability from 0 to 1")


def draw_next(batch: Batch, accepted: Ints, u: Floats, weight: Floats | None = None) -> Ints:
    """Draw the token that follows the accepted drafts of each row, by its uniform u.

    A row whose drafts all survived draws its bonus from p. Any other draws its recovered token from the residual
    max(0, weight * p - q), where the weight is 1 unless given; a residual without mass can only be rounding, and then p is used.

    Parameters
    ----------
    batch : Batch
    accepted : ndarray of int64, shape (B,)
        Drafts kept in each row; the token drawn stands at this position.
    u : ndarray of float64, shape (B,)
    weight : ndarray of float64, shape (B,), optional

    Returns
    -------
    ndarray of int64, shape (B,)
    """
    complete = accepted == batch.num_draft
    bonus, stopped = np.flatnonzero(complete), np.flatnonzero(~complete)
    rows = np.concatenate([bonus, stopped])
    at, u_rows = accepted[rows], u[rows]
    drawn, mass = _draw(batch, rows, at, u_rows, len(bonus), weight)
    if mass.min(initial=1) == 0:
        empty = np.flatnonzero(mass == 0)
        drawn[empty] = draw_from_target(batch, rows[empty], at[empty], u_rows[empty])
    ids = np.empty_like(drawn)
    ids[rows] = drawn
    return ids


def draw_from_target(batch: Batch, rows: Ints, at: Ints, u: Floats) -> Ints:
    """Draw one token from p[row, at] for each row in `rows`, by its uniform; shape [R]."""
    return _draw(batch, rows, at, u, len(rows), None)[0]


def _draw(batch: Batch, rows: Ints, at: Ints, u: Floats, bonus: int, weight: Floats | None) -> tuple[Ints, Floats]:
    """Draw from p in the first `bonus` rows, from what is owed in the others: the tokens, and what each row sums to, both [R]."""
    drawn, mass = (_draw_long if batch.long else _draw_short)(batch, rows, at, u, bonus, weight)
    _check_mass(batch, rows, at, mass, bonus)
    return drawn, mass


def _draw_short(batch: Batch, rows: Ints, at: Ints, u: Floats, bonus: int, weight: Floats | None) -> tuple[Ints, Floats]:
    """`_draw` for short rows: many at a time, gathered into a tile."""
    drawn, mass = np.empty(len(rows), np.int64), np.empty(len(rows))
    for tile in tiles(len(rows), batch.p.shape[2]):
        weights = _weights(batch, rows[tile], at[tile], max(0, bonus - tile.start), weight)
        drawn[tile], mass[tile] = inverse_cdf(weights, u[tile])
    return drawn, mass


def _draw_long(batch: Batch, rows: Ints, at: Ints, u: Floats, bonus: int, weight: Floats | None) -> tuple[Ints, Floats]:
    """`_draw` for long rows: one after another, each piece by piece."""
    V = batch.p.shape[2]
    drawn, mass = np.empty(len(rows), np.int64), np.empty(len(rows))
    buffer = np.empty(min(TILE, V), batch.dtype)
    for r, (row, i) in enumerate(zip(rows.tolist(), at.tolist(), strict=True)):
        if r < bonus:
            weights_at = _p_in_row(batch, row, i)
        else:
            weights_at = owed_in_row(batch, row, i, 1.0 if weight is None else float(weight[row]), buffer)
        drawn[r], mass[r] = inverse_cdf_long(weights_at, V, float(u[r]))
    return drawn, mass


def _weights(batch: Batch, rows: Ints, at: Ints, bonus: int, weight: Floats | None) -> Array:
    """What each row draws its next token from, shape [R, V]: p in the first `bonus` rows, p less min(p, q) in the others."""
    draft, q, p, _, first = batch
    weights = rows_at(p, rows, at).astype(batch.dtype, copy=False)
    check_entries("p", weights[:bonus], rows, at, first)
    if bonus >= len(rows):
        return weights
    rows, at, owed = rows[bonus:], at[bonus:], weights[bonus:]
    if weight is not None or q is None:
        check_entries("p", owed, rows, at, first)
    if weight is not None:
        owed *= weight[rows, None]
    if q is None:
        owed[np.arange(len(rows)), draft[rows, at]] = 0
        return weights
    shared = rows_at(q, rows, at).astype(weights.dtype, copy=False)
    np.minimum(owed, shared, out=shared)
    if shared.size and not shared.min() >= 0:  # negative or NaN wherever p or q is: one look checks both
        check_entries("p", owed, rows, at, first)
        check_entries("q", rows_at(q, rows, at), rows, at, first)
    owed -= shared
    return weights


def _p_in_row(batch: Batch, row: int, i: int) -> Callable[[slice], Array]:
    """One long row of p, piece by piece: maps a slice of the vocabulary to the checked probabilities there."""
    p_row = batch.p[row, i]

    def p_at(piece: slice) -> Array:
        p_piece: Array = p_row[piece]
        if not p_piece.min() >= 0:
            check_entries("p", p_row[None], np.array([row]), np.array([i]), batch.first)
        return p_piece

    return p_at


def owed_in_row(batch: Batch, row: int, i: int, weight: float, buffer: Array) -> Callable[[slice], Array]:
    """One long row of what is owed, max(0, weight * p - q), piece by piece; each is made in the buffer, `TILE` numbers long."""
    p_at = _p_in_row(batch, row, i)
    if batch.q is None:
        x = batch.draft[row, i]

        def without_draft(piece: slice) -> Array:
            owed: Array = p_at(piece).copy()
            if piece.start <= x < piece.stop:
                owed[x - piece.start] = 0
            return owed

        return without_draft
    p_row, q_row = batch.p[row, i], batch.q[row, i]

    def owed_at(piece: slice) -> Array:
        p_piece, q_piece = p_row[piece], q_row[piece]
        if weight != 1:
            p_piece = p_piece * p_piece.dtype.type(weight)
        shared: Array = np.minimum(p_piece, q_piece, out=buffer[: len(p_piece)])
        if not shared.min() >= 0:  # negative or NaN wherever p or q is: one look, still in cache, checks both
            where = np.array([row]), np.array([i]), batch.first
            check_entries("p", p_row[None], *where)
            check_entries("q", q_row[None], *where)
        np.subtract(p_piece, shared, out=shared)
        return shared

    return owed_at


def rows_at(dist: Array, rows: Ints, positions: Ints) -> Array:
    """dist[rows, positions] gathered into a new array, shape [R, V]."""
    taken: Array
    if dist.flags.c_contiguous:  # the same as below, four times as fast; the indices are checked, so clip only saves a look
        taken = dist.reshape(-1, dist.shape[2]).take(rows * dist.shape[1] + positions, axis=0, mode="clip")
    else:
        taken = dist[rows, positions]
    return taken


def check_entries(name: str, taken: Array, rows: Ints, positions: Ints, first: int) -> None:
    """Raise ValueError if an entry of `taken`, shape [R, V], is negative or NaN; `first` is added to the rows it names."""
    if taken.size and not taken.min() >= 0:  # the least of anything and a NaN is a NaN
        r, v = np.argwhere(~(taken >= 0))[0]
        raise ValueError(f"{name}[{rows[r] + first}, {positions[r]}, {v}] is {taken[r, v]}; expected a probability from 0 to 1")


def _entries(dist: Array, x: Ints, is_draft: Mask | None) -> Floats:
    """dist[b, i, x[b, i]] in float64, shape [B, K]; 0 where there is no draft."""
    B, length, V = dist.shape
    if dist.flags.c_contiguous:  # the same as below, twice as fast; the ids are checked, so clip only saves a second look
        values = dist.reshape(-1).take(_row_starts(B, length, x.shape[1], V) + x, mode="clip")
    else:
        values = dist[np.arange(B)[:, None], np.arange(x.shape[1]), x]
    if is_draft is not None:
        values[~is_draft] = 0  # whatever the padding holds
    return values.astype(np.float64, copy=False)


@lru_cache(maxsize=8)
def _row_starts(B: int, length: int, K: int, V: int) -> Ints:
    """Where position i of row b starts in a flat [B, length, V], for the first K positions; shape [B, K]."""
    return (np.arange(B)[:, None] * length + np.arange(K)) * V


def _check_mass(batch: Batch, rows: Ints, at: Ints, mass: Floats, bonus: int) -> None:
    """The mass of p must be 1: that of the first `bonus` rows. What is owed in the others must be finite."""
    of_p = mass[:bonus]
    if bonus and not (1 - of_p.min() <= SUM_TOLERANCE and of_p.max() - 1 <= SUM_TOLERANCE):  # min of a NaN is NaN
        r = int(np.argmin(np.abs(of_p - 1) <= SUM_TOLERANCE))
        where = f"{rows[r] + batch.first}, {at[r]}"
        raise ValueError(f"p[{where}] sums to {mass[r]:.6g}; expected 1 (within {SUM_TOLERANCE})")
    check_finite(mass[bonus:], rows[bonus:], at[bonus:], batch.first)


def check_finite(mass: Floats, rows: Ints, at: Ints, first: int) -> None:
    """Raise ValueError if the mass owed at some [row, at] is not finite: then p or q is not."""
    if not mass.max(initial=0) < np.inf:  # the largest of anything and a NaN is a NaN
        r = int(np.argmin(np.isfinite(mass)))
        raise ValueError(f"max(0, p - q) sums to {mass[r]} at row {rows[r] + first}, position {at[r]}; expected finite p and q")
