"""specviz: speculative sampling, shown, proved and audited. The public names; see README.md."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import audit
from .generate import Generated, generate
from .markov import MarkovPair
from .probability import overlap, residual, sample_rows, total_variation
from .process import process_logits
from .rules.batch import Verified
from .rules.block import verify_block
from .rules.drafttree import DraftTree, tree_parents
from .rules.greedy import verify_greedy
from .rules.match import match_target
from .rules.tokenwise import verify
from .rules.tree import VerifiedTree, verify_tree
from .theory import best_draft_length, expected_tokens, speedup, survival
from .treegen import draw_tree, generate_trees

if TYPE_CHECKING:
    from .audit.recordfile import RoundRecorder
    from .audit.records import audit_records
    from .audit.run import LosslessnessError, assert_lossless
    from .audit.verdict import AuditReport

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

_LATER = {
    "AuditReport": "audit.verdict",
    "LosslessnessError": "audit.run",
    "RoundRecorder": "audit.recordfile",
    "assert_lossless": "audit.run",
    "audit_records": "audit.records",
}
"""Public names of modules that need scipy.stats: imported when they are first asked for."""


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(f".{_LATER[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
