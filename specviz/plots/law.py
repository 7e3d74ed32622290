"""Counts of whole sequences against the exact law: a map of the cells, and the chi-square on its null density."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.patches import Polygon
from numpy.typing import ArrayLike
from scipy import stats

from ..auditing.statistics.chi_square import ChiSquare, chi_square
from ..types import Floats
from .names import token_names
from .style import INK, OWED_INK, REJECTED, REJECTED_INK, P, axes_or_new, ink_on, style

CLIP = 6.0
"""Residual at which the map's colour ends."""
SIGN = 3.3
"""Residual beyond which a cell shows its sign, so that the map can be read in grey."""


@dataclass(frozen=True, eq=False)
class LawReading:
    """Counts against their exact law.

    Attributes
    ----------
    residuals : ndarray, shape of the counts
        (observed - expected) / sqrt(expected) of each cell; where no cell is pooled, their squares sum to the chi-square.
    test : ChiSquare
    """

    residuals: Floats
    test: ChiSquare

    @property
    def says(self) -> str:
        """The chi-square, its cut, and the observed distance beside what chance gives."""
        test = self.test
        verdict = "below the cut of {:.1f}: no bias seen" if test.passed else "above the cut of {:.1f}: the law is wrong"
        chance = np.sqrt((test.cells - 1) / test.n) / 2
        return (
            f"{test.n:,} sequences in {test.cells} cells: chi-square {test.statistic:,.1f} with {test.dof} degrees of freedom, "
            f"{verdict.format(test.cut)}. Observed distance from the exact law: total variation {test.total_variation:.3f}; "
            f"chance alone averages at most {chance:.3f}."
        )


def read_law(counts: ArrayLike, law: ArrayLike) -> LawReading:
    """Hold counts against their exact law.

    Parameters
    ----------
    counts, law : array_like, any shape
        Counts of sequences, and their exact law.

    Returns
    -------
    LawReading
    """
    observed, exact = np.asarray(counts), np.asarray(law, np.float64)
    test = chi_square(observed, exact)
    expected = observed.sum() * exact
    return LawReading(np.asarray((observed - expected) / np.sqrt(np.where(expected > 0, expected, 1))), test)


