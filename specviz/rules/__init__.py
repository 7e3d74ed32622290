"""Rules of verification, one a file: the scalar program that states it, and the vectorised code that returns the same tokens."""

from __future__ import annotations

from .block import verify_block, verify_block_row
from .contract import Verified, Verifier
from .greedy import verify_greedy, verify_greedy_row
from .match import match_row, match_target
from .token import verify, verify_row
from .tree import DraftTree, Drawing, VerifiedTree, draw_sibling, tree_parents, verify_tree, verify_tree_row

__all__ = [
    "DraftTree",
    "Drawing",
    "Verified",
    "VerifiedTree",
    "Verifier",
    "draw_sibling",
    "match_row",
    "match_target",
    "tree_parents",
    "verify",
    "verify_block",
    "verify_block_row",
    "verify_greedy",
    "verify_greedy_row",
    "verify_row",
    "verify_tree",
    "verify_tree_row",
]
