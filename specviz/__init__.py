"""specviz: speculative sampling, shown, proved and audited. The public names; see README.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .later import later
from .logits import process_logits
from .models.generate import Generated, generate
from .models.generate_trees import draw_tree, generate_trees
from .models.markov import MarkovPair
from .probability import overlap, residual, sample_rows, total_variation
from .rules.block import verify_block
from .rules.contract import Verified
from .rules.greedy import verify_greedy
from .rules.match import match_target
from .rules.token import verify
from .rules.tree.draft import DraftTree, tree_parents
from .rules.tree.rule import VerifiedTree, verify_tree
from .theory.speed import best_draft_length, expected_tokens, speedup, survival

if TYPE_CHECKING:
    from .auditing import AuditReport, LosslessnessError, RoundRecorder, assert_lossless, audit, audit_records

__version__ = "0.1.0"
__all__ = [
    "AuditReport",
    "DraftTree",
    "Generated",
    "LosslessnessError",
    "MarkovPair",
    "RoundRecorder",
    "Verified",
    "VerifiedTree",
    "assert_lossless",
    "audit",
    "audit_records",
    "best_draft_length",
    "draw_tree",
    "expected_tokens",
    "generate",
    "generate_trees",
    "match_target",
    "overlap",
    "process_logits",
    "residual",
    "sample_rows",
    "speedup",
    "survival",
    "total_variation",
    "tree_parents",
    "verify",
    "verify_block",
    "verify_greedy",
    "verify_tree",
]

_AUDITING = ("AuditReport", "LosslessnessError", "RoundRecorder", "assert_lossless", "audit", "audit_records")
__getattr__, __dir__ = later(__name__, {"auditing": _AUDITING})  # needs scipy.stats
