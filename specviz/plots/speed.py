"""Tokens per pass and speed-up over K: what a longer draft brings, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ..theory.speed import best_draft_length, expected_tokens, speedup
from ..types import Floats
from .style import FAINT, INK, OWED, OWED_INK, REJECTED_INK, P, axes_or_new, style

MOST = 8
"""Longest draft shown."""
FASTEST = 5.4
"""Top of the axis of the speed-up: more is rare, and would press the rest together."""


@dataclass(frozen=True, eq=False)
class SpeedReading:
    """What drafts bring and cost, for one overlap and one cost.

    Attributes
    ----------
    alpha : float
        Overlap, the same in every context.
    cost : float
        Time to draft one token, as a fraction of a target pass.
    K, best : int
        The length that is marked, and the fastest up to `MOST`.
    tokens, faster : ndarray, shape (MOST + 1,)
        Tokens per pass and speed-up at K = 0, 1, 2, ...
    measured, errors : ndarray or None
        Recorded mean tokens at K = 0, 1, 2, ... and their standard errors.
    """

    alpha: float
    cost: float
    K: int
    best: int
    tokens: Floats
    faster: Floats
    measured: Floats | None
    errors: Floats | None

    @property
    def says(self) -> str:
        """Tokens and speed-up at the marked length, and the best one."""
        gain, best = float(self.faster[self.K]), self.best
        says = f"Overlap {self.alpha:.2f}, K = {self.K}: {float(self.tokens[self.K]):.3f} tokens per pass"
        slower = "" if gain >= 1 else ", which is slower than plain decoding"
        says += f", {gain:.3f} times as fast at cost {self.cost:.2f}{slower}."
        says += f" Best K up to {MOST}: {best}, {float(self.faster[best]):.3f} times." if best else " Best: do not draft."
        if self.measured is not None:
            says += f" Recorded: {', '.join(f'{m:.2f} at K = {k}' for k, m in enumerate(self.measured))}."
        return says


def read_speed(
    alpha: float, cost: float, *, K: int | None = None, measured: ArrayLike | None = None, errors: ArrayLike | None = None
) -> SpeedReading:
    """Work out tokens per pass and speed-up over K.

    Parameters
    ----------
    alpha : float
        Overlap, the same in every context.
    cost : float
        Time to draft one token, as a fraction of a target pass.
    K : int, optional
        Length to mark, at most `MOST`; the best one unless given.
    measured, errors : array_like, optional
        Mean tokens per pass at K = 0, 1, 2, ... and their standard errors.

    Returns
    -------
    SpeedReading
    """
    lengths, best = np.arange(MOST + 1), best_draft_length(alpha, cost, most=MOST)
    means, bars = (None if values is None else np.asarray(values, np.float64) for values in (measured, errors))
    tokens, faster = expected_tokens(alpha, lengths), speedup(alpha, lengths, cost)
    return SpeedReading(alpha, cost, best if K is None else K, best, tokens, faster, means, bars)


class TokensCurve:
    """Tokens per pass over K for one overlap, its limit, and the chosen K; measured means may stand beside it. `set` moves it."""

    def __init__(self, ax: Axes) -> None:
        K = np.arange(MOST + 1)
        with style():
            (self.curve,) = ax.plot(K, K + 1.0, color=P, linewidth=2, marker="o", markersize=5)
            (self.limit,) = ax.plot([0, MOST], [1, 1], color=FAINT, linestyle=":", linewidth=1.5)
            self.limit_label = ax.text(-0.2, 1, "", color=FAINT, ha="left", va="bottom")
            (self.chosen,) = ax.plot([0], [1], "o", color="white", markeredgecolor=P, markeredgewidth=3, markersize=13)
            self.label = ax.text(0, 0, "", color=P, fontweight="bold", ha="left", va="top")
            (self.measured,) = ax.plot([], [], "x", color=INK, markersize=9, markeredgewidth=2)
            self.bars = ax.vlines([0], [0], [0], color=INK, linewidth=1.5)
            self.measured_label = ax.text(0.03, 0.97, "", transform=ax.transAxes, color=INK, va="top")
            ax.set_xlim(-0.4, MOST + 0.4)
            ax.set_ylim(0, MOST + 1.6)
            ax.set_xticks(K)
            ax.set_xlabel("drafts per round, K")
            ax.set_ylabel("tokens per pass")
            ax.set_title("Tokens per target pass")

    def set(self, reading: SpeedReading) -> None:
        """Show another overlap and K, with what was measured if anything was."""
        alpha, K, tokens, measured, errors = reading.alpha, reading.K, reading.tokens, reading.measured, reading.errors
        self.curve.set_ydata(tokens)
        limit = 1 / (1 - alpha) if alpha < 1 else np.inf
        seen = limit < MOST + 0.8
        self.limit.set_ydata([limit, limit] if seen else [-1, -1])
        self.limit_label.set_y(limit if seen else 0)
        self.limit_label.set_text(f"never more than 1 / (1 - {alpha:.2f}) = {limit:.2f}" if seen else "")
        y = float(tokens[K])
        self.chosen.set_data([K], [y])
        late = K > MOST - 2
        self.label.set_text(f"{tokens[K]:.3f}")
        self.label.set_position((K + (-0.1 if late else 0.3), y - (0.9 if late else 0.35)))
        self.label.set_horizontalalignment("right" if late else "left")
        there = measured is not None and errors is not None
        self.measured.set_visible(there)
        self.bars.set_visible(there)
        self.measured_label.set_text("x  recorded rounds, 2 standard errors" if there else "")
        if measured is not None and errors is not None:
            at = np.arange(len(measured))
            self.measured.set_data(at, measured)
            self.bars.set_segments([[(k, m - 2 * e), (k, m + 2 * e)] for k, m, e in zip(at, measured, errors, strict=True)])

    @property
    def artists(self) -> list[Artist]:
        """What moves."""
        lines = [self.limit, self.curve, self.chosen, self.bars, self.measured]
        return [*lines, self.limit_label, self.label, self.measured_label]


class SpeedCurve:
    """Speed-up over K for one overlap and drafting cost; the best K carries a star. `set` moves it."""

    def __init__(self, ax: Axes) -> None:
        K = np.arange(MOST + 1)
        with style():
            (self.curve,) = ax.plot(K, K + 1.0, color=P, linewidth=2, marker="o", markersize=5)
            (self.chosen,) = ax.plot([0], [1], "o", color="white", markeredgecolor=P, markeredgewidth=3, markersize=13)
            (self.best,) = ax.plot([0], [1], "*", color=OWED, markersize=17, markeredgecolor="white")
            self.label = ax.text(0.03, 0.97, "", transform=ax.transAxes, va="top", fontweight="bold")
            self.best_label = ax.text(0.03, 0.88, "", transform=ax.transAxes, va="top", color=OWED_INK)
            ax.axhline(1, color=FAINT, linestyle="--", linewidth=1.5)
            ax.text(-0.2, 0.06, "below the line: slower than plain decoding", color=FAINT, fontsize=10, va="bottom")
            ax.set_xlim(-0.4, MOST + 0.4)
            ax.set_ylim(0, FASTEST)
            ax.set_xticks(K)
            ax.set_xlabel("drafts per round, K")
            ax.set_ylabel("times as fast")
            ax.set_title("Speed-up when each draft costs c passes")

    def set(self, reading: SpeedReading) -> None:
        """Show another overlap, K and cost."""
        K, best, faster = reading.K, reading.best, reading.faster
        self.curve.set_ydata(faster)
        self.chosen.set_data([K], [faster[K]])
        self.best.set_data([best], [faster[best]])
        self.label.set_text(f"K = {K}: {faster[K]:.3f} times as fast{_beyond(faster[K])}")
        self.label.set_color(P if faster[K] >= 1 else REJECTED_INK)
        self.best_label.set_text(
            f"best: K = {best}, {faster[best]:.3f} times{_beyond(faster[best])}" if best else "best: do not draft"
        )

    @property
    def artists(self) -> list[Artist]:
        """What moves."""
        return [self.curve, self.chosen, self.best, self.label, self.best_label]


def _beyond(gain: float) -> str:
    return ", above this axis" if gain > FASTEST else ""


def plot_speed(
    alpha: float,
    cost: float,
    *,
    K: int | None = None,
    measured: ArrayLike | None = None,
    errors: ArrayLike | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the speed-up over K.

    Parameters
    ----------
    alpha, cost, K, measured, errors
        As in `read_speed`; what was measured is told, not drawn.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    reading = read_speed(alpha, cost, K=K, measured=measured, errors=errors)
    ax = axes_or_new(ax)
    SpeedCurve(ax).set(reading)
    return ax


def describe_speed(
    alpha: float, cost: float, *, K: int | None = None, measured: ArrayLike | None = None, errors: ArrayLike | None = None
) -> str:
    """Say what the curves show; arguments as in `read_speed`."""
    return read_speed(alpha, cost, K=K, measured=measured, errors=errors).says
