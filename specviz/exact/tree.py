"""Exact law of one round of a tree rule: drafts and tests integrated together, in fractions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from ..rules.tree.draft import Drawing
from ..uniforms import Uniforms, integrate

TreeProgram = Callable[[Any, Sequence[int], Any, Any, Uniforms, Drawing], tuple[int, ...]]
"""The signature of `specviz.rules.tree.rule.verify_tree_row`: (tokens, parents, q, p, u, drawing) to the tokens that come out."""

Contexts = Mapping[tuple[int, ...], Sequence[Fraction]]
"""A law for every prefix of tokens since the start of the round."""


def tree_round_law(
    program: TreeProgram, target: Contexts, drafter: Contexts, parents: Sequence[int], drawing: Drawing
) -> dict[tuple[int, ...], Fraction]:
    """Law of the tokens of one round, integrated over the drafts and over the program's uniforms.

    Parameters
    ----------
    program : callable
        A tree rule for one row, such as `verify_tree_row`.
    target, drafter : mapping
        From each prefix, a tuple of tokens, to a row of fractions: `target` up to the depth of the tree, `drafter` to one less.
    parents : sequence of int
        Shape of the tree, see `DraftTree`.
    drawing : {"iid", "without replacement", "top k"}
        How siblings are drawn from the drafter's law.

    Returns
    -------
    dict
        Tokens to Fraction; the values sum to exactly 1.

    Notes
    -----
    A node's token is drawn when the program first looks at it. What it never looks at cannot matter, and leaves the sum short.
    """

    def play(u: Uniforms) -> tuple[int, ...]:
        tokens = _Drafts(u, drafter, parents, drawing)
        return program(tokens, parents, _Rows(drafter, tokens), _Rows(target, tokens), u, drawing)

    law = integrate(play)
    return {tokens: mass for tokens, mass in law.items() if isinstance(tokens, tuple)}


def round_bias(law: Mapping[tuple[int, ...], Fraction], target: Contexts, length: int) -> Fraction:
    """Total variation from the target of the first `length` tokens, when the target itself goes on after the round.

    It is 0 for every length up to the longest round if and only if the rule is lossless.

    Parameters
    ----------
    law : mapping
        As from `tree_round_law`.
    target : mapping
        From each prefix shorter than `length` to a row of fractions.
    length : int

    Returns
    -------
    Fraction
    """
    bias = Fraction(0)
    V = len(target[()])
    for tokens in product(range(V), repeat=length):
        rows = [target[tokens[:i]][x] for i, x in enumerate(tokens)]
        tail = [Fraction(1)]  # mass of the last i tokens, given what is before them
        for mass in reversed(rows):
            tail.append(tail[-1] * mass)
        made = sum(m * tail[max(0, length - len(t))] for t, m in law.items() if t[:length] == tokens[: len(t)])
        bias += abs(made - tail[-1])
    return bias / 2


class _Drafts:
    """The tokens of a tree, each drawn when it is first looked at, its elder siblings before it."""

    def __init__(self, u: Uniforms, drafter: Contexts, parents: Sequence[int], drawing: Drawing) -> None:
        self._u, self._drafter, self._parents, self._drawing = u, drafter, parents, drawing
        self._known: dict[int, int] = {}

    def __getitem__(self, node: int) -> int:
        if node not in self._known:
            parent = self._parents[node]
            elder = {self[j] for j in range(node) if self._parents[j] == parent} if self._drawing != "iid" else set()
            law = [0 if x in elder else mass for x, mass in enumerate(self._drafter[self.prefix(parent)])]
            self._known[node] = law.index(max(law)) if self._drawing == "top k" else self._u.choose(("draft", node), law)
        return self._known[node]

    def prefix(self, node: int) -> tuple[int, ...]:
        """Tokens from the root to this node."""
        return () if node < 0 else (*self.prefix(self._parents[node]), self[node])


class _Rows:
    """The laws after the root, [0], and after each node, [node + 1]."""

    def __init__(self, contexts: Contexts, tokens: _Drafts) -> None:
        self._contexts, self._tokens = contexts, tokens

    def __getitem__(self, row: int) -> Sequence[Fraction]:
        return self._contexts.get(self._tokens.prefix(row - 1), ())  # a leaf has no drafter's law
