"""Wrong rows: p, q or a length is read at another position, in the padding, or in another request."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..exact.chain import Tokens
from ..models.markov import MarkovPair
from ..rules.contract import Verifier
from ..types import Array
from ..uniforms import Uniforms
from .build.parts import Parts, Rule, largest, owed
from .build.wrap import reading
from .entry import JOINT, LAW, PACE, entry
from .right import PLAIN, TOKEN

OF_OTHER_ROWS = "reads other requests; one row has no law of its own"
OF_PADDING = "reads the padding, of which the program of one row knows nothing"


def _rolled(what: str) -> Verifier:
    """The token rule with p or q of the request before, in batches of more than two."""

    def verifier(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        assert q is not None, "the catalogue needs q"
        step = int(len(p) > 2)
        rolled_q, rolled_p = (np.roll(rows, step, axis=0) if name == what else rows for name, rows in (("q", q), ("p", p)))
        return PLAIN.verifier(draft, rolled_q, rolled_p, num_draft, rng)

    return verifier


def _bonus_at(where: Any) -> Verifier:
    """The token rule whose bonus row is at where(num_draft, K)."""

    def verifier(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        rows, row = p.copy(), np.arange(len(p))
        rows[row, num_draft] = p[row, where(num_draft, draft.shape[1])]
        return PLAIN.verifier(draft, q, rows, num_draft, rng)

    return verifier


def _short_row_is_a_rejection(
    draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator
) -> tuple[Array, Array]:
    """The bonus of a row with fewer than K drafts is drawn from max(0, p - q), q taken from the padding."""
    assert q is not None, "the catalogue needs q"
    rows, short = p.copy(), np.flatnonzero(num_draft < draft.shape[1])
    n = num_draft[short]
    rows[short, n] = owed(p[short, n], q[short, n])
    return PLAIN.verifier(draft, q, rows, num_draft, rng)


def _counts_padding(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """A padded draft that is tested and kept counts for the one that was rejected, as far as the row's length allows."""
    assert q is not None, "the catalogue needs q"
    B, K = draft.shape
    x = draft % p.shape[2]
    u = rng.random((B, K))
    p_x, q_x = (np.take_along_axis(rows[:, :K], x[..., None], 2)[..., 0] for rows in (p, q))
    k = np.minimum((u * q_x < p_x).sum(axis=1), num_draft) if K else num_draft
    return Parts(count=lambda accept: k).verifier(draft, q, p, num_draft, rng)


def _remembering(pair: MarkovPair) -> Verifier:
    """q of the call before, when it has the same shape: a buffer that was not refreshed."""
    kept: list[Array] = []

    def verifier(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        assert q is not None, "the catalogue needs q"
        stale = kept[-1] if kept and kept[-1].shape == q.shape else q
        kept[:] = [q.copy()]
        return PLAIN.verifier(draft, stale, p, num_draft, rng)

    return verifier


def _in_place(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """The residual is made in p itself."""
    result = PLAIN.verifier(draft, q, p, num_draft, rng)
    p[:, : draft.shape[1]] = owed(p[:, : draft.shape[1]], q)  # type: ignore[arg-type]
    return result


def _empty_row_argmax(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    rows, empty = p.copy(), np.flatnonzero(num_draft == 0)
    rows[empty, 0] = largest(p[empty, 0])
    return TOKEN.verifier(draft, q, rows, num_draft, rng)


def _empty_row_argmax_program(draft: Any, q: Any, p: Any, u: Uniforms) -> Tokens:
    assert TOKEN.program is not None
    return TOKEN.program(draft, q, p, u) if len(draft) else (int(np.asarray(p[0]).argmax()),)


ENTRIES = (
    entry(
        "q_of_position_before",
        "rows",
        "Reads q one position too early.",
        JOINT | PACE,
        reading(PLAIN, q=lambda i, n: i - 1),
    ),
    entry(
        "q_of_first_position",
        "rows",
        "Reads the first position's q at every position.",
        JOINT | PACE,
        reading(PLAIN, q=lambda i, n: i * 0),
    ),
    entry(
        "p_of_position_before",
        "rows",
        "Reads p one position too early, for the bonus too.",
        JOINT | PACE,
        reading(PLAIN, p=lambda i, n: i - 1),
    ),
    entry(
        "p_of_next_position",
        "rows",
        "Reads p one position too late: behind the draft that it judges.",
        LAW | PACE,
        reading(PLAIN, p=lambda i, n: i + 1),
    ),
    entry(
        "q_of_another_request",
        "rows",
        "Reads q of the request before, in batches of more than two.",
        {"joint law", "tokens per round", "rows", "padding", "hygiene"},
        _rolled("q"),
        no_program=OF_OTHER_ROWS,
    ),
    entry(
        "p_of_another_request",
        "rows",
        "Reads p of the request before, in batches of more than two.",
        {"joint law", "tokens per round", "rows", "padding", "hygiene"},
        _rolled("p"),
        no_program=OF_OTHER_ROWS,
    ),
    entry(
        "bonus_of_longest_row",
        "ragged",
        "Draws every row's bonus at position K, where a shorter row holds padding.",
        {"ragged law", "padding"},
        _bonus_at(lambda num_draft, K: K),
        no_program=OF_PADDING,
    ),
    entry(
        "bonus_at_neighbours_length",
        "ragged",
        "Takes the length of the request before for the place of the bonus row.",
        {"ragged law", "padding", "hygiene"},
        _bonus_at(lambda num_draft, K: np.roll(num_draft, 1)),
        no_program=OF_OTHER_ROWS,
    ),
    entry(
        "short_row_is_a_rejection",
        "ragged",
        "Takes a row with fewer than K drafts for one that was rejected, and subtracts q of the padding from its bonus row.",
        {"ragged law", "padding"},
        _short_row_is_a_rejection,
        no_program=OF_PADDING,
    ),
    entry(
        "padding_counted",
        "ragged",
        "Tests the padding too, where -1 is the last token of the vocabulary, and counts what passes.",
        LAW | PACE | {"padding"},
        _counts_padding,
        no_program=OF_PADDING,
    ),
    entry(
        "empty_row_argmax",
        "ragged",
        "Emits the target's likeliest token where a row holds no draft.",
        {"ragged law"},
        Rule(_empty_row_argmax, _empty_row_argmax_program),
    ),
    entry(
        "stale_q",
        "hygiene",
        "Uses q of the call before when it has the same shape: a buffer that was not refreshed.",
        {"hygiene"},
        PLAIN.verifier,
        build=_remembering,
        no_program="depends on the call before",
    ),
    entry(
        "writes_to_p",
        "hygiene",
        "Makes the residual in the caller's p.",
        {"hygiene"},
        _in_place,
        no_program="the law of one call is right; what it leaves behind is not",
    ),
)
