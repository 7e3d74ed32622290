"""The acceptance test as a picture: the unit square in which a draft and its uniform are one point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ..probability import overlap
from ..theory.unit_square import kept_darts, kept_shares
from ..types import Floats, Mask
from .bars import Bars
from .names import token_names
from .style import INK, Q_HATCH, REJECTED, REJECTED_INK, P, Q, axes_or_new, style

NARROW = 0.035
"""Columns below this width carry no name: it would lie on its neighbour's."""


@dataclass(frozen=True, eq=False)
class SquareReading:
    """Two laws as columns of the unit square, one draft with its uniform, and darts.

    Attributes
    ----------
    tokens : tuple of str, length V
    q, shares : ndarray, shape (V,)
        Width of each column, and the height up to which it is kept.
    alpha : float
        The kept area: the overlap.
    token : int
        The draft that is marked.
    u : float
        Its uniform.
    darts : ndarray, shape (n, 2)
    keeps : ndarray of bool, shape (n,)
        Which darts are kept.
    """

    tokens: tuple[str, ...]
    q: Floats
    shares: Floats
    alpha: float
    token: int
    u: float
    darts: Floats
    keeps: Mask

    @property
    def says(self) -> str:
        """The columns, and the darts if there are any."""
        parts = zip(self.tokens, self.q, self.shares, strict=True)
        columns = ", ".join(f"{name} {width:.2f} wide, kept up to {high:.2f}" for name, width, high in parts)
        thrown = f"Of {len(self.darts)} darts {self.keeps.mean():.3f} are kept. " if len(self.darts) else ""
        return f"{thrown}Columns: {columns}. The kept area is the overlap, {self.alpha:.3f}."


def read_square(
    p: ArrayLike,
    q: ArrayLike,
    tokens: Sequence[str] | None = None,
    *,
    token: int = 0,
    u: float = 0.5,
    darts: ArrayLike = (),
) -> SquareReading:
    """Measure the unit square of the acceptance test.

    Parameters
    ----------
    p, q : array_like, shape (V,)
        Target and draft law.
    tokens : sequence of str, optional
        Their names; A, B, C, ... unless given.
    token : int
        The draft that is marked.
    u : float
        Its uniform, from 0 to 1.
    darts : array_like, shape (n, 2)
        Points of the square that are thrown at it; none unless given.

    Returns
    -------
    SquareReading
    """
    p, q = np.asarray(p, np.float64), np.asarray(q, np.float64)
    thrown = np.asarray(darts, np.float64).reshape(-1, 2)
    names = tuple(token_names(len(p)) if tokens is None else tokens)
    return SquareReading(names, q, kept_shares(p, q), float(overlap(p, q)), token, u, thrown, kept_darts(p, q, thrown))


@dataclass(frozen=True)
class BalanceReading:
    """The test of one draft x.

    Attributes
    ----------
    name : str
        Of the draft.
    left, right : float
        u q(x) and p(x).
    strict : bool
        Is it kept if left < right, as it should be, or also if they are equal?
    """

    name: str
    left: float
    right: float
    strict: bool

    @property
    def keeps(self) -> bool:
        """Is the draft kept?"""
        return self.left < self.right or (self.left == self.right and not self.strict)

    @property
    def impossible(self) -> bool:
        """Is a draft kept that the target never says?"""
        return self.keeps and self.right == 0

    @property
    def says(self) -> str:
        """Both sides and the decision."""
        test = f"u q = {self.left:.3f}, p = {self.right:.3f}; keep if u q {'<' if self.strict else '<='} p"
        says = f"Draft {self.name}: {test}: {'kept' if self.keeps else 'rejected'}."
        return f"{says} The target never says this token: the test must be strict." if self.impossible else says


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

    def set(self, square: SquareReading) -> None:
        """Show another pair of laws, another draft with its uniform, other darts."""
        q, token, darts, keeps = square.q, square.token, square.darts, square.keeps
        left, edges = np.cumsum(q) - q, np.append(0, np.cumsum(q))
        self.kept.put(square.shares, 0, edges)
        self.rejected.put(1 - square.shares, square.shares, edges)
        for name, x, width in zip(self.names, left + q / 2, q, strict=True):
            name.set_x(x)
            name.set_visible(bool(width >= NARROW))
        self.level.set_ydata([square.u, square.u])
        self.point.set_data([left[token] + q[token] / 2], [square.u])
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

    def set(self, test: BalanceReading) -> None:
        """Show another draft's two sides."""
        left, right, keeps = test.left, test.right, test.keeps
        sign = "<" if left < right else "=" if left == right else ">"
        self.rule.set_text("keep if u q < p" if test.strict else "keep if u q \u2264 p, which is wrong")
        self.rule.set_color(INK if test.strict else REJECTED_INK)
        for bar, label, width in zip((self.left, self.right), self.labels, (left, right), strict=True):
            bar.set_width(width)
            label.set_text(f" {width:.3f}")
            label.set_x(min(width, 0.84))
            label.set_color("white" if width > 0.84 and bar is self.right else INK)
        decision = "kept: wrong" if test.impossible else "kept" if keeps else "rejected"
        self.verdict.set_text(f"{test.name}: {left:.3f} {sign} {right:.3f}, {decision}")
        self.verdict.set_color(P if keeps and not test.impossible else REJECTED_INK)

    @property
    def artists(self) -> list[Artist]:
        """What moves."""
        return [self.left, self.right, *self.labels, self.rule, self.verdict]


def plot_square(
    p: ArrayLike,
    q: ArrayLike,
    tokens: Sequence[str] | None = None,
    *,
    token: int = 0,
    u: float = 0.5,
    darts: ArrayLike = (),
    ax: Axes | None = None,
) -> Axes:
    """Draw the unit square of the acceptance test.

    Parameters
    ----------
    p, q, tokens, token, u, darts
        As in `read_square`.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    square = read_square(p, q, tokens, token=token, u=u, darts=darts)
    ax = axes_or_new(ax, 5, 4.2)
    UnitSquare(ax, square.tokens).set(square)
    return ax


def describe_square(
    p: ArrayLike,
    q: ArrayLike,
    tokens: Sequence[str] | None = None,
    *,
    token: int = 0,
    u: float = 0.5,
    darts: ArrayLike = (),
) -> str:
    """Say what `plot_square` shows of the two laws and of the darts."""
    return read_square(p, q, tokens, token=token, u=u, darts=darts).says
