"""The walk of the tree rule for many rows together: with a large vocabulary for one row at a time, in memory that is reused."""

from __future__ import annotations

import numpy as np

from ..arrays import Array, Floats, Ints
from ..probability import SUM_TOLERANCE, check_probabilities
from ..search import LONG, TILE, inverse_cdf, row_totals, tiles, total_long
from .drafttree import DraftTree
from .draw import check_entries, check_finite, rows_at

TINY = 2.0**-30
"""What is owed is scaled up, by a power of two, when its sum falls below this: many siblings would exhaust float32."""


class Walk:
    """Where each row of a tile stands in its tree, and what its target owes there.

    Attributes
    ----------
    at : ndarray of int64, shape (R,)
        The node that was reached, -1 for the root.
    depth : ndarray of int64, shape (R,)
        Drafts accepted.
    tried : ndarray of bool, shape (R,)
        Was a child rejected there? Until then p is owed and q is the law, and they are read where they lie.
    owed, owes : ndarray, shapes (R, V) and (R,)
        Afterwards: what is owed, and its sum.
    total : ndarray of float64, shape (R,)
        Sum of the law without the siblings that were rejected; NaN until the next sibling asks for it.
    rejected : ndarray of bool, shape (R, N)
        The children that were rejected there, if siblings are drawn without replacement.
    """

    def __init__(self, tree: DraftTree, q: Array | None, p: Array, rows: slice) -> None:
        self.tokens, self.parents, self.num_nodes = tree.tokens[rows], tree.parents[rows], tree.num_nodes[rows]
        self.q, self.p, self.first = None if q is None else q[rows], p[rows], rows.start
        self.without_replacement = tree.drawing == "without replacement"
        R, dtype = len(self.tokens), p.dtype if q is None else np.result_type(p, q)
        self.at, self.depth = np.full(R, -1), np.zeros(R, np.int64)
        self.tried = np.zeros(R, bool)
        self.owed, self.owes, self.total = np.empty((R, p.shape[2]), dtype), np.ones(R), np.ones(R)
        self.rejected = np.zeros((R, tree.size), bool)

    def test(self, node: int, u: Floats) -> None:
        """Test this node in the rows where it is a child of the node that was reached."""
        rows = np.flatnonzero((self.parents[:, node] == self.at) & (self.num_nodes > node))
        if not rows.size:
            return
        x, at, tried = self.tokens[rows, node], self.at[rows] + 1, self.tried[rows]
        if self.without_replacement:
            stale = rows[np.isnan(self.total[rows])]
            for tile in tiles(len(stale), self.p.shape[2]):
                self.total[stale[tile]] = row_totals(self._law(stale[tile]))
        owed_x = self.p[rows, at, x].astype(np.float64)
        owed_x[tried] = self.owed[rows[tried], x[tried]]
        q_x = np.ones(len(rows)) if self.q is None else self.q[rows, at, x].astype(np.float64)
        if not q_x.min() >= 0:  # the least of anything and a NaN is a NaN
            self._refuse_q(rows, at, x, q_x)
        accept = u[rows] * (q_x * self.owes[rows]) < owed_x * self.total[rows]
        self._reject(rows[~accept], node)
        moved = rows[accept]
        self.at[moved] = node
        self.depth[moved] += 1
        self.tried[moved] = self.rejected[moved] = False
        self.owes[moved] = self.total[moved] = 1

    def draw(self, u: Floats) -> Ints:
        """Draw the token that follows the path of each row, by its uniform."""
        final = np.empty(len(self.at), np.int64)
        bonus, stopped = np.flatnonzero(~self.tried), np.flatnonzero(self.tried)
        p_rows = self._rows(self.p, bonus)
        check_entries("p", p_rows, bonus, self.at[bonus] + 1, self.first)
        final[bonus], mass = inverse_cdf(p_rows, u[bonus])
        off = ~(np.abs(mass - 1) <= SUM_TOLERANCE)
        if off.any():
            r = int(off.argmax())
            where = f"{bonus[r] + self.first}, {self.at[bonus[r]] + 1}"
            raise ValueError(f"p[{where}] sums to {mass[r]:.6g}; expected 1 (within {SUM_TOLERANCE})")
        final[stopped], _ = inverse_cdf(self.owed[stopped] if len(stopped) < len(self.at) else self.owed, u[stopped])
        return final

    def _reject(self, rows: Ints, node: int) -> None:
        """Take the law of the rejected child from what is owed. With nothing left, which only rounding can do, it is p again."""
        if self.p.shape[2] > LONG:
            for row in rows.tolist():
                self.owes[row] = self._take_from_long_row(row, node)
        else:
            self.owes[rows] = self._take_from_rows(rows, node)
        check_finite(self.owes[rows], rows, self.at[rows] + 1, self.first)
        empty = rows[self.owes[rows] == 0]
        if empty.size:
            self.owed[empty], self.owes[empty] = self._rows(self.p, empty), 1
        tiny = rows[self.owes[rows] < TINY]
        if tiny.size:
            scale = np.ldexp(1.0, -np.frexp(self.owes[tiny])[1])
            self.owed[tiny] *= scale[:, None].astype(self.owed.dtype)
            self.owes[tiny] *= scale
        self.tried[rows] = True
        if self.without_replacement:
            self.rejected[rows, node] = True
            self.total[rows] = np.nan  # summed up when the next sibling is tested, if there is one

    def _take_from_rows(self, rows: Ints, node: int) -> Floats:
        """owed = max(0, owed * total - law * owes) in short rows; returns its sums."""
        fresh = rows[~self.tried[rows]]
        p_rows = self._rows(self.p, fresh)
        check_entries("p", p_rows, fresh, self.at[fresh] + 1, self.first)
        self.owed[fresh] = p_rows
        left = self.owed[rows]
        if self.q is None:
            left[np.arange(len(rows)), self.tokens[rows, node]] = 0
        else:
            law = self._law(rows)
            left *= self.total[rows, None].astype(left.dtype)
            left -= law * self.owes[rows, None].astype(left.dtype)
            np.maximum(left, 0, out=left)
        self.owed[rows] = left
        return row_totals(left)

    def _take_from_long_row(self, row: int, node: int) -> float:
        """The same for one long row, piece by piece, so that every number is fetched once."""

        def left_at(piece: slice) -> Array:
            left = self.owed[row, piece]
            if fresh:
                left[:] = p_row[piece]
                if not left.min() >= 0:
                    check_entries("p", p_row[None], *where)
            if q_row is None:
                if piece.start <= x < piece.stop:
                    left[x - piece.start] = 0
                return left
            law = buffer[: len(left)]
            np.multiply(q_row[piece], owes, out=law)
            if not law.min() >= 0:
                check_entries("q", q_row[None], *where)
            for y in gone:
                if piece.start <= y < piece.stop:
                    law[y - piece.start] = 0
            if total != 1:
                left *= total
            left -= law
            return np.maximum(left, 0, out=left)

        dtype, at = self.owed.dtype, int(self.at[row]) + 1
        fresh, x = not self.tried[row], int(self.tokens[row, node])
        where = np.array([row]), np.array([at]), self.first
        p_row, q_row = self.p[row, at], None if self.q is None else self.q[row, at]
        owes, total = dtype.type(self.owes[row]), dtype.type(self.total[row])
        gone = [] if fresh else self.tokens[row, self.rejected[row]].tolist()
        buffer = np.empty(min(TILE, len(p_row)), dtype)
        return total_long(left_at, len(p_row))

    def _law(self, rows: Ints) -> Array:
        """What the next child is drawn from, not normalised: q without the siblings that were rejected."""
        assert self.q is not None
        law = self._rows(self.q, rows)
        check_entries("q", law, rows, self.at[rows] + 1, self.first)
        r, node = np.nonzero(self.rejected[rows])
        law[r, self.tokens[rows[r], node]] = 0
        return law

    def _rows(self, dist: Array, rows: Ints) -> Array:
        """The row of each tree at the node that was reached, gathered into a new array."""
        return rows_at(dist, rows, self.at[rows] + 1)

    def _refuse_q(self, rows: Ints, at: Ints, x: Ints, q_x: Floats) -> None:
        r = int(np.argmin(q_x >= 0))
        where = f"{rows[r] + self.first}, {at[r]}, {x[r]}"
        raise ValueError(f"q[{where}] is {q_x[r]}; expected a probability from 0 to 1")


def check_rows(tree: DraftTree, q: Array | None, p: Array) -> None:
    """Check every row of p that belongs to a node, and every row of q that children were drawn from."""
    for row, nodes in enumerate(tree.num_nodes.tolist()):
        for j in range(nodes + 1):
            check_probabilities("p", p[row, j], (row, j))
        if q is not None:
            for parent in sorted(set(tree.parents[row, :nodes].tolist())):
                check_probabilities("q", q[row, parent + 1], (row, parent + 1))
