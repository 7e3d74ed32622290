"""p split into what is kept and what is owed, and what comes out when the owed part is drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ..probability import residual, total_variation
from ..types import Floats
from .bars import Bars
from .style import FAINT, INK, OWED, OWED_HATCH, OWED_INK, Q_HATCH, REJECTED, REJECTED_INK, P, Q, axes_or_new, style


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

    def set(self, p: Floats, q: Floats, kept: Floats | None = None) -> None:
        """Show another pair of laws over the same tokens; `kept` is min(p, q) unless a bar stands for several tokens."""
        kept = np.minimum(p, q) if kept is None else kept
        self.kept.put(kept)
        self.owed.put(p - kept, kept)
        self.rejected.put(q - kept, p)


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

    def set(self, p: Floats, q: Floats, replacement: str = "residual", kept: Floats | None = None) -> None:
        """Show the law for replacements from the residual or from p."""
        out = outcome(p, q, replacement, kept)
        kept = np.minimum(p, q) if kept is None else kept
        self.kept.put(kept)
        self.drawn.put(out - kept, kept)
        self.drawn.set_facecolor(OWED if replacement == "residual" else REJECTED)
        self.target[2][0].set_segments([[(i - 0.46, y), (i + 0.46, y)] for i, y in enumerate(p)])
        tv = float(total_variation(out, p))
        self.verdict.set_text("exactly p" if tv < 1e-12 else f"not p: off by TV = {tv:.3f}")
        self.verdict.set_color(OWED_INK if tv < 1e-12 else REJECTED_INK)


def outcome(p: ArrayLike, q: ArrayLike, replacement: str = "residual", kept: ArrayLike | None = None) -> Floats:
    """Exact law of one verified token: kept + (1 - alpha) r, with r the residual, or p for the common mistake.

    Parameters
    ----------
    p, q : array_like, shape (V,)
    replacement : {"residual", "p"}
    kept : array_like, shape (V,), optional
        min(p, q) unless given; smaller where one entry stands for several tokens together.

    Returns
    -------
    ndarray of float64, shape (V,)
    """
    if replacement not in ("residual", "p"):
        raise ValueError(f"replacement is {replacement!r}; expected 'residual' or 'p'")
    p, q = np.asarray(p, np.float64), np.asarray(q, np.float64)
    kept = np.minimum(p, q) if kept is None else np.asarray(kept, np.float64)
    return np.asarray(kept + (1 - kept.sum()) * (residual(p, kept) if replacement == "residual" else p))


def plot_split(p: ArrayLike, q: ArrayLike, tokens: Sequence[str] | None = None, *, ax: Axes | None = None) -> Axes:
    """Draw p split into kept and owed mass, with the part of q that is rejected.

    Parameters
    ----------
    p, q : array_like, shape (V,)
        Laws over the same tokens.
    tokens : sequence of str, optional
        Their names; A, B, C, ... unless given.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    p, q = np.asarray(p, np.float64), np.asarray(q, np.float64)
    ax = axes_or_new(ax)
    SplitBars(ax, token_names(len(p)) if tokens is None else tokens).set(p, q)
    set_height(ax, max(p.max(), q.max()))
    return ax


def describe_split(p: ArrayLike, q: ArrayLike, tokens: Sequence[str] | None = None, *, kept: ArrayLike | None = None) -> str:
    """Say what `plot_split` shows."""
    p, q = np.asarray(p, np.float64), np.asarray(q, np.float64)
    names = token_names(len(p)) if tokens is None else tokens
    owed = p - (np.minimum(p, q) if kept is None else np.asarray(kept, np.float64))
    alpha = 1 - owed.sum()
    short = [f"{names[i]} ({owed[i]:.2f})" for i in np.argsort(-owed, kind="stable") if owed[i] > 0.005]
    to = f"Owed to {', '.join(short[:4])}{' and more' if len(short) > 4 else ''}." if short else "Nothing is owed."
    return f"Kept {alpha:.3f}, the overlap; rejected and owed {1 - alpha:.3f} each, the total variation. {to}"


def plot_outcome(
    p: ArrayLike, q: ArrayLike, tokens: Sequence[str] | None = None, *, replacement: str = "residual", ax: Axes | None = None
) -> Axes:
    """Draw the law of one verified token; arguments as in `plot_split` and `outcome`."""
    p, q = np.asarray(p, np.float64), np.asarray(q, np.float64)
    ax = axes_or_new(ax)
    OutcomeBars(ax, token_names(len(p)) if tokens is None else tokens).set(p, q, replacement)
    set_height(ax, max(p.max(), outcome(p, q, replacement).max()))
    return ax


def describe_outcome(p: ArrayLike, q: ArrayLike, *, replacement: str = "residual", kept: ArrayLike | None = None) -> str:
    """Say what `plot_outcome` shows."""
    law = outcome(p, q, replacement, kept)
    tv = float(total_variation(law, p))
    source = "the residual" if replacement == "residual" else "p itself"
    numbers = ", ".join(f"{x:.3f}" for x in law[:8])
    verdict = "exactly p" if tv < 1e-12 else f"not p, off by a total variation of {tv:.3f}"
    return f"Replacement from {source}: what comes out has the law ({numbers}), {verdict}."


def token_names(V: int) -> list[str]:
    """A, B, C, ... for small vocabularies, numbers for larger ones."""
    return [chr(ord("A") + i) for i in range(V)] if V <= 26 else [str(i) for i in range(V)]


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
