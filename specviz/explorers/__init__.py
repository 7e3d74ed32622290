"""Interactive figures for JupyterLab: state in, picture and sentence out.

Each explorer has a function that makes it, such as `split_explorer`; `EXPLORERS` holds them all by name.
"""

from __future__ import annotations

from typing import Any

from .registry import EXPLORERS

__all__ = ["EXPLORERS", *(f"{name}_explorer" for name in EXPLORERS)]


def __getattr__(name: str) -> Any:
    """The function that makes an explorer; its module is imported when it is first asked for."""
    explorer = name.removesuffix("_explorer")
    if explorer != name and explorer in EXPLORERS:
        return EXPLORERS[explorer].make
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
