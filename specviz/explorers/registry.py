"""Every explorer by name: what the benchmark times, what the browser tests move, what screenshots are taken of."""

from __future__ import annotations

from collections.abc import Callable

from .block import block_explorer
from .figview import FigView
from .grid import grid_explorer
from .law import law_explorer
from .needles import needles_explorer
from .power import power_explorer
from .process import process_explorer
from .report import report_explorer
from .round import round_explorer
from .siblings import siblings_explorer
from .speed import speed_explorer
from .split import context_explorer, split_explorer
from .square import square_explorer

EXPLORERS: dict[str, Callable[[], FigView]] = {
    "round": round_explorer,
    "split": split_explorer,
    "context": context_explorer,
    "square": square_explorer,
    "grid": grid_explorer,
    "speed": speed_explorer,
    "law": law_explorer,
    "needles": needles_explorer,
    "report": report_explorer,
    "process": process_explorer,
    "power": power_explorer,
    "siblings": siblings_explorer,
    "block": block_explorer,
}
"""Name, and what makes the view."""
