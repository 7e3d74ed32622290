from collections.abc import Callable, Iterator

import numpy as np
import pytest

from specviz import verify
from specviz.auditing.subject.batches import with_drafts


@pytest.fixture(scope="session")
def engine() -> Callable[..., Iterator[tuple]]:
    """Rounds (draft, q, p, tokens) of K drafts at vocabulary V; `sampled` maps q to the law that drafts really come from."""

    def rounds(n=400, V=2000, K=4, verifier=verify, sampled=lambda q: q, seed=0):
        rng = np.random.default_rng(seed)
        for _ in range(n // 20):
            logits = 2 * rng.standard_normal((20, K + 1, V))
            p, q = np.exp(logits), np.exp(logits[:, :K] + rng.standard_normal((20, K, V)))
            p, q = (rows / rows.sum(axis=-1, keepdims=True) for rows in (p, q))
            draft = with_drafts(sampled(q), p, np.full(20, K), rng).draft
            tokens, n_out = verifier(draft, q, p, np.full(20, K), rng)
            for b in range(20):
                yield draft[b], q[b], p[b], tokens[b, : n_out[b]]

    return rounds
