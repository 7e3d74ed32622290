"""What a test can see: the chi-square with and without a bias, and the distance that a right sampler shows by chance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from scipy import stats

from ..auditing.statistics.chi_square import power
from ..theory.spread_bias import spread_bias
from ..types import Floats
from .style import FAINT, INK, REJECTED, REJECTED_INK, P, axes_or_new, style

REPLICATES = 4_000
"""Runs that are simulated for the law of the observed distance."""
RULE = 0.01
"""The rule of thumb: a total variation below this is taken for right."""
WIDEST = 250
"""Right end of the axis of the chi-square."""
MOST_TV = 0.12
"""Right end of the axis of the distance."""


@lru_cache(maxsize=256)
def observed_distances(cells: int, n: int, tv: float, seed: int = 0) -> Floats:
    """Total variation between the frequencies of n draws from a biased law and the uniform one, in `REPLICATES` runs.

    Parameters
    ----------
    cells, n : int
    tv : float
        The true distance, spread over all cells; 0 for a right sampler.
    seed : int

    Returns
    -------
    ndarray, shape (REPLICATES,)
        Not to be written to.
    """
    law, biased = spread_bias(cells, tv)
    counts = np.random.default_rng([seed, cells, n]).multinomial(n, biased, REPLICATES)
    distances = np.asarray(np.abs(counts / n - law).sum(axis=1) / 2)
    distances.setflags(write=False)
    return distances


@dataclass(frozen=True, eq=False)
class PowerReading:
    """A test of n draws over some cells, for a right sampler and for one that is off by tv.

    Attributes
    ----------
    cells, n : int
    tv, alpha : float
    cut : float
        Of the chi-square at the false-alarm rate alpha.
    noncentrality : float
        n times the divergence, 4 n tv^2.
    power : float
        Probability that the chi-square sees the bias.
    right, wrong : ndarray
        Observed distances of the right and of the biased sampler.
    """

    cells: int
    n: int
    tv: float
    alpha: float
    cut: float
    noncentrality: float
    power: float
    right: Floats
    wrong: Floats

    @property
    def right_passes(self) -> float:
        """Share of runs in which a right sampler passes the rule of thumb."""
        return float((self.right < RULE).mean())

    @property
    def wrong_passes(self) -> float:
        """Share of runs in which the biased sampler passes it."""
        return float((self.wrong < RULE).mean())

    @property
    def says(self) -> str:
        """What both tests see."""
        return (
            f"{self.n:,} draws over {self.cells} cells, a bias of {self.tv:.3f} in total variation. The chi-square at a "
            f"false-alarm rate of {self.alpha:g} sees it with probability {self.power:.3f}. The rule TV below {RULE} passes a "
            f"right sampler in {self.right_passes:.1%} of runs and the biased one in {self.wrong_passes:.1%}; by chance alone "
            f"a right one shows {self.right.mean():.4f}."
        )


def read_power(cells: int, n: int, tv: float, alpha: float = 0.001) -> PowerReading:
    """Work out both tests.

    Parameters
    ----------
    cells : int
        Equally likely outcomes, an even number.
    n : int
        Draws.
    tv : float
        The true distance of the biased sampler.
    alpha : float
        False-alarm rate of the chi-square.

    Returns
    -------
    PowerReading
    """
    law, biased = spread_bias(cells, tv)
    cut = float(stats.chi2.isf(alpha, cells - 1))
    seen = power(biased, law, n, alpha=alpha)
    right, wrong = observed_distances(cells, n, 0.0), observed_distances(cells, n, tv)
    return PowerReading(cells, n, tv, alpha, cut, 4 * n * tv**2, seen, right, wrong)


class PowerCurves:
    """Density of the chi-square without and with the bias, the cut between them, and the power; `set` moves them."""

    def __init__(self, ax: Axes) -> None:
        self.grid = np.linspace(0.5, WIDEST, 500)
        with style():
            (self.null,) = ax.plot([], [], color=P, linewidth=2, label="right sampler")
            (self.biased,) = ax.plot([], [], color=REJECTED, linewidth=2, linestyle="--", label="biased sampler")
            (self.seen,) = ax.fill([0, 0], [0, 0], facecolor=REJECTED, alpha=0.25, edgecolor="none")
            (self.cut,) = ax.plot([0, 0], [0, 0.93], color=INK, linewidth=1.5)
            self.cut_label = ax.text(0, 0.94, "", ha="center", va="bottom")
            self.power = ax.text(
                0.985, 0.80, "", transform=ax.transAxes, ha="right", va="top", fontweight="bold", color=REJECTED_INK
            )
            self.beyond = ax.text(0.985, 0.72, "", transform=ax.transAxes, ha="right", va="top", color=FAINT)
            ax.set_xlim(0, WIDEST)
            ax.set_ylim(0, 1.22)
            ax.set_yticks([])
            ax.set_xlabel("chi-square")
            ax.set_title("What the chi-square sees")
            ax.legend(loc="upper right", ncols=2, handlelength=1.8, fontsize=10, borderaxespad=0.1)

    def set(self, reading: PowerReading) -> None:
        """Show another test."""
        dof = reading.cells - 1
        null = stats.chi2.pdf(self.grid, dof)
        biased = np.nan_to_num(stats.ncx2.pdf(self.grid, dof, reading.noncentrality)) if reading.noncentrality > 0 else null
        far = dof + reading.noncentrality > WIDEST - 10
        for line, density in ((self.null, null), (self.biased, biased)):
            line.set_data(self.grid, 0.9 * density / null.max())
        above = self.grid >= reading.cut
        x = np.concatenate([[reading.cut], self.grid[above], [WIDEST]])
        self.seen.set_xy(np.column_stack([x, np.concatenate([[0], 0.9 * biased[above] / null.max(), [0]])]))
        self.cut.set_xdata([reading.cut, reading.cut])
        self.cut_label.set_text(f"cut {reading.cut:.1f}")
        self.cut_label.set_x(reading.cut)
        self.power.set_text(f"power {reading.power:.3f}")
        self.beyond.set_text(f"centre at {dof + reading.noncentrality:,.0f}, to the right of this axis" if far else "")

    @property
    def artists(self) -> list[Artist]:
        """What moves."""
        return [self.seen, self.null, self.biased, self.cut, self.cut_label, self.power, self.beyond]


class DistanceCurves:
    """How often each distance is observed, without and with the bias, and the rule of thumb; `set` moves them."""

    def __init__(self, ax: Axes) -> None:
        self.edges = np.linspace(0, 1, 1001)
        with style():
            (self.right,) = ax.plot([], [], color=P, linewidth=2, drawstyle="steps-post")
            (self.wrong,) = ax.plot([], [], color=REJECTED, linewidth=2, linestyle="--", drawstyle="steps-post")
            ax.axvspan(0, RULE, color="#e4e4e4", linewidth=0)
            ax.text(RULE, 1.42, " below 0.01: \u201cright\u201d", ha="left", va="top", color=FAINT)
            self.lines = [
                ax.text(0.985, height, "", transform=ax.transAxes, ha="right", va="top", color=colour, fontweight=weight)
                for height, colour, weight in ((0.99, P, "bold"), (0.90, REJECTED_INK, "normal"), (0.81, FAINT, "normal"))
            ]
            ax.set_xlim(0, MOST_TV)
            ax.set_ylim(0, 1.45)
            ax.set_yticks([])
            ax.set_xlabel("observed total variation")
            ax.set_title("What the rule \u201cTV below 0.01\u201d sees")

    def set(self, reading: PowerReading) -> None:
        """Show another test."""
        for line, distances in ((self.right, reading.right), (self.wrong, reading.wrong)):
            share, _ = np.histogram(distances, self.edges)
            line.set_data(self.edges[:-1], share / share.max())
        self.lines[0].set_text(f"right sampler passes: {reading.right_passes:.1%}")
        self.lines[1].set_text(f"biased sampler passes: {reading.wrong_passes:.1%}")
        beyond = ", to the right of this axis" if reading.right.mean() > MOST_TV else ""
        self.lines[2].set_text(f"right sampler, mean {reading.right.mean():.4f}{beyond}")

    @property
    def artists(self) -> list[Artist]:
        """What moves."""
        return [self.right, self.wrong, *self.lines]


def plot_power(cells: int, n: int, tv: float, alpha: float = 0.001, *, ax: Axes | None = None) -> Axes:
    """Draw the chi-square's densities without and with a bias.

    Parameters
    ----------
    cells, n, tv, alpha
        As in `read_power`.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    reading = read_power(cells, n, tv, alpha)
    ax = axes_or_new(ax)
    PowerCurves(ax).set(reading)
    return ax


def describe_power(cells: int, n: int, tv: float, alpha: float = 0.001) -> str:
    """Say what both tests see; arguments as in `read_power`."""
    return read_power(cells, n, tv, alpha).says
