"""The tree rule: several candidates for each position, tested one after another against what the target still owes."""

from __future__ import annotations

from .draft import DraftTree, Drawing, draw_sibling, tree_parents
from .rule import VerifiedTree, verify_tree, verify_tree_row

__all__ = [
    "DraftTree",
    "Drawing",
    "VerifiedTree",
    "draw_sibling",
    "tree_parents",
    "verify_tree",
    "verify_tree_row",
]
