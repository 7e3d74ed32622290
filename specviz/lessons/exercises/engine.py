"""A toy of an engine's verifier: right, but with a signature of its own, as serving engines have."""

from __future__ import annotations

import numpy as np

from ...rules.token import verify
from ...types import Array, Floats, Ints


def engine_verify(
    target_probs: Floats, draft_probs: Floats, draft_tokens_flat: Ints, cu_num_draft: Ints, generator: np.random.Generator
) -> Ints:
    """Verify the drafts of B requests, whose rows stand one after the other without padding.

    Parameters
    ----------
    target_probs : ndarray, shape (N + B, V)
        For each request its n + 1 rows of the target, the bonus position last. N is the number of all drafts.
    draft_probs : ndarray, shape (N, V)
        For each request its n rows of the drafter.
    draft_tokens_flat : ndarray of int, shape (N,)
    cu_num_draft : ndarray of int, shape (B,)
        Running totals of n: request b has the drafts from cu_num_draft[b - 1] (0 for the first) up to cu_num_draft[b].
    generator : numpy.random.Generator

    Returns
    -------
    ndarray of int64, shape (B, longest n + 1)
        The tokens of each request, padded with -1.

    Raises
    ------
    ValueError
        If the lengths do not fit together.
    """
    ends = np.asarray(cu_num_draft)
    num_draft = np.diff(ends, prepend=0)
    B, N = len(ends), int(ends[-1]) if len(ends) else 0
    if (num_draft < 0).any():
        raise ValueError(f"cu_num_draft is {ends.tolist()}; expected running totals, which never fall")
    for name, array, rows in (
        ("target_probs", target_probs, N + B),
        ("draft_probs", draft_probs, N),
        ("draft_tokens_flat", draft_tokens_flat, N),
    ):
        if len(array) != rows:
            raise ValueError(f"{name} has {len(array)} rows; expected {rows} for {B} requests with {N} drafts in all")
    if not B:
        return np.empty((0, 1), np.int64)
    K, V = int(num_draft.max()), target_probs.shape[1]
    draft, q, p = np.full((B, K), -1), np.zeros((B, K, V)), np.zeros((B, K + 1, V))
    is_draft: Array = np.arange(K) < num_draft[:, None]
    draft[is_draft], q[is_draft] = draft_tokens_flat, draft_probs
    p[np.arange(K + 1) <= num_draft[:, None]] = target_probs
    return verify(draft, q, p, num_draft, generator).tokens
