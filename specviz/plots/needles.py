"""Four gauges side by side: which of them moves when a verifier is wrong?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Wedge

from ..auditing.statistics.chi_square import ChiSquare, chi_square, count_cells
from ..models.generate import Generated
from ..models.markov import MarkovPair
from .style import FAINT, INK, REJECTED, REJECTED_INK, P, axes_or_new, style

DECADES = (-1.0, 2.0)
"""Ends of a chi-square gauge: from a tenth of the cut to a hundred times it, in powers of ten."""


@dataclass(frozen=True)
class Needle:
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

    @property
    def says(self) -> str:
        """The number, what it is held against, and whether the needle moves."""
        return f"{self.value} ({self.note}): {'moves' if self.moved else 'still'}"


def read_gauge(test: ChiSquare) -> Needle:
    """A chi-square on a scale of powers of ten times its cut.

    Parameters
    ----------
    test : ChiSquare

    Returns
    -------
    Needle
    """
    low, high = DECADES
    with np.errstate(divide="ignore"):
        at = (np.log10(test.statistic / test.cut) - low) / (high - low)
    return Needle(float(np.clip(at, 0, 1)), not test.passed, f"{test.statistic:,.0f}", f"cut {test.cut:.0f}")


@dataclass(frozen=True)
class NeedlesReading:
    """What the four gauges show.

    Attributes
    ----------
    first, joint, tokens, verdict : Needle
        First token, joint law and tokens per round at one K; the verdict takes in all K.
    expected : float
        Where the needle of the token rule stands on the gauge of tokens per round.
    """

    first: Needle
    joint: Needle
    tokens: Needle
    verdict: Needle
    expected: float

    @property
    def says(self) -> str:
        """Each needle, and the verdict."""
        named = (("first token", self.first), ("joint law", self.joint), ("tokens per round", self.tokens))
        needles = "; ".join(f"{name} {needle.says}" for name, needle in named)
        return f"{needles.capitalize()}. Verdict: {self.verdict.value}."


def read_needles(pair: MarkovPair, runs: Mapping[int, Generated], K: int) -> NeedlesReading:
    """Test generated sequences in four ways.

    Parameters
    ----------
    pair : MarkovPair
        What they are held against.
    runs : mapping of int to Generated
        Sequences of one verifier, of three tokens, for each number of drafts.
    K : int
        Which of them the first three needles show.

    Returns
    -------
    NeedlesReading
    """
    run, law = runs[K], pair.joint_law(3)
    counts = {drafts: count_cells(other.sequences, pair.V) for drafts, other in runs.items()}
    passed = all(chi_square(count, law, alpha=0.001 / len(runs)).passed for count in counts.values())
    exact = pair.tokens_per_round(K)
    error = max(run.tokens_per_round_error, 1 / len(run.sequences))
    return NeedlesReading(
        read_gauge(chi_square(counts[K].sum(axis=(1, 2)), pair.joint_law(1))),
        read_gauge(chi_square(counts[K], law)),
        _tokens_needle(run.tokens_per_round, exact, error, K),
        _verdict_needle(passed, list(runs)),
        (exact - 1) / K,
    )


def _tokens_needle(measured: float, exact: float, error: float, K: int) -> Needle:
    """On a scale from 1 to K + 1; one right token rule in 1,000 is further than 3.3 standard errors away."""
    moved = abs(measured - exact) > 3.3 * error
    return Needle((measured - 1) / K, bool(moved), f"{measured:.3f}", f"token rule {exact:.3f}")


def _verdict_needle(passed: bool, drafts: Sequence[int]) -> Needle:
    """Left no bias seen, right not lossless."""
    note = f"law at K = {' and '.join(map(str, drafts))}"
    return Needle(0.2 if passed else 0.8, not passed, "no bias seen" if passed else "NOT lossless", note)


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

    def set(self, needle: Needle, expected: float | None = None) -> None:
        """Turn the needle; `expected` puts a mark where the needle of the token rule stands."""
        self.needle.set_data(*_ray(needle.at, 0, 0.78))
        self.mark.set_data(*_ray(expected, 0.76, 1.04) if expected is not None else ([], []))
        self.value.set_text(needle.value)
        self.note.set_text(needle.note)
        for artist in (self.needle, self.hub, self.value):
            artist.set_color(self.alarm if needle.moved else P)

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


def plot_gauge(test: ChiSquare, *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw a chi-square as a gauge whose right two thirds are bad.

    Parameters
    ----------
    test : ChiSquare
    title : str
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    needle = read_gauge(test)
    ax = axes_or_new(ax, 3, 2.4)
    Gauge(ax, title, ("cut / 10", "100 cuts"), (-DECADES[0] / (DECADES[1] - DECADES[0]), 1)).set(needle)
    return ax


def describe_gauge(test: ChiSquare) -> str:
    """Say what `plot_gauge` shows."""
    return read_gauge(test).says


def describe_needles(pair: MarkovPair, runs: Mapping[int, Generated], K: int) -> str:
    """Say what the four gauges show; arguments as in `read_needles`."""
    return read_needles(pair, runs, K).says


def _ray(at: float, inner: float, outer: float) -> tuple[list[float], list[float]]:
    angle = np.pi * (1 - at)
    return [inner * np.cos(angle), outer * np.cos(angle)], [inner * np.sin(angle), outer * np.sin(angle)]
