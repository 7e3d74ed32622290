"""Models: where p and q come from, and the loop of drafting, verifying and appending.

The loops themselves are `specviz.generate` and `specviz.generate_trees`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..later import later
from .generate import Generated, draft_round, spoil_padding
from .generate_trees import TreeVerifier, draw_tree
from .markov import MarkovPair, draft_lengths

if TYPE_CHECKING:
    from .designed import CHAIN_A, CHAIN_B, CHAIN_C, CHAIN_D, CHAINS, RAGGED
    from .recorded import RecordedRound, RecordedRow, Recording, load_rounds

__all__ = [
    "CHAINS",
    "CHAIN_A",
    "CHAIN_B",
    "CHAIN_C",
    "CHAIN_D",
    "RAGGED",
    "Generated",
    "MarkovPair",
    "RecordedRound",
    "RecordedRow",
    "Recording",
    "TreeVerifier",
    "draft_lengths",
    "draft_round",
    "draw_tree",
    "load_rounds",
    "spoil_padding",
]

__getattr__, __dir__ = later(
    __name__,
    {
        "designed": ["CHAINS", "CHAIN_A", "CHAIN_B", "CHAIN_C", "CHAIN_D", "RAGGED"],
        "recorded": ["RecordedRound", "RecordedRow", "Recording", "load_rounds"],
    },
)
