"""Wrappers that change what a rule reads or cut what it emits: what an engine gets wrong around a rule that is right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...exact.chain import Tokens
from ...types import Array, Floats, Ints
from ...uniforms import Uniforms
from .parts import Rule

Reader = Callable[[Any, Any], Any]
"""Position i and number of drafts n to the position that is read in its place."""


def reading(rule: Rule, *, p: Reader | None = None, q: Reader | None = None) -> Rule:
    """The rule, reading p or q at other positions of the same row; never in the padding."""

    def moved(rows: Array, reader: Reader | None, last: Ints) -> Array:
        if reader is None or not rows.shape[1]:
            return rows
        index = np.clip(reader(np.arange(rows.shape[1]), last[:, None]), 0, np.maximum(last[:, None], 0))
        return np.take_along_axis(rows, index[..., None], 1)

    def verifier(draft: Array, q_: Array | None, p_: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        assert q_ is not None, "the catalogue needs q"
        return rule.verifier(draft, moved(q_, q, num_draft - 1), moved(p_, p, num_draft), num_draft, rng)

    def program(draft: Any, q_: Any, p_: Any, u: Uniforms) -> Tokens:
        n = np.array([len(draft)])
        assert rule.program is not None
        return rule.program(draft, moved(q_[None, : len(draft)], q, n - 1)[0], moved(p_[None], p, n)[0], u)

    return Rule(verifier, program)


def processed(rule: Rule, *, p: Callable[[Any], Any] | None = None, q: Callable[[Any], Any] | None = None) -> Rule:
    """The rule on rows of p or q that were changed beforehand."""

    def verifier(draft: Array, q_: Array | None, p_: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        assert q_ is not None, "the catalogue needs q"
        return rule.verifier(draft, q(q_) if q else q_, p(p_) if p else p_, num_draft, rng)

    def program(draft: Any, q_: Any, p_: Any, u: Uniforms) -> Tokens:
        assert rule.program is not None
        return rule.program(draft, q(q_) if q else q_, p(p_) if p else p_, u)

    return Rule(verifier, program)


def shortened(rule: Rule, length: Callable[[Any, Any, Any], Any]) -> Rule:
    """The rule on fewer drafts: `length` maps (draft, q, num_draft) of many rows to how many are tested in each."""

    def verifier(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        assert q is not None, "the catalogue needs q"
        return rule.verifier(draft, q, p, length(draft, q, num_draft), rng)

    def program(draft: Any, q: Any, p: Any, u: Uniforms) -> Tokens:
        assert rule.program is not None
        n = len(draft)
        few = int(length(np.array([draft], np.int64).reshape(1, n), q[None, :n], np.array([n]))[0])
        return rule.program(draft[:few], q[: few + 1], p[: few + 1], u)

    return Rule(verifier, program)


def powered(rows: Floats, exponent: float) -> Floats:
    """Rows to a power, normalised: temperature 1 / exponent."""
    with np.errstate(invalid="ignore"):  # padding may be anything
        raised = np.asarray(rows, np.float64) ** exponent
        tempered: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return tempered


def top(rows: Array, k: int) -> Array:
    """The k largest entries of each row, the first of equals, normalised."""
    kept = np.argsort(np.argsort(-rows, axis=-1, kind="stable"), axis=-1, kind="stable") < k
    some = np.where(kept, rows, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        kept_only: Array = some / some.sum(axis=-1, keepdims=True)
    return kept_only


def cut(rule: Rule, keep: Any) -> Rule:
    """The rule, of whose tokens only the first keep(n_out, num_draft) are emitted."""

    def verifier(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        tokens, n_out = rule.verifier(draft, q, p, num_draft, rng)
        few = keep(n_out, num_draft)
        return np.where(np.arange(tokens.shape[1]) < few[:, None], tokens, -1), few

    def program(draft: Any, q: Any, p: Any, u: Uniforms) -> Tokens:
        assert rule.program is not None
        tokens = rule.program(draft, q, p, u)
        return tokens[: int(keep(len(tokens), len(draft)))]

    return Rule(verifier, program)
