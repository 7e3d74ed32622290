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

from ..rules.tree.draft import Drawing
from ..theory.siblings import Stage, sibling_stages
from ..theory.transport import best_acceptance, tree_acceptance
from .bars import Bars
from .names import token_names
from .style import FAINT, INK, OWED, OWED_HATCH, Q_HATCH, P, Q, axes_or_new, style

MOST = 3
"""Siblings that have room."""
DRAWINGS: tuple[Drawing, ...] = get_args(Drawing)


@dataclass(frozen=True, eq=False)
class StagesReading:
    """What becomes of each sibling.

    Attributes
    ----------
    stages : list of Stage
    names : tuple of str, length V
        Of the tokens.
    """

    stages: list[Stage]
    names: tuple[str, ...]

    @property
    def says(self) -> str:
        """Each sibling with what it is tested against, and the last draw."""
        parts = []
        for number, stage in enumerate(self.stages):
            law = ", ".join(f"{mass:.3f}" for mass in stage.owed)
            if stage.law is None:
                parts.append(f"last draw from ({law})")
            else:
                parts.append(f"sibling {number + 1}, {self.names[stage.token]}, against ({law}): kept with {stage.kept:.3f}")
        says = "; if not, ".join(parts)
        return says[:1].upper() + says[1:] + "."


def read_stages(
    p: ArrayLike, q: ArrayLike, siblings: Sequence[int], drawing: Drawing, tokens: Sequence[str] | None = None
) -> StagesReading:
    """Follow siblings as one after the other is rejected.

    Parameters
    ----------
    p, q, siblings, drawing
        As in `specviz.theory.siblings.sibling_stages`.
    tokens : sequence of str, optional
        Names; A, B, C, ... unless given.

    Returns
    -------
    StagesReading

    Raises
    ------
    ValueError
        If a sibling cannot be drawn.
    """
    names = tuple(token_names(len(np.asarray(p))) if tokens is None else tokens)
    return StagesReading(sibling_stages(p, q, siblings, drawing, names), names)


@dataclass(frozen=True)
class AcceptanceReading:
    """How often one of some siblings is kept.

    Attributes
    ----------
    table : dict of (drawing, number of siblings) to (float, float)
        Probability that the tree rule keeps one, and the best that any rule can do; without those that q has too few tokens for.
    k : int
        The number of siblings that is told of.
    """

    table: dict[tuple[Drawing, int], tuple[float, float]]
    k: int

    @property
    def says(self) -> str:
        """How often one of k siblings is kept."""
        rows = [(drawing, self.table[drawing, self.k]) for drawing in DRAWINGS if (drawing, self.k) in self.table]
        return f"One of {self.k} is kept: {', '.join(f'{d} {kept:.3f} of at most {best:.3f}' for d, (kept, best) in rows)}."


def read_acceptance(p: ArrayLike, q: ArrayLike, *, k: int = MOST) -> AcceptanceReading:
    """Work out how often one of 1, 2 or 3 siblings is kept, for each way of drawing them.

    Parameters
    ----------
    p, q : array_like, shape (V,)
    k : int
        The number of siblings that is told of, from 1 to `MOST`.

    Returns
    -------
    AcceptanceReading
    """
    return AcceptanceReading(_table(tuple(np.asarray(p).tolist()), tuple(np.asarray(q).tolist())), k)


@lru_cache(maxsize=512)
def _table(p: tuple[float, ...], q: tuple[float, ...]) -> dict[tuple[Drawing, int], tuple[float, float]]:
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

    def set(self, reading: AcceptanceReading) -> None:
        """Show another table of acceptance and bound."""
        table = reading.table
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


def plot_acceptance(p: ArrayLike, q: ArrayLike, *, k: int = MOST, ax: Axes | None = None) -> Axes:
    """Draw how often one of 1, 2 or 3 siblings is kept, for each way of drawing them.

    Parameters
    ----------
    p, q, k
        As in `read_acceptance`; all numbers of siblings are drawn.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    reading = read_acceptance(p, q, k=k)
    ax = axes_or_new(ax)
    AcceptanceBars(ax).set(reading)
    return ax


def describe_acceptance(p: ArrayLike, q: ArrayLike, *, k: int = MOST) -> str:
    """Say how often one of k siblings is kept."""
    return read_acceptance(p, q, k=k).says


def describe_stages(
    p: ArrayLike, q: ArrayLike, siblings: Sequence[int], drawing: Drawing, tokens: Sequence[str] | None = None
) -> str:
    """Say what becomes of each sibling; arguments as in `read_stages`."""
    return read_stages(p, q, siblings, drawing, tokens).says
