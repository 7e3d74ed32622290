"""The tree rule for long rows: one walk down a tree at a time, in memory that is used again for the next."""

from __future__ import annotations

import numpy as np

from ...inverse_cdf import TILE, inverse_cdf, total_long
from ...types import Array, Floats, Ints
from ..contract import Batch
from ..read import check_entries, check_finite, draw_from_target
from .draft import DraftTree
from .short import TINY


def walk_long(tree: DraftTree, batch: Batch, u: Floats) -> tuple[Ints, Ints]:
    """Walk down every tree; arguments and result are those of `specviz.rules.tree.short.walk_short`, for all rows."""
    last, final = np.empty((2, len(u)), np.int64)
    here = _LongNode(batch)
    for row, nodes in enumerate(batch.num_draft.tolist()):
        tokens, parents = tree.tokens[row, :nodes].tolist(), tree.parents[row, :nodes].tolist()
        here.reach(row, -1)
        for node, parent in enumerate(parents):
            if parent != here.at:
                continue
            if here.accepts(tokens[node], float(u[row, node])):
                here.reach(row, node)
            else:
                here.reject(tokens[node], tree.drawing == "without replacement")
        last[row], final[row] = here.at, here.draw(u[row, -1:])
    return last, final


class _LongNode:
    """The node that was reached, and what the target owes there.

    Attributes
    ----------
    row, at : int
        The row of the batch, and the node; -1 is the root.
    tried : bool
        Was a child rejected here? Until then p is owed and q is the law, and they are read where they lie.
    owed, owes : ndarray, shape (V,), and float
        Afterwards: what is owed, and its sum.
    total : float or None
        Sum of the law without the siblings that were rejected; None until the next one asks for it.
    rejected : list of int
        Those siblings, if they are drawn without replacement.
    """

    def __init__(self, batch: Batch) -> None:
        self.batch, V = batch, batch.p.shape[2]
        self.owed, self.piece = np.empty(V, batch.dtype), np.empty(min(TILE, V), batch.dtype)

    def reach(self, row: int, node: int) -> None:
        """Stand at another node."""
        self.row, self.at, self.tried, self.owes = row, node, False, 1.0
        self.total: float | None = 1.0
        self.rejected: list[int] = []
        self.p, self.q = self.batch.p[row, node + 1], None if self.batch.q is None else self.batch.q[row, node + 1]

    def accepts(self, x: int, u: float) -> bool:
        """Is u * q(x) / total < owed(x) / owes? Nothing is divided."""
        if self.total is None:
            self.total = total_long(self._law_at, len(self.p))
        q_x = 1.0 if self.q is None else float(self.q[x])
        if not q_x >= 0:
            self._check("q")
        return bool(u * (q_x * self.owes) < float((self.owed if self.tried else self.p)[x]) * self.total)

    def reject(self, x: int, without_replacement: bool) -> None:
        """owed = max(0, owed * total - law * owes). With nothing left, which only rounding can do, it is p again."""
        if self.q is None:
            self._take_out(x)
        else:
            self.owes = total_long(self._left_at if self.tried else self._residual_at, len(self.p))
        check_finite(np.array([self.owes]), *self._where)
        if self.owes == 0:
            self.owed[:], self.owes = self.p, 1.0
        elif self.owes < TINY:
            scale = np.ldexp(1.0, -np.frexp(self.owes)[1])
            self.owed *= self.owed.dtype.type(scale)
            self.owes = float(self.owes * scale)
        self.tried = True
        if without_replacement:
            self.rejected.append(x)
            self.total = None

    def draw(self, u: Floats) -> int:
        """Draw the token that follows, from what is owed or as a bonus from p; u has shape [1]."""
        if self.tried:
            return int(inverse_cdf(self.owed[None], u)[0][0])
        return int(draw_from_target(self.batch, np.array([self.row]), np.array([self.at + 1]), u)[0])

    def _take_out(self, x: int) -> None:
        if not self.tried:
            self.owed[:] = self.p
            if not self.owed.min() >= 0:
                self._check("p")
        self.owed[x] = 0
        self.owes = total_long(self.owed.__getitem__, len(self.p))

    def _residual_at(self, piece: slice) -> Array:
        """Write max(0, p - q) at this piece of the vocabulary: after the first rejection."""
        assert self.q is not None
        p, q, left = self.p[piece], self.q[piece], self.owed[piece]
        shared = np.minimum(p, q, out=self.piece[: len(p)])
        if not shared.min() >= 0:  # negative or NaN wherever p or q is: one look, still in cache, checks both
            self._check("p")
            self._check("q")
        np.subtract(p, shared, out=left)
        return left

    def _left_at(self, piece: slice) -> Array:
        """Write max(0, owed * total - law * owes) there: after any other. p and q were checked at the first."""
        left = self.owed[piece]
        law = np.multiply(self._law_at(piece), left.dtype.type(self.owes), out=self.piece[: len(left)])
        if self.total != 1:
            left *= left.dtype.type(self.total)
        left -= law
        return np.maximum(left, 0, out=left)

    def _law_at(self, piece: slice) -> Array:
        """q without the siblings that were rejected, not normalised; in place where none of them is there."""
        assert self.q is not None
        law: Array = self.q[piece]
        gone = [y - piece.start for y in self.rejected if piece.start <= y < piece.stop]
        if gone:
            law = self.piece[: len(law)]
            law[:] = self.q[piece]
            law[gone] = 0
        return law

    @property
    def _where(self) -> tuple[Ints, Ints, int]:
        return np.array([self.row]), np.array([self.at + 1]), self.batch.first

    def _check(self, name: str) -> None:
        dist = self.p if name == "p" else self.q
        assert dist is not None
        check_entries(name, dist[None], *self._where)
