"""Repeated rounds of drafting a tree and verifying it, with any tree verifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from ..rules.contract import check_result
from ..rules.tree.draft import DraftTree, Drawing, draw_sibling, tree_parents
from ..types import Array, Floats, Ints
from .generate import Generated
from .markov import MarkovPair


class TreeVerifier(Protocol):
    """The common signature of tree verifiers; what they return beside tokens and n_out is their own affair."""

    def __call__(self, tree: DraftTree, q: Array | None, p: Array, rng: np.random.Generator, /) -> Any:
        """Return tokens [B, D + 1] and n_out [B] first, D being the depth of the deepest tree."""
        ...


def draw_tree(
    pair: MarkovPair, state: Ints, parents: Ints, drawing: Drawing, rng: np.random.Generator, num_nodes: Ints | None = None
) -> tuple[DraftTree, Floats, Floats]:
    """Draft a tree from each state.

    Parameters
    ----------
    pair : MarkovPair
    state : ndarray of int, shape (B,)
        State before the tree.
    parents : ndarray of int, shape (N,)
        The shape of the trees, see `DraftTree` and `tree_parents`.
    drawing : {"iid", "without replacement", "top k"}
    rng : numpy.random.Generator
        Gives N uniforms a row, however they are used.
    num_nodes : ndarray of int, shape (B,), optional
        Nodes in each row: the first so many of the shape, N unless given. What lies beyond is filled with plausible wrong values.

    Returns
    -------
    tree : DraftTree
    q : ndarray, shape (B, N + 1, V)
        The reported law after the root and after each node.
    p : ndarray, shape (B, N + 1, V)
        The target's law there.
    """
    B, N = len(state), len(parents)
    num_nodes = np.full(B, N) if num_nodes is None else num_nodes
    u = rng.random((B, N))
    after = np.empty((B, N + 1), np.int64)  # the state after the root and after each node
    after[:, 0] = state
    for j, parent in enumerate(parents.tolist()):
        elder = [i for i in range(j) if parents[i] == parent]
        law = pair.drafter[after[:, parent + 1]]
        is_node = num_nodes > j
        after[is_node, j + 1] = draw_sibling(law[is_node], after[is_node][:, [i + 1 for i in elder]], drawing, u[is_node, j])
        after[~is_node, j + 1] = (after[~is_node, parent + 1] + j) % pair.V
    q, p = pair.q[after], pair.target[after]
    padding = np.arange(-1, N) >= num_nodes[:, None]
    q[padding], p[padding] = p[padding], q[padding]
    return DraftTree(after[:, 1:], parents, drawing, num_nodes), q, p


def generate_trees(
    pair: MarkovPair,
    verifier: TreeVerifier,
    branching: Sequence[int],
    drawing: Drawing,
    *,
    length: int,
    n: int,
    rng: np.random.Generator,
    ragged: bool = False,
) -> Generated:
    """Generate n sequences by rounds of drafting a tree and verifying it, until each has `length` tokens.

    Parameters
    ----------
    pair : MarkovPair
    verifier : callable
        Takes (tree, q, p, rng); the first two things that it returns are tokens [B, D + 1] and n_out [B].
    branching : sequence of int
        Children at each level, see `tree_parents`.
    drawing : {"iid", "without replacement", "top k"}
    length : int
        Tokens per sequence, at least 1.
    n : int
        Sequences, at least 1.
    rng : numpy.random.Generator
    ragged : bool
        Cut every tree, in every round, after a number of nodes drawn from 0 to all.

    Returns
    -------
    Generated

    Raises
    ------
    ValueError
        For arguments out of range, and for a verifier whose result breaks the contract.
    """
    if length < 1 or n < 1:
        raise ValueError(f"length is {length} and n is {n}; expected at least 1 of each")
    parents = tree_parents(branching)
    sequences = np.empty((n, length), np.int64)
    filled, rounds, first_round = np.zeros((3, n), np.int64)
    state = np.full(n, pair.start)
    todo = np.arange(n)
    while todo.size:
        num_nodes = rng.integers(0, len(parents) + 1, len(todo)) if ragged else None
        tree, q, p = draw_tree(pair, state[todo], parents, drawing, rng, num_nodes)
        result = verifier(tree, q, p, rng)
        if isinstance(result, tuple):
            result = result[:2]  # what else it holds is the verifier's own affair
        tokens, n_out = check_result(result, tree.depth, int(tree.depth.max()), pair.V, limit="depth")
        for i in range(tokens.shape[1]):
            rows = np.flatnonzero((n_out > i) & (filled[todo] + i < length))
            sequences[todo[rows], filled[todo[rows]] + i] = tokens[rows, i]
        if len(todo) == n and not rounds.any():
            first_round[:] = n_out
        rounds[todo] += 1
        filled[todo] += n_out
        state[todo] = tokens[np.arange(len(todo)), n_out - 1]
        todo = todo[filled[todo] < length]
    return Generated(sequences, first_round, rounds)
