"""From counts to verdicts: one function for each check that needs statistics, each at a false-alarm rate of its own."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
from scipy import stats

from ...models.designed import CHAINS
from ...models.markov import MarkovPair
from ...types import Floats, Ints
from ..report import Check, Pace
from ..statistics.chi_square import MIN_EXPECTED, chi_square, noncentrality_for, pool
from ..statistics.identity import Evidence, evidence, pool_groups, worst_group
from .drawing import LENGTH, LONGEST, Rows, Sequences, prefix_pair, wide_cells, wide_laws

LAGS = 32
"""How far apart two rows of a call of 64 may stand and be compared."""


def _verdict(p_value: float, alpha: float) -> str:
    return "FAIL" if p_value < alpha else "pass"


def judge_sequences(counted: Sequences, chain: str, alpha: float) -> Check:
    """Whole sequences against the target's joint law; cells of few sequences are pooled, and the gamma law keeps the rate."""
    law = CHAINS[chain].joint_law(LENGTH)
    n = int(counted.cells.sum())
    test = chi_square(counted.cells, law, alpha=alpha)
    possible = law > 0
    observed, expected = pool(counted.cells[possible].astype(np.float64), n * law[possible])
    impossible = bool((counted.cells[~possible] > 0).any())
    found = Evidence(float("inf"), 0.0, 0.0) if impossible else evidence(observed, expected / n)
    p_value, verdict = found.p_value, _verdict(found.p_value, alpha)
    finding = f"chi-square {found.statistic:,.0f}, {len(expected) - 1} expected; TV {test.total_variation:.3f}"
    z = np.where(possible, (counted.cells - n * law) / np.sqrt(np.where(possible, n * law, 1)), counted.cells * 1e9)
    cell = np.unravel_index(int(np.abs(z).argmax()), law.shape)
    tokens = [int(x) for x in cell]
    example = f"chain {chain}, {n:,} sequences: {tokens} came {counted.cells[cell]} times, {n * law[cell]:.1f} expected"
    ran = f"{n:,} ragged sequences of 4 tokens on chain {chain}"
    shown = example if verdict == "FAIL" else ""
    return Check(f"sequences, chain {chain}", verdict, finding, p_value, test, found.statistic, ran, shown)


def sequence_sensitivity(chain: str, n: int, alpha: float) -> float:
    """Total variation that n sequences show with 99.9% power, whatever its shape: what is inside the pool may hide."""
    law = CHAINS[chain].joint_law(LENGTH).ravel()
    order = np.sort(law[law > 0])
    small = int(np.searchsorted(n * order, MIN_EXPECTED))
    dof = len(order) - max(small - 1, 0) - 1
    if dof < 1:
        return float("inf")
    return sqrt(noncentrality_for(dof, alpha=alpha) / n) / 2 + float(order[:small].sum())


def judge_rounds(counted: Ints, laws: Floats, name: str, ran: str, alpha: float) -> Check:
    """Every token of every round, by drafts, position and context."""
    found = evidence(pool_groups(counted, laws), laws)
    verdict = _verdict(found.p_value, alpha)
    finding = f"chi-square {found.statistic:,.0f}, {found.mean:,.0f} expected"
    example = ""
    if verdict == "FAIL":
        example = worst_group(counted, laws, lambda n, i, s: f"rows of {n} drafts, position {i}, context {s}")
        finding += f"; {example}"
    return Check(name, verdict, finding, found.p_value, None, found.statistic, ran, example)


def judge_prefixes(counted: Ints, alpha: float) -> Check:
    """Rows that depend on the whole prefix."""
    n = int(counted[:, 0].sum())
    return judge_rounds(counted, prefix_pair().target, "whole prefix", f"{n:,} rounds, a law for each prefix", alpha)


def judge_wide(counted: Ints, alpha: float) -> Check:
    """A large vocabulary, in cells of tokens of one size, and again in cells of one place."""
    laws, _ = wide_laws()
    found = []
    for cells in wide_cells():
        total = Evidence(0.0, 0.0, 0.0)
        for count, law, cell in zip(counted, laws, cells, strict=True):
            n = int(count.sum())
            if n:
                seen, probability = np.bincount(cell, count), np.bincount(cell, law)
                there = probability > 0
                observed, expected = pool(seen[there].astype(np.float64), n * probability[there].astype(np.float64))
                total += evidence(observed, expected / n)
        found.append(total)
    by = int(np.argmin([one.p_value for one in found]))
    p_value = min(1.0, 2 * found[by].p_value)
    ran = f"{int(counted.sum()):,} tokens, V = {laws.shape[1]:,}"
    finding = (
        f"V = {laws.shape[1]:,}; chi-square by {('size', 'place')[by]} {found[by].statistic:,.0f}, {found[by].mean:,.0f} expected"
    )
    return Check("wide law", _verdict(p_value, alpha), finding, p_value, None, found[by].statistic, ran)


