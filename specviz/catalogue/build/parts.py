"""The token rule from exchangeable parts, in two forms: vectorised, and as the scalar program that states it.

What wrong verifiers are made of. A part is written once, for rows along the last axis: the vectorised form gives it arrays of
many rows, the program single rows, in fractions or floats. The two forms around the parts are independent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from ...exact.chain import Program, Tokens
from ...inverse_cdf import inverse_cdf
from ...rules.contract import Verifier
from ...rules.match import match_row, match_target
from ...types import Array, Floats, Ints, Mask
from ...uniforms import Uniforms


class Rule(NamedTuple):
    """One rule in two forms."""

    verifier: Verifier
    program: Program | None


def at(rows: Array, x: Any) -> Any:
    """Entry x of each row."""
    return rows[x] if rows.ndim == 1 else np.take_along_axis(rows, np.asarray(x)[..., None], -1)[..., 0]


def ratio(p: Array, q: Array, x: Any, i: Any) -> tuple[Any, Any]:
    """Accept when u * q(x) < p(x): scale and bound of the question."""
    return at(q, x), at(p, x)


def leading_run(accept: Mask) -> Ints:
    """Drafts before the first rejection."""
    run: Ints = np.cumprod(accept, axis=-1).sum(axis=-1)
    return run


def owed(p: Array, q: Array, x: Any = None) -> Array:
    """The residual, not normalised."""
    residual: Array = np.maximum(p - q, 0)
    return residual


def without(p: Array, x: Any) -> Array:
    """p without its entry x, not normalised."""
    return np.where(np.arange(p.shape[-1]) == np.asarray(x)[..., None], 0, p)


def one_hot(x: Any, V: int) -> Array:
    """Rows of V entries of which only entry x is above zero."""
    row: Array = np.arange(V) == np.asarray(x)[..., None]
    return row


def largest(weights: Array) -> Array:
    """One-hot row of the largest weight, the first of equals."""
    return one_hot(weights.argmax(axis=-1), weights.shape[-1])


def bonus_row(n: Any) -> Any:
    """The target's row behind the last draft."""
    return n


def from_target(p: Array, q_before: Array, x_before: Any) -> Array:
    """The bonus comes from the target."""
    return p


