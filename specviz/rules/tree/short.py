"""The tree rule for short rows: many walks down their trees at once, node by node."""

from __future__ import annotations

import numpy as np

from ...inverse_cdf import inverse_cdf, row_totals
from ...types import Array, Floats, Ints
from ..contract import Batch
from ..read import check_entries, check_finite, draw_from_target, rows_at
from .draft import DraftTree

TINY = 2.0**-30
"""What is owed is scaled up, by a power of two, when its sum falls below this: many siblings would exhaust float32."""


def walk_short(tree: DraftTree, batch: Batch, rows: slice, u: Floats) -> tuple[Ints, Ints]:
    """Walk down the trees of these rows.

    Parameters
    ----------
    tree : DraftTree
    batch : Batch
        Its q is None for siblings that were taken by rule.
    rows : slice
    u : ndarray of float64, shape (R, N + 1)
        For the test of each node, and for the last draw.

    Returns
    -------
    at : ndarray of int64, shape (R,)
        The last node that was accepted, -1 for the root.
    final : ndarray of int64, shape (R,)
        The token behind it.
    """
    walk = _Walk(tree, batch, rows)
    for node in range(tree.size):
        walk.test(node, u[:, node])
    return walk.at, walk.draw(u[:, -1])


class _Walk:
    """Where each row stands in its tree, and what its target owes there.

    Attributes
    ----------
    at : ndarray of int64, shape (R,)
        The node that was reached, -1 for the root.
    tried : ndarray of bool, shape (R,)
        Was a child rejected there? Until then p is owed and q is the law, and they are read where they lie.
    owed, owes : ndarray, shapes (R, V) and (R,)
        Afterwards: what is owed, and its sum.
    total : ndarray of float64, shape (R,)
        Sum of the law without the siblings that were rejected.
    rejected : ndarray of bool, shape (R, N)
        The children that were rejected there, if siblings are drawn without replacement.
    """

    def __init__(self, tree: DraftTree, batch: Batch, rows: slice) -> None:
        q = None if batch.q is None else batch.q[rows]
        self.batch = Batch(batch.draft[rows], q, batch.p[rows], batch.num_draft[rows], rows.start)
        self.tokens, self.q, self.p, self.num_nodes, self.first = self.batch
        self.parents, self.without_replacement = tree.parents[rows], tree.drawing == "without replacement"
        R, V = len(self.tokens), self.p.shape[2]
        self.at, self.tried = np.full(R, -1), np.zeros(R, bool)
        self.owed, self.owes, self.total = np.empty((R, V), self.batch.dtype), np.ones(R), np.ones(R)
        self.rejected = np.zeros((R, tree.size), bool)

    def test(self, node: int, u: Floats) -> None:
        """Test this node in the rows where it is a child of the node that was reached."""
        rows = np.flatnonzero((self.parents[:, node] == self.at) & (self.num_nodes > node))
        if not rows.size:
            return
        x, at, tried = self.tokens[rows, node], self.at[rows] + 1, self.tried[rows]
        owed_x = self.p[rows, at, x].astype(np.float64)
        owed_x[tried] = self.owed[rows[tried], x[tried]]
        q_x = np.ones(len(rows)) if self.q is None else self.q[rows, at, x].astype(np.float64)
        if not q_x.min() >= 0:  # the least of anything and a NaN is a NaN
            check_entries("q", self._rows(self.q, rows), rows, at, self.first)
        accept = u[rows] * (q_x * self.owes[rows]) < owed_x * self.total[rows]
        self._reject(rows[~accept], node)
        moved = rows[accept]
        self.at[moved], self.tried[moved], self.rejected[moved] = node, False, False
        self.owes[moved] = self.total[moved] = 1

    def draw(self, u: Floats) -> Ints:
        """Draw the token that follows the path of each row, by its uniform."""
        final = np.empty(len(self.at), np.int64)
        bonus, stopped = np.flatnonzero(~self.tried), np.flatnonzero(self.tried)
        final[bonus] = draw_from_target(self.batch, bonus, self.at[bonus] + 1, u[bonus])
        final[stopped], _ = inverse_cdf(self.owed[stopped], u[stopped])
        return final

    def _reject(self, rows: Ints, node: int) -> None:
        """owed = max(0, owed * total - law * owes). With nothing left, which only rounding can do, it is p again."""
        if not rows.size:
            return
        fresh = rows[~self.tried[rows]]
        p_rows = self._rows(self.p, fresh)
        check_entries("p", p_rows, fresh, self.at[fresh] + 1, self.first)
        self.owed[fresh], self.tried[fresh] = p_rows, True
        left = self.owed[rows]
        if self.q is None:
            left[np.arange(len(rows)), self.tokens[rows, node]] = 0
        else:
            law = self._rows(self.q, rows)
            check_entries("q", law, rows, self.at[rows] + 1, self.first)
            self._take_out_rejected(law, rows)
            left *= self.total[rows, None].astype(left.dtype)
            left -= law * self.owes[rows, None].astype(left.dtype)
            np.maximum(left, 0, out=left)
            if self.without_replacement:
                self.rejected[rows, node] = True
                self._take_out_rejected(law, rows)
                self.total[rows] = row_totals(law)
        mass = row_totals(left)
        check_finite(mass, rows, self.at[rows] + 1, self.first)
        tiny, empty = mass < TINY, np.flatnonzero(mass == 0)
        scale = np.ldexp(1.0, -np.frexp(mass[tiny])[1])
        left[tiny] *= scale[:, None].astype(left.dtype)
        mass[tiny] *= scale
        left[empty], mass[empty] = self._rows(self.p, rows[empty]), 1
        self.owed[rows], self.owes[rows] = left, mass

    def _take_out_rejected(self, law: Array, rows: Ints) -> None:
        r, node = np.nonzero(self.rejected[rows])
        law[r, self.tokens[rows[r], node]] = 0

    def _rows(self, dist: Array | None, rows: Ints) -> Array:
        """The row of each tree at the node that was reached, gathered into a new array."""
        assert dist is not None
        return rows_at(dist, rows, self.at[rows] + 1)
