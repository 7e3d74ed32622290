"""Accepted drafts against what any lossless rule can reach."""

from __future__ import annotations

import numpy as np
from scipy import stats

from ...models.markov import MarkovPair
from ...types import Floats
from ..check import Check, Pace
from .drawing import LONGEST, decided
from .sequences import Sequences


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
    verdict = decided(p_value, alpha)
    finding = f"too good to be true; {said}" if verdict == "FAIL" else "acceptance within what any lossless rule can reach"
    return Check("acceptance bound", verdict, finding, p_value, ran=f"first rounds on {len(counted)} chains")


def pace(found: Sequences, pair: MarkovPair) -> Pace:
    """Tokens per round of the rows that hold three drafts."""
    full = found.first[LONGEST].astype(np.float64)
    tokens, n = np.arange(len(full)), max(full.sum(), 1)
    mean = float(full @ tokens / n)
    error = float(max(np.sqrt(full @ (tokens - mean) ** 2) / n, 1 / n))
    return Pace(mean, error, pair.tokens_per_round(LONGEST), float(1 + acceptance_bounds(pair).sum()))
