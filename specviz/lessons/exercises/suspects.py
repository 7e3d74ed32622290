"""Five verifiers without names, and how they are measured."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ...auditing.statistics.chi_square import count_cells
from ...catalogue.index import mutant
from ...models.generate import generate
from ...probability import total_variation
from ...rules.contract import Verifier
from ...types import Array
from ..checking.compare import TEACHING

SUSPECT_NAMES = (
    "replacement_from_p",
    "residual_abs",
    "one_uniform_per_row",
    "uniform_reused",
    "count_of_mask",
    "bonus_from_row_before",
    "no_bonus",
    "match_target",
)
"""The names to choose from; each is an entry of `specviz.catalogue.index.CATALOGUE`, and each belongs to one suspect at most."""


# The list as Python prints it, which is what a student sees.
# fmt: off
def names():
    """Five names, in the order of suspects."""
    return ['one_uniform_per_row', 'residual_abs', 'no_bonus', 'count_of_mask', 'bonus_from_row_before']
# fmt: on


NAMES = tuple(names())

GAUGES = ("TV of the first token", "TV of three tokens, K = 2", "TV of three tokens, K = 3", "tokens per round, K = 3")
MEASURED = 40_000
"""Sequences a measurement; total variations below about 0.02 are noise."""


def _anonymous(name: str, number: int) -> Verifier:
    build = mutant(name).build(TEACHING)

    def suspect(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> Any:
        """A verifier with the common signature. Is it right? If not, what is wrong?"""
        return build(draft, q, p, num_draft, rng)

    suspect.__name__ = suspect.__qualname__ = f"suspect_{number}"
    return suspect


suspects: tuple[Verifier, ...] = tuple(_anonymous(name, i) for i, name in enumerate(NAMES))
"""Five verifiers, for the teaching chain `MarkovPair.teaching()`."""


@lru_cache(maxsize=32)
def measure(name: str) -> tuple[float, ...]:
    """A catalogued verifier on the teaching chain, by each of `GAUGES`."""
    verifier = mutant(name).build(TEACHING)
    law = TEACHING.joint_law(3)
    tvs, speed = [], 0.0
    for K in (2, 3):
        run = generate(TEACHING, verifier, length=3, K=K, n=MEASURED, rng=np.random.default_rng(0))
        frequency = count_cells(run.sequences, TEACHING.V) / MEASURED
        if K == 2:
            tvs.append(float(total_variation(frequency.sum(axis=(1, 2)), law.sum(axis=(1, 2)))))
        tvs.append(float(total_variation(frequency.ravel(), law.ravel())))
        speed = run.tokens_per_round
    return (*tvs, speed)
