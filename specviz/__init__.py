"""specviz: speculative sampling, shown, proved and audited. The public names; see README.md."""

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

__version__ = "0.1.0"
__all__ = [
    "DraftTree",
    "Generated",
    "MarkovPair",
    "Verified",
    "VerifiedTree",
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
