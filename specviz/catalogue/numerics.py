"""Wrong arithmetic: faults of rounding and of limits, most of which no count of a small vocabulary can see."""

from __future__ import annotations

import numpy as np

from ..inverse_cdf import inverse_cdf
from ..types import Array, Floats, Ints
from .build.parts import Parts, at
from .build.streams import streamed
from .build.wrap import processed
from .entry import entry
from .right import PLAIN

AT_A_POINT = "differs from the token rule at single points only, which have no mass"


def _in_half_precision(p: Array, q: Array, x: Array, i: Array) -> tuple[Array, Array]:
    with np.errstate(over="ignore", invalid="ignore"):
        return at(q, x).astype(np.float16), at(p, x).astype(np.float16)


def _half_precision(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    half = streamed(
        Parts(accept=_in_half_precision).verifier,
        lambda rng, shape: rng.random(shape).astype(np.float16) if np.ndim(shape) else rng.random(shape),
    )
    return half(draft, q, p, num_draft, rng)


def _search_from_zero(weights: Floats, u: Floats) -> Ints:
    """First index whose cumulative weight reaches u times the total: at u = 0 that is token 0, whatever its weight."""
    cum = weights.cumsum(axis=1)
    index: Ints = (cum < (u * cum[:, -1])[:, None]).sum(axis=1)
    return index


def _search_short(weights: Floats, u: Floats) -> Ints:
    """Normalised in float32, the cumulative sum may end below u: then it is the last token, whatever its weight."""
    single = weights.astype(np.float32)
    cum = (single / single.sum(axis=1, keepdims=True)).cumsum(axis=1, dtype=np.float32)
    index: Ints = np.minimum((cum <= u[:, None]).sum(axis=1), weights.shape[1] - 1)
    return index


def _search_whole_tiles(weights: Floats, u: Floats) -> Ints:
    """Only whole tiles of 128 tokens are searched, unless there is none."""
    V = weights.shape[1]
    return inverse_cdf(weights[:, : V // 128 * 128 or V], u)[0]


def _nan_to_zero(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    return PLAIN.verifier(draft, np.nan_to_num(np.asarray(q)), np.nan_to_num(p), num_draft, rng)


def _at_least(rows: Array) -> Array:
    return np.maximum(rows, 1e-4)


ENTRIES = (
    entry(
        "residual_floor",
        "numerics",
        "Sets a floor of 0.00001 under every entry of the residual.",
        {"wide law"},
        Parts(replacement=lambda p, q, x: np.maximum(p - q, 1e-5)).rule,
    ),
    entry("q_floor", "numerics", "Sets a floor of 0.0001 under every entry of q.", {"wide law"}, processed(PLAIN, q=_at_least)),
    entry(
        "tail_dropped",
        "numerics",
        "Draws the last token from whole tiles of 128 tokens: the rest of the vocabulary is never emitted.",
        {"wide law"},
        Parts(search=_search_whole_tiles).verifier,
        no_program="differs from the token rule above 128 tokens only",
    ),
    entry(
        "lenience_0.999",
        "numerics",
        "Accepts with probability min(1, p / (0.999 q)).",
        {"edges"},
        Parts(accept=lambda p, q, x, i: (999 * at(q, x), 1000 * at(p, x))).rule,
    ),
    entry(
        "half_precision",
        "numerics",
        "Tests in float16 arithmetic.",
        {"edges"},
        _half_precision,
        no_program="rounds in float16; in exact numbers it is the token rule",
    ),
    entry(
        "coarse_uniforms",
        "numerics",
        "Tests with uniforms of 8 bits.",
        {"edges"},
        streamed(
            PLAIN.verifier, lambda rng, shape: np.floor(rng.random(shape) * 256) / 256 if np.ndim(shape) else rng.random(shape)
        ),
        no_program="rounds the uniform, which a program cannot ask for",
    ),
    entry(
        "accepts_at_equality",
        "numerics",
        "Accepts when u q(x) <= p(x): a draft with p(x) = 0 passes when u is 0.",
        {"corners"},
        Parts(accept=lambda p, q, x, i: (at(q, x), np.nextafter(at(p, x), np.inf))).verifier,
        no_program=AT_A_POINT,
    ),
    entry(
        "zero_weight_emitted",
        "numerics",
        "Searches with >= in place of >: at u = 0 the first token is emitted, also with probability 0.",
        {"corners"},
        Parts(search=_search_from_zero).verifier,
        no_program=AT_A_POINT,
    ),
    entry(
        "cumulative_ends_short",
        "numerics",
        "Sums up in float32 without scaling u by the total: a large u falls off the end, onto the last token.",
        {"corners"},
        Parts(search=_search_short).verifier,
        no_program="rounds in float32; in exact numbers it is the token rule",
    ),
    entry(
        "nan_becomes_a_token",
        "numerics",
        "Replaces NaN by 0 and goes on.",
        {"bad input"},
        _nan_to_zero,
        no_program="differs from the token rule for bad input only",
    ),
)
