"""Rows that depend on everything before: sees context that is stale."""

from __future__ import annotations

from functools import cache

import numpy as np

from ...inverse_cdf import inverse_cdf
from ...models.generate import spoil_padding
from ...models.markov import MarkovPair
from ...types import Ints
from ..check import Check
from ..statistics.identity import count_by_context
from ..subject.contract import Adapted
from .drawing import LONGEST, Drafter, blocks, draw_lengths
from .rounds import judge_rounds


@cache
def prefix_pair() -> MarkovPair:
    """Rows for each prefix of up to three tokens out of four: node 0 is empty, and 4 node + 1 + x follows node by token x."""
    rng = np.random.default_rng(20)
    target, drafter = 0.8 * rng.dirichlet(np.ones(4), (2, 85)) + 0.05
    return MarkovPair(target, drafter, start=0)


def count_prefixes(verifier: Adapted, seed: np.random.SeedSequence, n: int, drafter: Drafter | None) -> Ints:
    """One ragged round from the empty prefix, in rows that depend on everything before: sees context that is stale.

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


def judge_prefixes(counted: Ints, alpha: float) -> Check:
    """Rows that depend on the whole prefix."""
    n = int(counted[:, 0].sum())
    return judge_rounds(counted, prefix_pair().target, "whole prefix", f"{n:,} rounds, a law for each prefix", alpha)
