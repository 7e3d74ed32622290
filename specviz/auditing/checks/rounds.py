"""Every token of every round, by drafts, position and context: the round identity on the designed chains."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from ...models.designed import CHAINS
from ...models.markov import MarkovPair
from ...types import Floats, Ints
from ..check import Counted, Found, Part
from ..options import Options
from ..statistics.identity import Evidence, evidence, pool_groups, worst_group
from .drawing import LONGEST, pair_of
from .sequences import SequenceCounts, Sequences


class Rounds(Counted):
    """Each token, given what was emitted before it.

    Parameters
    ----------
    chain : str
        Name of a designed chain.
    """

    question = "Given what was emitted before it, has each token of each round the target's law, whatever the row's drafts?"

    def __init__(self, chain: str) -> None:
        self.chain, self.name = chain, f"rounds, chain {chain}"
        self.sequences = Sequences(chain)

    @property
    def draws(self) -> tuple[Sequences]:
        """Its sequences."""
        return (self.sequences,)

    def judge(self, counts: Sequence[SequenceCounts], asked: Options, rate: float) -> Found:
        """By drafts, position and context."""
        (counted,) = counts
        target = CHAINS[self.chain].target
        found, worst = by_round(counted.groups, target, rate)
        finding = f"chi-square {found.statistic:,.0f}, {found.mean:,.0f} expected{worst and '; ' + worst}"
        ran = f"all rounds of {counted.n:,} sequences on chain {self.chain}"
        part = part_of(counted, pair_of(self.chain, asked.drafter), rate) if worst else ""
        return self.tested(found.p_value, rate, finding, statistic=found.statistic, ran=ran, example=worst, part=part)


def by_round(groups: Ints, laws: Floats, rate: float) -> tuple[Evidence, str]:
    """Evidence of counts by context against the laws there, and words on the worst group if it fails."""
    found = evidence(pool_groups(groups, laws), laws)
    if found.p_value >= rate:
        return found, ""
    return found, worst_group(groups, laws, lambda n, i, s: f"rows of {n} drafts, position {i}, context {s}")


def part_of(counted: SequenceCounts, pair: MarkovPair, rate: float) -> Part:
    """Where a law that is wrong points: at the bonus if all other tokens are right, else at the part whose size is off.

    The residual never owes a token with p <= q, and the token rule keeps the first draft with probability sum min(p, q).
    """
    is_bonus = np.eye(LONGEST + 1, dtype=bool)[..., None, None]
    others = np.where(is_bonus, 0, counted.groups)
    if evidence(pool_groups(others, pair.target), pair.target).p_value >= rate:
        return "bonus"
    rows, kept = int(counted.first[1:].sum()), int(counted.first[1:, 2:].sum())
    alpha = float(pair.overlap[pair.start])
    off = abs(kept - rows * alpha) > 4 * sqrt(rows * alpha * (1 - alpha)) + 1
    return "acceptance" if off else "residual"
