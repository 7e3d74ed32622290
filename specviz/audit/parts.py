"""The token rule and sample-and-match from exchangeable parts: what wrong verifiers are made of."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..arrays import Array, Floats, Ints, Mask
from ..rules.batch import Verifier
from ..rules.match import match_target
from ..search import inverse_cdf


def fresh(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """One uniform for each draft."""
    return rng.random(shape)


def ratio(u: Floats, p_x: Floats, q_x: Floats) -> Mask:
    """Accept with probability min(1, p / q)."""
    return u * q_x < p_x


def leading_run(accept: Mask) -> Ints:
    """Drafts before the first rejection."""
    run: Ints = np.cumprod(accept, axis=1).sum(axis=1)
    return run


def owed(p: Floats, q: Floats) -> Floats:
    """The residual, not normalised."""
    return np.maximum(p - q, 0)


def target_bonus(draft: Ints, q: Floats, p: Floats, num_draft: Ints) -> Floats:
    """The target's law at each row's bonus position."""
    return p[np.arange(len(p)), num_draft]


def token_rule(
    *,
    uniforms: Callable[[np.random.Generator, tuple[int, int]], Floats] = fresh,
    accept: Callable[[Floats, Floats, Floats], Mask] = ratio,
    count: Callable[[Mask], Ints] = leading_run,
    replacement: Callable[[Floats, Floats], Floats] = owed,
    bonus: Callable[[Ints, Floats, Floats, Ints], Floats] = target_bonus,
    reuse_last_uniform: bool = False,
    emit_bonus: bool = True,
) -> Verifier:
    """The token rule from its parts. Without arguments it is right; each argument exchanges one part."""

    def verifier(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        assert q is not None, "the catalogue needs q"
        B, K = draft.shape
        row = np.arange(B)
        is_draft = np.arange(K) < num_draft[:, None]
        x = np.where(is_draft, draft, 0)
        p_x, q_x = (np.take_along_axis(d[:, :K], x[..., None], axis=2)[..., 0] for d in (p, q))
        u = uniforms(rng, (B, K))
        n = count(accept(u, p_x, q_x) & is_draft)
        stopped = n < num_draft
        weights = bonus(draft, q, p, num_draft)
        if K:
            weights[stopped] = replacement(p[row, n], q[row, np.minimum(n, K - 1)])[stopped]
        empty = weights.sum(axis=1) <= 0
        weights[empty] = p[row, n][empty]
        u_final = np.asarray(rng.random(B))
        if reuse_last_uniform and K:
            last = np.minimum(n, num_draft - 1)
            u_final = np.where(last >= 0, u[row, last], u_final)
        final, _ = inverse_cdf(weights, u_final)
        tokens = np.full((B, K + 1), -1)
        tokens[:, :K] = np.where(np.arange(K) < n[:, None], draft, -1)
        tokens[row, n] = final
        if emit_bonus:
            return tokens, n + 1
        silent = ~stopped & (num_draft > 0)
        tokens[row[silent], n[silent]] = -1
        return tokens, n + ~silent

    return verifier


def match_rule(on_mismatch: Callable[[Floats, Floats], Floats]) -> Verifier:
    """Sample-and-match whose token after a mismatch is drawn anew, from weights made of p and q."""

    def verifier(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        assert q is not None, "the catalogue needs q"
        tokens, n_out = match_target(draft, q, p, num_draft, rng)
        row, n = np.arange(len(p)), n_out - 1
        stopped = np.flatnonzero(n < num_draft)
        at = row[stopped], n[stopped]
        tokens[at], _ = inverse_cdf(on_mismatch(p[at], q[at]), rng.random(len(stopped)))
        return tokens, n_out

    return verifier
