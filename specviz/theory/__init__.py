"""Theory: closed forms and bounds, and the exact laws of what goes wrong on the drafter's side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..later import later
from .speed import best_draft_length, block_tokens_per_round, expected_tokens, speedup, survival

if TYPE_CHECKING:
    from .acceptance import block_acceptance, block_weights, kept_by_block_rule, kept_by_token_rule, token_acceptance
    from .misreport import Outcome, mismatches, misreported, sequence_law, stopping_law
    from .transport import best_acceptance, candidate_sets, tree_acceptance

__all__ = [
    "Outcome",
    "best_acceptance",
    "best_draft_length",
    "block_acceptance",
    "block_tokens_per_round",
    "block_weights",
    "candidate_sets",
    "expected_tokens",
    "kept_by_block_rule",
    "kept_by_token_rule",
    "mismatches",
    "misreported",
    "sequence_law",
    "speedup",
    "stopping_law",
    "survival",
    "token_acceptance",
    "tree_acceptance",
]

__getattr__, __dir__ = later(
    __name__,
    {
        "acceptance": ["block_acceptance", "block_weights", "kept_by_block_rule", "kept_by_token_rule", "token_acceptance"],
        "misreport": ["Outcome", "mismatches", "misreported", "sequence_law", "stopping_law"],
        "transport": ["best_acceptance", "candidate_sets", "tree_acceptance"],
    },
)
