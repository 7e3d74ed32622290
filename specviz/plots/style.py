"""The one look of all pictures: colours that also differ in grey and for colour-blind readers, on opaque white."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import Any

import matplotlib as mpl
import matplotlib.style
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

P = "#0173B2"
"""The target, and what is kept."""
Q = "#C27C00"
"""The drafter; always hatched as well."""
OWED = "#029E73"
"""The residual, and what is drawn from it."""
REJECTED = "#D55E00"
"""Rejections and failed tests."""
OWED_INK = "#01714F"
REJECTED_INK = "#A84A00"
"""The same two for text and for grounds under white text: 4.5 to 1 against white, where a bar needs 3 to 1."""
INK = "#222222"
FAINT = "#6b6b6b"
Q_HATCH = "///"
OWED_HATCH = ".."


def ink_on(ground: Any) -> str:
    """Black or white, whichever stands out more on a ground of three or four numbers from 0 to 1: at least 4.5 to 1."""
    rgb = np.asarray(ground, np.float64)[:3]
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return "white" if linear @ [0.2126, 0.7152, 0.0722] < 0.179 else "black"


@contextmanager
def style() -> Iterator[None]:
    """Use the package's style sheet inside a with block."""
    with as_file(files(__package__).joinpath("specviz.mplstyle")) as sheet, mpl.rc_context(), matplotlib.style.context(sheet):
        yield


def new_figure(width: float = 10, height: float = 3.4, columns: int = 1, **gridspec: Any) -> tuple[Figure, list[Axes]]:
    """Make a figure in the package's style, on an Agg canvas and unknown to pyplot: nothing to close, nothing that leaks.

    Parameters
    ----------
    width, height : float
        Inches.
    columns : int
        Axes side by side.
    **gridspec
        For the grid, such as ``width_ratios``.
    """
    with style():
        figure = Figure(figsize=(width, height))
        FigureCanvasAgg(figure)
        axes = figure.subplots(1, columns, squeeze=False, gridspec_kw=gridspec)
    return figure, list(np.ravel(axes))


def axes_or_new(ax: Axes | None, width: float = 6, height: float = 3.4) -> Axes:
    """Return the axes that were given, or those of a new figure."""
    return ax if ax is not None else new_figure(width, height)[1][0]


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure for a notebook: shown as a PNG, and as its sentence wherever pictures are not.

    Attributes
    ----------
    figure : Figure
    says : str
        What the picture shows: its `describe_*`.
    """

    figure: Figure
    says: str

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict[str, str], dict[str, Any]]:
        out = io.BytesIO()
        self.figure.savefig(out, format="png", metadata={"Software": None})
        return {"image/png": b64encode(out.getvalue()).decode(), "text/plain": self.says}, {"image/png": {"alt": self.says}}
