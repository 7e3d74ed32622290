"""The acceptance test as a picture: the unit square in which a draft and its uniform are one point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ..probability import overlap
from ..types import Floats, Mask
from .bars import Bars
from .split import token_names
from .style import INK, Q_HATCH, REJECTED, REJECTED_INK, P, Q, axes_or_new, style

NARROW = 0.035
"""Columns below this width carry no name: it would lie on its neighbour's."""


def heights(p: ArrayLike, q: ArrayLike) -> Floats:
    """Share of its column in which a draft is kept: min(1, p / q), and 0 in a column without width."""
    p, q = np.asarray(p, np.float64), np.asarray(q, np.float64)
    return np.asarray(np.minimum(1, np.divide(p, q, out=np.zeros(len(p)), where=q > 0)))


def kept_darts(p: ArrayLike, q: ArrayLike, darts: ArrayLike) -> Mask:
    """Which darts are kept.

    Parameters
    ----------
    p, q : array_like, shape (V,)
    darts : array_like, shape (n, 2)
        Points of the unit square: the first coordinate picks the draft, the second is its uniform.

    Returns
    -------
    ndarray of bool, shape (n,)
        u * q(x) < p(x) for the draft x in whose column the dart lies.
    """
    p, q, darts = np.asarray(p, np.float64), np.asarray(q, np.float64), np.asarray(darts, np.float64)
    x = np.minimum(np.searchsorted(np.cumsum(q), darts[:, 0], side="right"), np.flatnonzero(q)[-1])
    return np.asarray(darts[:, 1] * q[x] < p[x])


class UnitSquare:
    """A column of width q(x) for each draft x, filled up to min(1, p(x) / q(x)): its area is min(p(x), q(x)). `set` moves it."""

    def __init__(self, ax: Axes, tokens: Sequence[str]) -> None:
        V = len(tokens)
        x = np.arange(V)
        with style():
            self.kept = Bars(ax, x, 1.0, facecolor=P, edgecolor="white", linewidth=1.5, label="kept  u q < p")
            self.rejected = Bars(ax, x, 1.0, facecolor="white", edgecolor=Q, hatch=Q_HATCH, linewidth=1.2, label="rejected")
            self.names = [ax.text(0, -0.055, name, ha="center", va="top") for name in tokens]
            (self.level,) = ax.plot([0, 1], [0, 0], color=INK, linestyle="--", linewidth=1.2)
            (self.misses,) = ax.plot([], [], "x", color=REJECTED, markersize=5, markeredgewidth=1.4)
            (self.hits,) = ax.plot([], [], "o", color="white", markersize=4.5, markeredgecolor=INK, markeredgewidth=0.7)
            (self.point,) = ax.plot(
                [0], [0], "o", color="white", markeredgecolor=INK, markeredgewidth=2.5, markersize=13, clip_on=False
            )
            ax.set_xlim(0, 1)
            ax.set_ylim(0, 1)
            ax.set_xticks([])
            ax.set_yticks([0, 0.5, 1])
            ax.set_ylabel("u")
            ax.set_xlabel("draft x: its column is q(x) wide", labelpad=22)
            ax.set_title("Throw a dart: x is the draft, y its uniform u", pad=26)
            ax.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2, handlelength=1.4, fontsize=10, borderaxespad=0.1)

    def set(self, p: Floats, q: Floats, token: int, u: float, darts: Floats) -> None:
        """Show another pair of laws, another draft with its uniform, other darts."""
        left, high, edges = np.cumsum(q) - q, heights(p, q), np.append(0, np.cumsum(q))
        self.kept.put(high, 0, edges)
        self.rejected.put(1 - high, high, edges)
        for name, x, width in zip(self.names, left + q / 2, q, strict=True):
            name.set_x(x)
            name.set_visible(bool(width >= NARROW))
        self.level.set_ydata([u, u])
        self.point.set_data([left[token] + q[token] / 2], [u])
        keeps = kept_darts(p, q, darts)
        self.hits.set_data(darts[keeps, 0], darts[keeps, 1])
        self.misses.set_data(darts[~keeps, 0], darts[~keeps, 1])

    @property
    def artists(self) -> list[Artist]:
        """What moves, from the back to the front."""
        return [self.kept, self.rejected, *self.names, self.hits, self.misses, self.level, self.point]


