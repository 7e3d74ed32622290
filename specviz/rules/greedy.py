"""The greedy contract: at temperature 0 the target's likeliest token is the only one, and no uniform is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..inverse_cdf import tiles
from ..types import Array, Ints
from .contract import Batch, Verified, apply_rule, check_arrays
from .read import rows_at


def verify_greedy_row(draft: Sequence[int], p: Sequence[Sequence[Any]]) -> tuple[int, ...]:
    """The rule for one row, as it is defined; p may hold logits. Of equal values the lowest id wins."""
    for i, x in enumerate(draft):
        best = list(p[i]).index(max(p[i]))
        if x != best:
            return (*draft[:i], best)
    return (*draft, list(p[len(draft)]).index(max(p[len(draft)])))


def verify_greedy(draft: ArrayLike, p_or_logits: ArrayLike, num_draft: ArrayLike) -> Verified:
    """Verify against greedy decoding: the tokens that come out are those that the target alone would have chosen.

    Drafts are accepted while they equal the target's argmax; at the first that does not, the argmax is emitted, and where all
    survive, the argmax at the bonus position. Of equal values the lowest id is the argmax, for drafts as for the bonus.

    Parameters
    ----------
    draft : array_like of int, shape (B, K)
        Drafted token ids.
    p_or_logits : array_like of float32 or float64, shape (B, K + 1, V)
        The target's probabilities or logits at each drafted position and at the bonus position. -inf bars a token.
    num_draft : array_like of int, shape (B,)
        Drafts that each row really holds, 0 to K. What lies beyond is padding, as in `specviz.verify`.

    Returns
    -------
    Verified
        `tokens` [B, K + 1], padded with -1, and `n_out` [B].

    Raises
    ------
    ValueError
        For a wrong shape or type, a draft id or length out of range, and where a row that is read holds a NaN or has no finite
        maximum. The message names the argument, the row and the position.

    Notes
    -----
    Row i of the target is read only if the drafts before it were accepted. With one-hot p `specviz.verify` gives the same tokens.

    References
    ----------
    Stern, Shazeer, Uszkoreit, "Blockwise Parallel Decoding for Deep Autoregressive Models", NeurIPS 2018, section 3.

    Examples
    --------
    >>> verify_greedy([[1, 0]], [[[0.2, 0.8], [0.3, 0.7], [1.0, 0.0]]], [2])
    Verified(tokens=array([[ 1,  1, -1]]), n_out=array([2]))
    """
    return apply_rule(_longest_match, check_arrays(draft, None, p_or_logits, num_draft, "p_or_logits"))


def _longest_match(batch: Batch) -> tuple[Ints, Ints]:
    """Drafts accepted in each row, and the argmax that follows them."""
    return _match_long(batch) if batch.long else _match_short(batch)


def _match_short(batch: Batch) -> tuple[Ints, Ints]:
    """`_longest_match` of short rows: many at a time, position by position; those that are rejected drop out."""
    accepted, final = np.zeros((2, len(batch.draft)), np.int64)
    alive = np.arange(len(batch.draft))
    for i in range(batch.p.shape[1]):
        best = np.empty(len(alive), np.int64)
        for tile in tiles(len(alive), batch.p.shape[2]):
            best[tile] = rows_at(batch.p, alive[tile], np.full(len(alive[tile]), i)).argmax(axis=1)
        _check_largest(batch, alive, np.full(len(alive), i), best)
        accepted[alive], final[alive] = i, best
        alive = alive[batch.num_draft[alive] > i]
        if not alive.size:
            break
        alive = alive[batch.draft[alive, i] == final[alive]]
    return accepted, final


def _match_long(batch: Batch) -> tuple[Ints, Ints]:
    """`_longest_match` of long rows: one after another, as they lie in memory."""
    best: Ints = np.empty(batch.p.shape[:2], np.int64)
    accepted = np.zeros(len(best), np.int64)
    drafts: list[list[int]] = batch.draft.tolist()
    for row, n in enumerate(batch.num_draft.tolist()):
        i = 0
        best[row, 0] = x = batch.p[row, 0].argmax()
        while i < n and x == drafts[row][i]:
            i += 1
            best[row, i] = x = batch.p[row, i].argmax()
        accepted[row] = i
    rows, at = np.nonzero(np.arange(best.shape[1]) <= accepted[:, None])
    _check_largest(batch, rows, at, best[rows, at])
    return accepted, best[np.arange(len(best)), accepted]


def _check_largest(batch: Batch, rows: Ints, at: Ints, best: Ints) -> None:
    """Raise ValueError if the largest of a row is not finite. NaN counts as largest, so that it is enough to look there."""
    largest: Array = batch.p[rows, at, best]
    if not np.isfinite(largest).all():
        r = int(np.argmin(np.isfinite(largest)))
        where = f"{rows[r] + batch.first}, {at[r]}, {best[r]}"
        raise ValueError(f"p_or_logits[{where}] is {largest[r]}, the largest of its row; expected a finite number")
