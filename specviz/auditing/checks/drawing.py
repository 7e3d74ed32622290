"""What the checks that draw share: the drafter that drafts come from, how many drafts rows hold, and the size of blocks."""

from __future__ import annotations

import numpy as np

from ...inverse_cdf import inverse_cdf
from ...models.designed import CHAINS, RAGGED
from ...models.markov import MarkovPair
from ...types import Ints
from ..options import Drafter

LENGTH = 4
"""Tokens of a sequence."""

LONGEST = len(RAGGED) - 1
"""Most drafts in a row."""


def pair_of(chain: str, drafter: Drafter | None) -> MarkovPair:
    """The designed chain, with the drafter that the drafts really come from."""
    return drafter(CHAINS[chain]) if drafter else CHAINS[chain]


def blocks(n: int, size: int) -> list[int]:
    """n as a sum of parts of at most `size`."""
    return [min(size, n - start) for start in range(0, n, size)]


def draw_lengths(B: int, rng: np.random.Generator) -> Ints:
    """How many drafts each of B rows holds."""
    lengths, _ = inverse_cdf(np.broadcast_to(np.array(RAGGED), (B, len(RAGGED))), rng.random(B))
    return lengths
