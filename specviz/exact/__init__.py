"""Exact laws: a rule's scalar program integrated over its uniforms, in fractions. A proof, where a test would only sample."""

from __future__ import annotations

from .chain import ExactLaws, Program, Tokens, as_fractions, call_law, law_with_one_seed
from .tree import Contexts, TreeProgram, round_bias, tree_round_law

__all__ = [
    "Contexts",
    "ExactLaws",
    "Program",
    "Tokens",
    "TreeProgram",
    "as_fractions",
    "call_law",
    "law_with_one_seed",
    "round_bias",
    "tree_round_law",
]
