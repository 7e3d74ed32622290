"""Every explorer by name: what the benchmark times, what the browser tests move, what screenshots are taken of."""

from __future__ import annotations

from collections.abc import Callable

from .figview import FigView
from .law import law_explorer
from .round import round_explorer
from .split import context_explorer, split_explorer

EXPLORERS: dict[str, Callable[[], FigView]] = {
    "round": round_explorer,
    "split": split_explorer,
    "context": context_explorer,
    "law": law_explorer,
}
"""Name, and what makes the view."""
