"""The picture of a view in the browser, with what it shows in words for those who do not see it."""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets


class Canvas(anywidget.AnyWidget):
    """A PNG that is replaced often.

    Attributes
    ----------
    value : bytes
        The PNG.
    alt : str
        What it shows, for screen readers.
    """

    _esm = Path(__file__).parent / "canvas.js"
    value = traitlets.Bytes().tag(sync=True)
    alt = traitlets.Unicode().tag(sync=True)
