"""First rounds on the designed chains: what a diagnosis counts, and how to get it from a verifier."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...models.designed import CHAINS, RAGGED
from ...models.generate import generate
from ...models.markov import MarkovPair
from ...rules.contract import Verifier
from ...types import Array, Ints
from .fingerprints import LENGTH, ROUNDS


@dataclass(frozen=True, eq=False)
class FirstRounds:
    """First rounds of sequences on one of the designed chains, and the sequences that they became.

    Attributes
    ----------
    chain : str
        Its name in `specviz.models.designed.CHAINS`.
    num_draft : ndarray of int, shape (n,)
        Drafts in the first round of each sequence.
    n_out : ndarray of int, shape (n,)
        Tokens that it emitted.
    tokens : ndarray of int, shape (n, 4)
        The completed sequence. Later rounds hold drafts as `specviz.models.designed.RAGGED` says.

    Raises
    ------
    ValueError
        For a chain that is not known, shapes that do not fit, and numbers that no round gives.
    """

    chain: str
    num_draft: Ints
    n_out: Ints
    tokens: Ints

    def __post_init__(self) -> None:
        if self.chain not in CHAINS:
            raise ValueError(f"chain is {self.chain!r}; expected one of {', '.join(CHAINS)}")
        for name in ("num_draft", "n_out", "tokens"):
            array = np.asarray(getattr(self, name))
            shape = (len(np.atleast_1d(self.num_draft)), LENGTH)[: 1 + (name == "tokens")]
            if array.shape != shape or array.dtype.kind not in "iu":
                raise ValueError(f"{name} has shape {array.shape} and dtype {array.dtype}; expected {shape} and integers")
            object.__setattr__(self, name, array.astype(np.int64))
        most = len(RAGGED) - 1
        _expect("num_draft", self.num_draft, 0, np.full_like(self.num_draft, most))
        _expect("n_out", self.n_out, 1, self.num_draft + 1)
        _expect("tokens", self.tokens, 0, np.full_like(self.tokens, CHAINS[self.chain].V - 1))

    def counts(self) -> Ints:
        """Sequences in each cell of a fingerprint, shape (len(ROUNDS), V ** 4)."""
        V = CHAINS[self.chain].V
        which = self.num_draft * (self.num_draft + 1) // 2 + self.n_out - 1
        cell = which * V**LENGTH + np.ravel_multi_index(tuple(self.tokens.T), (V,) * LENGTH)
        return np.bincount(cell, minlength=len(ROUNDS) * V**LENGTH).reshape(len(ROUNDS), -1)


def observe(
    verifier: Verifier, chain: str, n: int, rng: np.random.Generator, *, drafts_from: MarkovPair | None = None
) -> FirstRounds:
    """Run a verifier on a designed chain and keep its first rounds.

    Parameters
    ----------
    verifier : callable
    chain : str
        Name in `CHAINS`.
    n : int
        Sequences.
    rng : numpy.random.Generator
    drafts_from : MarkovPair, optional
        The chain with another drafter, for faults of the drafter's side.

    Returns
    -------
    FirstRounds
    """
    lengths: list[Ints] = []

    def recorded(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        lengths.append(num_draft.copy())
        return verifier(draft, q, p, num_draft, rng)

    made = generate(drafts_from or CHAINS[chain], recorded, length=LENGTH, K=RAGGED, n=n, rng=rng)
    return FirstRounds(chain, lengths[0], made.first_round, made.sequences)


def _expect(name: str, values: Ints, least: int, most: Ints) -> None:
    bad = np.argwhere((values < least) | (values > most))
    if len(bad):
        at = tuple(bad[0])
        where = ", ".join(map(str, at))
        raise ValueError(f"{name}[{where}] is {values[at]}; expected a number from {least} to {most[at]}")
