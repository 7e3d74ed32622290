"""Sample-and-match: draw a target token at every position, emit it, and go on while it equals the draft."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..types import Ints
from ..uniforms import Uniforms
from .contract import Batch, Verified, apply_rule, check_batch
from .read import draw_from_target


def match_row(draft: Sequence[int], q: Sequence[Any] | None, p: Sequence[Any], u: Uniforms) -> tuple[int, ...]:
    """The rule for one row, as it is defined; the arguments and the result are those of `verify_row`, q is not used.

    The uniforms are ("target", i) for the token at position i.
    """
    for i, x in enumerate(draft):
        y = u.choose(("target", i), p[i])
        if y != x:
            return (*draft[:i], y)
    return (*draft, u.choose(("target", len(draft)), p[len(draft)]))


def match_target(
    draft: ArrayLike,
    q: ArrayLike | None,
    p: ArrayLike,
    num_draft: ArrayLike,
    rng: np.random.Generator,
    *,
    validate: bool = False,
) -> Verified:
    """Verify by drawing from p and comparing: lossless for any drafter, and slower than the token rule.

    Every emitted token is a draw from p, hence the law is right whatever the draft. The draft decides only whether the next
    position is already paid for. A draft is kept with probability sum_x p(x) q(x), never more than the token rule's
    sum_x min(p(x), q(x)).

    Parameters
    ----------
    draft : array_like of int, shape (B, K)
    q : array_like of float32 or float64, shape (B, K, V)
        Or None. Its shape is checked; it is not used.
    p : array_like of float32 or float64, shape (B, K + 1, V)
    num_draft : array_like of int, shape (B,)
    rng : numpy.random.Generator
    validate : bool
        All as in `specviz.verify`.

    Returns
    -------
    Verified

    Raises
    ------
    ValueError
        As `specviz.verify` does.

    References
    ----------
    Xia et al., "Speculative Decoding: Exploiting Speculative Execution for Accelerating Seq2seq Generation", 2023, verify
    a draft this way for greedy targets; with sampled targets it is what several engines ship.
    """
    batch = check_batch(draft, q, p, num_draft, rng, validate=validate)

    def rule(chunk: Batch) -> tuple[Ints, Ints]:
        K = chunk.draft.shape[1]
        u = rng.random((len(chunk.draft), K + 1))
        accepted, final = np.zeros((2, len(u)), np.int64)
        alive = np.arange(len(u))
        for i in range(K + 1):
            final[alive] = draw_from_target(chunk, alive, np.full(len(alive), i), u[alive, i])
            accepted[alive] = i
            alive = alive[chunk.num_draft[alive] > i]
            if i < K:
                alive = alive[chunk.draft[alive, i] == final[alive]]
        return accepted, final

    return apply_rule(rule, batch)
