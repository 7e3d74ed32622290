"""What is kept of a recorded round: a few sums a position, whatever the vocabulary, and the scores made of them."""

from __future__ import annotations

from collections.abc import Sequence
from reprlib import repr as short
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...models.recorded import RecordedRound
from ...probability import SUM_TOLERANCE, as_floats, check_probabilities
from ...types import Array, Floats


class Round(NamedTuple):
    """One round: its k drafts x_i, its n emitted tokens y_i, and sums over the vocabulary at each position i.

    p and q are the rows at that position, each divided by its sum; w = min(p, q) / q is the probability that a draft is accepted.

    Attributes
    ----------
    draft : tuple of int, length k
    tokens : tuple of int, length n from 1 to k + 1
        The accepted drafts, then the recovered or the bonus token.
    p_draft, q_draft : tuple of float, length k
        p(x_i) and q(x_i).
    overlap : tuple of float, length k
        sum min(p, q): the mean of w over q, and that of min(p, q) / p over p.
    accept_square : tuple of float, length k
        sum min(p, q)^2 / q: the mean of w^2 over q. Tokens with q = 0 are left out.
    q2, q3 : tuple of float, length k
        sum q^2 and sum q^3.
    p_token, p2, p3 : tuple of float, length n
        p(y_i), sum p^2 and sum p^3.
    q_token : tuple of float, length min(k, n)
        q(y_i).
    output_square : tuple of float, length min(k, n)
        sum min(p, q)^2 / p: the mean of (min(p, q) / p)^2 over p. Tokens with p = 0 are left out.
    """

    draft: tuple[int, ...]
    tokens: tuple[int, ...]
    p_draft: tuple[float, ...]
    q_draft: tuple[float, ...]
    overlap: tuple[float, ...]
    accept_square: tuple[float, ...]
    q2: tuple[float, ...]
    q3: tuple[float, ...]
    p_token: tuple[float, ...]
    p2: tuple[float, ...]
    p3: tuple[float, ...]
    q_token: tuple[float, ...]
    output_square: tuple[float, ...]


SUMS = Round._fields[2:]
MOMENTS = (("overlap", "accept_square"), ("q2", "q3"), ("p2", "p3"), ("overlap", "output_square"))
"""Sums that are the mean of something and the mean of its square, over the same law."""


def summarise(draft: ArrayLike, q: Any, p: Any, tokens: ArrayLike) -> Round:
    """Make a `Round` of full rows.

    Parameters
    ----------
    draft : array_like of int, shape (k,)
    q : array_like, shape (k, V), or sequence of rows
    p : array_like, shape (k + 1, V), or sequence of rows
        Rows may differ in length, as those of lists of likeliest tokens do; a row of q must be as long as that of p beside it.
        Each row is divided by its sum, which may be off 1 by what half precision leaves.
    tokens : array_like of int, shape (n,)
        Emitted: the accepted drafts, then the recovered or the bonus token.

    Returns
    -------
    Round

    Raises
    ------
    ValueError
        Names the argument and the position.
    """
    x, y = _ids("draft", draft), _ids("tokens", tokens)
    k, n = len(x), len(y)
    if len(p) != k + 1 or len(q) != k:
        raise ValueError(f"p has {len(p)} rows and q has {len(q)} for {k} drafts; expected {k + 1} and {k}")
    _check_tokens(x, y)
    sums: dict[str, list[float]] = {name: [] for name in SUMS}

    def keep(**values: float) -> None:
        for name, value in values.items():
            sums[name].append(float(value))

    for i in range(k + 1):
        row_p = _row("p", p[i], i)
        if i < n:
            keep(p_token=_entry("tokens", row_p, y[i], i), p2=_power(row_p, 2), p3=_power(row_p, 3))
        if i < k:
            row_q = _row("q", q[i], i)
            if row_q.shape != row_p.shape:
                raise ValueError(f"q[{i}] has {len(row_q)} entries and p[{i}] {len(row_p)}; expected the same")
            least = np.minimum(row_p, row_q)
            keep(p_draft=_entry("draft", row_p, x[i], i), q_draft=row_q[x[i]], q2=_power(row_q, 2), q3=_power(row_q, 3))
            keep(overlap=least.sum(), accept_square=_over(least**2, row_q))
            if i < n:
                keep(q_token=_entry("tokens", row_q, y[i], i), output_square=_over(least**2, row_p))
    return Round(tuple(x), tuple(y), **{name: tuple(column) for name, column in sums.items()})


def summarise_listed(one: RecordedRound) -> Round:
    """Make a `Round` of rows that list the likeliest tokens only: all others together count as one token more."""
    q, p = [], []
    for row in one.rows:
        p.append(_closed(row.p, row.p_rest))
        if row.q is not None and row.q_rest is not None:
            q.append(_closed(row.q, row.q_rest))
    emitted = (*one.draft[: one.accepted], one.final)
    draft = [_place(row.ids, x) for row, x in zip(one.rows, one.draft, strict=False)]
    tokens = [_place(row.ids, x) for row, x in zip(one.rows, emitted, strict=False)]
    return summarise(draft, q, p, tokens)


