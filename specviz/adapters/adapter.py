"""What the adapters share: each holds the function that it wraps, and goes by that function's name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Adapter:
    """A callable around a function of another signature. It can be pickled if the function can.

    Parameters
    ----------
    function : callable

    Raises
    ------
    ValueError
        If it cannot be called.
    """

    function: Callable[..., Any]

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise ValueError(f"function is {self.function!r}; expected a callable")

    @property
    def __name__(self) -> str:
        """The function's name, for reports."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))
