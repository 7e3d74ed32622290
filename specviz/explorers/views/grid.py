"""Stop at the first rejection: click the accept marks of a ragged batch and see which tokens come out."""

from __future__ import annotations

from itertools import chain
from typing import Any

import ipywidgets as widgets
import numpy as np
import traitlets
from matplotlib.artist import Artist

from ...plots.grid import MarkGrid, TokenGrid, read_grid
from ...plots.style import new_figure
from ..widgets.explorer import Explorer
from ..widgets.figview import FigView

FIRST = ((1, 0, 1, 1), (1, 1, 1, 1), (1, 1, 0, 0), (0, 1, 1, 1), (1, 1, 1, 1))
LENGTHS = (4, 4, 2, 3, 0)
ROW = widgets.Layout(height="34px")


class MarkButtons(widgets.VBox):  # type: ignore[misc]
    """A button for each accept mark.

    Attributes
    ----------
    value : tuple of tuples of int
        1 where the draft is accepted, a tuple for each row.
    """

    value = traitlets.Tuple()

    def __init__(self, value: tuple[tuple[int, ...], ...]) -> None:
        self.buttons = [
            [
                widgets.ToggleButton(
                    description="0", tooltip=f"row {r}, draft {i}", layout=widgets.Layout(width="44px", margin="2px")
                )
                for i in range(len(row))
            ]
            for r, row in enumerate(value)
        ]
        super().__init__([widgets.HBox([widgets.Label(f"row {r}"), *row], layout=ROW) for r, row in enumerate(self.buttons)])
        for button in chain.from_iterable(self.buttons):
            button.observe(self._pressed, names="value")
        self.value = value

    @traitlets.validate("value")
    def _check(self, proposal: Any) -> tuple[tuple[int, ...], ...]:
        value = np.asarray(proposal["value"])
        if value.shape != (len(self.buttons), len(self.buttons[0])) or not np.isin(value, (0, 1)).all():
            raise ValueError(
                f"value is {proposal['value']}; expected {len(self.buttons)} rows of {len(self.buttons[0])} marks, 0 or 1"
            )
        return tuple(tuple(int(mark) for mark in row) for row in value)

    @traitlets.observe("value")
    def _follow(self, change: Any) -> None:
        for row, marks in zip(self.buttons, change["new"], strict=True):
            for button, mark in zip(row, marks, strict=True):
                button.set_trait("value", bool(mark))
                button.description = str(mark)

    def _pressed(self, change: Any) -> None:
        button = change["owner"]
        value = [list(row) for row in self.value]
        for r, row in enumerate(self.buttons):
            if button in row:
                value[r][row.index(button)] = int(change["new"])
        self.value = tuple(map(tuple, value))


class Lengths(widgets.VBox):  # type: ignore[misc]
    """The number of drafts of each row.

    Attributes
    ----------
    value : tuple of int
    """

    value = traitlets.Tuple()

    def __init__(self, value: tuple[int, ...], K: int) -> None:
        self.choices = [
            widgets.Dropdown(
                options=list(range(K + 1)),
                value=length,
                description=f"num_draft[{r}]",
                layout=widgets.Layout(width="150px", margin="2px"),
                style={"description_width": "90px"},
            )
            for r, length in enumerate(value)
        ]
        super().__init__([widgets.HBox([choice], layout=ROW) for choice in self.choices])
        self.value = value
        for choice in self.choices:
            choice.observe(lambda _: self.set_trait("value", tuple(c.value for c in self.choices)), names="value")

    @traitlets.observe("value")
    def _follow(self, change: Any) -> None:
        with self.hold_trait_notifications():
            for choice, length in zip(self.choices, change["new"], strict=True):
                choice.value = length


class GridScene:
    """The marks on the left, the tokens that come out on the right."""

    def __init__(self, B: int, K: int) -> None:
        self.figure, (left, right) = new_figure(11, 0.5 * B + 0.9, 2, width_ratios=[K, 1.5 * (K + 1)])
        self.marks, self.tokens = MarkGrid(left, B, K), TokenGrid(right, B, K)
        self.moving: list[Artist] = [*self.marks.artists, *self.tokens.artists]

    def update(self, marks: Any, num_draft: Any, count: str, bonus_row: str) -> str:
        """Show a batch and what the rule, or a mistake, makes of it."""
        grid = read_grid(marks, num_draft, count=count, bonus_row=bonus_row)
        self.marks.set(grid)
        self.tokens.set(grid)
        return grid.says


def grid_explorer() -> FigView:
    """A button for each mark, the rows' lengths, and the two mistakes.

    Returns
    -------
    FigView
        Its controls are ``marks``, ``num_draft``, ``count`` and ``bonus_row``.
    """
    B, K = len(FIRST), len(FIRST[0])
    narrow = {"style": {"button_width": "150px", "description_width": "80px"}}
    counts, sources = {"leading run": "run", "sum (wrong)": "sum"}, {"num_draft": "num_draft", "K (wrong)": "K"}
    controls = {
        "marks": MarkButtons(FIRST),
        "num_draft": Lengths(LENGTHS, K),
        "count": widgets.ToggleButtons(options=counts, description="kept is the", **narrow),
        "bonus_row": widgets.ToggleButtons(options=sources, description="bonus from", **narrow),
    }
    another = widgets.Button(description="another batch", icon="random")
    reset = widgets.Button(description="reset", icon="undo")
    extras = widgets.VBox([controls["count"], controls["bonus_row"], widgets.HBox([another, reset])])
    row = widgets.HBox(
        [controls["marks"], controls["num_draft"], extras], layout=widgets.Layout(flex_flow="row wrap", grid_gap="12px")
    )
    view = FigView(GridScene(B, K), controls, title="A ragged batch and its accept marks", layout_of_controls=row)
    rng = np.random.default_rng(0)

    def new_batch(_: Any) -> None:
        marks = (rng.random((B, K)) < 0.7).astype(int)
        view.set(marks=tuple(map(tuple, marks.tolist())), num_draft=tuple(rng.integers(0, K + 1, B).tolist()))

    another.on_click(new_batch)
    reset.on_click(lambda _: view.set(marks=FIRST, num_draft=LENGTHS, count="run", bonus_row="num_draft"))
    return view


GRID = Explorer(
    grid_explorer,
    (
        {"count": "sum"},
        {"count": "run", "bonus_row": "K"},
        {"marks": ((1,) * 4,) * 5, "num_draft": (4, 3, 2, 1, 0), "bonus_row": "num_draft"},
    ),
)