class CellMap:
    """Sequences of three tokens: a row for each first token, a column for each second and third; `set` shows new counts."""

    def __init__(self, ax: Axes, V: int) -> None:
        names = token_names(V)
        with style():
            norm = Normalize(-CLIP, CLIP)
            edges = np.arange(V * V + 1) - 0.5
            self.image = ax.pcolormesh(edges, edges[: V + 1], np.zeros((V, V * V)), cmap="PuOr_r", norm=norm)
            ax.invert_yaxis()
            self.signs = [
                ax.text(c, r, "", ha="center", va="center", color=INK, fontsize=9) for r in range(V) for c in range(V * V)
            ]
            ax.set_xticks(np.arange(V * V), [names[i // V] + names[i % V] for i in range(V * V)], fontsize=9)
            ax.set_yticks(np.arange(V), names)
            ax.set_xlabel("second and third token")
            ax.set_ylabel("first token")
            ax.set_title("(observed - exact) / sqrt(exact), cell by cell")
            ax.tick_params(length=0)
            for x in np.arange(V - 0.5, V * V - 1, V):
                ax.axvline(x, color="white", linewidth=2)
            for spine in ax.spines.values():
                spine.set_visible(False)
            bar = ax.figure.colorbar(self.image, ax=ax, pad=0.02, aspect=12, ticks=[-6, -3, 0, 3, 6])
            bar.ax.set_yticklabels(["-6 or less", "-3", "0", "3", "6 or more"], fontsize=9)

    def set(self, reading: LawReading) -> None:
        """Show other counts of shape (V, V, V)."""
        flat = reading.residuals.reshape(len(reading.residuals), -1)
        self.image.set_array(flat)
        grounds = self.image.cmap(self.image.norm(flat.ravel()))
        for text, value, ground in zip(self.signs, flat.ravel(), grounds, strict=True):
            text.set_text("+" if value > SIGN else "\u2212" if value < -SIGN else "")
            text.set_color(ink_on(ground))


class NullDensity:
    """The chi-square's density when the verifier is right, the cut, and where the statistic fell; `set` shows another test."""

    def __init__(self, ax: Axes, cut: float) -> None:
        self.right = 2.1 * cut
        with style():
            (self.curve,) = ax.plot([], [], color=P, linewidth=2)
            self.tail = Polygon([[0, 0]], closed=True, facecolor=REJECTED, edgecolor="none")
            ax.add_patch(self.tail)
            (self.cut,) = ax.plot([], [], color=REJECTED, linestyle="--", linewidth=1.5)
            self.cut_label = ax.text(0, 1.36, "", color=REJECTED_INK, va="top", ha="left")
            self.null_label = ax.text(0, 1.36, "a right verifier", color=P, va="top", ha="center")
            (self.mark,) = ax.plot([], [], linewidth=3)
            (self.arrow,) = ax.plot([0], [0], visible=False, color=REJECTED, marker=">", markersize=14, linestyle="none")
            self.label = ax.text(0, 0, "", fontweight="bold", va="bottom", ha="center")
            self.axis_label = ax.text(0.5, -0.115, "", transform=ax.transAxes, ha="center", va="top")
            ax.set_xlim(0, self.right)
            ax.set_ylim(0, 1.4)
            ax.set_yticks([])
            ax.set_xlabel(" ")
            ax.set_title("Is it what chance gives?")

    def set(self, test: ChiSquare) -> None:
        """Show a test: its null density, its cut, its statistic. One beyond the axis is an arrow at its end."""
        x = np.linspace(0.01, self.right, 500)
        density = stats.chi2.pdf(x, test.dof)
        density /= density.max()
        self.curve.set_data(x, density)
        beyond = x >= test.cut
        self.tail.set_xy(np.column_stack([[*x[beyond], self.right, test.cut], [*density[beyond], 0, 0]]))
        self.cut.set_data([test.cut, test.cut], [0, 1.4])
        self.cut_label.set_position((test.cut, 1.36))
        self.cut_label.set_text(f" cut {test.cut:.1f}")
        self.null_label.set_position((max(test.dof, 0.25 * self.right), 1.36))
        self.axis_label.set_text(f"chi-square, {test.dof} degrees of freedom")
        inside = test.statistic < 0.97 * self.right
        at = test.statistic if inside else 0.97 * self.right
        self.mark.set_data([at, at], [0, 1.06 if inside else 0])
        self.arrow.set_data([at], [0.42])
        self.arrow.set_visible(not inside)
        self.label.set_position((at, 1.08 if inside else 0.52))
        self.label.set_horizontalalignment("center" if inside and at < 0.8 * self.right else "right")
        self.label.set_text(f"{test.statistic:,.1f}" + (" pass" if test.passed else " FAIL"))
        colour = OWED_INK if test.passed else REJECTED_INK
        self.mark.set_color(colour)
        self.label.set_color(colour)

    @property
    def artists(self) -> list[Artist]:
        """What moves."""
        lines = [self.tail, self.curve, self.cut, self.mark, self.arrow]
        return [*lines, self.cut_label, self.null_label, self.label, self.axis_label]


def plot_cells(counts: ArrayLike, law: ArrayLike, *, ax: Axes | None = None) -> Axes:
    """Map each cell's difference from its exact expectation.

    Parameters
    ----------
    counts, law : array_like, shape (V, V, V)
        Counts of sequences of three tokens, and their exact law.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    reading = read_law(counts, law)
    ax = axes_or_new(ax, 8, 3)
    CellMap(ax, len(reading.residuals)).set(reading)
    return ax


def plot_null(test: ChiSquare, *, ax: Axes | None = None) -> Axes:
    """Draw the null density, the cut and the statistic of a test, which is a reading as it comes.

    Parameters
    ----------
    test : ChiSquare
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    ax = axes_or_new(ax)
    NullDensity(ax, test.cut).set(test)
    return ax


def describe_law(counts: ArrayLike, law: ArrayLike) -> str:
    """Say what `plot_cells` shows of the counts, and `plot_null` of their test."""
    return read_law(counts, law).says
