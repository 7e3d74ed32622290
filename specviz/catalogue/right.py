"""Right rules: the token rule, and others that keep the law at another price. A test that fails one of them is wrong."""

from __future__ import annotations

import numpy as np

from ..models.markov import MarkovPair
from ..rules.block import verify_block, verify_block_row
from ..rules.contract import Verifier
from ..rules.match import match_row, match_target
from ..rules.token import verify, verify_row
from ..types import Array, Ints
from .build.parts import Parts, Rule, at, emitted, leading_run, ratio, refuse, without
from .build.streams import Mirrored, streamed
from .build.wrap import cut, shortened
from .entry import PACE, entry

TOKEN = Rule(verify, verify_row)
BLOCK = Rule(verify_block, verify_block_row)
PLAIN = Parts().rule


def until_unlikely(draft: Array, q: Array, num_draft: Ints, *, with_it: bool) -> Ints:
    """Drafts up to the first whose q is below a quarter, that one included or not."""
    if not draft.shape[1]:
        return num_draft
    is_draft = np.arange(draft.shape[1]) < num_draft[:, None]
    unlikely = is_draft & (at(q[:, : draft.shape[1]], np.where(is_draft, draft, 0)) < 0.25)
    first = np.where(unlikely.any(axis=1), unlikely.argmax(axis=1) + with_it, num_draft)
    return np.minimum(first, num_draft)


def _by_clocks(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """The last token is the one whose exponential clock, of rate its weight, rings first."""
    return Parts(search=lambda weights, u: _first_to_ring(weights, rng)).verifier(draft, q, p, num_draft, rng)


def _first_to_ring(weights: Array, rng: np.random.Generator) -> Ints:
    with np.errstate(divide="ignore"):
        ring: Ints = (rng.exponential(size=weights.shape) / weights).argmin(axis=1)
    return ring


def _compact(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """Uniforms are drawn for the drafts that are there, one after the other."""
    assert q is not None, "the catalogue needs q"
    B, K = draft.shape
    is_draft = np.arange(K) < num_draft[:, None]
    x = np.where(is_draft, draft, 0)
    u = np.zeros((B, K))
    u[is_draft] = rng.random(int(num_draft.sum()))
    scale, bound = ratio(p[:, :K], q, x, None)
    refuse(np.where(is_draft, scale + bound, 0))
    k = leading_run((u * scale < bound) & is_draft) if K else num_draft
    weights = p[np.arange(B), k].astype(np.float64)
    stopped = np.flatnonzero(k < num_draft)
    refuse(weights, q[stopped, k[stopped]])
    weights[stopped] = np.maximum(weights[stopped] - q[stopped, k[stopped]], 0)
    return emitted(draft, k, Parts().search(weights, np.asarray(rng.random(B)))), k + 1


def _own_stream(pair: MarkovPair) -> Verifier:
    own = np.random.default_rng(7)

    def verifier(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        return verify(draft, q, p, num_draft, own)

    return verifier


ONE_HOT = Parts(accept=lambda p, q, x, i: (1, at(p, x)), replacement=lambda p, q, x: without(p, x))

ENTRIES = (
    entry("verify", "right", "The token rule of this package.", frozenset(), TOKEN),
    entry("token_rule", "right", "The token rule from its parts, nothing exchanged.", frozenset(), PLAIN),
    entry("no_bonus", "right", "Leaves out the bonus token: lossless, only slower.", PACE, Parts(emit_bonus=False).rule),
    entry(
        "match_target",
        "right",
        "Draws from p, emits the draw, goes on while it equals the draft.",
        PACE,
        Rule(match_target, match_row),
        in_step=False,
    ),
    entry("verify_block", "right", "Accepts sub-blocks of drafts jointly: lossless and faster.", PACE, BLOCK),
    entry(
        "block_without_bonus",
        "right",
        "The block rule without its bonus token.",
        PACE,
        cut(BLOCK, lambda n_out, n: np.minimum(n_out, np.maximum(n, 1))),
    ),
    entry(
        "one_hot",
        "right",
        "Takes every draft for a sure one: accepts with p(x), else draws from p without x.",
        PACE,
        ONE_HOT.rule,
    ),
    entry(
        "first_draft_only",
        "right",
        "Tests the first draft, forgets the others, and draws its bonus behind it.",
        PACE,
        shortened(TOKEN, lambda draft, q, num_draft: np.minimum(num_draft, 1)),
    ),
    entry(
        "no_drafts", "right", "Forgets every draft and draws one token from p.", PACE, shortened(TOKEN, lambda draft, q, n: n * 0)
    ),
    entry(
        "one_token",
        "right",
        "Emits the first token of the round and forgets the others.",
        PACE,
        cut(TOKEN, lambda n_out, n: n_out**0),
    ),
    entry(
        "stops_at_unlikely",
        "right",
        "Tests no draft behind the first whose q is below 1/4: that one is kept in the test.",
        PACE,
        shortened(TOKEN, lambda draft, q, n: until_unlikely(draft, q, n, with_it=True)),
    ),
    entry(
        "mirrored",
        "right",
        "The token rule with 1 - u in place of every u.",
        frozenset(),
        Rule(
            streamed(PLAIN.verifier, lambda rng, shape: np.minimum(1 - rng.random(shape), np.nextafter(1, 0))),
            lambda draft, q, p, u: verify_row(draft, q, p, Mirrored(u)),
        ),
        in_step=False,
    ),
    entry(
        "exponential_clocks",
        "right",
        "Draws the last token by exponential clocks, which is the Gumbel-max way, in place of a cumulative sum.",
        frozenset(),
        _by_clocks,
        no_program="clocks are compared, not a uniform with a number",
    ),
    entry(
        "compact_uniforms",
        "right",
        "Draws uniforms for the drafts that are there, so that a row's uniforms depend on its neighbours' lengths.",
        frozenset(),
        _compact,
        no_program="one row's law is the token rule's; what differs is which uniform it gets",
    ),
    entry(
        "own_stream",
        "right",
        "Ignores rng and draws from a generator of its own.",
        frozenset(),
        TOKEN.verifier,
        build=_own_stream,
        no_program="one row's law is the token rule's; what differs is where its uniforms come from",
    ),
)
