"""Four gauges side by side: which of them moves when a verifier is wrong?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Wedge

from ..auditing.statistics.chi_square import ChiSquare
from .style import FAINT, INK, REJECTED, REJECTED_INK, P, axes_or_new, style

DECADES = (-1.0, 2.0)
"""Ends of a chi-square gauge: from a tenth of the cut to a hundred times it, in powers of ten."""


@dataclass(frozen=True)
class Reading:
    """What one gauge shows.

    Attributes
    ----------
    at : float
        Where the needle stands, from 0 (left end) to 1.
    moved : bool
        Has it left the range of a right token rule?
    value : str
        The number, or the verdict.
    note : str
        What it is held against.
    """

    at: float
    moved: bool
    value: str
    note: str


def read_chi_square(test: ChiSquare) -> Reading:
    """A chi-square on a scale of powers of ten times its cut."""
    low, high = DECADES
    with np.errstate(divide="ignore"):
        at = (np.log10(test.statistic / test.cut) - low) / (high - low)
    return Reading(float(np.clip(at, 0, 1)), not test.passed, f"{test.statistic:,.0f}", f"cut {test.cut:.0f}")


def read_tokens(measured: float, exact: float, error: float, K: int) -> Reading:
    """Tokens per round on a scale from 1 to K + 1; one right token rule in 1,000 is further than 3.3 standard errors away."""
    moved = abs(measured - exact) > 3.3 * error
    return Reading((measured - 1) / K, bool(moved), f"{measured:.3f}", f"token rule {exact:.3f}")


def read_verdict(passed: bool) -> Reading:
    """The verdict: left no bias seen, right not lossless."""
    return Reading(0.2 if passed else 0.8, not passed, "no bias seen" if passed else "NOT lossless", "law at K = 2 and 3")


class Gauge:
    """A half circle from 0 to 1 with its bad side marked, a needle, a number and a note; `set` turns the needle."""

    def __init__(self, ax: Axes, title: str, ends: tuple[str, str], bad: tuple[float, float] | None) -> None:
        self.alarm = REJECTED_INK if bad else INK
        with style():
            ax.add_patch(Wedge((0, 0), 1, 0, 180, width=0.2, facecolor="#e4e4e4", edgecolor="none"))
            if bad:
                ax.add_patch(
                    Wedge((0, 0), 1, 180 * (1 - bad[1]), 180 * (1 - bad[0]), width=0.2, facecolor=REJECTED, edgecolor="none")
                )
            (self.mark,) = ax.plot([], [], color=INK, linewidth=2.5)
            (self.needle,) = ax.plot([], [], color=INK, linewidth=4, solid_capstyle="round")
            (self.hub,) = ax.plot([0], [0], "o", color=INK, markersize=10)
            self.value = ax.text(0, -0.22, "", ha="center", va="top", fontsize=14, fontweight="bold")
            self.note = ax.text(0, -0.52, "", ha="center", va="top", color=FAINT, fontsize=10)
            for x, text in zip((-0.9, 0.9), ends, strict=True):
                ax.text(x, -0.06, text, ha="center", va="top", fontsize=9, color=FAINT)
            ax.set_xlim(-1.12, 1.12)
            ax.set_ylim(-0.72, 1.04)
            ax.set_aspect("equal")
            ax.axis("off")
            ax.set_title(title, loc="center")

    def set(self, reading: Reading, expected: float | None = None) -> None:
        """Show a reading; `expected` puts a mark where the needle of the token rule stands."""
        self.needle.set_data(*_ray(reading.at, 0, 0.78))
        self.mark.set_data(*_ray(expected, 0.76, 1.04) if expected is not None else ([], []))
        self.value.set_text(reading.value)
        self.note.set_text(reading.note)
        for artist in (self.needle, self.hub, self.value):
            artist.set_color(self.alarm if reading.moved else P)

    @property
    def artists(self) -> list[Artist]:
        """What moves."""
        return [self.mark, self.needle, self.hub, self.value, self.note]


def first_token_gauge(ax: Axes) -> Gauge:
    """A gauge for the chi-square of first tokens."""
    return Gauge(ax, "First token", ("cut / 10", "100 cuts"), (-DECADES[0] / (DECADES[1] - DECADES[0]), 1))


def joint_gauge(ax: Axes) -> Gauge:
    """A gauge for the chi-square of whole sequences."""
    return Gauge(ax, "Joint law, 3 tokens", ("cut / 10", "100 cuts"), (-DECADES[0] / (DECADES[1] - DECADES[0]), 1))


def tokens_gauge(ax: Axes) -> Gauge:
    """A gauge for tokens per round: neither side of it is bad by itself."""
    return Gauge(ax, "Tokens per round", ("1", "K + 1"), None)


def verdict_gauge(ax: Axes) -> Gauge:
    """A gauge with two positions."""
    return Gauge(ax, "Verdict", ("", ""), (0.5, 1))


def plot_gauge(reading: Reading, *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw one gauge whose right two thirds are bad.

    Parameters
    ----------
    reading : Reading
    title : str
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    ax = axes_or_new(ax, 3, 2.4)
    Gauge(ax, title, ("cut / 10", "100 cuts"), (-DECADES[0] / (DECADES[1] - DECADES[0]), 1)).set(reading)
    return ax


def describe_needles(first: Reading, joint: Reading, tokens: Reading, verdict: Reading) -> str:
    """Say what the four gauges show."""
    parts = []
    for name, reading in (("first token", first), ("joint law", joint), ("tokens per round", tokens)):
        parts.append(f"{name} {reading.value} ({reading.note}): {'moves' if reading.moved else 'still'}")
    return f"{'; '.join(parts).capitalize()}. Verdict: {verdict.value}."


def _ray(at: float, inner: float, outer: float) -> tuple[list[float], list[float]]:
    angle = np.pi * (1 - at)
    return [inner * np.cos(angle), outer * np.cos(angle)], [inner * np.sin(angle), outer * np.sin(angle)]
