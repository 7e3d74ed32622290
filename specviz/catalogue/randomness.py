"""Wrong randomness: uniforms that are shared, used twice, not uniform, or frozen."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from ..rules.token import verify_row
from ..types import Array, Floats
from ..uniforms import Uniforms
from .build.parts import Parts, Rule, at, owed
from .build.streams import Mirrored, streamed
from .entry import JOINT, LAW, PACE, entry
from .right import PLAIN


def _with_drafters_uniform(p: Array, q: Array, x: Any, i: Any) -> tuple[Any, Any]:
    """The uniform that drew x lies at sum_{y < x} q(y) + u q(x): it is put to the test u' q(x) < p(x)."""
    q_x = at(q, x)
    below = at(q.cumsum(axis=-1), x) - q_x
    return q_x**2, at(p, x) - below * q_x


class _Alternating:
    """Every second position asks 1 - u of the position before."""

    def __init__(self, u: Uniforms) -> None:
        self.u = u

    def less(self, name: Hashable, scale: Any, bound: Any) -> bool:
        """Is the uniform of this position, times scale, below bound?"""
        i = name[1]  # type: ignore[index]
        return Mirrored(self.u).less(("accept", i - 1), scale, bound) if i % 2 else self.u.less(name, scale, bound)

    def choose(self, name: Hashable, weights: Sequence[Any]) -> int:
        """As the uniform itself."""
        return self.u.choose(name, weights)


def _alternating(rng: np.random.Generator, shape: Any) -> Floats:
    u: Floats = np.asarray(rng.random(shape))
    if u.ndim == 2:
        odd = u[:, 1::2]
        odd[:] = np.minimum(1 - u[:, : 2 * odd.shape[1] : 2], np.nextafter(1, 0))
    return u


def _one_gumbel_vector(
    draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Draft = argmin E / q and replacement = argmin E / max(0, p - q), for the same exponential E.

    Given the draft x, the smallest E / q is exponential with rate 1, and the other E lie beyond it by exponentials of their own.
    """
    assert q is not None, "the catalogue needs q"
    tokens, n_out = PLAIN.verifier(draft, q, p, num_draft, rng)
    row = np.flatnonzero(n_out <= num_draft)
    k = n_out[row] - 1
    x = draft[row, k]
    beyond = rng.exponential(size=(len(row), p.shape[2]))
    beyond[np.arange(len(row)), x] = 0
    clocks = rng.exponential(size=(len(row), 1)) * q[row, k] + beyond
    with np.errstate(divide="ignore", invalid="ignore"):
        rings = np.where(owed(p[row, k], q[row, k]) > 0, clocks / owed(p[row, k], q[row, k]), np.inf)
    tokens[row, k] = rings.argmin(axis=1)
    return tokens, n_out


def _from_minus_one(p: Array, q: Array, x: Any, i: Any) -> tuple[Any, Any]:
    """(2 u - 1) q(x) < p(x)."""
    return 2 * at(q, x), at(p, x) + at(q, x)


ENTRIES = (
    entry(
        "one_uniform_per_row",
        "randomness",
        "Tests all positions of a row with one uniform.",
        JOINT | PACE,
        Parts(shared=True).rule,
        in_step=False,
    ),
    entry(
        "uniform_reused",
        "randomness",
        "Draws the last token with the uniform of the last accept test.",
        LAW,
        Parts(final="last").rule,
    ),
    entry(
        "rejecting_uniform_reused",
        "randomness",
        "Draws the replacement with the uniform that rejected the draft.",
        LAW,
        Parts(final="rejecting").rule,
    ),
    entry(
        "keeping_uniform_reused",
        "randomness",
        "Draws the bonus with the uniform that kept the last draft.",
        frozenset({"joint law past K"}),
        Parts(final="kept").rule,
    ),
    entry(
        "first_uniform_reused",
        "randomness",
        "Draws the last token with the uniform of the first accept test.",
        LAW,
        Parts(final="first").rule,
    ),
    entry(
        "drafters_uniform_reused",
        "randomness",
        "Tests a draft with the uniform that drew it.",
        LAW | PACE,
        Parts(accept=_with_drafters_uniform).rule,
    ),
    entry(
        "alternating_uniforms",
        "randomness",
        "Tests every second draft with 1 - u of the draft before.",
        JOINT | PACE,
        Rule(streamed(PLAIN.verifier, _alternating), lambda draft, q, p, u: verify_row(draft, q, p, _Alternating(u))),
        in_step=False,
    ),
    entry(
        "uniform_from_minus_one",
        "randomness",
        "Tests with a uniform on [-1, 1).",
        LAW | PACE,
        Parts(accept=_from_minus_one).rule,
    ),
    entry(
        "one_gumbel_vector",
        "randomness",
        "Draws a draft and its replacement with one Gumbel vector.",
        LAW,
        _one_gumbel_vector,
        no_program="compares exponentials, not a uniform with a number",
    ),
    entry(
        "one_uniform_per_call",
        "randomness",
        "Tests all drafts of all rows with one uniform.",
        {"joint law", "tokens per round", "rows"},
        streamed(PLAIN.verifier, lambda rng, shape: np.full(shape, rng.random()) if np.ndim(shape) else rng.random(shape)),
        no_program="rows of one call depend on each other; one row's law is that of one_uniform_per_row",
    ),
    entry(
        "uniforms_shared_by_rows",
        "randomness",
        "Gives all rows of a call the same uniforms for their accept tests.",
        {"rows"},
        streamed(
            PLAIN.verifier,
            lambda rng, shape: rng.random((1, *shape[1:])).repeat(shape[0], 0) if np.ndim(shape) else rng.random(shape),
        ),
        no_program="rows of one call depend on each other; one row's law is right",
    ),
    entry(
        "final_shared_by_rows",
        "randomness",
        "Gives all rows of a call the same uniform for their last token.",
        {"rows"},
        streamed(PLAIN.verifier, lambda rng, shape: rng.random(shape) if np.ndim(shape) else np.full(shape, rng.random())),
        no_program="rows of one call depend on each other; one row's law is right",
    ),
    entry(
        "frozen_seed",
        "randomness",
        "Seeds a generator of its own with 0 at every call.",
        {"hygiene"},
        streamed(PLAIN.verifier, lambda rng, shape: np.random.default_rng(0).random(shape)),
        no_program="every call repeats the same rows; there is no law to integrate",
    ),
)