def check_round(one: Round) -> None:
    """Check a round that somebody else made: that its lengths agree and that its sums can be those of laws p and q.

    Raises
    ------
    ValueError
        Names the field and the position. Sums may be off by `SUM_TOLERANCE`, as those made in float32 are.
    """
    for name in ("draft", "tokens"):
        for i, x in enumerate(getattr(one, name)):
            if not isinstance(x, int) or isinstance(x, bool) or x < 0:
                raise ValueError(f"{name}[{i}] is {short(x)}; expected a token id: an integer that is not negative")
    _check_tokens(one.draft, one.tokens)
    for name, length in _lengths(len(one.draft), len(one.tokens)).items():
        column = getattr(one, name)
        if len(column) != length:
            raise ValueError(f"{name} has {len(column)} numbers; expected {length}")
        for i, value in enumerate(column):
            if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value <= 1 + SUM_TOLERANCE:
                raise ValueError(f"{name}[{i}] is {short(value)}; expected a number from 0 to 1")
    for name, squared in MOMENTS:
        for i, (mean, square) in enumerate(zip(getattr(one, name), getattr(one, squared), strict=False)):
            if square < mean**2 - SUM_TOLERANCE:
                raise ValueError(f"{squared}[{i}] is {square} and {name}[{i}] is {mean}; expected at least its square")


def scores(one: Round) -> Floats:
    """Scores of one round with their variances under each question's null.

    Returns
    -------
    ndarray, shape (5, 2)
        Sum of w(x) - E w, and of Var w, for: drafts with w = min(p, q) / q; drafts with w = q; accept flags given the drafts;
        outputs with w = min(p, q) / p; outputs with w = p. Under its null each sum over rounds divided by the root of its
        variance is standard normal, since each w is known before the token is drawn.
    """
    accept = [_accepted(p, q) for p, q in zip(one.p_draft, one.q_draft, strict=True)]
    decided = accept[: len(one.tokens)]
    accepted = [float(i < len(one.tokens) - 1) for i in range(len(decided))]
    owned = [_accepted(q, p) for p, q in zip(one.p_token, one.q_token, strict=False)]
    return np.array(
        [
            _score(accept, one.overlap, one.accept_square),
            _score(one.q_draft, one.q2, one.q3),
            _score(accepted, decided, decided),  # the square of a flag is the flag
            _score(owned, one.overlap[: len(owned)], one.output_square),
            _score(one.p_token, one.p2, one.p3),
        ]
    )


def _score(values: Sequence[float], mean: Sequence[float], square: Sequence[float]) -> tuple[float, float]:
    """Sum of w - E w, and of E w^2 - (E w)^2."""
    return sum(values) - sum(mean), sum(b - a * a for a, b in zip(mean, square, strict=True))


def _accepted(p: float, q: float) -> float:
    """Probability min(1, p / q) that u q < p; where q is 0, whether p is not."""
    return min(1.0, p / q) if q > 0 else float(p > 0)


def _lengths(k: int, n: int) -> dict[str, int]:
    """How many numbers each sum of `SUMS` has, as `Round` says."""
    of_drafts = dict.fromkeys(("p_draft", "q_draft", "overlap", "accept_square", "q2", "q3"), k)
    of_tokens = dict.fromkeys(("p_token", "p2", "p3"), n)
    of_both = dict.fromkeys(("q_token", "output_square"), min(k, n))
    return of_drafts | of_tokens | of_both


def _check_tokens(draft: Sequence[int], tokens: Sequence[int]) -> None:
    if not 1 <= len(tokens) <= len(draft) + 1 or list(tokens[:-1]) != list(draft[: len(tokens) - 1]):
        raise ValueError(f"tokens is {list(tokens)} for draft {list(draft)}; expected accepted drafts and one token behind them")


def _ids(name: str, ids: ArrayLike) -> list[int]:
    array = np.asarray(ids)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError(f"{name} has shape {array.shape} and dtype {array.dtype}; expected a list of integers")
    return [int(i) for i in array]


def _row(name: str, row: Any, i: int) -> Floats:
    values = as_floats(f"{name}[{i}]", row)
    if values.ndim != 1:
        raise ValueError(f"{name}[{i}] has shape {values.shape}; expected (V,)")
    check_probabilities(name, values, (i,))
    law: Floats = np.divide(values, values.sum(dtype=np.float64), dtype=np.float64)
    return law


def _entry(name: str, row: Floats, x: int, i: int) -> float:
    if not 0 <= x < len(row):
        raise ValueError(f"{name}[{i}] is {x}; expected a token id from 0 to {len(row) - 1}")
    return float(row[x])


def _power(row: Floats, exponent: int) -> float:
    square = row * row  # ten times as fast as row**3
    return float((square if exponent == 2 else square * row).sum())


def _over(a: Array, b: Array) -> float:
    return float((a[b > 0] / b[b > 0]).sum())


def _closed(listed: Floats, rest: float) -> Floats:
    row = np.append(listed, max(rest, 0.0))
    return np.asarray(row / row.sum())


def _place(ids: Any, x: int) -> int:
    at = np.flatnonzero(ids == x)
    return int(at[0]) if len(at) else len(ids)
