"""Is it the token rule itself?"""

from __future__ import annotations

from math import sqrt

import numpy as np
from scipy import stats

from ...models.markov import MarkovPair
from ..check import Check
from .drawing import LONGEST
from .sequences import Sequences


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
