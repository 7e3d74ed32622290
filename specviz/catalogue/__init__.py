"""Verifiers whose verdict is known: wrong ones, a family or two in each file, and right ones beside them."""

from __future__ import annotations

from .entry import Entry, Gauge
from .index import CATALOGUE, mutant
from .trees import WRONG_TREES, WrongTree, row_by_row

__all__ = [
    "CATALOGUE",
    "WRONG_TREES",
    "Entry",
    "Gauge",
    "WrongTree",
    "mutant",
    "row_by_row",
]
