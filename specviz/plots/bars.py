"""Bars of one look as one artist: a hatch is rendered once for all of them, which is what makes a frame fast."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from numpy.typing import ArrayLike

from ..types import Floats

CODES = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]


class Bars(PathPatch):
    """Bars side by side, of no height to begin with.

    Parameters
    ----------
    ax : Axes
    x : array_like, shape (n,)
        Their centres.
    width : float
    **look
        Of the patch: ``facecolor``, ``hatch``, ``label``, ...

    Attributes
    ----------
    bottoms, heights : ndarray, shape (n,)
        A bar of no height, or of no width, is not drawn.
    """

    def __init__(self, ax: Axes, x: ArrayLike, width: float, **look: Any) -> None:
        super().__init__(Path(np.empty((0, 2))), **look)
        self.left = np.asarray(x, np.float64) - width / 2
        self.right = self.left + width
        self.put(np.zeros(len(self.left)))
        ax.add_patch(self)

    def put(self, heights: ArrayLike, bottoms: ArrayLike = 0.0, edges: ArrayLike | None = None) -> None:
        """Give the bars new heights, on new bottoms; with n + 1 edges they become columns side by side between these."""
        if edges is not None:
            self.left, self.right = np.asarray(edges, np.float64)[:-1], np.asarray(edges, np.float64)[1:]
        self.heights = np.asarray(heights, np.float64)
        self.bottoms: Floats = np.broadcast_to(np.asarray(bottoms, np.float64), self.heights.shape)
        drawn = (self.heights > 1e-9) & (self.right - self.left > 1e-9)
        left, right, low = self.left[drawn], self.right[drawn], self.bottoms[drawn]
        high = low + self.heights[drawn]
        corners = np.stack([left, low, left, high, right, high, right, low, left, low], axis=1)
        self.set_path(Path(corners.reshape(-1, 2), CODES * int(drawn.sum())))
