"""A ragged batch as a grid: the accept marks of its drafts, and the tokens that come out of each row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.text import Text
from numpy.typing import ArrayLike

from ..types import Ints, Mask
from .style import FAINT, INK, OWED_INK, REJECTED_INK, P, axes_or_new, style

PADDING = "#dddddd"
FAINT_ON_GREY = "#5c5c5c"


@dataclass(frozen=True, eq=False)
class GridReading:
    """A batch of marks, and what becomes of it.

    Attributes
    ----------
    marks : ndarray of bool, shape (B, K)
        u * q(x) < p(x) at each position.
    num_draft : ndarray of int, shape (B,)
    kept : ndarray of int, shape (B,)
        Drafts that are kept in each row.
    bonus : ndarray of bool, shape (B,)
        Does the row end with a bonus token, and not with a recovered one?
    source : ndarray of int, shape (B,)
        Position whose laws the last token is drawn from: p - q at the rejected draft, or p at the bonus position.
    """

    marks: Mask
    num_draft: Ints
    kept: Ints
    bonus: Mask
    source: Ints

    @property
    def says(self) -> str:
        """The marks of each row, how many drafts it keeps, and what feeds its last token."""
        says = []
        for r, length in enumerate(self.num_draft):
            shown = ",".join(str(int(mark)) for mark in self.marks[r, :length]) or "none"
            at = self.source[r]
            last = f"bonus from p[{at}]" if self.bonus[r] else f"recovered from p[{at}] - q[{at}]"
            if self.bonus[r] and at != length:
                last += ", which is padding"
            says.append(f"row {r}: marks {shown}, {self.kept[r]} kept, {last}")
        return "; ".join(says).capitalize() + "."


def read_grid(marks: ArrayLike, num_draft: ArrayLike, *, count: str = "run", bonus_row: str = "num_draft") -> GridReading:
    """Follow the marks of a batch, by the rule or by one of two famous mistakes.

    Parameters
    ----------
    marks : array_like of bool, shape (B, K)
        u * q(x) < p(x) at each position; what stands at padding is not looked at.
    num_draft : array_like of int, shape (B,)
    count : {"run", "sum"}
        Drafts kept: the leading run of marks, or (wrong) all marks.
    bonus_row : {"num_draft", "K"}
        Position that feeds the bonus: the row's own end, or (wrong for short rows) the end of the longest.

    Returns
    -------
    GridReading

    Raises
    ------
    ValueError
        If `count` or `bonus_row` is none of its choices.
    """
    for name, chosen, choices in (("count", count, ("run", "sum")), ("bonus_row", bonus_row, ("num_draft", "K"))):
        if chosen not in choices:
            raise ValueError(f"{name} is {chosen!r}; expected {choices[0]!r} or {choices[1]!r}")
    ones, lengths = np.asarray(marks, bool), np.asarray(num_draft, np.int64)
    K = ones.shape[1]
    valid = ones & (np.arange(K) < lengths[:, None])
    kept: Ints = (np.cumprod(valid, axis=1) if count == "run" else valid).sum(axis=1)
    bonus = kept == lengths
    return GridReading(ones, lengths, kept, bonus, np.where(bonus, lengths if bonus_row == "num_draft" else K, kept))


class MarkGrid:
    """The marks: kept drafts blue, the rejection that ends a row orange, the rest pale, padding grey; `set` shows others."""

    def __init__(self, ax: Axes, B: int, K: int) -> None:
        self.cells, self.signs = _cells(ax, B, K)
        with style():
            ax.set_title("Accept marks  u q < p")
            _label(ax, B, [f"draft {i}" for i in range(K)])

    def set(self, grid: GridReading) -> None:
        """Show another batch of marks."""
        marks, num_draft, kept = grid.marks, grid.num_draft, grid.kept
        grounds = []
        for (r, i), sign in zip(np.ndindex(marks.shape), self.signs, strict=True):
            padding, used = i >= num_draft[r], i < kept[r]
            strong = used or (i == kept[r] and not padding and not marks[r, i])
            grounds.append(PADDING if padding else "white" if not strong else P if marks[r, i] else REJECTED_INK)
            _write(sign, "pad" if padding else str(int(marks[r, i])), "white" if strong else FAINT_ON_GREY, strong)
        self.cells.set_facecolor(grounds)

    @property
    def artists(self) -> list[Artist]:
        """What moves."""
        return [self.cells, *self.signs]


class TokenGrid:
    """The tokens out: kept drafts, then the recovered or the bonus token with the law that feeds it, then -1."""

    def __init__(self, ax: Axes, B: int, K: int) -> None:
        self.cells, self.signs = _cells(ax, B, K + 1)
        self.shape = B, K + 1
        with style():
            ax.set_title("Tokens out, and what feeds the last one")
            _label(ax, B, [f"token {i}" for i in range(K + 1)])

    def set(self, grid: GridReading) -> None:
        """Show what comes out of each row of another batch."""
        grounds, edges, widths = [], [], []
        for (r, i), sign in zip(np.ndindex(self.shape), self.signs, strict=True):
            kept, last, bonus, at = i < grid.kept[r], i == grid.kept[r], bool(grid.bonus[r]), grid.source[r]
            right = P if bonus else OWED_INK
            colour = REJECTED_INK if bonus and at != grid.num_draft[r] else right
            grounds.append("white" if not kept else P if grid.marks[r, i] else REJECTED_INK)
            edges.append(colour if last else "#bbbbbb")
            widths.append(3 if last else 1)
            feeds = f"p[{at}]" if bonus else f"p[{at}] - q[{at}]"
            text = f"draft {i}" if kept else feeds if last else "-1"
            _write(sign, text, "white" if kept else colour if last else FAINT, kept or last)
        self.cells.set_facecolor(grounds)
        self.cells.set_edgecolor(edges)
        self.cells.set_linewidth(widths)

    @property
    def artists(self) -> list[Artist]:
        """What moves."""
        return [self.cells, *self.signs]


def plot_grid(
    marks: ArrayLike, num_draft: ArrayLike, *, count: str = "run", bonus_row: str = "num_draft", ax: Axes | None = None
) -> Axes:
    """Draw the accept marks of a ragged batch.

    Parameters
    ----------
    marks, num_draft, count, bonus_row
        As in `read_grid`.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    grid = read_grid(marks, num_draft, count=count, bonus_row=bonus_row)
    B, K = grid.marks.shape
    ax = axes_or_new(ax, 1.2 * K, 0.6 * B + 0.8)
    MarkGrid(ax, B, K).set(grid)
    return ax


