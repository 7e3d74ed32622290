"""Pictures: one family a file.

Each picture has three functions that take the same arguments: `read_x` computes what is shown, once; `plot_x` draws that reading
on `ax` and returns it; `describe_x` says it in words. Figures that move hold artists which are `set` to a reading.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "block": ("describe_path", "plot_path", "read_path"),
    "grid": ("describe_grid", "plot_grid", "read_grid"),
    "law": ("describe_law", "plot_cells", "plot_null", "read_law"),
    "needles": ("describe_gauge", "describe_needles", "plot_gauge", "read_gauge", "read_needles"),
    "power": ("describe_power", "plot_power", "read_power"),
    "process": ("describe_process", "plot_process", "read_process"),
    "report": ("describe_report", "plot_report", "read_report"),
    "round": ("describe_round", "play_round", "plot_round", "read_round"),
    "siblings": ("describe_acceptance", "describe_stages", "plot_acceptance", "read_acceptance", "read_stages"),
    "speed": ("describe_speed", "plot_speed", "read_speed"),
    "split": ("describe_outcome", "describe_split", "plot_outcome", "plot_split", "read_outcome", "read_split"),
    "square": ("describe_square", "kept_darts", "plot_square", "read_square"),
    "style": ("Picture", "new_figure"),
    "tokens": ("describe_tokens", "plot_tokens", "read_tokens"),
    "treatments": ("describe_treatments", "plot_treatments", "read_treatments", "recorded_laws"),
}
"""Public names by their module, which is imported when the first of them is asked for."""

__all__ = sorted(name for names in _HOMES.values() for name in names)


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f".{home}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