class Balance:
    """The two sides of the test, u * q(x) and p(x), as bars on one scale; `set` moves them."""

    def __init__(self, ax: Axes) -> None:
        with style():
            (self.left,) = ax.barh([1], [0.0], 0.5, color="white", edgecolor=Q, hatch=Q_HATCH, linewidth=1.2)
            (self.right,) = ax.barh([0], [0.0], 0.5, color=P)
            self.labels = [ax.text(0, y, "", va="center", ha="left") for y in (1, 0)]
            self.verdict = ax.text(0, 1.62, "", fontweight="bold", va="center")
            ax.set_xlim(0, 1)
            ax.set_ylim(-0.5, 1.9)
            ax.set_yticks([1, 0], ["u q(x)", "p(x)"])
            ax.tick_params(axis="y", length=0)
            ax.set_xlabel("probability")
            self.rule = ax.text(0, 1.02, "", transform=ax.transAxes, fontsize=11, va="bottom")
            ax.set_title("The test of this draft", pad=26)

    def set(self, name: str, left: float, right: float, *, strict: bool) -> bool:
        """Show another draft's two sides; is it kept?"""
        keeps = left < right or (left == right and not strict)
        sign = "<" if left < right else "=" if left == right else ">"
        self.rule.set_text("keep if u q < p" if strict else "keep if u q \u2264 p, which is wrong")
        self.rule.set_color(INK if strict else REJECTED_INK)
        for bar, label, width in zip((self.left, self.right), self.labels, (left, right), strict=True):
            bar.set_width(width)
            label.set_text(f" {width:.3f}")
            label.set_x(min(width, 0.84))
            label.set_color("white" if width > 0.84 and bar is self.right else INK)
        impossible = keeps and right == 0
        decision = "kept: wrong" if impossible else "kept" if keeps else "rejected"
        self.verdict.set_text(f"{name}: {left:.3f} {sign} {right:.3f}, {decision}")
        self.verdict.set_color(P if keeps and not impossible else REJECTED_INK)
        return bool(keeps)

    @property
    def artists(self) -> list[Artist]:
        """What moves."""
        return [self.left, self.right, *self.labels, self.rule, self.verdict]


def plot_square(
    p: ArrayLike, q: ArrayLike, tokens: Sequence[str] | None = None, *, token: int = 0, u: float = 0.5, ax: Axes | None = None
) -> Axes:
    """Draw the unit square of the acceptance test.

    Parameters
    ----------
    p, q : array_like, shape (V,)
    tokens : sequence of str, optional
        Their names; A, B, C, ... unless given.
    token : int
        The draft that is marked.
    u : float
        Its uniform, from 0 to 1.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    p, q = np.asarray(p, np.float64), np.asarray(q, np.float64)
    ax = axes_or_new(ax, 5, 4.2)
    UnitSquare(ax, token_names(len(p)) if tokens is None else tokens).set(p, q, token, u, np.zeros((0, 2)))
    return ax


def describe_square(p: ArrayLike, q: ArrayLike, tokens: Sequence[str] | None = None) -> str:
    """Say what `plot_square` shows of the two laws."""
    p, q = np.asarray(p, np.float64), np.asarray(q, np.float64)
    names = token_names(len(p)) if tokens is None else tokens
    columns = ", ".join(
        f"{name} {width:.2f} wide, kept up to {high:.2f}" for name, width, high in zip(names, q, heights(p, q), strict=True)
    )
    return f"Columns: {columns}. The kept area is the overlap, {float(overlap(p, q)):.3f}."
