"""The designed chains: small enough for exact laws, and made so that each fault shows on at least one of them.

All positions differ and no two contexts are alike, otherwise mix-ups of rows would leave the law right. A context that owes a
single token hides a uniform that is used twice: chain A owes two tokens in four of its five states, chain B in one. Chains C and
D were found by a random search that lifted the divergence of the faults which A and B show least.
"""

from __future__ import annotations

import numpy as np

from .markov import MarkovPair

RAGGED = (0.1, 0.2, 0.2, 0.5)
"""Probabilities of 0, 1, 2 and 3 drafts in a row: every length occurs, and the bonus of each is seen within four tokens."""


def _twentieths(target: str, drafter: str) -> MarkovPair:
    """Rows of whole twentieths: the last token 0 to 3, then the start."""
    p, q = (np.array([row.split() for row in side.split("|")], np.float64) / 20 for side in (target, drafter))
    return MarkovPair(p, q)


CHAIN_A = _twentieths(
    "3 10 5 2 | 5 4 3 8 | 5 1 12 2 | 2 11 3 4 | 8 1 5 6",
    "7 10 2 1 | 3 5 5 7 | 12 2 3 3 | 11 2 5 2 | 7 5 2 6",
)
CHAIN_B = _twentieths(
    "2 7 2 9 | 12 2 4 2 | 14 2 1 3 | 4 1 11 4 | 2 10 3 5",
    "3 2 3 12 | 14 2 2 2 | 1 2 1 16 | 4 2 1 13 | 1 1 4 14",
)

CHAIN_C = _twentieths(
    "6 3 6 5 | 8 1 1 10 | 11 1 3 5 | 7 7 2 4 | 3 2 1 14",
    "2 16 1 1 | 5 6 8 1 | 1 2 1 16 | 1 11 7 1 | 8 8 1 3",
)
CHAIN_D = _twentieths(
    "1 5 13 1 | 3 10 1 6 | 4 6 5 5 | 5 5 5 5 | 6 3 5 6",
    "1 10 2 7 | 2 15 2 1 | 7 1 1 11 | 4 1 2 13 | 7 11 1 1",
)

CHAINS: dict[str, MarkovPair] = {"A": CHAIN_A, "B": CHAIN_B, "C": CHAIN_C, "D": CHAIN_D}
"""The designed chains by name."""
