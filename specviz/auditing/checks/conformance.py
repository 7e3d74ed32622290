"""Is it the token rule itself? And its pace beside that rule's."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
from scipy import stats

from ...models.designed import CHAINS
from ...models.markov import MarkovPair
from ...types import Floats
from ..check import Counted, Found, Pace, Part
from ..options import Options
from .drawing import LONGEST, pair_of
from .sequences import SequenceCounts, Sequences
from .tokens import acceptance_bounds


class TokenRule(Counted):
    """The first rounds on all designed chains; a note unless the verifier claims to be the token rule."""

    name = "token rule"
    question = "Is it the token rule: has each replacement p > q, and are drafts kept as often as min(p, q) says?"
    claim = "the token rule"

    @property
    def draws(self) -> tuple[Sequences, ...]:
        """The sequences on every chain."""
        return tuple(Sequences(chain) for chain in CHAINS)

    def decides(self, asked: Options) -> bool:
        """Only if it is claimed."""
        return asked.claims == self.name

    def judge(self, counts: Sequence[SequenceCounts], asked: Options, rate: float) -> Found:
        """Replacements for certain, and the mean of the tokens per round of full rows at a false-alarm rate."""
        pairs = [pair_of(chain, asked.drafter) for chain in CHAINS]
        overdue, rejected = (int(x) for x in np.sum([found.overdue for found in counts], axis=0))
        worst = min(_pace_p_value(found, pair) for found, pair in zip(counts, pairs, strict=True))
        p_value = 0.0 if overdue else min(1.0, worst * len(counts))
        part: Part = "residual" if overdue else "acceptance"
        if overdue:
            finding = f"not the token rule: {overdue:,} of {rejected:,} replacements have p <= q"
        elif p_value < rate:
            finding = "not the token rule: its drafts are accepted at another rate"
        else:
            finding = "as the token rule"
        pace = pace_of(counts[0], pairs[0])
        found = self.tested(p_value, rate, finding, ran=f"{rejected:,} rejections", part=part, pace=pace)
        return found if self.decides(asked) else self.found("note", finding, p_value=p_value, ran=found.ran, pace=pace)


def _full_rows(counted: SequenceCounts) -> tuple[Floats, Floats, float]:
    """Tokens that a round of three drafts may emit, how many rounds did, and their number."""
    full = counted.first[LONGEST].astype(np.float64)
    return np.arange(len(full), dtype=np.float64), full, float(full.sum())


def _pace_p_value(counted: SequenceCounts, pair: MarkovPair) -> float:
    tokens, full, n = _full_rows(counted)
    if not n:
        return 1.0
    mean = float(full @ tokens) / n
    spread = max(sqrt(float(full @ (tokens - mean) ** 2) / n), 1 / n)
    z = (mean - pair.tokens_per_round(LONGEST)) / (spread / sqrt(n))
    return float(2 * stats.norm.sf(abs(z)))


def pace_of(counted: SequenceCounts, pair: MarkovPair) -> Pace:
    """Tokens per round of the rows that hold three drafts."""
    tokens, full, n = _full_rows(counted)
    n = max(n, 1)
    mean = float(full @ tokens) / n
    error = max(sqrt(float(full @ (tokens - mean) ** 2)) / n, 1 / n)
    return Pace(mean, error, pair.tokens_per_round(LONGEST), float(1 + acceptance_bounds(pair).sum()))
