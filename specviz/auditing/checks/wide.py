"""A large vocabulary: sees floors, dropped tails and faults of tiles."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from ...types import Floats, Ints
from ..check import Counted, Draw, Found, Sizes
from ..options import Drafter, Options
from ..statistics.chi_square import pool
from ..statistics.identity import Evidence, evidence
from ..subject.contract import Adapted
from .drawing import blocks

WIDE_V = 4200
"""No whole number of tiles of 128, so that a tail that is dropped is seen."""


@cache
def wide_laws() -> tuple[Floats, Floats]:
    """p of 5 contexts and q of 3 over a large vocabulary: start, then by even or odd token at two positions.

    A third of the tokens are next to impossible, which shows a floor; a twentieth of the mass is on tokens below 1e-4, which
    shows what is cut or lifted there; and the last part of a tile carries a tenth of it.
    """
    rng = np.random.default_rng(21)
    weights = rng.pareto(1.8, (5, WIDE_V)) + 0.02
    weights[rng.random(weights.shape) < 1 / 3] *= 1e-4
    last = np.arange(WIDE_V) >= WIDE_V // 128 * 128
    weights[:, last] *= 0.1 * weights[:, ~last].sum(axis=1, keepdims=True) / weights[:, last].sum(axis=1, keepdims=True)
    q = weights[:3] * np.exp(1.2 * rng.standard_normal((3, WIDE_V)))
    return weights / weights.sum(axis=1, keepdims=True), q / q.sum(axis=1, keepdims=True)


def wide_cells() -> tuple[Ints, Ints]:
    """Two ways to put each context's tokens into cells, each [5, V]: by size and sign of p - q; by place: ends, tiles in turn."""
    p, q = wide_laws()
    behind = np.concatenate([q, q[1:]])  # contexts 3 and 4 have no q: any split of the vocabulary will do
    size = np.clip(np.floor(-np.log2(p)), 0, 24).astype(np.int64)
    at = np.arange(WIDE_V)
    place = np.where(at >= WIDE_V // 128 * 128, 8, at // 128 % 8)
    place[0], place[-1] = 9, 10
    return np.asarray(size * 2 + (p > behind)), np.broadcast_to(place, p.shape)


class WideLaw(Counted, Draw):
    """Rounds of up to two drafts in a vocabulary of 4,200 tokens."""

    name = "wide law"
    question = "Has a token of a large vocabulary the target's law, in the tail and at the end as well?"
    part = "processing"
    stream = 6
    sizes = Sizes(1000, 5000, 60_000)

    def applies(self, asked: Options) -> bool:
        """A drafter is a map of chains, and the large vocabulary is none."""
        return super().applies(asked) and asked.drafter is None

    def count(self, verifier: Adapted, seed: np.random.SeedSequence, n: int, drafter: Drafter | None) -> Ints:
        """Draw n rounds.

        Returns
        -------
        ndarray, shape (5, V)
            Tokens emitted by context.
        """
        rng = np.random.default_rng(seed)
        p_of, q_of = wide_laws()
        cum = q_of.cumsum(axis=1)
        counts = np.zeros((5, WIDE_V), np.int64)
        for B in blocks(n, 200):
            context = np.zeros((B, 3), np.int64)
            draft = np.empty((B, 2), np.int64)
            for i in range(2):
                u = rng.random(B)
                for s in range(3):
                    rows = context[:, i] == s
                    draft[rows, i] = np.minimum(np.searchsorted(cum[s], u[rows] * cum[s, -1], side="right"), WIDE_V - 1)
                context[:, i + 1] = 1 + 2 * i + draft[:, i] % 2
            num_draft = rng.integers(0, 3, B)
            tokens, n_out = verifier(draft, q_of[context[:, :2]], p_of[context], num_draft, rng)
            there = np.arange(3) < n_out[:, None]
            np.add.at(counts, (context[there], tokens[there]), 1)
        return counts

    def judge(self, counts: Sequence[Ints], asked: Options, rate: float) -> Found:
        """In cells of tokens of one size, and again in cells of one place."""
        (counted,) = counts
        found = [_by_cells(counted, cells) for cells in wide_cells()]
        by = int(np.argmin([one.p_value for one in found]))
        statistic, expected = found[by].statistic, found[by].mean
        finding = f"V = {WIDE_V:,}; chi-square by {('size', 'place')[by]} {statistic:,.0f}, {expected:,.0f} expected"
        ran = f"{int(counted.sum()):,} tokens, V = {WIDE_V:,}"
        return self.tested(min(1.0, 2 * found[by].p_value), rate, finding, statistic=statistic, ran=ran)


def _by_cells(counted: Ints, cells: Ints) -> Evidence:
    """Evidence of each context's tokens put into its cells, shape [5, V] as the counts."""
    total = Evidence(0.0, 0.0, 0.0)
    for count, law, cell in zip(counted, wide_laws()[0], cells, strict=True):
        n = int(count.sum())
        if n:
            seen, probability = np.bincount(cell, count), np.bincount(cell, law)
            there = probability > 0
            observed, expected = pool(seen[there].astype(np.float64), n * probability[there].astype(np.float64))
            total += evidence(observed, expected / n)
    return total
