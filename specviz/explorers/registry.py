"""Every explorer by name: what the benchmark times, what the browser tests move, what screenshots are taken of."""

from __future__ import annotations

from collections.abc import Callable

from .views.block import block_explorer
from .views.grid import grid_explorer
from .views.law import law_explorer
from .views.needles import needles_explorer
from .views.power import power_explorer
from .views.process import process_explorer
from .views.report import report_explorer
from .views.round import round_explorer
from .views.siblings import siblings_explorer
from .views.speed import speed_explorer
from .views.split import context_explorer, split_explorer
from .views.square import square_explorer
from .widgets.figview import FigView

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
