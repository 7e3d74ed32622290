"""What a view declares of itself: how it is made, and the settings at which it is printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .figview import FigView


@dataclass(frozen=True, eq=False)
class Explorer:
    """An interactive figure.

    Attributes
    ----------
    make : callable
        Returns the view; without arguments as it is first seen.
    pictures : tuple of mapping
        Values of controls by name, for each of its pictures in figures/. They are set one after the other: what a mapping leaves
        out stays as it is.
    """

    make: Callable[..., FigView]
    pictures: tuple[Mapping[str, Any], ...]

    def shown(self) -> Iterator[tuple[bytes, str]]:
        """A PNG and a sentence at each of the settings."""
        view = self.make()
        for setting in self.pictures:
            view.set(**setting)
            says = view.run()
            yield view.picture.value, says
