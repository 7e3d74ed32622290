"""Exercises of notebook 07: the vectorised verifier, and the wrapper of a foreign one."""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from typing import Any

import numpy as np

from ...generate import draft_round
from ...markov import MarkovPair
from ...probability import sample_rows
from ..exercise import Wrong, call, from_function, show
from ..judges import run, same_joint_law
from .engine import engine_verify


def verify_batch(draft, q, p, num_draft, rng):
    """Verify a ragged batch; draft [B, K], q [B, K, V], p [B, K + 1, V], num_draft [B] give tokens [B, K + 1] and n_out [B]."""
    B, K = draft.shape
    row, is_draft = np.arange(B), np.arange(K) < num_draft[:, None]
    x = np.where(is_draft, draft, 0)[..., None]
    p_x, q_x = (np.take_along_axis(law[:, :K], x, axis=2)[..., 0] for law in (p, q))
    accept = (rng.random((B, K)) * q_x < p_x) & is_draft
    n = np.cumprod(accept, axis=1).sum(axis=1)
    law = p[row, n].copy()
    rejected = np.flatnonzero(n < num_draft)
    law[rejected] = np.maximum(law[rejected] - q[rejected, n[rejected]], 0)
    tokens = np.where(np.arange(K + 1) < n[:, None], np.pad(draft, ((0, 0), (0, 1))), -1)
    tokens[row, n] = sample_rows(law / law.sum(axis=1, keepdims=True), rng)
    return tokens, n + 1


def wrapped(draft, q, p, num_draft, rng):
    """Call engine_verify with flat arrays and put its answer into tokens [B, K + 1], padded with -1, and n_out [B]."""
    B, K = draft.shape
    is_draft = np.arange(K) < num_draft[:, None]
    used = np.arange(K + 1) <= num_draft[:, None]
    emitted, counts = engine_verify(p[used], q[is_draft], draft[is_draft].tolist(), num_draft.tolist(), rng)
    tokens = np.full((B, K + 1), -1)
    tokens[np.arange(K + 1) < np.array(counts, int)[:, None]] = emitted
    return tokens, np.array(counts, int)


def _batch(answer: Any) -> None:
    pair, rng = MarkovPair.teaching(), np.random.default_rng(0)
    num_draft = np.array([3, 2, 1, 0])
    draft, q, p = draft_round(pair, np.arange(4), 3, rng)
    clean = _called(answer, draft, q, p, num_draft)
    for b, n in enumerate(num_draft):
        draft[b, n:], q[b, n:], p[b, n + 1 :] = -1, np.nan, np.nan
    before = [array.copy() for array in (draft, q, p, num_draft)]
    spoilt = _called(answer, draft, q, p, num_draft)
    if not all(np.array_equal(a, b, equal_nan=True) for a, b in zip(before, (draft, q, p, num_draft), strict=True)):
        raise Wrong("a batch of 4 rows with 3, 2, 1 and 0 drafts\n  changed its arguments; expected them to be left alone")
    for a, b, what in zip(clean, spoilt, ("tokens", "n_out"), strict=True):
        if not np.array_equal(a, b):
            raise Wrong(
                "a batch of 4 rows with 3, 2, 1 and 0 drafts, the same rng, other padding (-1 and NaN)\n"
                f"  {what} were {show(a)}\n  and became {show(b)}; expected no difference"
            )
    beyond = np.arange(4) >= clean[1][:, None]
    if (clean[0][beyond] != -1).any():
        raise Wrong(f"tokens {show(clean[0])} with n_out {show(clean[1])}\n  expected -1 behind the tokens that count")
    empty = _called(answer, draft[:0], q[:0], p[:0], num_draft[:0])
    if empty[0].shape != (0, 4) or empty[1].shape != (0,):
        raise Wrong(f"a batch without rows\n  gave shapes {empty[0].shape} and {empty[1].shape}; expected (0, 4) and (0,)")
    same_joint_law(answer, n=20_000)
    same_joint_law(answer, n=20_000, K=3)
    tokens = run(answer, K=3, n=20_000).tokens_per_round
    if abs(tokens - 2.533) > 0.05:  # 5 standard errors of the first rounds are .04
        raise Wrong(f"the law is right, but a round gives {tokens:.2f} tokens at K = 3; expected 2.53. Is the bonus there?")


def _called(answer: Any, *arguments: Any) -> tuple[Any, Any]:
    with np.errstate(invalid="ignore"):
        got = call(answer, *arguments, np.random.default_rng(1))
    if not isinstance(got, tuple) or len(got) != 2:
        raise Wrong(f"returned {show(got)}\n  expected two arrays, tokens and n_out")
    tokens, n_out = (np.asarray(part) for part in got)
    B, K = arguments[0].shape
    if tokens.shape != (B, K + 1) or n_out.shape != (B,):
        raise Wrong(f"returned shapes {tokens.shape} and {n_out.shape}; expected {(B, K + 1)} and {(B,)}")
    return tokens, n_out


EXERCISES = (
    from_function(
        "07a",
        "Write the whole verifier, vectorised, for a ragged batch.",
        verify_batch,
        (
            "Gather p(x) and q(x) of the drafts with np.take_along_axis; give padding the id 0 for that, and mask it afterwards.",
            "n, the leading run of marks, is also the column of the last token, and row n of p feeds it.",
            "Where n < num_draft use max(0, p[n] - q[n]), else p[n]. `sample_rows(law, rng)` of specviz draws a "
            "token from each row.",
        ),
        "padding of -1 and NaN without effect, arguments untouched, an empty batch, 40,000 sequences on the "
        "teaching chain at K = 3 and ragged by a chi-square "
        "at one in a million, tokens per round. Not checked: float32, huge vocabularies, uniforms at the edges. "
        "The audit does.",
        judge=_batch,
        seconds=60,
    ),
    from_function(
        "07b",
        "`engine_verify` of specviz.lessons has an engine's signature: flat arrays without padding. Wrap it to the common one.",
        wrapped,
        (
            "A boolean mask of shape [B, K] turns a padded array into a flat one, row after row: draft[mask].",
            "Drafts use positions < num_draft, the target's rows positions <= num_draft.",
            "The way back: tokens = np.full((B, K + 1), -1); tokens[np.arange(K + 1) < n_out[:, None]] = emitted.",
        ),
        "the same as for 07a: with this wrapper the audit can judge the engine.",
        judge=_batch,
        seconds=60,
    ),
)
