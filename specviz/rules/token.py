"""The token rule: accept each draft x with probability min(1, p(x) / q(x)), replace the first rejected one from the residual."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..types import Array, Floats, Ints
from ..uniforms import Uniforms
from .contract import Batch, Verified, apply_rule, check_batch
from .read import draft_probabilities, draw_next


def verify_row(draft: Sequence[int], q: Sequence[Any], p: Sequence[Any], u: Uniforms) -> tuple[int, ...]:
    """The rule for one row, as it is defined: the program that `specviz.uniforms.integrate` proves lossless.

    Parameters
    ----------
    draft : sequence of int, length n
    q : sequence of n rows of V probabilities
    p : sequence of n + 1 rows of V probabilities
    u : Uniforms
        Asked for ("accept", i) at position i, and for "final" once.

    Returns
    -------
    tuple of int
        The accepted drafts, then the recovered or the bonus token.
    """
    for i, x in enumerate(draft):
        if not u.less(("accept", i), scale=q[i][x], bound=p[i][x]):
            owed = [max(0, p_y - q_y) for p_y, q_y in zip(p[i], q[i], strict=True)]
            return (*draft[:i], u.choose("final", owed if any(owed) else p[i]))
    return (*draft, u.choose("final", p[len(draft)]))


def verify(
    draft: ArrayLike,
    q: ArrayLike | None,
    p: ArrayLike,
    num_draft: ArrayLike,
    rng: np.random.Generator,
    *,
    validate: bool = False,
) -> Verified:
    """Verify a ragged batch of drafts: the emitted tokens have exactly the target's distribution.

    Draft x at position i is accepted when u * q(x) < p(x), with a fresh uniform u. The first rejected draft of a row is
    replaced by a token from the residual max(0, p - q), normalised; a row whose drafts all survive gets a bonus token from
    p at position `num_draft`. So a token comes out with probability min(p, q) + max(0, p - q) = p.

    Parameters
    ----------
    draft : array_like of int, shape (B, K)
        Drafted token ids.
    q : array_like of float32 or float64, shape (B, K, V), or None
        The law that each draft was really sampled from. None: a deterministic drafter, whose law is one-hot.
    p : array_like of float32 or float64, shape (B, K + 1, V)
        The target's law at each drafted position and at the bonus position.
    num_draft : array_like of int, shape (B,)
        Drafts that each row really holds, 0 to K. Whatever lies beyond it in `draft` and `q`, and beyond position
        `num_draft` in `p`, is padding: it is not read and may be anything.
    rng : numpy.random.Generator
        Gives K + 1 uniforms a row, whatever `num_draft` is, so that no row depends on how long its neighbours are.
    validate : bool
        Check every valid row of p and q in full. Otherwise only what the rule reads is checked, which costs nothing.

    Returns
    -------
    Verified
        `tokens` [B, K + 1], padded with -1, and `n_out` [B], the accepted drafts plus 1.

    Raises
    ------
    ValueError
        For a wrong shape or type, a draft id or length out of range, and for numbers that are no probabilities where the
        rule reads them. The message names the argument, the row and the position.

    Notes
    -----
    The comparison is strict, so a token with p(x) = 0 is rejected even when u is 0; and there is no division, so q(x) = 0 needs
    no special case. Without `validate` a row's sum is checked only where a bonus is drawn from it. Beside the result the call
    needs memory for a few tiles of 65,536 numbers, however many rows there are: p and q are read tile by tile, never written to.

    References
    ----------
    Leviathan, Kalman, Matias, "Fast Inference from Transformers via Speculative Decoding", ICML 2023.
    Chen et al., "Accelerating Large Language Model Decoding with Speculative Sampling", 2023, algorithm 2.

    Examples
    --------
    >>> import numpy as np
    >>> p, q = [[[0, 1], [1, 0]]], [[[.5, .5]]]
    >>> verify([[1]], q, p, [1], np.random.default_rng(0))
    Verified(tokens=array([[1, 0]]), n_out=array([2]))
    """
    batch = check_batch(draft, q, p, num_draft, rng, validate=validate)

    def rule(chunk: Batch) -> tuple[Ints, Ints]:
        accepted = count_accepted(chunk, rng.random(chunk.draft.shape))
        return accepted, draw_next(chunk, accepted, rng.random(len(accepted)))

    return apply_rule(rule, batch)


def count_accepted(batch: Batch, u: Floats) -> Ints:
    """Length of each row's leading run of accepted drafts; the draft at position i asks u[:, i]."""
    p_x, q_x = draft_probabilities(batch)
    accept = np.multiply(u, q_x, out=q_x) < p_x  # u * q(x) < p(x), in memory that is at hand
    run: Array = np.zeros(len(u), np.int8 if u.shape[1] < 127 else np.int64)
    for at_position in accept.view(np.int8).T[::-1]:  # the leading run of a, b, c is a (1 + b (1 + c))
        run += 1
        run *= at_position
    return run.astype(np.int64)
