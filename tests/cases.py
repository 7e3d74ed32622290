"""Random batches and scripted uniforms that several test files use."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from specviz.uniforms import GivenUniforms, integrate


class Case(NamedTuple):
    """Arguments of a verifier but for rng."""

    draft: np.ndarray
    q: np.ndarray
    p: np.ndarray
    num_draft: np.ndarray


class Scripted:
    """A stand-in for a Generator that returns given uniforms, flattened, in the order in which they are asked for."""

    def __init__(self, *values):
        self.values = np.concatenate([np.ravel(v) for v in values]) if values else np.empty(0)

    def random(self, shape=None):
        size = int(np.prod(shape)) if shape is not None else 1
        taken, self.values = self.values[:size], self.values[size:]
        assert len(taken) == size, "more uniforms asked for than were scripted"
        return taken.reshape(shape) if shape is not None else taken[0]


def random_rows(rng, shape, V, dtype=np.float64):
    """Random laws with exact zeros among them; entries are multiples of 1/64, so that sums are exact in any order."""
    counts = rng.multinomial(64, rng.dirichlet(np.full(V, 0.7), shape))
    return (counts / 64).astype(dtype)


def wide_rows(V=131_072, rows=2):
    """Heavy-tailed laws in float32, with exact zeros at both ends."""
    rng = np.random.default_rng(0)
    weights = rng.pareto(1.1, (rows, V)) + 1e-9
    weights[:, :3] = weights[:, -3:] = 0
    return (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)


def random_case(rng, B=5, K=3, V=4, dtype=np.float64):
    """A ragged batch whose drafts come from q and whose padding holds rubbish."""
    q, p = random_rows(rng, (B, K), V, dtype), random_rows(rng, (B, K + 1), V, dtype)
    draft = np.array([[rng.choice(V, p=q[b, i].astype(float)) for i in range(K)] for b in range(B)], int).reshape(B, K)
    num_draft = rng.integers(0, K + 1, B)
    return Case(draft, q, p, num_draft)


def with_padding(case, fill):
    """The same case with `fill` in every number that is padding: in draft and q from num_draft on, in p from num_draft + 1 on."""
    draft, q, p = case.draft.copy(), case.q.copy(), case.p.copy()
    for b, n in enumerate(case.num_draft):
        draft[b, n:] = int(fill) if np.isfinite(fill) else -1
        q[b, n:], p[b, n + 1 :] = fill, fill
    return Case(draft, q, p, case.num_draft)


def random_contexts(rng, V, K):
    """A target and a drafter that depend on the whole prefix: maps from prefix, up to K tokens long, to a law in fractions."""
    prefixes = [prefix for n in range(K + 1) for prefix in product(range(V), repeat=n)]
    rows = random_rows(rng, (2, len(prefixes)), V)
    return ({x: [Fraction(int(64 * w), 64) for w in row] for x, row in zip(prefixes, side, strict=True)} for side in rows)


@cache
def contexts_of(pair, depth=3):
    """Target and drafter of a designed chain, made of twentieths, as such maps: for every prefix up to `depth` tokens."""
    prefixes = [prefix for n in range(depth + 1) for prefix in product(range(pair.V), repeat=n)]
    sides = pair.target, pair.drafter
    return [{x: [Fraction(round(20 * m), 20) for m in side[x[-1] if x else pair.start]] for x in prefixes} for side in sides]


def assert_round_is_lossless(program, target, drafter, V, K):
    """Integrate one round exactly; given what was emitted before, each token must have the target's law, equal as fractions."""
    law = {}
    for draft in product(range(V), repeat=K):
        prefixes = [draft[:i] for i in range(K + 1)]
        q, p = [drafter[x] for x in prefixes[:-1]], [target[x] for x in prefixes]
        if mass := prod(q[i][x] for i, x in enumerate(draft)):
            for tokens, probability in integrate(partial(program, draft, q, p)).items():
                law[tokens] = law.get(tokens, 0) + mass * probability
    assert sum(law.values()) == 1
    for prefix, row in target.items():
        longer = [sum(m for tokens, m in law.items() if tokens[: len(prefix) + 1] == (*prefix, y)) for y in range(V)]
        if sum(longer):
            assert [m / sum(longer) for m in longer] == row


@st.composite
def cases(draw, max_rows=6, max_drafts=4, max_vocabulary=6):
    """Hypothesis strategy for `random_case` of any shape, empty ones included."""
    B, K = draw(st.integers(0, max_rows)), draw(st.integers(0, max_drafts))
    V = draw(st.integers(1, max_vocabulary))
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    return random_case(np.random.default_rng(draw(st.integers(0, 2**32 - 1))), B, K, V, dtype)


def extreme_uniforms(rng, size):
    """Uniforms of which many are 0 or the largest below 1."""
    u = rng.random(size)
    u[rng.random(size) < 0.2] = 0
    u[rng.random(size) < 0.2] = np.nextafter(1, 0)
    return u


class Thresholds:
    """Notes the threshold of every question, and answers as the uniforms at hand do."""

    def __init__(self, u):
        self.u, self.seen = u, {}

    def less(self, name, scale, bound):
        self.seen.setdefault(name, []).append(bound / scale if scale else 1)
        return self.u.less(name, scale, bound)

    def choose(self, name, weights):
        self.seen.setdefault(name, []).extend(np.cumsum(weights) / sum(weights))
        return self.u.choose(name, weights)


def at_thresholds(program, case, rng):
    """Uniforms of which most lie at a threshold of their own program, or a billionth beside it; the others are extreme or any."""
    B, K = case.draft.shape
    u, final = extreme_uniforms(rng, (B, K)), extreme_uniforms(rng, B)
    for b, n in enumerate(case.num_draft):
        for name in [*range(K), "final"]:  # in the order of the questions: an answer decides what is asked next
            notes = Thresholds(GivenUniforms(uniforms_by_name(u[b], final[b])))
            program(case.draft[b, :n].tolist(), case.q[b, :n].tolist(), case.p[b, : n + 1].tolist(), notes)
            cuts = [cut for question in ((kind, name) for kind in ("accept", "target")) for cut in notes.seen.get(question, [])]
            cuts += [cut for question in ("final", ("target", K)) for cut in notes.seen.get(question, []) if name == "final"]
            if cuts and rng.random() < 0.7:
                value = np.clip(rng.choice(cuts) + rng.choice([-1e-9, 0, 1e-9]), 0, np.nextafter(1, 0))
                if name == "final":
                    final[b] = value
                else:
                    u[b, name] = value
    return u, final


def uniforms_by_name(u, final):
    named = {("accept", i): x for i, x in enumerate(u)} | {"final": final}
    return named | {("target", i): x for i, x in enumerate([*u, final])}


def emitted(out):
    """Tokens of each row as tuples, the padding checked and cut off."""
    for row, n in zip(out.tokens, out.n_out, strict=True):
        assert (row[n:] == -1).all()
        assert (row[:n] >= 0).all()
    return [tuple(row[:n].tolist()) for row, n in zip(out.tokens, out.n_out, strict=True)]
