"""Batches to try a verifier on: ragged, with drafts from q, and with a choice of what the padding holds."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...inverse_cdf import inverse_cdf
from ...types import Array, Floats, Ints


class Case(NamedTuple):
    """Arguments of a verifier but for rng."""

    draft: Ints
    q: Floats
    p: Floats
    num_draft: Ints

    def copy(self) -> Case:
        """The same numbers in other memory."""
        return Case(self.draft.copy(), self.q.copy(), self.p.copy(), self.num_draft.copy())

    def rows(self, rows: Any) -> Case:
        """Some of the rows."""
        return Case(self.draft[rows], self.q[rows], self.p[rows], self.num_draft[rows]).copy()

    def astype(self, dtype: Any) -> Case:
        """The same with p and q of another type."""
        return self._replace(q=self.q.astype(dtype), p=self.p.astype(dtype))


def ragged(seed: int, *, B: int = 64, K: int = 3, V: int = 4) -> Case:
    """Rows of 0 to K drafts, drawn from q; all laws differ and every entry is well above zero; no row is blank."""
    rng = np.random.default_rng(seed)
    q, p = (0.9 * rng.dirichlet(np.ones(V), (B, n)) + 0.1 / V for n in (K, K + 1))
    return with_drafts(q, p, np.arange(B) % (K + 1), rng)


def with_drafts(q: Floats, p: Floats, num_draft: Ints, rng: np.random.Generator) -> Case:
    """Draw the drafts from q."""
    B, K, V = q.shape
    draft = inverse_cdf(q.reshape(B * K, V), rng.random(B * K))[0].reshape(B, K)
    return Case(draft, q, p, num_draft)


PADDINGS = ("other ids and laws", "-1 and zeros", "-1 and NaN", "ids beyond the vocabulary and ones")


def padded(case: Case, how: str) -> Case:
    """The same batch with other padding; see `PADDINGS`."""
    K, V = case.q.shape[1:]
    draft, q, p, num_draft = case.copy()
    beyond = np.arange(K) >= num_draft[:, None]
    behind = np.arange(K + 1) > num_draft[:, None]
    fills: dict[str, tuple[Array | int, Array | float]] = {
        "-1 and zeros": (-1, 0.0),
        "-1 and NaN": (-1, np.nan),
        "ids beyond the vocabulary and ones": (V, 1.0),
    }
    if how in fills:
        ids, value = fills[how]
        draft[beyond], q[beyond], p[behind] = ids, value, value
    else:
        rng = np.random.default_rng(1)
        draft[beyond] = rng.integers(0, V, int(beyond.sum()))
        q[beyond], p[behind] = (rng.dirichlet(np.full(V, 0.3), int(where.sum())) for where in (beyond, behind))
    return Case(draft, q, p, num_draft)
