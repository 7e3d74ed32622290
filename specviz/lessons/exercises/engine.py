"""A toy of an engine's verifier: right, but with a signature of its own, as serving engines have."""

from __future__ import annotations

import numpy as np

from ...adapters import ToFlat
from ...rules.token import verify
from ...types import Floats, Ints


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
    return ToFlat(verify)(target_probs, draft_probs, draft_tokens_flat, cu_num_draft, generator)
