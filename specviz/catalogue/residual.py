"""Wrong residuals: after a rejection the token is drawn from something else than max(0, p - q)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..exact.chain import Tokens
from ..inverse_cdf import inverse_cdf
from ..rules.block import verify_block, verify_block_row
from ..types import Array
from ..uniforms import Uniforms
from .build.parts import Parts, Rule, largest, owed, without
from .entry import JOINT, LAW, PACE, entry


def unclamped(p: Array, q: Array, x: Any) -> Array:
    """Weights of the first index with cumsum(p - q) > u; where there is none, argmax of nothing true is token 0.

    A sum that rises and falls first exceeds a number where its running maximum does.
    """
    reached = np.maximum.accumulate(np.maximum((p - q).cumsum(axis=-1), 0), axis=-1)
    weights: Array = np.diff(reached, axis=-1, prepend=reached[..., :1] * 0)
    weights[..., 0] += 1 - reached[..., -1]
    return weights


def _or(weights: Array, p: Array) -> Array:
    return np.where((weights > 0).any(axis=-1, keepdims=True), weights, p)


def _block(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    assert q is not None, "the catalogue needs q"
    tokens, n_out = verify_block(draft, q, p, num_draft, rng)
    row = np.flatnonzero(n_out <= num_draft)
    k = n_out[row] - 1
    tokens[row, k], _ = inverse_cdf(_or(owed(p[row, k], q[row, k]), p[row, k]), rng.random(len(row)))
    return tokens, n_out


def _block_row(draft: Any, q: Any, p: Any, u: Uniforms) -> Tokens:
    k = len(verify_block_row(draft, q, p, u)) - 1
    return (*draft[:k], u.choose("redrawn", list(_or(owed(p[k], q[k]), p[k]) if k < len(draft) else p[k])))


ENTRIES = (
    entry(
        "replacement_from_p",
        "residual",
        "Draws the replacement of a rejected draft from p.",
        LAW,
        Parts(replacement=lambda p, q, x: p).rule,
    ),
    entry(
        "replacement_from_q",
        "residual",
        "Draws the replacement of a rejected draft from q.",
        LAW,
        Parts(replacement=lambda p, q, x: q).rule,
    ),
    entry(
        "residual_abs",
        "residual",
        "Takes abs(p - q) as the residual.",
        LAW,
        Parts(replacement=lambda p, q, x: np.abs(p - q)).rule,
    ),
    entry(
        "residual_reversed",
        "residual",
        "Takes max(0, q - p) as the residual.",
        LAW,
        Parts(replacement=lambda p, q, x: owed(q, p)).rule,
    ),
    entry(
        "residual_minimum",
        "residual",
        "Takes min(p, q) as the residual.",
        LAW,
        Parts(replacement=lambda p, q, x: np.minimum(p, q)).rule,
    ),
    entry(
        "residual_half",
        "residual",
        "Takes max(0, p - q / 2) as the residual.",
        LAW,
        Parts(replacement=lambda p, q, x: owed(p, q / 2)).rule,
    ),
    entry(
        "residual_unclamped",
        "residual",
        "Searches u in the cumulative sum of p - q, not clamped, not normalised: mostly nothing is found, and that is token 0.",
        LAW,
        Parts(replacement=unclamped).rule,
    ),
    entry(
        "residual_argmax",
        "residual",
        "Emits the residual's likeliest token.",
        LAW,
        Parts(replacement=lambda p, q, x: largest(owed(p, q))).rule,
    ),
    entry(
        "residual_without_draft",
        "residual",
        "Draws the replacement from p without the rejected draft, which is right for a one-hot q only.",
        LAW,
        Parts(replacement=lambda p, q, x: without(p, x)).rule,
    ),
    entry(
        "draft_zeroed_first",
        "residual",
        "Sets p of the draft to 0 before the test, so that no draft survives.",
        LAW | PACE,
        Parts(accept=lambda p, q, x, i: (1, 0), replacement=lambda p, q, x: without(p, x)).rule,
    ),
    entry(
        "residual_of_next_row",
        "residual",
        "Takes p and q of the position behind the rejected one for the residual.",
        LAW,
        Parts(replacement_row=lambda i, n: np.minimum(i + 1, n)).rule,
    ),
    entry(
        "replacement_from_bonus_row",
        "residual",
        "Draws the last token from the bonus row, whether a draft was rejected or not.",
        LAW,
        Parts(replacement_row=lambda i, n: n, replacement=lambda p, q, x: p).rule,
    ),
    entry(
        "block_with_token_residual",
        "residual",
        "The block rule with the token rule's residual.",
        JOINT | PACE,
        Rule(_block, _block_row),
        in_step=False,
    ),
)
