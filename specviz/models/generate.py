"""Repeated draft-and-verify rounds, for many sequences at once and with any verifier of the common signature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..inverse_cdf import inverse_cdf
from ..rules.contract import Verifier, check_result
from ..types import Floats, Ints
from .markov import MarkovPair, draft_lengths


@dataclass(frozen=True, eq=False)
class Generated:
    """Sequences that a verifier let through, and how many tokens its rounds gave.

    Attributes
    ----------
    sequences : ndarray of int64, shape (n, length)
        The first `length` tokens of each sequence.
    first_round : ndarray of int64, shape (n,)
        Tokens that the first round emitted, those beyond `length` included.
    rounds : ndarray of int64, shape (n,)
        Rounds that each sequence took.
    """

    sequences: Ints
    first_round: Ints
    rounds: Ints

    @property
    def tokens_per_round(self) -> float:
        """Mean tokens of the first round: the counterpart of the exact `MarkovPair.tokens_per_round`."""
        return float(self.first_round.mean())

    @property
    def tokens_per_round_error(self) -> float:
        """Standard error of `tokens_per_round`."""
        return float(self.first_round.std() / np.sqrt(len(self.first_round)))


def generate(
    pair: MarkovPair,
    verifier: Verifier,
    *,
    length: int,
    K: int | Sequence[float],
    n: int,
    rng: np.random.Generator,
) -> Generated:
    """Generate n sequences by rounds of drafting and verifying, until each has `length` tokens.

    Parameters
    ----------
    pair : MarkovPair
        Its drafter proposes, its reported q and its target go to the verifier.
    verifier : callable
        Takes (draft, q, p, num_draft, rng) and returns tokens [B, K + 1] and n_out [B].
    length : int
        Tokens per sequence, at least 1. A round may run past it; what is beyond is cut off.
    K : int or sequence of float
        Drafts per round; or the probabilities of 0, 1, 2, ... drafts, drawn anew for every row of every round. What lies
        beyond a row's drafts is then filled with plausible wrong values: other tokens, and the laws of other contexts.
    n : int
        Sequences, at least 1.
    rng : numpy.random.Generator

    Returns
    -------
    Generated

    Raises
    ------
    ValueError
        For arguments out of range, and for a verifier whose result breaks the contract: its shapes, n_out outside
        1 to num_draft + 1, or a token that is not in the vocabulary.
    """
    longest, lengths = draft_lengths(K)
    if length < 1 or n < 1:
        raise ValueError(f"length is {length} and n is {n}; expected at least 1 of each")
    sequences = np.empty((n, length), np.int64)
    filled = np.zeros(n, np.int64)
    rounds = np.zeros(n, np.int64)
    first_round = np.zeros(n, np.int64)
    state = np.full(n, pair.start)
    todo = np.arange(n)
    while todo.size:
        draft, q, p = draft_round(pair, state[todo], longest, rng)
        num_draft = np.full(len(todo), longest)
        if lengths[-1] < 1:
            num_draft, _ = inverse_cdf(np.broadcast_to(lengths, (len(todo), longest + 1)), rng.random(len(todo)))
            spoil_padding(pair, draft, q, p, num_draft)
        tokens, n_out = check_result(verifier(draft, q, p, num_draft, rng), num_draft, longest, pair.V)
        for i in range(longest + 1):
            rows = np.flatnonzero((n_out > i) & (filled[todo] + i < length))
            sequences[todo[rows], filled[todo[rows]] + i] = tokens[rows, i]
        if len(todo) == n and not rounds.any():
            first_round[:] = n_out
        rounds[todo] += 1
        filled[todo] += n_out
        state[todo] = tokens[np.arange(len(todo)), n_out - 1]
        todo = todo[filled[todo] < length]
    return Generated(sequences, first_round, rounds)


def draft_round(pair: MarkovPair, state: Ints, K: int, rng: np.random.Generator) -> tuple[Ints, Floats, Floats]:
    """Draft K tokens from each state.

    Returns
    -------
    draft : ndarray of int64, shape (B, K)
    q : ndarray, shape (B, K, V)
        The reported law at each draft.
    p : ndarray, shape (B, K + 1, V)
        The target's law at each draft and after the last.
    """
    u = rng.random((len(state), K))
    draft = np.empty((len(state), K), np.int64)
    q, p = np.empty((len(state), K, pair.V)), np.empty((len(state), K + 1, pair.V))
    for i in range(K):
        q[:, i], p[:, i] = pair.q[state], pair.target[state]
        draft[:, i], _ = inverse_cdf(pair.drafter[state], u[:, i])
        state = draft[:, i]
    p[:, K] = pair.target[state]
    return draft, q, p


def spoil_padding(pair: MarkovPair, draft: Ints, q: Floats, p: Floats, num_draft: Ints) -> None:
    """Overwrite what lies beyond each row's drafts with values that look right and are wrong."""
    V = pair.V
    for i in range(draft.shape[1]):
        rows = num_draft <= i
        wrong = (draft[rows, i] + 1) % V
        draft[rows, i], q[rows, i], p[rows, i + 1] = wrong, pair.target[wrong], pair.drafter[wrong]
