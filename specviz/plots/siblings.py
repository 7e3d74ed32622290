"""Several candidates for one position: what is owed after each rejected sibling, and how often one of them is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, get_args

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ..probability import residual
from ..rules.tree.draft import Drawing
from ..theory.transport import best_acceptance, tree_acceptance
from ..types import Floats
from .bars import Bars
from .split import token_names
from .style import FAINT, INK, OWED, OWED_HATCH, Q_HATCH, P, Q, axes_or_new, style

MOST = 3
"""Siblings that have room."""
DRAWINGS: tuple[Drawing, ...] = get_args(Drawing)


@dataclass(frozen=True, eq=False)
class Stage:
    """The test of one sibling, or the last draw.

    Attributes
    ----------
    owed : ndarray, shape (V,)
        What the target still owes, as a law.
    law : ndarray, shape (V,), or None
        What this sibling was drawn from; None for the last draw.
    token : int
        The sibling, -1 for the last draw.
    kept : float
        Probability that it is kept, once it is tested: min(1, owed / law).
    """

    owed: Floats
    law: Floats | None
    token: int
    kept: float


def sibling_stages(p: ArrayLike, q: ArrayLike, siblings: Sequence[int], drawing: Drawing) -> list[Stage]:
    """What happens as one sibling after another is rejected.

    Parameters
    ----------
    p, q : array_like, shape (V,)
    siblings : sequence of int
        In the order in which they were drawn. For "top k" only their number counts: q says which they are.
    drawing : {"iid", "without replacement", "top k"}

    Returns
    -------
    list of Stage
        One for each sibling, then one for the last draw; it ends early where a sibling is kept for sure.

    Raises
    ------
    ValueError
        If a sibling cannot be drawn: q gives it nothing, or it was drawn before and may not be again.
    """
    owed, law = np.asarray(p, np.float64), np.asarray(q, np.float64)
    likeliest = np.argsort(-law, kind="stable")
    stages = []
    for number, x in enumerate(siblings):
        if drawing == "top k":
            x = int(likeliest[number])
        if law[x] <= 0:
            raise ValueError(f"siblings[{number}] is {token_names(len(owed))[x]}, which cannot be drawn there")
        tested = np.eye(len(owed))[x] if drawing == "top k" else law
        kept = min(1.0, float(owed[x] / tested[x]))
        stages.append(Stage(owed, tested, x, kept))
        if kept > 1 - 1e-12:  # what rounding leaves is not owed
            return stages
        owed = residual(owed, tested)
        if drawing == "without replacement":
            law = np.where(np.arange(len(law)) == x, 0, law)
            law = law / law.sum() if law.any() else law
    return [*stages, Stage(owed, None, -1, 1.0)]


@lru_cache(maxsize=512)
def acceptance_table(p: tuple[float, ...], q: tuple[float, ...]) -> dict[tuple[Drawing, int], tuple[float, float]]:
    """For each way of drawing and each number of siblings: how often the tree rule keeps one, and the best that any rule can do.

    Parameters
    ----------
    p, q : tuple of float, length V

    Returns
    -------
    dict
        Without those that q has too few tokens for.
    """
    possible = sum(mass > 0 for mass in q)
    cases: list[tuple[Drawing, int]] = [(drawing, k) for drawing in DRAWINGS for k in range(1, MOST + 1)]
    return {
        (drawing, k): (tree_acceptance(p, q, k, drawing), best_acceptance(p, q, k, drawing))
        for drawing, k in cases
        if drawing == "iid" or k <= possible
    }


class StageBars:
    """Bars of what is owed at one stage, the sibling's law around them, and the sibling that is tested; `set` moves them."""

    def __init__(self, ax: Axes, tokens: Sequence[str], number: int) -> None:
        x = np.arange(len(tokens))
        first = number == 0
        with style():
            look: dict[str, Any] = {"facecolor": OWED, "hatch": OWED_HATCH, "edgecolor": "white"}
            self.owed = Bars(ax, x, 0.46, **({"facecolor": P, "edgecolor": "none"} if first else look))
            self.law = Bars(ax, x, 0.78, facecolor="none", edgecolor=Q, hatch=Q_HATCH, linewidth=1.2)
            (self.tested,) = ax.plot([], [], "v", color=INK, markersize=9)
            self.note = ax.text(0.5, 0.985, "", transform=ax.transAxes, ha="center", va="top")
            ax.set_xlim(-0.6, len(tokens) - 0.4)
            ax.set_ylim(0, 1.3)
            ax.set_xticks(x, tokens)
            ax.set_yticks([0, 0.5, 1] if first else [])
            ax.tick_params(axis="x", length=0)
            ax.set_title("target p" if first else f"owed after {number}")

    def set(self, stage: Stage | None) -> None:
        """Show another stage, or that it is never reached."""
        nothing, law = np.zeros(len(self.owed.heights)), stage.law if stage else None
        self.owed.put(stage.owed if stage else nothing)
        self.law.put(nothing if law is None else law)
        if stage is None:
            self.note.set_text("not reached")
            self.tested.set_data([], [])
        elif law is None:
            self.note.set_text("last draw: from here")
            self.tested.set_data([], [])
        else:
            self.note.set_text(f"kept with {stage.kept:.2f}")
            self.tested.set_data([stage.token], [max(stage.owed[stage.token], law[stage.token]) + 0.06])
        self.note.set_color(INK if stage else FAINT)

    @property
    def artists(self) -> list[Artist]:
        """What moves."""
        return [self.law, self.owed, self.tested, self.note]


