"""Wrong bonus tokens, and wrong counts of what is emitted."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..exact.chain import Tokens
from ..models.markov import MarkovPair
from ..rules.contract import Verifier
from ..rules.token import verify, verify_row
from ..types import Array, Ints, Mask
from ..uniforms import Uniforms
from .build.parts import Parts, Rule, largest, one_hot, owed
from .build.wrap import cut
from .entry import JOINT, LAW, PACE, PAST_K, entry
from .right import TOKEN


def _bonus_from_drafter(pair: MarkovPair) -> Verifier:
    def verifier(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        if p.shape[2] != pair.V:  # not this pair's vocabulary: the drafter has nothing to say
            return verify(draft, q, p, num_draft, rng)
        rows, drafted = p.copy(), np.flatnonzero(num_draft > 0)
        n = num_draft[drafted]
        rows[drafted, n] = pair.q[draft[drafted, n - 1]]
        return verify(draft, q, rows, num_draft, rng)

    return verifier


def _bonus_from_drafter_row(draft: Any, q: Any, p: Any, u: Uniforms) -> Tokens:
    n = len(draft)
    return verify_row(draft, q, [*p[:n], q[n]] if n else p, u)


def _sum(accept: Mask) -> Ints:
    total: Ints = accept.sum(axis=-1)
    return total


def _last_kept(accept: Mask) -> Ints:
    last: Ints = (accept * np.arange(1, accept.shape[-1] + 1)).max(axis=-1, initial=0)
    return last


def all_or_nothing(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """The token rule, whose accepted drafts are dropped when one of them was rejected, and a residual token of row 0 emitted."""
    assert q is not None, "the catalogue needs q"
    tokens, n_out = TOKEN.verifier(draft, q, p, num_draft, rng)
    failed = n_out <= num_draft
    again, _ = Parts(accept=lambda p, q, x, i: (1, 0)).verifier(draft[:, :1], q[:, :1], p[:, :2], np.minimum(num_draft, 1), rng)
    tokens[failed] = -1
    tokens[failed, 0] = again[failed, 0]
    return tokens, np.where(failed, 1, n_out)


def _all_or_nothing_row(draft: Any, q: Any, p: Any, u: Uniforms) -> Tokens:
    tokens = verify_row(draft, q, p, u)
    if len(tokens) > len(draft):
        return tokens
    weights = owed(p[0], q[0])
    return (u.choose("again", list(weights if any(weights) else p[0])),)


ENTRIES = (
    entry(
        "bonus_from_drafter",
        "bonus",
        "Draws the bonus from the drafter's law at the bonus position.",
        PAST_K,
        Rule(verify, _bonus_from_drafter_row),
        build=_bonus_from_drafter,
        in_step=False,
    ),
    entry(
        "bonus_from_row_before",
        "bonus",
        "Draws the bonus from the target's row one position too early.",
        PAST_K,
        Parts(bonus_at=lambda n: np.maximum(n - 1, 0)).rule,
    ),
    entry(
        "bonus_from_first_row",
        "bonus",
        "Draws the bonus from the row's first position, whatever was accepted.",
        PAST_K,
        Parts(bonus_at=lambda n: n * 0).rule,
    ),
    entry(
        "bonus_from_residual",
        "bonus",
        "Subtracts the last draft's q from the bonus row.",
        PAST_K,
        Parts(bonus=lambda p, q, x: owed(p, q)).rule,
    ),
    entry(
        "bonus_argmax", "bonus", "Emits the likeliest token as the bonus.", PAST_K, Parts(bonus=lambda p, q, x: largest(p)).rule
    ),
    entry(
        "bonus_repeats_draft",
        "bonus",
        "Emits the last draft once more as the bonus.",
        PAST_K,
        Parts(bonus=lambda p, q, x: one_hot(x, p.shape[-1])).rule,
    ),
    entry(
        "count_of_mask",
        "count",
        "Counts every accepted draft, also those behind the first rejection.",
        LAW | PACE,
        Parts(count=_sum).rule,
    ),
    entry(
        "count_to_last_kept",
        "count",
        "Emits all drafts up to the last one that passed, over any rejected before it.",
        LAW | PACE,
        Parts(count=_last_kept).rule,
    ),
    entry(
        "all_or_nothing",
        "count",
        "After any rejection emits one token of the first row's residual, and none of the accepted drafts.",
        LAW | PACE,
        Rule(all_or_nothing, _all_or_nothing_row),
        in_step=False,
    ),
    entry(
        "rejected_draft_emitted",
        "count",
        "Counts one too many: the rejected draft itself is emitted in place of its replacement.",
        LAW,
        Parts(replacement=lambda p, q, x: one_hot(x, p.shape[-1])).rule,
    ),
    entry(
        "last_token_dropped",
        "count",
        "Counts one too few: the last token of a round is dropped unless it is the only one.",
        JOINT | PACE,
        cut(TOKEN, lambda n_out, n: np.maximum(n_out - 1, 1)),
    ),
)
