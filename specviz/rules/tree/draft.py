"""A tree of drafts: several candidates for each position, of which the target checks all in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from ...inverse_cdf import inverse_cdf
from ...probability import as_floats
from ...types import Array, Ints, Mask

Drawing = Literal["iid", "without replacement", "top k"]
"""How siblings are drawn from q: independently; each from q without the ones before it; or as the likeliest, by rule."""


@dataclass(frozen=True, eq=False)
class DraftTree:
    """A ragged batch of token trees. Node j of a row follows its parent, an earlier node, or the root, which holds no token.

    Siblings stand in the order in which they were drawn, and are tested in that order. A chain of drafts is the tree in which
    node j has parent j - 1.

    Parameters
    ----------
    tokens : array_like of int, shape (B, N)
        Drafted token ids.
    parents : array_like of int, shape (B, N) or (N,)
        Parent of each node, -1 for the root; always smaller than the node's own number.
    drawing : {"iid", "without replacement", "top k"}
        How siblings were drawn from q. The rule that is lossless for one way is not for another.
    num_nodes : array_like of int, shape (B,), optional
        Nodes that each row really holds; all N unless given. What lies beyond is padding and may be anything. It must not depend
        on tokens that were sampled, see `specviz.theory.misreport`.

    Raises
    ------
    ValueError
        If shapes or types do not fit, a parent does not come before its node, or siblings that must differ do not.
    """

    tokens: Ints
    parents: Ints
    drawing: Drawing
    num_nodes: Ints = None  # type: ignore[assignment]  # filled in below

    def __post_init__(self) -> None:
        tokens, parents = np.asarray(self.tokens), np.asarray(self.parents)
        if tokens.ndim != 2:
            raise ValueError(f"tokens has shape {tokens.shape}; expected (B, N): a row for each tree")
        B, N = tokens.shape
        if parents.shape not in ((B, N), (N,)):
            raise ValueError(f"parents has shape {parents.shape}; expected {(B, N)} or {(N,)}, since tokens has shape {(B, N)}")
        num_nodes = np.full(B, N) if self.num_nodes is None else np.asarray(self.num_nodes)
        if num_nodes.shape != (B,):
            raise ValueError(f"num_nodes has shape {num_nodes.shape}; expected one number for each of the {B} rows")
        for name, array in (("tokens", tokens), ("parents", parents), ("num_nodes", num_nodes)):
            if array.size and array.dtype.kind not in "iu":
                raise ValueError(f"{name} has dtype {array.dtype}; expected integers")
        if self.drawing not in get_args(Drawing):
            raise ValueError(f"drawing is {self.drawing!r}; expected one of {', '.join(map(repr, get_args(Drawing)))}")
        off = (num_nodes < 0) | (num_nodes > N)
        if off.any():
            row = int(off.argmax())
            raise ValueError(f"num_nodes[{row}] is {num_nodes[row]}; expected a number from 0 to N = {N}")
        arrays = {"tokens": tokens, "parents": np.broadcast_to(parents, (B, N)), "num_nodes": num_nodes}
        for name, array in arrays.items():
            object.__setattr__(self, name, array.astype(np.int64, copy=False))
        self._check_nodes()

    def _check_nodes(self) -> None:
        off = ((self.parents < -1) | (self.parents >= np.arange(self.size))) & self.is_node
        if off.any():
            row, j = np.argwhere(off)[0]
            raise ValueError(f"parents[{row}, {j}] is {self.parents[row, j]}; expected -1, the root, or a node before {j}")
        if self.drawing == "iid":
            return
        for j in range(1, self.size):
            same = (self.parents[:, :j] == self.parents[:, j : j + 1]) & (self.tokens[:, :j] == self.tokens[:, j : j + 1])
            same &= self.is_node[:, j : j + 1]
            if same.any():
                row, i = np.argwhere(same)[0]
                what = f"tokens[{row}, {i}] and tokens[{row}, {j}] are siblings and both {self.tokens[row, j]}"
                raise ValueError(f"{what}; expected them to differ, since drawing is {self.drawing!r}")

    @property
    def size(self) -> int:
        """Most nodes N that a row may hold."""
        return int(self.tokens.shape[1])

    @property
    def is_node(self) -> Mask:
        """Which entries are nodes and not padding, shape [B, N]."""
        return np.asarray(np.arange(self.size) < self.num_nodes[:, None])

    @cached_property
    def node_depth(self) -> Ints:
        """Drafts on the path to the root, 0, and to each node, shape [B, N + 1]; 0 for padding."""
        depth = np.zeros((len(self.tokens), self.size + 1), np.int64)
        for j in range(self.size):
            rows = np.flatnonzero(self.num_nodes > j)
            depth[rows, j + 1] = depth[rows, self.parents[rows, j] + 1] + 1
        return depth

    @property
    def depth(self) -> Ints:
        """Drafts on the longest path of each row, shape [B]."""
        return np.asarray(self.node_depth.max(axis=1))


def tree_parents(branching: Sequence[int]) -> Ints:
    """Parents of a tree in which every node of level i has branching[i] children, level by level.

    Parameters
    ----------
    branching : sequence of int
        Children of the root, of each of its children, and so on.

    Returns
    -------
    ndarray of int64, shape (N,)

    Examples
    --------
    >>> tree_parents((2, 2)).tolist()
    [-1, -1, 0, 0, 1, 1]
    """
    parents: list[int] = []
    level = [-1]
    for children in branching:
        if children < 1:
            raise ValueError(f"branching is {tuple(branching)}; expected at least 1 child at every level")
        first = len(parents)
        parents += [parent for parent in level for _ in range(children)]
        level = list(range(first, len(parents)))
    return np.array(parents, np.int64)


def draw_sibling(law: ArrayLike, before: ArrayLike, drawing: Drawing, u: ArrayLike) -> Ints:
    """Draw the next sibling from each row of a law, in the way in which those before it were drawn.

    Parameters
    ----------
    law : array_like, shape (B, V)
        q at the parent.
    before : array_like of int, shape (B, n)
        The siblings drawn before; -1 stands for none.
    drawing : {"iid", "without replacement", "top k"}
        For "top k" the likeliest token that is not among those before is taken, of equal ones the lowest id.
    u : array_like, shape (B,)
        Uniforms in [0, 1).

    Returns
    -------
    ndarray of int64, shape (B,)

    Raises
    ------
    ValueError
        If a row has no token left to draw.
    """
    weights: Array = np.array(as_floats("law", law))
    before = np.asarray(before, np.int64)
    if drawing != "iid":
        rows, n = np.nonzero(before >= 0)
        weights[rows, before[rows, n]] = 0
    likely = weights.max(axis=1, initial=0) > 0
    if not likely.all():
        what = f"law[{int(likely.argmin())}] leaves nothing for one more sibling"
        raise ValueError(f"{what}; expected more than {before.shape[1]} possible tokens")
    if drawing == "top k":
        return np.asarray(weights.argmax(axis=1))
    return inverse_cdf(weights, np.asarray(u, np.float64))[0]
