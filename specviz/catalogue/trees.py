"""Wrong tree rules: what a test of losslessness must fail. Each is the right rule, written out again, with a part exchanged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

import numpy as np

from ..exact.tree import TreeProgram
from ..models.generate_trees import TreeVerifier
from ..rules.tree.draft import DraftTree, Drawing
from ..types import Array
from ..uniforms import GivenUniforms, Uniforms

Row = Sequence[Any]


def _as_drawn(children: list[int], tokens: Sequence[int], law: Row) -> list[int]:
    return children


def _residual(owed: Row, owes: Any, law: Row, total: Any) -> tuple[Row, Any]:
    left = [max(0, o * total - y * owes) for o, y in zip(owed, law, strict=True)]
    return left, sum(left)


def _without(law: Row, x: int) -> Row:
    return [0 if y == x else mass for y, mass in enumerate(law)]


def tree_rule(
    *,
    arrange: Callable[[list[int], Sequence[int], Row], list[int]] = _as_drawn,
    tested: Callable[[Row, Row, Any], tuple[Row, Any]] = lambda p, owed, owes: (owed, owes),
    left: Callable[[Row, Any, Row, Any], tuple[Row, Any]] = _residual,
    next_law: Callable[[Row, int], Row] = _without,
    last: Callable[[Row, Row], Row] = lambda p, owed: owed,
) -> TreeProgram:
    """The tree rule for one row from its parts. Without arguments it is right; each argument exchanges one part.

    Parameters
    ----------
    arrange : callable
        Order in which the children of a node are tested, and which of them.
    tested : callable
        What a child is tested against, and its sum: from p and from what is owed.
    left : callable
        What is owed after a rejection, and its sum.
    next_law : callable
        Law of the next sibling drawn without replacement, after a rejection.
    last : callable
        Weights of the last draw after a rejection: from p and from what is owed.
    """

    def program(tokens: Sequence[int], parents: Sequence[int], q: Any, p: Any, u: Uniforms, drawing: Drawing) -> tuple[int, ...]:
        path: tuple[int, ...] = ()
        at: int | None = -1
        while at is not None:
            here = at
            owed, owes, total = p[here + 1], 1, 1
            law: Any = None if drawing == "top k" else q[here + 1]
            at = None
            weights = owed
            children = [node for node, parent in enumerate(parents) if parent == here]
            for node in arrange(children, tokens, p[here + 1] if law is None else law):
                x = tokens[node]
                of_x = [int(y == x) for y in range(len(owed))] if drawing == "top k" else law
                target, mass = tested(p[here + 1], owed, owes)
                if u.less(("accept", node), scale=of_x[x] * mass, bound=target[x] * total):
                    at, path = node, (*path, x)
                    break
                owed, owes = left(owed, owes, of_x, total)
                weights = last(p[here + 1], owed)
                if drawing == "without replacement":
                    law = next_law(law, x)
                    total = sum(law)
        return (*path, u.choose("final", weights if any(weights) else p[here + 1]))

    return program


def row_by_row(program: TreeProgram) -> TreeVerifier:
    """Make a verifier of batches from a program for one row; slow, and the same rule to the letter."""

    def verifier(tree: DraftTree, q: Array | None, p: Array, rng: np.random.Generator, /) -> tuple[Array, Array]:
        B = len(tree.tokens)
        tokens, n_out = np.full((B, int(tree.depth.max(initial=0)) + 1), -1), np.empty(B, np.int64)
        for row, nodes in enumerate(tree.num_nodes.tolist()):
            laws = None if q is None else q[row, : nodes + 1].tolist()
            drafts, parents = tree.tokens[row, :nodes].tolist(), tree.parents[row, :nodes].tolist()
            u = GivenUniforms(rng=rng)
            emitted = program(drafts, parents, laws, p[row, : nodes + 1].tolist(), u, tree.drawing)
            tokens[row, : len(emitted)], n_out[row] = emitted, len(emitted)
        return tokens, n_out

    return verifier


def _sorted(children: list[int], tokens: Sequence[int], law: Row) -> list[int]:
    return sorted(children, key=lambda node: -law[tokens[node]])


def _distinct(children: list[int], tokens: Sequence[int], law: Row) -> list[int]:
    drawn = [tokens[node] for node in children]
    return [node for i, node in enumerate(children) if drawn[i] not in drawn[:i]]


def _not_normalised(owed: Row, owes: Any, law: Row, total: Any) -> tuple[Row, Any]:
    return [max(0, o - y / total) for o, y in zip(owed, law, strict=True)], 1


ALL: frozenset[Drawing] = frozenset(get_args(Drawing))


@dataclass(frozen=True)
class WrongTree:
    """A tree rule that is wrong for some ways of drawing siblings, and right for the others.

    Attributes
    ----------
    name : str
    what : str
        What it does, in one sentence.
    program : callable
        The rule for one row; `row_by_row` makes a verifier of it.
    wrong_for : frozenset of str
        The ways of drawing siblings for which it is biased.
    """

    name: str
    what: str
    program: TreeProgram
    wrong_for: frozenset[Drawing] = field(default=ALL)


WRONG_TREES: tuple[WrongTree, ...] = (
    WrongTree(
        "siblings_against_p",
        "Tests every sibling against the unchanged p; the last draw is right.",
        tree_rule(tested=lambda p, owed, owes: (p, 1)),
    ),
    WrongTree(
        "plain_q",
        "Leaves the rejected siblings in q, though drafts are drawn without replacement.",
        tree_rule(next_law=lambda law, x: law),
        frozenset({"without replacement"}),
    ),
    WrongTree(
        "likeliest_first",
        "Sorts the siblings by their probability under q before they are tested.",
        tree_rule(arrange=_sorted),
        frozenset({"iid", "without replacement"}),
    ),
    WrongTree(
        "duplicates_dropped",
        "Tests a token that was drawn twice only once.",
        tree_rule(arrange=_distinct),
        frozenset({"iid"}),
    ),
    WrongTree(
        "last_draw_from_p",
        "Draws from p when all siblings were rejected.",
        tree_rule(last=lambda p, owed: p),
    ),
    WrongTree(
        "residual_not_normalised",
        "Tests the next sibling against max(0, p - q) as it stands, not divided by its sum.",
        tree_rule(left=_not_normalised),
    ),
)
"""Six faults that look harmless in the text that they make."""
