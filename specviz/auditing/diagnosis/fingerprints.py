"""The exact laws of the catalogue on the designed chains, computed once and kept in a file: what a fault is recognised by.

`python -m specviz catalogue` writes the file anew with the table of verdicts. It is due when a program, a chain or the catalogue
changes; a test notices.

A fingerprint is the joint law of a first round's tokens emitted and of the completed sequence of four tokens, given the round's
drafts. It has two factors, which are what is stored: the law of the first round's tokens, and the laws of the one, two or three
tokens that complete it from each state. Later rounds hold drafts as `RAGGED` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from ...catalogue.entry import Entry
from ...catalogue.index import CATALOGUE
from ...exact.chain import ExactLaws
from ...models.designed import CHAINS, RAGGED
from ...types import Array, Floats

FILE = Path(__file__).with_name("fingerprints.npz")
LENGTH = 4
"""Tokens of a sequence."""

ROUNDS = tuple((n, n_out) for n in range(len(RAGGED)) for n_out in range(1, n + 2))
"""Drafts of a first round and tokens that it emitted: every pair that can be."""


def recognisable() -> tuple[Entry, ...]:
    """The entries that have a fingerprint: those with a program, but for faults that a small vocabulary does not show."""
    return tuple(entry for entry in CATALOGUE if entry.program and (entry.lossless or entry.biased))


def factors(entry: Entry, chain: str) -> tuple[Floats, Floats]:
    """The two factors of an entry's fingerprint on a chain, each as one row of numbers.

    Returns
    -------
    rounds : ndarray
        For each of `ROUNDS` the law of the tokens emitted, cut to `LENGTH`: shape (V,) * n_out, flattened.
    rest : ndarray
        For 1 to `LENGTH` - 1 missing tokens and each state their law: shape (V,) * (missing + 1), flattened.
    """
    assert entry.program is not None
    pair = CHAINS[chain]
    laws = ExactLaws(entry.program, entry.pair(pair), float)
    rounds = []
    for n, n_out in ROUNDS:
        law = np.zeros((pair.V,) * n_out)
        for tokens, mass in laws.round_law(pair.start, n).items():
            if len(tokens) == n_out:
                law[tokens] = mass
        rounds.append(law.ravel())
    rest = [laws.completed_law(x, RAGGED, missing).ravel() for missing in range(1, LENGTH) for x in range(pair.V)]
    return np.concatenate(rounds), np.concatenate(rest)


def law_from(rounds: Floats, rest: Floats, V: int) -> Floats:
    """A fingerprint from its factors, shape (len(ROUNDS), V ** LENGTH): for one number of drafts its entries sum to 1."""
    law, at, behind = np.empty((len(ROUNDS), V**LENGTH)), 0, {}
    for missing in range(1, LENGTH):
        size = V ** (missing + 1)
        behind[missing], at = rest[at : at + size].reshape(V, -1), at + size
    at = 0
    for row, (_, n_out) in zip(law, ROUNDS, strict=True):
        emitted, at = rounds[at : at + V**n_out].astype(np.float64), at + V**n_out
        if n_out == LENGTH:
            row[:] = emitted
        else:
            row[:] = (emitted.reshape(-1, V)[..., None] * behind[LENGTH - n_out]).ravel()
    return law


def write(path: Path = FILE) -> None:
    """Compute all fingerprints and write them in single precision."""
    entries = recognisable()
    arrays: dict[str, Array] = {"names": np.array([entry.name for entry in entries])}
    for chain in CHAINS:
        rounds, rest = zip(*(factors(entry, chain) for entry in entries), strict=True)
        arrays[f"{chain} rounds"], arrays[f"{chain} rest"] = (np.array(side, np.float32) for side in (rounds, rest))
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]
    fingerprints.cache_clear()


@cache
def fingerprints(chain: str) -> Mapping[str, Floats]:
    """The stored fingerprints on a chain: name of the entry to its law, shape (len(ROUNDS), V ** LENGTH).

    Raises
    ------
    ValueError
        If there is no such chain.
    """
    if chain not in CHAINS:
        raise ValueError(f"chain is {chain!r}; expected one of {', '.join(CHAINS)}")
    with np.load(FILE, allow_pickle=False) as stored:
        factors = zip(stored["names"].tolist(), stored[f"{chain} rounds"], stored[f"{chain} rest"], strict=True)
        return {name: law_from(rounds, rest, CHAINS[chain].V) for name, rounds, rest in factors}


def catalogued_laws(chain: str) -> Mapping[str, Floats]:
    """Joint law of `LENGTH` tokens, shape (V,) * LENGTH, of every entry with a fingerprint; drafts per round as in `RAGGED`."""
    V, weights = CHAINS[chain].V, np.array([RAGGED[n] for n, _ in ROUNDS])
    return {name: (weights @ law).reshape((V,) * LENGTH) for name, law in fingerprints(chain).items()}