class AcceptanceBars:
    """How often one of k siblings is kept, for each way of drawing them, under a mark for the best that is possible."""

    WIDTH = 0.26

    def __init__(self, ax: Axes) -> None:
        self.x = {(d, k): k + (i - 1) * self.WIDTH * 1.08 for i, d in enumerate(DRAWINGS) for k in range(1, MOST + 1)}
        looks: tuple[dict[str, Any], ...] = (
            {"facecolor": P, "edgecolor": "none"},
            {"facecolor": OWED, "hatch": OWED_HATCH, "edgecolor": "white"},
            {"facecolor": "white", "edgecolor": INK, "linewidth": 1.2},
        )
        with style():
            places = [[self.x[d, k] for k in range(1, MOST + 1)] for d in DRAWINGS]
            self.bars = {d: Bars(ax, x, self.WIDTH, label=d, **look) for d, x, look in zip(DRAWINGS, places, looks, strict=True)}
            self.best = ax.hlines([0], [0], [0], color=INK, linewidth=2.5, label="best possible")
            box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
            self.values = {at: ax.text(x, 0, "", ha="center", va="top", fontsize=8.5, bbox=box) for at, x in self.x.items()}
            ax.set_xlim(0.5, MOST + 0.5)
            ax.set_ylim(0, 1.5)
            ax.set_xticks(range(1, MOST + 1))
            ax.set_yticks([0, 0.5, 1])
            ax.tick_params(axis="x", length=0)
            ax.set_xlabel("siblings")
            ax.set_title("One of them is kept")
            ax.legend(loc="upper left", ncols=2, handlelength=1.2, fontsize=9, borderaxespad=0.1, columnspacing=1.0)

    def set(self, table: dict[tuple[Drawing, int], tuple[float, float]]) -> None:
        """Show another table of acceptance and bound."""
        for drawing, bars in self.bars.items():
            bars.put([table.get((drawing, k), (0.0, 0.0))[0] for k in range(1, MOST + 1)])
        for at in self.x:
            kept, _ = table.get(at, (0.0, 0.0))
            self.values[at].set_text(f"{kept + 1e-9:.2f}" if at in table else "")  # .825 must not flicker between .82 and .83
            self.values[at].set_y(max(kept - 0.05, 0.1))
        half = self.WIDTH / 2
        self.best.set_segments([[(self.x[at] - half, best), (self.x[at] + half, best)] for at, (_, best) in table.items()])

    @property
    def artists(self) -> list[Artist]:
        """What moves."""
        return [*self.bars.values(), self.best, *self.values.values()]


def plot_acceptance(p: ArrayLike, q: ArrayLike, *, ax: Axes | None = None) -> Axes:
    """Draw how often one of 1, 2 or 3 siblings is kept, for each way of drawing them.

    Parameters
    ----------
    p, q : array_like, shape (V,)
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    ax = axes_or_new(ax)
    AcceptanceBars(ax).set(acceptance_table(tuple(np.asarray(p).tolist()), tuple(np.asarray(q).tolist())))
    return ax


def describe_stages(stages: Sequence[Stage], tokens: Sequence[str]) -> str:
    """Say what becomes of each sibling."""
    parts = []
    for number, stage in enumerate(stages):
        law = ", ".join(f"{mass:.3f}" for mass in stage.owed)
        if stage.law is None:
            parts.append(f"last draw from ({law})")
        else:
            parts.append(f"sibling {number + 1}, {tokens[stage.token]}, against ({law}): kept with {stage.kept:.3f}")
    says = "; if not, ".join(parts)
    return says[:1].upper() + says[1:] + "."


def describe_acceptance(table: dict[tuple[Drawing, int], tuple[float, float]], k: int) -> str:
    """Say how often one of k siblings is kept."""
    parts = [f"{d} {table[d, k][0]:.3f} of at most {table[d, k][1]:.3f}" for d in DRAWINGS if (d, k) in table]
    return f"One of {k} is kept: {', '.join(parts)}."
