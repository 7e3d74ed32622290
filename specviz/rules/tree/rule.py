"""The tree rule: test the candidates of a position one after another, each against what the target still owes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...inverse_cdf import tiles
from ...probability import as_floats, check_probabilities, check_rng
from ...types import Array, Ints
from ...uniforms import Uniforms
from ..contract import Batch
from .draft import DraftTree, Drawing
from .long import walk_long
from .short import walk_short


class VerifiedTree(NamedTuple):
    """What a tree verifier returns; D is the depth of the deepest tree in the batch.

    Attributes
    ----------
    tokens : ndarray of int64, shape (B, D + 1)
        The tokens of the accepted nodes, then the recovered or the bonus token, then -1.
    n_out : ndarray of int64, shape (B,)
        Tokens emitted in each row.
    path : ndarray of int64, shape (B, D)
        The accepted nodes, then -1: what a cache must keep.
    """

    tokens: Ints
    n_out: Ints
    path: Ints


def verify_tree_row(
    tokens: Sequence[int], parents: Sequence[int], q: Sequence[Any] | None, p: Sequence[Any], u: Uniforms, drawing: Drawing
) -> tuple[int, ...]:
    """The rule for one row, as it is defined: the program that `specviz.uniforms.integrate` proves lossless.

    Nodes come after their parents, and siblings in the order of drawing, so that one pass over the nodes walks down the tree.
    `owed` is what the target still owes at the node that was reached, `law` is what its next child was drawn from. Both are kept
    with their sums instead of being divided by them: the child x is accepted when u < (owed(x) / owes) / (law(x) / total), and
    if not, the target becomes max(0, owed / owes - law / total).

    Parameters
    ----------
    tokens, parents : sequence of int, length N
    q : sequence of N + 1 rows of V probabilities, or None
        What the children of the root, and then of each node, were drawn from. Not used for "top k".
    p : sequence of N + 1 rows of V probabilities
        The target's law after the root, and then after each node.
    u : Uniforms
        Asked for ("accept", node) at every node that is tested, and for "final" once.
    drawing : str
        See `DraftTree`.

    Returns
    -------
    tuple of int
        The tokens on the accepted path, then the recovered or the bonus token.
    """
    at, path = -1, tuple[int, ...]()
    owed, owes = p[0], 1
    law, total = _law(q, 0), 1
    for node, parent in enumerate(parents):
        if parent != at:
            continue
        x = tokens[node]
        if drawing == "top k":
            law = [int(y == x) for y in range(len(owed))]
        if u.less(("accept", node), scale=law[x] * owes, bound=owed[x] * total):
            at, path = node, (*path, x)
            owed, owes = p[node + 1], 1
            law, total = _law(q, node + 1), 1
            continue
        left = [max(0, owed_y * total - law_y * owes) for owed_y, law_y in zip(owed, law, strict=True)]
        owed, owes = (left, sum(left)) if any(left) else (p[at + 1], 1)
        if drawing == "without replacement":
            law = [0 if y == x else law_y for y, law_y in enumerate(law)]
            total = sum(law)
    return (*path, u.choose("final", owed))


def _law(q: Sequence[Any] | None, node: int) -> Any:
    return None if q is None else q[node]


def verify_tree(
    tree: DraftTree, q: ArrayLike | None, p: ArrayLike, rng: np.random.Generator, *, validate: bool = False
) -> VerifiedTree:
    """Verify a batch of draft trees: the emitted tokens have exactly the target's distribution.

    Walk from the root. Each child x of the node that was reached is tested in turn: it is accepted with probability
    min(1, r(x) / q(x)), where r is p at first and becomes max(0, r - q), normalised, with every rejection. Siblings drawn without
    replacement come from another q each: the rejected ones are taken out and the rest is normalised. A child taken by rule ("top
    k") has a one-hot q. When all children are rejected, the last r gives the recovered token; at a leaf, p gives the bonus.
    Independent siblings may repeat: a token that was rejected once has r(x) = 0 and is rejected again, as it should.

    Parameters
    ----------
    tree : DraftTree
    q : array_like of float32 or float64, shape (B, N + 1, V), or None
        The laws that children were really drawn from: q[b, 0] for those of the root and q[b, j + 1] for those of node j. The rows
        of leaves are not read. None is allowed for "top k", where no row is read.
    p : array_like of float32 or float64, shape (B, N + 1, V)
        The target's law after the root, p[b, 0], and after each node j, p[b, j + 1].
    rng : numpy.random.Generator
        Gives N + 1 uniforms a row, whatever `num_nodes` is, so that no row depends on the trees of its neighbours.
    validate : bool
        Check every row of p and q that belongs to a node in full. Otherwise only what the rule reads is checked.

    Returns
    -------
    VerifiedTree

    Raises
    ------
    ValueError
        For a wrong shape or type, a token out of range, and for numbers that are no probabilities where the rule reads them. The
        message names the argument, the row and the position.

    Notes
    -----
    A chain as a tree gives the tokens of `specviz.verify`, uniform for uniform. Trees are not merged: the children of a node are
    tested only if that very node was accepted, and so its twin's children are lost.

    References
    ----------
    Miao et al., "SpecInfer: Accelerating Large Language Model Serving with Tree-based Speculative Inference and Verification",
    ASPLOS 2024, algorithm 2 (independent siblings). Jeon et al., "Recursive Speculative Decoding: Accelerating LLM Inference via
    Sampling Without Replacement", 2024.

    Examples
    --------
    >>> import numpy as np
    >>> tree = DraftTree([[0, 1]], [-1, -1], "without replacement")
    >>> p, q = np.array([[[0, 1], [0.5, 0.5], [1, 0]]]), np.full((1, 3, 2), 0.5)
    >>> verify_tree(tree, q, p, np.random.default_rng(0))
    VerifiedTree(tokens=array([[1, 0]]), n_out=array([2]), path=array([[1]]))
    """
    p = as_floats("p", p)
    B, N = tree.tokens.shape
    if p.ndim != 3 or p.shape[:2] != (B, N + 1) or p.shape[2] == 0:
        raise ValueError(f"p has shape {p.shape}; expected (B, N + 1, V) with B, N = {B}, {N} as in the tree")
    V = p.shape[2]
    if q is not None:
        q = as_floats("q", q)
        if q.shape != p.shape:
            raise ValueError(f"q has shape {q.shape}; expected that of p, {p.shape}")
    elif tree.drawing != "top k":
        raise ValueError(f"q is None; expected the laws that siblings were drawn from, since drawing is {tree.drawing!r}")
    off = ((tree.tokens < 0) | (tree.tokens >= V)) & tree.is_node
    if off.any():
        row, j = np.argwhere(off)[0]
        raise ValueError(f"tokens[{row}, {j}] is {tree.tokens[row, j]}; expected a token id from 0 to {V - 1}")
    check_rng(rng)
    if tree.drawing == "top k":
        q = None
    if validate:
        _check_rows(tree, q, p)
    u = rng.random((B, N + 1))
    at, final = np.empty((2, B), np.int64)
    batch = Batch(tree.tokens, q, p, tree.num_nodes)
    with np.errstate(invalid="ignore", over="ignore"):  # what is no probability is refused by name, not warned about
        if batch.long:
            at[:], final[:] = walk_long(tree, batch, u)
        else:
            for rows in tiles(B, V):
                at[rows], final[rows] = walk_short(tree, batch, rows, u[rows])
    return _emit(tree, at, final)


def _emit(tree: DraftTree, at: Ints, final: Ints) -> VerifiedTree:
    """Write the path of each row, from its last node to the root, and the token behind it."""
    B, D = len(at), int(tree.depth.max(initial=0))
    depth = tree.node_depth[np.arange(B), at + 1]
    tokens, path = np.full((B, D + 1), -1), np.full((B, D), -1)
    tokens[np.arange(B), depth] = final
    for i in range(D - 1, -1, -1):
        rows = np.flatnonzero(depth > i)
        path[rows, i], tokens[rows, i] = at[rows], tree.tokens[rows, at[rows]]
        at[rows] = tree.parents[rows, at[rows]]
    return VerifiedTree(tokens, depth + 1, path)


def _check_rows(tree: DraftTree, q: Array | None, p: Array) -> None:
    """Check every row of p that belongs to a node, and every row of q that children were drawn from."""
    for row, nodes in enumerate(tree.num_nodes.tolist()):
        for j in range(nodes + 1):
            check_probabilities("p", p[row, j], (row, j))
        if q is not None:
            for parent in sorted(set(tree.parents[row, :nodes].tolist())):
                check_probabilities("q", q[row, parent + 1], (row, parent + 1))
