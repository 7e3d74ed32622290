"""Keep back what a student's code prints and warns of, and remember the beginning."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

import numpy as np

HEAD = 400
"""Characters kept of what the code prints: enough to find one's own message, and a loop that prints cannot fill the memory."""


class Head(io.TextIOBase):
    """A stream that keeps its first `HEAD` characters."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        """Keep what still fits."""
        if len(self.text) < HEAD:
            self.text += text[: HEAD - len(self.text)]
        return len(text)


@contextmanager
def kept_back(printed: Head) -> Iterator[None]:
    """In the block, what is printed goes to `printed`, and there are no warnings, NumPy's included."""
    with redirect_stdout(printed), redirect_stderr(printed), np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
