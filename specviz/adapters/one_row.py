"""A verifier made from a function that verifies one row at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..rules.contract import ContractError, Verified, as_integers, check_arrays, check_result
from ..types import Array
from .adapter import Adapter


@dataclass(frozen=True)
class FromRow(Adapter):
    """A verifier made from a function of one row, which is called row after row.

    Parameters
    ----------
    function : callable
        Takes draft [K], q [K, V] or None, p [K + 1, V], the number of drafts as an int, and rng. What lies beyond so many drafts
        is padding. Returns the row's tokens and how many of them are emitted; or a list, array or tensor of the emitted ones.

    Raises
    ------
    ContractError
        When called, if the function returns something else; see `specviz.rules.contract.check_result`.

    Examples
    --------
    >>> import numpy as np
    >>> def sampled(draft, q, p, num_draft, rng):
    ...     return [rng.choice(len(p[0]), p=p[0])]
    >>> verifier = FromRow(sampled)
    >>> verifier(np.array([[1], [0]]), None, np.array([[[0., 1], [1, 0]]] * 2), np.array([1, 1]), np.random.default_rng(0))
    Verified(tokens=array([[ 1, -1],
           [ 1, -1]]), n_out=array([1, 1]))
    """

    def __call__(self, draft: Array, q: Array | None, p: Array, num_draft: Array, rng: Any, /) -> Verified:
        """Verify a batch."""
        draft, q, p, num_draft, _ = check_arrays(draft, q, p, num_draft)
        B, K = draft.shape
        tokens, n_out = np.full((B, K + 1), -1), np.empty(B, np.int64)
        for b in range(B):
            row, count = _tokens_and_count(self.function(draft[b], None if q is None else q[b], p[b], int(num_draft[b]), rng))
            if row.size > K + 1 or count.size != 1:
                shapes = f"shapes {row.shape} and {count.shape} for row {b}"
                raise ContractError(f"returned {shapes}; expected at most K + 1 = {K + 1} tokens, and a count", "shape")
            tokens[b, : row.size], n_out[b] = row.ravel(), count.item()
        return check_result((tokens, n_out), num_draft, K, p.shape[2])


def _tokens_and_count(result: Any) -> tuple[Array, Array]:
    """Both as arrays. A pair whose first half is an array or a list is tokens and count; all else is tokens, all emitted."""
    if isinstance(result, (tuple, list)) and len(result) == 2 and np.ndim(result[0]):
        return as_integers("tokens", result[0]), as_integers("n_out", result[1])
    tokens = as_integers("tokens", result)
    return tokens, np.array(tokens.size)