def judge_rows(found: Rows, calls: int, B: int, alpha: float) -> Check:
    """Are the rows of a call independent: of all others, in the spread of the counts, and of the rows near them?"""
    start = CHAINS["A"].target[CHAINS["A"].start]
    beside = evidence(found.pairs.ravel(), np.outer(start, start).ravel())
    echo = echoes(found.excess)
    lag = int(echo.argmin())
    near = min(1.0, len(echo) * float(echo[lag]))
    spread, in_pairs = found.each.two_sided, min(beside.p_value, near)
    p_value = min(1.0, 3 * min(spread, in_pairs))
    words = ""
    if p_value < alpha:
        alike = found.each.statistic > found.each.mean
        words = "rows of one call are alike, or their law is wrong" if alike else "rows of one call are too even"
        at = f"some rows depend on the row {lag + 1} before" if near <= beside.p_value else "rows depend on the one beside them"
        words = f"; {words if spread <= in_pairs else at + ', or their law is wrong'}"
    finding = (
        f"sum of {calls} chi-squares {found.each.statistic:,.0f}, {found.each.mean:,.0f} expected; of rows in pairs "
        f"{beside.statistic:,.0f}, {beside.mean:,.0f} expected{words}"
    )
    return Check("rows", _verdict(p_value, alpha), finding, p_value, None, found.each.statistic, f"{calls} calls of {B} rows")


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


def acceptance_bounds(pair: MarkovPair) -> Floats:
    """1 - TV of the laws of i tokens, i = 1 to 3: no lossless rule accepts i drafts more often."""
    drafts = MarkovPair(pair.drafter, pair.drafter, pair.start)
    return np.array([np.minimum(pair.joint_law(i), drafts.joint_law(i)).sum() for i in range(1, LONGEST + 1)])


def judge_tokens(counted: dict[str, Sequences], pairs: dict[str, MarkovPair], alpha: float) -> Check:
    """More accepted drafts than any coupling of draft and target allows are a proof of bias."""
    worst, said, tests = 1.0, "", 0
    for chain, found in counted.items():
        for i, bound in enumerate(acceptance_bounds(pairs[chain]), 1):
            rows = int(found.first[i:].sum())
            kept = int(found.first[i:, i + 1 :].sum())
            tests += 1
            if rows and (p := float(stats.binom.sf(kept - 1, rows, min(1.0, float(bound))))) < worst:
                worst, said = p, f"chain {chain}: {i} drafts accepted in {kept / rows:.3f} of rows, bound {bound:.3f}"
    p_value = min(1.0, worst * tests)
    verdict = _verdict(p_value, alpha)
    finding = f"too good to be true; {said}" if verdict == "FAIL" else "acceptance within what any lossless rule can reach"
    return Check("acceptance bound", verdict, finding, p_value, ran=f"first rounds on {len(counted)} chains")


def judge_conformance(counted: dict[str, Sequences], pairs: dict[str, MarkovPair], alpha: float, *, deciding: bool) -> Check:
    """Is it the token rule? After a rejection the new token has p > q, and drafts are accepted as often as min(p, q) says."""
    overdue, rejected = (int(x) for x in sum(found.overdue for found in counted.values()))  # type: ignore[union-attr]
    worst = 1.0
    for chain, found in counted.items():
        full = found.first[LONGEST]
        n = int(full.sum())
        if not n:
            continue
        tokens = np.arange(len(full))
        mean = float(full @ tokens) / n
        spread = max(sqrt(float(full @ (tokens - mean) ** 2) / n), 1 / n)
        z = (mean - pairs[chain].tokens_per_round(LONGEST)) / (spread / sqrt(n))
        worst = min(worst, float(2 * stats.norm.sf(abs(z))))
    p_value = 0.0 if overdue else min(1.0, worst * len(counted))
    conforms = p_value >= alpha
    if overdue:
        finding = f"not the token rule: {overdue:,} of {rejected:,} replacements have p <= q"
    else:
        finding = "as the token rule" if conforms else "not the token rule: its drafts are accepted at another rate"
    verdict = "note" if not deciding else "pass" if conforms else "FAIL"
    return Check("token rule", verdict, finding, p_value, ran=f"{rejected:,} rejections")


def pace(found: Sequences, pair: MarkovPair) -> Pace:
    """Tokens per round of the rows that hold three drafts."""
    full = found.first[LONGEST].astype(np.float64)
    tokens, n = np.arange(len(full)), max(full.sum(), 1)
    mean = float(full @ tokens / n)
    error = float(max(np.sqrt(full @ (tokens - mean) ** 2) / n, 1 / n))
    return Pace(mean, error, pair.tokens_per_round(LONGEST), float(1 + acceptance_bounds(pair).sum()))


def first_rounds(counted: dict[str, Sequences]) -> list[Any]:
    """What a diagnosis counts."""
    from ..diagnosis.diagnose import FirstRounds

    return [
        FirstRounds(chain, *(a.astype(np.int64) for a in (found.num_draft, found.n_out, found.tokens)))
        for chain, found in counted.items()
    ]
