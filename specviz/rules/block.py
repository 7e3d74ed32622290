"""The block rule: accept or reject sub-blocks of drafts jointly; the same law, and never fewer tokens on average."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..inverse_cdf import TILE, tiles, total_long
from ..types import Floats, Ints
from ..uniforms import Uniforms
from .contract import Batch, Verified, apply_rule, check_batch
from .read import check_drafts, check_entries, check_finite, draft_probabilities, draw_next, owed_in_row, rows_at


def verify_block_row(draft: Sequence[int], q: Sequence[Any], p: Sequence[Any], u: Uniforms) -> tuple[int, ...]:
    """The rule for one row, as it is defined; arguments, result and names of the uniforms are those of `verify_row`.

    With w_0 = 1 and w_i = min(1, w_{i-1} p_i(x_i) / q_i(x_i)), the sub-block of the first i drafts is accepted with
    probability h_i = m / (m + 1 - w_i), m = sum_x max(0, w_i p_{i+1}(x) - q_{i+1}(x)), and the whole block with probability
    w_n. The longest accepted sub-block is kept, and the next token comes from max(0, w_i p - q), normalised.
    """
    n = len(draft)
    w: list[Any] = [1]
    for i, x in enumerate(draft):
        w.append(min(1, w[i] * p[i][x] / q[i][x]) if q[i][x] > 0 else int(w[i] * p[i][x] > 0))
    kept = 0
    for i in range(1, n + 1):
        m = sum(_owed(w[i], p[i], q[i])) if i < n else w[n]
        if w[i] == 1 or u.less(("accept", i - 1), scale=m + (1 - w[i]), bound=m):  # w = 1 keeps, be it that m is 0 as well
            kept = i
    owed = _owed(w[kept], p[kept], q[kept]) if kept < n else p[n]
    return (*draft[:kept], u.choose("final", owed if any(owed) else p[kept]))


def verify_block(
    draft: ArrayLike,
    q: ArrayLike | None,
    p: ArrayLike,
    num_draft: ArrayLike,
    rng: np.random.Generator,
    *,
    validate: bool = False,
) -> Verified:
    """Verify a ragged batch block by block: exactly the target's law, in at least as many tokens as the token rule.

    The formulas stand at `verify_block_row`.

    Parameters
    ----------
    draft : array_like of int, shape (B, K)
    q : array_like of float32 or float64, shape (B, K, V)
        The law that each draft was really sampled from.
    p : array_like of float32 or float64, shape (B, K + 1, V)
    num_draft : array_like of int, shape (B,)
    rng : numpy.random.Generator
    validate : bool
        All as in `specviz.verify`.

    Returns
    -------
    Verified

    Raises
    ------
    ValueError
        As `specviz.verify` does; also if q is None.

    References
    ----------
    Sun et al., "Block Verification Accelerates Speculative Decoding", ICLR 2025, algorithm 2.
    """
    batch = check_batch(draft, q, p, num_draft, rng, validate=validate)
    if batch.q is None:
        raise ValueError("q is None; verify_block expects the drafter's law, shape (B, K, V)")

    def rule(chunk: Batch) -> tuple[Ints, Ints]:
        accepted, weight = _count_accepted(chunk, rng.random(chunk.draft.shape))
        return accepted, draw_next(chunk, accepted, rng.random(len(accepted)), weight)

    return apply_rule(rule, batch)


def _owed(weight: Any, p: Sequence[Any], q: Sequence[Any]) -> list[Any]:
    return [max(0, weight * p_y - q_y) for p_y, q_y in zip(p, q, strict=True)]


def _count_accepted(batch: Batch, u: Floats) -> tuple[Ints, Floats]:
    """Length of the longest accepted sub-block of each row, and its weight w.

    The longest is looked for first, and a mass is summed up only where it decides: m is at most w, so that h is at most w.
    """
    weights = _weights(batch)
    accepted, weight_of_accepted = np.zeros(len(u), np.int64), np.ones(len(u))
    undecided = np.arange(len(u))
    for i in range(u.shape[1], 0, -1):
        rows = undecided[batch.num_draft[undecided] >= i]
        w, u_i, complete = weights[rows, i], u[rows, i - 1], batch.num_draft[rows] == i
        keep = np.where(complete, u_i * (w + (1 - w)) < w, w == 1)
        unsure = np.flatnonzero(~complete & (w < 1) & (u_i < w))
        mass = _owed_mass(batch, rows[unsure], i, w[unsure])
        keep[unsure] = u_i[unsure] * (mass + (1 - w[unsure])) < mass
        accepted[rows[keep]], weight_of_accepted[rows[keep]] = i, w[keep]
        undecided = undecided[accepted[undecided] == 0]
    return accepted, weight_of_accepted


def _weights(batch: Batch) -> Floats:
    """w_i of every row, shape [B, K + 1]; of no meaning beyond a row's drafts."""
    p_x, q_x = draft_probabilities(batch)
    check_drafts("p", p_x, batch)
    weights = np.ones((len(p_x), p_x.shape[1] + 1))
    for i in range(1, weights.shape[1]):
        reached, q_i = weights[:, i - 1] * p_x[:, i - 1], q_x[:, i - 1]
        weights[:, i] = np.divide(reached, q_i, out=(reached > 0).astype(np.float64), where=reached < q_i)
    return weights


def _owed_mass(batch: Batch, rows: Ints, i: int, weight: Floats) -> Floats:
    """sum_x max(0, weight * p - q) at position i of each row."""
    mass = (_owed_mass_long if batch.long else _owed_mass_short)(batch, rows, i, weight)
    check_finite(mass, rows, np.full(len(rows), i), batch.first)
    return mass


def _owed_mass_short(batch: Batch, rows: Ints, i: int, weight: Floats) -> Floats:
    """`_owed_mass` of short rows: many at a time, gathered into a tile."""
    assert batch.q is not None
    mass = np.empty(len(rows))
    for tile in tiles(len(rows), batch.p.shape[2]):
        at = np.full(len(rows[tile]), i)
        p_rows, q_rows = rows_at(batch.p, rows[tile], at), rows_at(batch.q, rows[tile], at)
        check_entries("p", p_rows, rows[tile], at, batch.first)
        check_entries("q", q_rows, rows[tile], at, batch.first)
        mass[tile] = np.maximum(p_rows * weight[tile, None] - q_rows, 0).sum(axis=1)
    return mass


def _owed_mass_long(batch: Batch, rows: Ints, i: int, weight: Floats) -> Floats:
    """`_owed_mass` of long rows: one after another, each piece by piece."""
    V = batch.p.shape[2]
    mass, buffer = np.empty(len(rows)), np.empty(min(TILE, V), batch.dtype)
    for r, row in enumerate(rows.tolist()):
        mass[r] = total_long(owed_in_row(batch, row, i, float(weight[r]), buffer), V)
    return mass
