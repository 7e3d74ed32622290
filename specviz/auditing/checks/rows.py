"""Are the rows of one call independent? Rows that share uniforms are alike, though each row's law is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from ...models.designed import CHAINS
from ...models.generate import draft_round, spoil_padding
from ...theory.acceptance import kept_by_token_rule, token_acceptance
from ...types import Floats, Ints
from ..check import Counted, Draw, Found, Sizes
from ..options import Drafter, Options
from ..statistics.identity import Evidence, count_by_context, evidence
from ..subject.contract import Adapted
from .drawing import LONGEST, draw_lengths, pair_of

ROWS = 64
"""Rows of a call."""

LAGS = 32
"""How far apart two rows of a call may stand and be compared."""


@dataclass(frozen=True, eq=False)
class RowCounts:
    """Counts of many small calls.

    Attributes
    ----------
    each : Evidence
        The sum of the calls' own statistics.
    pairs : ndarray of int, shape (V, V)
        First tokens of the rows 0 and 1, 2 and 3, ... of every call.
    excess : ndarray, shape (calls, ROWS)
        Drafts accepted in each row, less what the token rule accepts on average of just these drafts: what the row's uniforms
        have done.
    """

    each: Evidence
    pairs: Ints
    excess: Floats

    def __add__(self, other: RowCounts) -> RowCounts:
        """Counts add up; calls are appended."""
        return RowCounts(self.each + other.each, self.pairs + other.pairs, np.concatenate([self.excess, other.excess]))


class Rows(Counted, Draw):
    """Many small calls, each judged on its own."""

    name = "rows"
    question = "Are the rows of one call independent of each other?"
    part = "randomness"
    stream = 5
    sizes = Sizes(100, 600, 3000)

    def count(self, verifier: Adapted, seed: np.random.SeedSequence, n: int, drafter: Drafter | None) -> RowCounts:
        """Draw n calls of 64 rows on chain A."""
        rng = np.random.default_rng(seed)
        pair = pair_of("A", drafter)
        total, pairs, excess = Evidence(0.0, 0.0, 0.0), np.zeros((pair.V, pair.V), np.int64), np.zeros((n, ROWS))
        for call in range(n):
            draft, q, p = draft_round(pair, np.full(ROWS, pair.start), LONGEST, rng)
            num_draft = draw_lengths(ROWS, rng)
            contexts = np.column_stack([np.full(ROWS, pair.start), draft])
            usual = _accepted_on_average(draft, q, p, num_draft)
            spoil_padding(pair, draft, q, p, num_draft)
            tokens, n_out = verifier(draft, q, p, num_draft, rng)
            counts = count_by_context(tokens, n_out, num_draft, contexts, (LONGEST, pair.states, pair.V)).sum(axis=0)
            total += evidence(counts, pair.target)
            np.add.at(pairs, (tokens[: ROWS - 1 : 2, 0], tokens[1::2, 0]), 1)
            excess[call] = n_out - 1 - usual
        return RowCounts(total, pairs, excess)

    def judge(self, counts: Sequence[RowCounts], asked: Options, rate: float) -> Found:
        """Of all others, in the spread of the counts; of the one beside; and of the rows near."""
        (counted,) = counts
        start = CHAINS["A"].target[CHAINS["A"].start]
        beside = evidence(counted.pairs.ravel(), np.outer(start, start).ravel())
        echo = echoes(counted.excess)
        lag = int(echo.argmin())
        near = min(1.0, len(echo) * float(echo[lag]))
        spread, in_pairs = counted.each.two_sided, min(beside.p_value, near)
        p_value = min(1.0, 3 * min(spread, in_pairs))
        words = ""
        if p_value < rate:
            alike = counted.each.statistic > counted.each.mean
            words = "rows of one call are alike, or their law is wrong" if alike else "rows of one call are too even"
            at = (
                f"some rows depend on the row {lag + 1} before"
                if near <= beside.p_value
                else "rows depend on the one beside them"
            )
            words = f"; {words if spread <= in_pairs else at + ', or their law is wrong'}"
        calls = len(counted.excess)
        finding = (
            f"sum of {calls} chi-squares {counted.each.statistic:,.0f}, {counted.each.mean:,.0f} expected; of rows in pairs "
            f"{beside.statistic:,.0f}, {beside.mean:,.0f} expected{words}"
        )
        return self.tested(p_value, rate, finding, statistic=counted.each.statistic, ran=f"{calls} calls of {ROWS} rows")


def _accepted_on_average(draft: Ints, q: Floats, p: Floats, num_draft: Ints) -> Floats:
    """Drafts that the token rule accepts of each row, on average over its uniforms: [B]."""
    with np.errstate(invalid="ignore"):  # a drafter at fault may draw what its q never gives
        accept = np.nan_to_num(token_acceptance(draft, q, p), nan=1.0)
    accept[np.arange(draft.shape[1]) >= num_draft[:, None]] = 0
    return np.asarray(kept_by_token_rule(accept).sum(axis=1))


def echoes(excess: Floats) -> Floats:
    """Does a row's luck go with that of the row 1, 2, ... before it?

    Parameters
    ----------
    excess : ndarray, shape (calls, B)
        A number for each row; independent rows have independent ones, of any one law.

    Returns
    -------
    ndarray, shape (LAGS,)
        p-values for rows that far apart, if rows are independent: then products of two rows have mean zero and no correlation,
        whichever rows they share. Their sum over the root of the sum of their squares is standard normal, over all places
        together, which sees what all rows do; and its squares at each place add up to a chi-square, which sees what few rows do.
    """
    centred, found = excess - excess.mean(), []
    for lag in range(1, LAGS + 1):
        products = centred[:, lag:] * centred[:, :-lag]
        sums, squares = products.sum(axis=0), (products**2).sum(axis=0) + 1e-300
        all_rows = 2 * stats.norm.sf(abs(sums.sum()) / np.sqrt(squares.sum()))
        few_rows = stats.chi2.sf((sums**2 / squares).sum(), len(sums))
        found.append(min(1.0, 2 * min(all_rows, few_rows)))
    return np.array(found)
