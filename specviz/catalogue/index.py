"""The catalogue: wrong verifiers, which a test of losslessness must fail, and right ones, which it must pass.

The wrong ones are the token rule, written out plainly, with one part exchanged. Each names the gauges that see it. To add one,
write it in its family's file; `python -m specviz catalogue` writes what is made from the entries. A new file is listed here.
"""

from __future__ import annotations

from . import acceptance, emission, numerics, processing, randomness, residual, right, rows
from .entry import Entry

CATALOGUE: tuple[Entry, ...] = (
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


def mutant(name: str) -> Entry:
    """The entry of `CATALOGUE` with this name.

    Parameters
    ----------
    name : str

    Returns
    -------
    Entry

    Raises
    ------
    ValueError
        If there is none; the message lists the names.
    """
    for entry in CATALOGUE:
        if entry.name == name:
            return entry
    raise ValueError(f"no catalogued verifier is called {name!r}; expected one of {', '.join(m.name for m in CATALOGUE)}")