def describe_grid(marks: ArrayLike, num_draft: ArrayLike, *, count: str = "run", bonus_row: str = "num_draft") -> str:
    """Say what becomes of each row."""
    return read_grid(marks, num_draft, count=count, bonus_row=bonus_row).says


def _cells(ax: Axes, B: int, columns: int) -> tuple[PolyCollection, list[Text]]:
    """Cells as one collection, which is drawn ten times as fast as a patch each, and their texts."""
    corners = np.array([[0.04, 0.08], [0.96, 0.08], [0.96, 0.92], [0.04, 0.92]])
    places = list(np.ndindex(B, columns))
    with style():
        cells = PolyCollection(
            [corners + np.array([i, r]) for r, i in places], facecolor="white", edgecolor="#bbbbbb", linewidth=1
        )
        ax.add_collection(cells)
        signs = [ax.text(i + 0.5, r + 0.52, "", ha="center", va="center", fontsize=11) for r, i in places]
    ax.set_xlim(-0.02, columns + 0.02)
    ax.set_ylim(B, 0)
    return cells, signs


def _write(sign: Text, text: str, colour: str, strong: bool) -> None:
    sign.set_text(text)
    sign.set_color(colour)
    sign.set_fontweight("bold" if strong else "normal")


def _label(ax: Axes, B: int, columns: Sequence[str]) -> None:
    ax.set_xticks(np.arange(len(columns)) + 0.5, columns, fontsize=10, color=INK)
    ax.set_yticks(np.arange(B) + 0.5, [f"row {r}" for r in range(B)], color=INK)
    ax.tick_params(length=0, top=False, bottom=False)
    for spine in ax.spines.values():
        spine.set_visible(False)
