"""Judge a whole verifier: certain cases first, then the joint law."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..arrays import Array, Ints
from ..audit.law import ChiSquare, chi_square, count_cells
from ..generate import Generated, generate
from ..markov import MarkovPair
from ..plots.split import token_names
from .exercise import NotAttempted, Wrong

ALPHA = 1e-6
"""False-alarm rate of a check: small, since a reader who is told that a right answer is wrong loses an evening."""

RAGGED = (0.2, 0.3, 0.5)
"""Probabilities of 0, 1 and 2 drafts."""


def row_by_row(one: Callable[..., Any]) -> Callable[..., tuple[Ints, Ints]]:
    """A batch verifier from a function that verifies one row."""

    def verifier(draft: Array, q: Array, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Ints, Ints]:
        tokens = np.full((len(draft), draft.shape[1] + 1), -1)
        n_out = np.empty(len(draft), np.int64)
        for b, n in enumerate(num_draft):
            out = list(one(draft[b, :n].tolist(), q[b, :n].tolist(), p[b, : n + 1].tolist(), rng))
            n_out[b] = len(out)
            tokens[b, : len(out)] = out[: tokens.shape[1]]
        return tokens, n_out

    return verifier


def run(verifier: Callable[..., Any], *, K: int | Sequence[float], n: int, length: int = 3, seed: int = 0) -> Generated:
    """Sequences of a reader's verifier on the teaching chain; whatever goes wrong in it is reported."""
    try:
        return generate(MarkovPair.teaching(), verifier, length=length, K=K, n=n, rng=np.random.default_rng(seed))
    except NotImplementedError:
        raise NotAttempted from None
    except (Exception, SystemExit) as error:
        name = type(error).__name__
        raise Wrong(f"on a batch of {n:,} rows of the teaching chain with K = {K}:\n  {name}: {error}") from error


def joint_test(run: Generated, *, alpha: float = ALPHA, tokens: int | None = None) -> ChiSquare:
    """Chi-square of the first tokens of sequences against the exact law of the teaching chain."""
    sequences = run.sequences[:, :tokens]
    return chi_square(count_cells(sequences, 4), MarkovPair.teaching().joint_law(sequences.shape[1]), alpha=alpha)


def same_joint_law(verifier: Callable[..., Any], *, n: int, K: int | Sequence[float] = RAGGED, length: int = 3) -> None:
    """Raise `Wrong` if the joint law is off, naming the sequence that is furthest from it."""
    made = run(verifier, K=K, n=n, length=length)
    test = joint_test(made)
    if not test.passed:
        law = MarkovPair.teaching().joint_law(length)
        counts = count_cells(made.sequences, 4)
        worst = np.unravel_index(np.argmax(np.abs(counts - n * law) / np.sqrt(n * law)), law.shape)
        names = " ".join(token_names(4)[x] for x in worst)
        raise Wrong(
            f"{n:,} sequences of {length} tokens on the teaching chain, K = {K}\n"
            f"  expected {names} about {n * law[worst]:,.0f} times\n  got      {counts[worst]:,} times "
            f"(chi-square {test.statistic:,.0f}, cut {test.cut:.0f})"
        )