@dataclass(frozen=True)
class Parts:
    """The token rule from its parts. Without arguments it is right; each argument exchanges one part.

    Attributes
    ----------
    accept : callable
        (p, q, x, i) to scale and bound: the draft x at position i is kept when u * scale < bound.
    count : callable
        Mask of what was kept to the number of drafts that are emitted.
    replacement : callable
        (p, q, x) at the first position that is not emitted, to the weights of the token there.
    replacement_row : callable
        (that position, n) to the position whose p and q are used.
    bonus : callable
        (p, q_before, x_before) at the last draft to the weights of the bonus. A row without drafts draws from p.
    bonus_at : callable
        Number of drafts to the row of p that the bonus is drawn from.
    shared : bool
        Do all positions of a row ask one uniform?
    final : str
        Which uniform the last token asks. "fresh" is one of its own; "last" is that of the last accept test, "rejecting" the same
        after a rejection only, "kept" before a bonus only; "first" is that of the first accept test.
    emit_bonus : bool
    search : callable
        Draws the last token of many rows from weights and uniforms. Exchanged, it leaves no program.
    """

    accept: Callable[[Any, Any, Any, Any], tuple[Any, Any]] = ratio
    count: Callable[[Mask], Ints] = leading_run
    replacement: Callable[[Any, Any, Any], Any] = owed
    replacement_row: Callable[[Any, Any], Any] = lambda i, n: i
    bonus: Callable[[Any, Any, Any], Any] = from_target
    bonus_at: Callable[[Any], Any] = bonus_row
    shared: bool = False
    final: Literal["fresh", "last", "rejecting", "kept", "first"] = "fresh"
    emit_bonus: bool = True
    search: Callable[[Array, Floats], Ints] = lambda weights, u: inverse_cdf(weights, u)[0]

    def program(self, draft: Any, q: Any, p: Any, u: Uniforms) -> Tokens:
        """The rule for one row."""
        n = len(draft)

        def kept(i: int) -> bool:
            scale, bound = self.accept(p[i], q[i], draft[i], i)
            return u.less("row" if self.shared else ("accept", i), scale, bound)

        if self.count is leading_run:
            k = next((i for i in range(n) if not kept(i)), n)
        else:
            k = int(self.count(np.array([kept(i) for i in range(n)], bool)))
        if k < n:
            row = self.replacement_row(k, n)
            weights = self.replacement(p[row], q[min(row, n - 1)], draft[k])
        elif n:
            weights = self.bonus(p[self.bonus_at(n)], q[n - 1], draft[n - 1])
        else:
            weights = p[0]
        if k == n and n and not self.emit_bonus:
            return tuple(draft)
        of_last = self.final == "last" or self.final == ("rejecting" if k < n else "kept")
        final: Any = ("accept", min(k, n - 1)) if of_last and n else ("accept", 0) if self.final == "first" and n else "final"
        return (*draft[:k], u.choose(final, weights if any(w > 0 for w in weights) else p[k]))

    def verifier(
        self, draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator
    ) -> tuple[Array, Array]:
        """The rule for a batch; draws B x K uniforms for the tests, then B for the last tokens."""
        assert q is not None, "the catalogue needs q"
        B, K = draft.shape
        row, before = np.arange(B), np.maximum(num_draft - 1, 0)
        is_draft = np.arange(K) < num_draft[:, None]
        x = np.where(is_draft, draft, 0)
        scale, bound = self.accept(p[:, :K], q, x, np.arange(K))
        refuse(np.where(is_draft, at(q, x) + at(p[:, :K], x), 0))
        u = np.repeat(rng.random((B, 1)), K, axis=1) if self.shared else rng.random((B, K))
        k = self.count((u * scale < bound) & is_draft) if K else num_draft
        stopped = k < num_draft
        weights = p[row, num_draft]
        if K:
            bonus = self.bonus(p[row, self.bonus_at(num_draft)], q[row, before], x[row, before])
            weights = np.where(num_draft[:, None] > 0, bonus, weights)
            i = self.replacement_row(k, num_draft)
            q_at = np.where(stopped[:, None], q[row, np.clip(i, 0, before)], 0)
            refuse(q_at)
            new = self.replacement(p[row, i], q_at, x[row, np.minimum(k, K - 1)])
            weights = np.where(stopped[:, None], new, weights)
        weights = np.where(weights.sum(axis=1, keepdims=True) > 0, weights, p[row, k]).astype(np.float64)
        u_final = np.asarray(rng.random(B))
        if self.final != "fresh" and K:
            chosen = {"last": num_draft > 0, "first": num_draft > 0, "rejecting": stopped, "kept": ~stopped & (num_draft > 0)}
            asked = np.zeros_like(k) if self.final == "first" else np.minimum(k, before)
            u_final = np.where(chosen[self.final], u[row, asked], u_final)
        refuse(weights, p[row, k])
        final = self.search(weights, u_final)
        silent = ~stopped & (num_draft > 0) & (not self.emit_bonus)
        return emitted(draft, k, np.where(silent, -1, final)), k + ~silent

    @property
    def rule(self) -> Rule:
        """Both forms."""
        return Rule(self.verifier, self.program)


def refuse(*read: Array) -> None:
    """Raise ValueError for what is no probability: a fault that is looked for is not to be found by a NaN."""
    for values in read:
        if not (values >= 0).all():
            row = int(np.argwhere(~(values >= 0))[0][0])
            raise ValueError(f"p or q holds {values[row].min()} in row {row}; expected probabilities")


def emitted(draft: Array, k: Ints, final: Ints) -> Ints:
    """The first k drafts of each row, then the final token, then -1."""
    B, K = draft.shape
    tokens = np.full((B, K + 1), -1)
    tokens[:, :K] = np.where(np.arange(K) < k[:, None], draft, -1)
    tokens[np.arange(B), k] = final
    return tokens


def match_rule(on_mismatch: Callable[[Any, Any], Any]) -> Rule:
    """Sample-and-match whose token after a mismatch is drawn anew, from weights made of p and q."""

    def verifier(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        assert q is not None, "the catalogue needs q"
        tokens, n_out = match_target(draft, q, p, num_draft, rng)
        row, n = np.arange(len(p)), n_out - 1
        stopped = np.flatnonzero(n < num_draft)
        where = row[stopped], n[stopped]
        tokens[where], _ = inverse_cdf(on_mismatch(p[where], q[where]), rng.random(len(stopped)))
        return tokens, n_out

    def program(draft: Any, q: Any, p: Any, u: Uniforms) -> Tokens:
        tokens = match_row(draft, q, p, u)
        k = len(tokens) - 1
        return tokens if k == len(draft) else (*draft[:k], u.choose("final", on_mismatch(p[k], q[k])))

    return Rule(verifier, program)
