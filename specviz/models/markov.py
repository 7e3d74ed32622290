"""A target and a drafter that depend on the last token: small enough for exact laws, rich enough to show every fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..probability import as_floats, check_probabilities, overlap
from ..types import Floats


@dataclass(frozen=True, eq=False)
class MarkovPair:
    """Target and drafter as Markov chains over V tokens; row s is the law of the token that follows state s.

    After token x the state is x. A sequence begins in state `start`: one of the tokens, or a state of its own when the chains
    have more rows than tokens.

    Parameters
    ----------
    target : array_like, shape (S, V), S >= V
        The target's law in each state.
    drafter : array_like, shape (S, V)
        The law that drafts are really sampled from.
    start : int, optional
        State before the first token; the last row unless given.
    reported : array_like, shape (S, V), optional
        The q that the verifier is told. It is `drafter` unless given; anything else is a fault of the drafter's side.

    Raises
    ------
    ValueError
        If the shapes do not fit or a row is not a law.
    """

    target: Floats
    drafter: Floats
    start: int = -1
    reported: Floats | None = None

    def __post_init__(self) -> None:
        for name in ("target", "drafter", "reported"):
            if name == "reported" and self.reported is None:
                continue
            rows = np.array(as_floats(name, getattr(self, name)), np.float64)
            if rows.ndim != 2 or rows.shape[0] < rows.shape[1] or rows.shape[1] == 0:
                raise ValueError(f"{name} has shape {rows.shape}; expected (S, V) with a row for each of V tokens at least")
            check_probabilities(name, rows)
            rows /= rows.sum(axis=1, keepdims=True)  # exactly 1, so that the joint law is one too
            rows.setflags(write=False)
            object.__setattr__(self, name, rows)
        shapes = self.target.shape, self.drafter.shape, self.q.shape
        if len(set(shapes)) > 1:
            raise ValueError(f"target, drafter and reported have shapes {shapes}; expected one shape for all")
        if not isinstance(self.start, (int, np.integer)) or not -self.states <= self.start < self.states:
            raise ValueError(f"start is {self.start}; expected a state from 0 to {self.states - 1}")
        object.__setattr__(self, "start", self.start % self.states)

    @classmethod
    def teaching(cls) -> MarkovPair:
        """The chain of the notebooks: V = 4, overlap exactly 0.7 in every state, two tokens owed in each, no symmetry."""
        target = np.array([[35, 25, 25, 15], [20, 40, 15, 25], [30, 15, 35, 20], [15, 30, 20, 35]]) / 100
        owed = np.array([[60, 40, 0, 0], [0, 50, 0, 50], [50, 0, 50, 0], [0, 30, 0, 70]]) / 100
        surplus = np.array([[0, 0, 50, 50], [70, 0, 30, 0], [0, 40, 0, 60], [45, 0, 55, 0]]) / 100
        return cls(target, target - 0.3 * owed + 0.3 * surplus, start=0)

    @classmethod
    def random(cls, V: int, seed: int) -> MarkovPair:
        """Rows drawn uniformly from all laws over V tokens, with a start state of its own.

        Parameters
        ----------
        V : int
            Tokens.
        seed : int

        Returns
        -------
        MarkovPair
        """
        rng = np.random.default_rng(seed)
        target, drafter = rng.dirichlet(np.ones(V), (2, V + 1))
        return cls(target, drafter)

    @classmethod
    def constant(cls, p: ArrayLike, q: ArrayLike) -> MarkovPair:
        """The same p and q in every context.

        Parameters
        ----------
        p, q : array_like, shape (V,)

        Returns
        -------
        MarkovPair
        """
        p, q = as_floats("p", p), as_floats("q", q)
        return cls(np.tile(p, (len(p), 1)), np.tile(q, (len(q), 1)), start=0)

    @property
    def q(self) -> Floats:
        """The law that the verifier is told, shape (S, V): `reported`, which is `drafter` unless given."""
        return self.drafter if self.reported is None else self.reported

    @property
    def V(self) -> int:
        """Tokens in the vocabulary."""
        return int(self.target.shape[1])

    @property
    def states(self) -> int:
        """Rows of the chains: V, or more when there are states that no token leads to."""
        return int(self.target.shape[0])

    @property
    def overlap(self) -> Floats:
        """sum_x min(p(x), q(x)) in each state, shape (S,): the acceptance rate where the q that is reported is the drafter's."""
        return overlap(self.target, self.drafter)

    def with_drafter(self, drafter: ArrayLike) -> MarkovPair:
        """The same pair whose drafts come from another law while the verifier is still told the old q.

        Parameters
        ----------
        drafter : array_like, shape (S, V)

        Returns
        -------
        MarkovPair
        """
        return replace(self, drafter=np.asarray(drafter), reported=self.q)

    def joint_law(self, length: int) -> Floats:
        """Exact law of the target's sequences: p(x_1 | start) p(x_2 | x_1) ... p(x_L | x_{L-1}).

        Parameters
        ----------
        length : int
            Tokens L, at least 1.

        Returns
        -------
        ndarray of float64, shape (V,) * length
            Its entries sum to 1.
        """
        if length < 1:
            raise ValueError(f"length is {length}; expected at least 1 token")
        first = self.target[self.start]
        return np.asarray(reduce(lambda law, _: law[..., None] * self.target[: self.V], range(length - 1), first))

    def tokens_per_round(self, K: int | Sequence[float]) -> float:
        """Exact mean tokens of the first round under the token rule, by dynamic programming over the chain.

        Let m_i(x) be the probability that i drafts were accepted and the last of them is x. Then
        m_{i+1}(x) = sum_s m_i(s) q_s(x) min(1, p_s(x) / q'_s(x)), where q' is the q that is reported, and the mean is 1 plus the
        sum of all m_i.

        Parameters
        ----------
        K : int or sequence of float
            Drafts per round, or for a ragged batch the probabilities of 0, 1, 2, ... drafts.

        Returns
        -------
        float
        """
        longest, lengths = draft_lengths(K)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            ratio = np.where(self.q > 0, self.target / self.q, np.where(self.target > 0, np.inf, 0))
        kept = self.drafter * np.minimum(1, ratio)
        mass = np.zeros(self.states)
        mass[self.start] = 1
        reached = [1.0]
        for _ in range(longest):
            mass = np.concatenate([mass @ kept, np.zeros(self.states - self.V)])
            reached.append(float(mass.sum()))
        return float(lengths @ np.cumsum(reached))


def draft_lengths(K: int | Sequence[float] | Any) -> tuple[int, Floats]:
    """Longest draft and the law of the draft's length; an int stands for a length that is always the same."""
    if np.ndim(K) == 0:
        if isinstance(K, bool) or not isinstance(K, (int, np.integer)) or K < 0:
            raise ValueError(f"K is {K!r}; expected a whole number of drafts, at least 0, or probabilities of 0, 1, 2, ...")
        return int(K), np.eye(int(K) + 1)[-1]
    lengths = np.asarray(K, np.float64)
    if lengths.ndim != 1 or not len(lengths):
        raise ValueError(f"K has shape {lengths.shape}; expected the probabilities of 0, 1, 2, ... drafts")
    check_probabilities("K", lengths)
    return len(lengths) - 1, lengths / lengths.sum()
