"""Verifiers whose uniforms are tampered with before the rule sees them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...rules.contract import Verifier
from ...types import Array, Floats
from ...uniforms import Uniforms


@dataclass(frozen=True)
class _Stream:
    rng: np.random.Generator
    draw: Callable[[np.random.Generator, Any], Floats]

    def random(self, shape: Any) -> Floats:
        return self.draw(self.rng, shape)


def streamed(verifier: Verifier, draw: Callable[[np.random.Generator, Any], Floats]) -> Verifier:
    """The verifier whose calls of rng.random(shape) are answered by draw(rng, shape)."""

    def tampered(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        return verifier(draft, q, p, num_draft, _Stream(rng, draw))  # type: ignore[arg-type]

    return tampered


@dataclass(frozen=True)
class Mirrored:
    """Answers as if every uniform u were 1 - u: (1 - u) * scale < bound unless u * scale < scale - bound, but for one point."""

    u: Uniforms

    def less(self, name: Hashable, scale: Any, bound: Any) -> bool:
        """Is (1 - u) * scale < bound?"""
        return bound > 0 if scale == 0 else not self.u.less(name, scale, scale - bound)

    def choose(self, name: Hashable, weights: Sequence[Any]) -> int:
        """First index whose cumulative weight exceeds 1 - u times the total."""
        return len(weights) - 1 - self.u.choose(name, weights[::-1])
