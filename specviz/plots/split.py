"""p split into what is kept and what is owed, and what comes out when the owed part is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ..probability import total_variation
from ..theory.replacement import verified_law
from ..types import Floats
from .bars import Bars
from .names import token_names
from .style import FAINT, INK, OWED, OWED_HATCH, OWED_INK, Q_HATCH, REJECTED, REJECTED_INK, P, Q, axes_or_new, style


@dataclass(frozen=True, eq=False)
class SplitReading:
    """p split by q.

    Attributes
    ----------
    p, q : ndarray, shape (V,)
    kept, owed, rejected : ndarray, shape (V,)
        min(p, q), unless a bar stands for several tokens; p less that; q less that.
    tokens : tuple of str, length V
    """

    p: Floats
    q: Floats
    kept: Floats
    owed: Floats
    rejected: Floats
    tokens: tuple[str, ...]

    @property
    def says(self) -> str:
        """The mass that is kept, and the tokens that are owed."""
        alpha = 1 - self.owed.sum()
        short = [f"{self.tokens[i]} ({self.owed[i]:.2f})" for i in np.argsort(-self.owed, kind="stable") if self.owed[i] > 0.005]
        to = f"Owed to {', '.join(short[:4])}{' and more' if len(short) > 4 else ''}." if short else "Nothing is owed."
        return f"Kept {alpha:.3f}, the overlap; rejected and owed {1 - alpha:.3f} each, the total variation. {to}"


def read_split(p: ArrayLike, q: ArrayLike, tokens: Sequence[str] | None = None, *, kept: ArrayLike | None = None) -> SplitReading:
    """Split p by q.

    Parameters
    ----------
    p, q : array_like, shape (V,)
        Laws over the same tokens.
    tokens : sequence of str, optional
        Their names; A, B, C, ... unless given.
    kept : array_like, shape (V,), optional
        min(p, q) unless given; smaller where an entry stands for several tokens together.

    Returns
    -------
    SplitReading
    """
    p, q = np.asarray(p, np.float64), np.asarray(q, np.float64)
    kept = np.minimum(p, q) if kept is None else np.asarray(kept, np.float64)
    return SplitReading(p, q, kept, p - kept, q - kept, tuple(token_names(len(p)) if tokens is None else tokens))


@dataclass(frozen=True, eq=False)
class OutcomeReading:
    """The law of one verified token.

    Attributes
    ----------
    p, kept, law : ndarray, shape (V,)
        The target, the part of it that is kept, and what comes out.
    replacement : {"residual", "p"}
        What a rejected draft is replaced from.
    bias : float
        Total variation between what comes out and p.
    """

    p: Floats
    kept: Floats
    law: Floats
    replacement: str
    bias: float

    @property
    def exact(self) -> bool:
        """Does p come out, but for rounding?"""
        return self.bias < 1e-12

    @property
    def says(self) -> str:
        """The law, and how far it is from p."""
        source = "the residual" if self.replacement == "residual" else "p itself"
        numbers = ", ".join(f"{x:.3f}" for x in self.law[:8])
        verdict = "exactly p" if self.exact else f"not p, off by a total variation of {self.bias:.3f}"
        return f"Replacement from {source}: what comes out has the law ({numbers}), {verdict}."


def read_outcome(p: ArrayLike, q: ArrayLike, *, replacement: str = "residual", kept: ArrayLike | None = None) -> OutcomeReading:
    """Work out the law of one verified token; arguments as in `read_split` and `specviz.theory.replacement.verified_law`."""
    p, q = np.asarray(p, np.float64), np.asarray(q, np.float64)
    kept = np.minimum(p, q) if kept is None else np.asarray(kept, np.float64)
    law = verified_law(p, q, replacement, kept)
    return OutcomeReading(p, kept, law, replacement, float(total_variation(law, p)))


class SplitBars:
    """Bars that show min(p, q) as kept, p - q as owed and q - p as rejected; `set` moves them."""

    def __init__(self, ax: Axes, tokens: Sequence[str]) -> None:
        x = np.arange(len(tokens))
        with style():
            self.kept = Bars(ax, x, 0.8, facecolor=P, edgecolor="none", label="kept  min(p, q)")
            self.owed = Bars(ax, x, 0.8, facecolor=OWED, hatch=OWED_HATCH, edgecolor="white", label="owed  p - q")
            self.rejected = Bars(ax, x, 0.8, facecolor="none", hatch=Q_HATCH, edgecolor=Q, linewidth=1.2, label="rejected  q - p")
            _label_tokens(ax, tokens)
            ax.set_title("The draft law q against the target p")
            ax.legend(loc="upper left", ncols=3, handlelength=1.4, columnspacing=1.2, fontsize=10, borderaxespad=0.2)

    def set(self, split: SplitReading) -> None:
        """Show another pair of laws over the same tokens."""
        self.kept.put(split.kept)
        self.owed.put(split.owed, split.kept)
        self.rejected.put(split.rejected, split.p)


class OutcomeBars:
    """The law that comes out: the kept part, and the rejected mass drawn anew; p stands beside it as a mark."""

    def __init__(self, ax: Axes, tokens: Sequence[str]) -> None:
        x = np.arange(len(tokens))
        with style():
            self.kept = Bars(ax, x, 0.8, facecolor=P, edgecolor="none")
            self.drawn = Bars(ax, x, 0.8, facecolor=OWED, hatch=OWED_HATCH, edgecolor="white")
            self.target = ax.errorbar(x, np.zeros(len(x)), xerr=0.46, fmt="none", ecolor=INK, elinewidth=2.5, label="target p")
            self.verdict = ax.text(0.99, 0.985, "", transform=ax.transAxes, ha="right", va="top", fontweight="bold")
            _label_tokens(ax, tokens)
            ax.set_title("What comes out: kept + drawn anew")
            ax.legend(loc="upper left", handlelength=1.4, fontsize=10, borderaxespad=0.2)

    def set(self, outcome: OutcomeReading) -> None:
        """Show another law."""
        self.kept.put(outcome.kept)
        self.drawn.put(outcome.law - outcome.kept, outcome.kept)
        self.drawn.set_facecolor(OWED if outcome.replacement == "residual" else REJECTED)
        self.target[2][0].set_segments([[(i - 0.46, y), (i + 0.46, y)] for i, y in enumerate(outcome.p)])
        self.verdict.set_text("exactly p" if outcome.exact else f"not p: off by TV = {outcome.bias:.3f}")
        self.verdict.set_color(OWED_INK if outcome.exact else REJECTED_INK)


def plot_split(
    p: ArrayLike,
    q: ArrayLike,
    tokens: Sequence[str] | None = None,
    *,
    kept: ArrayLike | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw p split into kept and owed mass, with the part of q that is rejected.

    Parameters
    ----------
    p, q, tokens, kept
        As in `read_split`.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    split = read_split(p, q, tokens, kept=kept)
    ax = axes_or_new(ax)
    SplitBars(ax, split.tokens).set(split)
    set_height(ax, max(split.p.max(), split.q.max()))
    return ax


def describe_split(p: ArrayLike, q: ArrayLike, tokens: Sequence[str] | None = None, *, kept: ArrayLike | None = None) -> str:
    """Say what `plot_split` shows."""
    return read_split(p, q, tokens, kept=kept).says


def plot_outcome(
    p: ArrayLike,
    q: ArrayLike,
    tokens: Sequence[str] | None = None,
    *,
    replacement: str = "residual",
    kept: ArrayLike | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the law of one verified token; arguments as in `plot_split` and `read_outcome`."""
    outcome = read_outcome(p, q, replacement=replacement, kept=kept)
    ax = axes_or_new(ax)
    OutcomeBars(ax, token_names(len(outcome.p)) if tokens is None else tokens).set(outcome)
    set_height(ax, max(outcome.p.max(), outcome.law.max()))
    return ax


def describe_outcome(p: ArrayLike, q: ArrayLike, *, replacement: str = "residual", kept: ArrayLike | None = None) -> str:
    """Say what `plot_outcome` shows."""
    return read_outcome(p, q, replacement=replacement, kept=kept).says


def set_height(ax: Axes, top: float) -> None:
    """Give the probability axis room for a bar of height `top` and for the legend above it."""
    ax.set_ylim(0, np.ceil((top + 0.02) * 10) / 10 + 0.1)
    ax.set_yticks([tick for tick in ax.get_yticks() if 0 <= tick <= 1])


def _label_tokens(ax: Axes, tokens: Sequence[str]) -> None:
    long = max(map(len, tokens)) > 3
    ax.set_xticks(np.arange(len(tokens)), tokens, rotation=30 if long else 0, ha="right" if long else "center")
    ax.set_xlim(-0.6, len(tokens) - 0.4)
    ax.set_ylabel("probability")
    ax.set_ylim(0, 1)
    ax.tick_params(axis="x", length=0)
    ax.grid(axis="y", color=FAINT, alpha=0.25, linewidth=0.8)
    ax.set_axisbelow(True)
