"""Every explorer by name: what the pictures in figures/, the benchmark, the browser tests and the screenshots are made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pkgutil import resolve_name
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from .widgets.explorer import Explorer


class Registry(Mapping[str, "Explorer"]):
    """Explorers by name. The module of a view is imported when it is first asked for: some need the audit, most do not.

    Parameters
    ----------
    homes : mapping of str to str
        For each name, the file in views/ and the object in it: ``"split:SPLIT"``.
    """

    def __init__(self, homes: Mapping[str, str]) -> None:
        self._homes = homes

    def __getitem__(self, name: str) -> Explorer:
        return cast("Explorer", resolve_name(f"{__package__}.views.{self._homes[name]}"))

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)


EXPLORERS = Registry(
    {
        "round": "round:ROUND",
        "split": "split:SPLIT",
        "context": "split:CONTEXT",
        "square": "square:SQUARE",
        "grid": "grid:GRID",
        "speed": "speed:SPEED",
        "law": "law:LAW",
        "needles": "needles:NEEDLES",
        "report": "report:REPORT",
        "process": "process:PROCESS",
        "power": "power:POWER",
        "siblings": "siblings:SIBLINGS",
        "block": "block:BLOCK",
    }
)
"""In the order of the course."""
