"""What is kept of a recorded round: a few sums a position, whatever the vocabulary, and the scores made of them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...probability import as_floats, check_probabilities
from ...types import Array, Floats

SUMS = ("p_draft", "q_draft", "p_out", "q_out", "overlap", "accept_square", "q2", "q3", "output_square", "p2", "p3")
"""For a position: p and q of the draft, p and q of the emitted token, then over the vocabulary the sums of min(p, q),
min(p, q)^2 / q, q^2, q^3, min(p, q)^2 / p, p^2 and p^3. NaN where there is no draft, or where nothing was emitted."""


class Round(NamedTuple):
    """One round: drafts, emitted tokens, and `SUMS` for each position.

    Attributes
    ----------
    draft : tuple of int, length k
    tokens : tuple of int, length 1 to k + 1
    sums : ndarray of float64, shape (k + 1, len(SUMS))
    """

    draft: tuple[int, ...]
    tokens: tuple[int, ...]
    sums: Floats


def summarise(draft: ArrayLike, q: Any, p: Any, tokens: ArrayLike) -> Round:
    """Make a `Round` of full rows.

    Parameters
    ----------
    draft : array_like of int, shape (k,)
    q : array_like, shape (k, V), or sequence of rows
    p : array_like, shape (k + 1, V), or sequence of rows
        Rows may differ in length, as those of lists of likeliest tokens do; a row of q must be as long as that of p beside it.
    tokens : array_like of int, shape (n_out,)
        Emitted: the accepted drafts, then the recovered or the bonus token.

    Returns
    -------
    Round

    Raises
    ------
    ValueError
        Names the argument and the position.
    """
    x, y = ([int(i) for i in np.asarray(a).reshape(-1)] for a in (draft, tokens))
    k = len(x)
    if len(p) != k + 1 or len(q) != k:
        raise ValueError(f"p has {len(p)} rows and q has {len(q)} for {k} drafts; expected {k + 1} and {k}")
    if not 1 <= len(y) <= k + 1 or y[:-1] != x[: len(y) - 1]:
        raise ValueError(f"tokens is {y} for draft {x}; expected accepted drafts and one token behind them")
    sums = np.full((k + 1, len(SUMS)), np.nan)
    for i in range(k + 1):
        row_p = _row("p", p[i], i)
        if i < len(y):
            sums[i, 2] = _entry("tokens", row_p, y[i], i)
            sums[i, 9:] = (row_p**2).sum(), (row_p**3).sum()
        if i < k:
            row_q = _row("q", q[i], i)
            if row_q.shape != row_p.shape:
                raise ValueError(f"q[{i}] has {len(row_q)} entries and p[{i}] {len(row_p)}; expected the same")
            sums[i, :2] = _entry("draft", row_p, x[i], i), row_q[x[i]]
            least = np.minimum(row_p, row_q)
            sums[i, 4:8] = least.sum(), _over(least**2, row_q), (row_q**2).sum(), (row_q**3).sum()
            if i < len(y):
                sums[i, 3], sums[i, 8] = row_q[y[i]], _over(least**2, row_p)
    return Round(tuple(x), tuple(y), sums)


def _row(name: str, row: Any, i: int) -> Floats:
    values = as_floats(name, row).astype(np.float64)
    check_probabilities(name, values, (i,))
    return values


def _entry(name: str, row: Floats, x: int, i: int) -> float:
    if not 0 <= x < len(row):
        raise ValueError(f"{name}[{i}] is {x}; expected a token id from 0 to {len(row) - 1}")
    return float(row[x])


def _over(a: Array, b: Array) -> float:
    return float((a[b > 0] / b[b > 0]).sum())


def scores(one: Round) -> Floats:
    """Scores of one round with their variances under each question's null.

    Returns
    -------
    ndarray, shape (5, 2)
        Sum of w(x) - E w, and of Var w, for: drafts with w = min(p, q) / q; drafts with w = q; accept flags given the drafts;
        outputs with w = min(p, q) / p; outputs with w = p. Under its null each sum over rounds divided by the root of its
        variance is standard normal, since each w is known before the token is drawn.
    """
    found = np.zeros((5, 2))
    k, emitted = len(one.draft), len(one.tokens)
    for i, s in enumerate(one.sums):
        p_x, q_x, p_y, q_y, kept, kept_square, q2, q3, out_square, p2, p3 = s.tolist()
        if i < k:
            ratio = min(1.0, p_x / q_x) if q_x > 0 else 1.0
            found[0] += ratio - kept, kept_square - kept**2
            found[1] += q_x - q2, q3 - q2**2
            if i < emitted:
                found[2] += float(i < emitted - 1) - ratio, ratio * (1 - ratio)
        if i < emitted:
            if i < k:
                found[3] += (min(1.0, q_y / p_y) if p_y > 0 else 1.0) - kept, out_square - kept**2
            found[4] += p_y - p2, p3 - p2**2
    return found
