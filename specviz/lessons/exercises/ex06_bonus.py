"""Exercise 06c: fool the test at K = 3. In a file of its own, since its answer has the name of the one to 06b."""

from __future__ import annotations

import numpy as np

from specviz import residual, sample_rows

from ..checking.exercise import Answer, Exercise
from .ex06_faults import RATE, N, must_fool


def fool(draft, q, p, num_draft, rng):
    """tokens [B, K + 1] (padded with -1) and n_out [B]: wrong, but with the right law of the first K tokens.
    num_draft is K in every row."""
    B, K = draft.shape
    row = np.arange(B)
    x = draft[..., None]
    q_x, p_x = (np.take_along_axis(d[:, :K], x, axis=2)[..., 0] for d in (q, p))
    u = rng.random((B, K))
    n = np.cumprod(u * q_x < p_x, axis=1).sum(axis=1)
    last = p[:, K - 1].copy()
    rejected = n < K
    last[rejected] = residual(p[row, n], q[row, np.minimum(n, K - 1)])[rejected]
    tokens = np.where(np.arange(K + 1) < n[:, None], np.pad(draft, ((0, 0), (0, 1))), -1)
    tokens[row, n] = sample_rows(last, rng)
    return tokens, n + 1


def _check_bonus(answer: Answer) -> None:
    must_fool(answer, (3, 3), "the test of three tokens at K = 3")


EXERCISES = (
    Exercise(
        id="06c",
        title="fool three tokens at K = 3",
        task="Write a wrong verifier that passes a test of three tokens at K = 3, and is caught at K = 2.",
        hints=(
            "A round with K = 3 has up to four tokens. Which of them does a test of three never see?",
            "The bonus is token K + 1. Draw it from a wrong row.",
            "p[:, K - 1] in place of p[:, K] when all drafts were kept.",
        ),
        answer=fool,
        check=_check_bonus,
        checked=f"Checked on the teaching chain, {N:,} sequences: chi-square of three tokens passes at K = 3 and not at K = 2\n"
        f"{RATE}",
    ),
)
