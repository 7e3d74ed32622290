"""Accepted drafts against what any lossless rule can reach: more of them are a proof of bias."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import stats

from ...models.designed import CHAINS
from ...models.markov import MarkovPair
from ...types import Floats
from ..check import Counted, Found
from ..options import Options
from .drawing import LONGEST, pair_of
from .sequences import SequenceCounts, Sequences


class AcceptanceBound(Counted):
    """The first rounds on all designed chains."""

    name = "acceptance bound"
    question = "Are drafts accepted no more often than any coupling of draft and target allows?"
    part = "acceptance"

    @property
    def draws(self) -> tuple[Sequences, ...]:
        """The sequences on every chain."""
        return tuple(Sequences(chain) for chain in CHAINS)

    def judge(self, counts: Sequence[SequenceCounts], asked: Options, rate: float) -> Found:
        """Each number of drafts on each chain against its bound, by the binomial law."""
        worst, said, tests = 1.0, "", 0
        for chain, found in zip(CHAINS, counts, strict=True):
            for i, bound in enumerate(acceptance_bounds(pair_of(chain, asked.drafter)), 1):
                rows, kept = int(found.first[i:].sum()), int(found.first[i:, i + 1 :].sum())
                tests += 1
                if rows and (p := float(stats.binom.sf(kept - 1, rows, min(1.0, float(bound))))) < worst:
                    worst, said = p, f"chain {chain}: {i} drafts accepted in {kept / rows:.3f} of rows, bound {bound:.3f}"
        p_value = min(1.0, worst * tests)
        within = "acceptance within what any lossless rule can reach"
        finding = f"too good to be true; {said}" if p_value < rate else within
        return self.tested(p_value, rate, finding, ran=f"first rounds on {len(counts)} chains")


def acceptance_bounds(pair: MarkovPair) -> Floats:
    """1 - TV of the laws of i tokens, i = 1 to 3: no lossless rule accepts i drafts more often."""
    drafts = MarkovPair(pair.drafter, pair.drafter, pair.start)
    return np.array([np.minimum(pair.joint_law(i), drafts.joint_law(i)).sum() for i in range(1, LONGEST + 1)])
