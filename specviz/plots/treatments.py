"""What a draft is worth by how it is treated, over the temperature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ..models.recorded import Recording
from ..theory.treatments import Treatments, treatments
from ..types import Floats
from .style import FAINT, OWED, REJECTED, P, axes_or_new, style


@dataclass(frozen=True)
class TreatmentsReading:
    """The acceptance under each treatment over the temperature.

    Attributes
    ----------
    temperatures : tuple of float
    found : tuple of Treatments
        At each of them.
    """

    temperatures: tuple[float, ...]
    found: tuple[Treatments, ...]

    @property
    def says(self) -> str:
        """The acceptance at the first and at the last temperature."""
        told = [
            f"at temperature {self.temperatures[end]:g} the token rule keeps {rule:.2f} of the drafts, the best one-hot draft "
            f"{one_hot:.2f}, the target matched with itself {match_self:.2f}, and drafts from q, matched, {match:.2f}"
            for end, (rule, one_hot, match_self, match) in ((0, self.found[0]), (-1, self.found[-1]))
        ]
        return f"Acceptance {told[0]}; {told[1]}. All of them are lossless; the hotter, the more q is worth knowing."


def read_treatments(p: ArrayLike, q: ArrayLike, temperatures: Sequence[float]) -> TreatmentsReading:
    """Work out the acceptance under each treatment at each temperature.

    Parameters
    ----------
    p, q : array_like, shape (V,) or (n, V)
        As for `specviz.theory.treatments.treatments`.
    temperatures : sequence of float
        Rising, above 0.

    Returns
    -------
    TreatmentsReading
    """
    return TreatmentsReading(tuple(temperatures), tuple(treatments(p, q, t) for t in temperatures))


def recorded_laws(recording: Recording) -> tuple[Floats, Floats]:
    """p and q at all drafted positions of a recording, shape (n, V): the tokens that were listed, filled up with zeros.

    Parameters
    ----------
    recording : Recording

    Returns
    -------
    (ndarray, ndarray)
        Rows that sum to 1: what was not listed one by one is left out.
    """
    rows = [row for played in recording.rounds for row in played.rows if row.q is not None]
    widest = max(len(row.p) for row in rows)
    p, q = np.zeros((2, len(rows), widest))
    for i, row in enumerate(rows):
        assert row.q is not None
        p[i, : len(row.p)], q[i, : len(row.q)] = row.p / row.p.sum(), row.q / row.q.sum()
    return p, q


def plot_treatments(p: ArrayLike, q: ArrayLike, temperatures: Sequence[float], *, ax: Axes | None = None) -> Axes:
    """Draw the acceptance under each treatment over the temperature.

    Parameters
    ----------
    p, q, temperatures
        As in `read_treatments`.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    curves = np.array(read_treatments(p, q, temperatures).found).T
    ax = axes_or_new(ax, 8.5, 4)
    looks = [(P, "-", "o"), (OWED, "-", "s"), (REJECTED, "-", "^"), (FAINT, "--", "")]
    labels = [
        "token rule   \u03a3 min(p, q)",
        "best one-hot draft   max p",
        "target matched with itself   \u03a3 p\u00b2",
        "drafts from q, matched   \u03a3 p q",
    ]
    with style():
        for curve, (colour, line, marker) in zip(curves, looks, strict=True):
            ax.plot(temperatures, curve, color=colour, linestyle=line, linewidth=2, marker=marker, markevery=4, markersize=7)
        for (colour, _, _), label, y in zip(looks, labels, _spread(curves[:, -1], 0.075), strict=True):
            ax.annotate(label, (1.02, y), xycoords=("axes fraction", "data"), color=colour, va="center", annotation_clip=False)
        ax.set_xlim(temperatures[0], temperatures[-1])
        ax.set_ylim(0, 1.02)
        ax.set_xlabel("temperature of both")
        ax.set_ylabel("acceptance")
        ax.set_title("What a draft is worth, by how it is treated")
        ax.grid(axis="y", color=FAINT, alpha=0.25, linewidth=0.8)
    return ax


def describe_treatments(p: ArrayLike, q: ArrayLike, temperatures: Sequence[float]) -> str:
    """Say what `plot_treatments` shows."""
    return read_treatments(p, q, temperatures).says


def _spread(values: Floats, gap: float) -> Floats:
    """The values moved apart, as little as keeps them in order and at least `gap` from each other."""
    order = np.argsort(values, kind="stable")
    moved = values[order].copy()
    for _ in range(100):
        short = np.maximum(gap - np.diff(moved), 0)
        if not short.any():
            break
        moved[1:] += short / 2
        moved[:-1] -= short / 2
    out = np.empty_like(moved)
    out[order] = moved
    return out
