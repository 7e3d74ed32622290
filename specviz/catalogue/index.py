"""Wrong verifiers, and right ones that are not the token rule: what a test of losslessness must fail, and what it must pass.

The wrong ones are the token rule, written out plainly, with one part exchanged. Each names the gauges that see it. The entries
stand in `specviz.catalogue`, one family or two in each file.
"""

from __future__ import annotations

from . import acceptance, emission, numerics, processing, randomness, residual, right, rows
from .entry import Gauge, Mutant

__all__ = ["CATALOGUE", "Gauge", "Mutant", "mutant"]

CATALOGUE: tuple[Mutant, ...] = (
    *right.ENTRIES,
    *acceptance.ENTRIES,
    *residual.ENTRIES,
    *emission.ENTRIES,
    *rows.ENTRIES,
    *randomness.ENTRIES,
    *processing.ENTRIES,
    *numerics.ENTRIES,
)
"""The right rules first, then the wrong ones by family."""


def mutant(name: str) -> Mutant:
    """The entry of `CATALOGUE` with this name.

    Parameters
    ----------
    name : str

    Returns
    -------
    Mutant

    Raises
    ------
    ValueError
        If there is none; the message lists the names.
    """
    for entry in CATALOGUE:
        if entry.name == name:
            return entry
    raise ValueError(f"no catalogued verifier is called {name!r}; expected one of {', '.join(m.name for m in CATALOGUE)}")
