"""Rows that depend on everything before: sees context that is stale."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from ...inverse_cdf import inverse_cdf
from ...models.generate import spoil_padding
from ...models.markov import MarkovPair
from ...types import Ints
from ..check import Counted, Draw, Found, Sizes
from ..options import Drafter, Options
from ..statistics.identity import count_by_context
from ..subject.contract import Adapted
from .drawing import LONGEST, blocks, draw_lengths
from .rounds import by_round


@cache
def prefix_pair() -> MarkovPair:
    """Rows for each prefix of up to three tokens out of four: node 0 is empty, and 4 node + 1 + x follows node by token x."""
    rng = np.random.default_rng(20)
    target, drafter = 0.8 * rng.dirichlet(np.ones(4), (2, 85)) + 0.05
    return MarkovPair(target, drafter, start=0)


class Prefixes(Counted, Draw):
    """One round from the empty prefix, with a law of its own for each prefix."""

    name = "whole prefix"
    question = "Has each token the target's law where that depends on all tokens before it?"
    part = "rows"
    stream = 4
    sizes = Sizes(4000, 20_000, 400_000)

    def count(self, verifier: Adapted, seed: np.random.SeedSequence, n: int, drafter: Drafter | None) -> Ints:
        """Draw n ragged rounds.

        Returns
        -------
        ndarray, shape (K + 1, K + 1, 85, 4)
            See `count_by_context`.
        """
        rng = np.random.default_rng(seed)
        pair = drafter(prefix_pair()) if drafter else prefix_pair()
        counts = np.zeros((LONGEST + 1, LONGEST + 1, 85, 4), np.int64)
        for B in blocks(n, 4096):
            node = np.zeros((B, LONGEST + 1), np.int64)
            draft = np.empty((B, LONGEST), np.int64)
            for i in range(LONGEST):
                draft[:, i], _ = inverse_cdf(pair.drafter[node[:, i]], rng.random(B))
                node[:, i + 1] = 4 * node[:, i] + 1 + draft[:, i]
            q, p = pair.q[node[:, :LONGEST]], pair.target[node]
            num_draft = draw_lengths(B, rng)
            spoil_padding(pair, draft, q, p, num_draft)
            tokens, n_out = verifier(draft, q, p, num_draft, rng)
            counts += count_by_context(tokens, n_out, num_draft, node, (LONGEST, 85, 4))
        return counts

    def judge(self, counts: Sequence[Ints], asked: Options, rate: float) -> Found:
        """By drafts, position and prefix."""
        (counted,) = counts
        found, worst = by_round(counted, prefix_pair().target, rate)
        finding = f"chi-square {found.statistic:,.0f}, {found.mean:,.0f} expected{worst and '; ' + worst}"
        ran = f"{int(counted[:, 0].sum()):,} rounds, a law for each prefix"
        return self.tested(found.p_value, rate, finding, statistic=found.statistic, ran=ran, example=worst)
