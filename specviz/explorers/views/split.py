"""Split p into kept and owed: sliders over p and q, or a context of the recorded real model."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
from matplotlib.artist import Artist

from ...models.recorded import load_rounds
from ...plots.names import token_names, visible
from ...plots.split import OutcomeBars, SplitBars, read_outcome, read_split, set_height
from ...plots.style import P, Q, new_figure
from ..widgets.bars import DistributionBars
from ..widgets.distribution import PRESETS, PairPicker, preset_state
from ..widgets.explorer import Explorer
from ..widgets.figview import FigView

REPLACEMENTS = {"the residual": "residual", "p itself (wrong)": "p"}


class SplitScene:
    """Kept, owed and rejected mass on the left; what comes out on the right."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.figure, (left, right) = new_figure(10, 3.6, 2)
        self.split, self.outcome = SplitBars(left, tokens), OutcomeBars(right, tokens)
        for ax in (left, right):
            set_height(ax, 1.0)
        self.moving: list[Artist] = [self.split.kept, self.split.owed, self.split.rejected, self.outcome.kept, self.outcome.drawn]
        self.moving += [self.outcome.target[2][0], self.outcome.verdict]

    def update(self, p: Any, q: Any, replacement: str = "residual", kept: Any = None) -> str:
        """Show a pair of laws."""
        split, outcome = read_split(p, q, self.tokens, kept=kept), read_outcome(p, q, replacement=replacement, kept=kept)
        self.split.set(split)
        self.outcome.set(outcome)
        return f"{split.says} {outcome.says}"


def split_explorer() -> FigView:
    """Sliders over p and q, presets, swap and reset, and the choice of where a replacement is drawn from.

    Returns
    -------
    FigView
        Its controls are ``p``, ``q`` and ``replacement``.
    """
    first_p, first_q = PRESETS["the chapter's pair"]
    tokens = token_names(len(first_p))
    p = DistributionBars("p", first_p, tokens, P)
    q = DistributionBars("q", first_q, tokens, Q)
    replacement = widgets.ToggleButtons(options=REPLACEMENTS, description="replace from", style={"description_width": "90px"})
    picker = PairPicker()
    row = widgets.HBox([p, q, widgets.VBox([picker, replacement])], layout=widgets.Layout(flex_flow="row wrap", grid_gap="12px"))
    controls = {"p": p, "q": q, "replacement": replacement}
    view = FigView(SplitScene(tokens), controls, title="p split into kept and owed", layout_of_controls=row)
    picker.attach(view, replacement="residual")
    return view


SPLIT = Explorer(
    split_explorer,
    (
        {**preset_state("the chapter's pair"), "replacement": "residual"},
        {**preset_state("the chapter's pair"), "replacement": "p"},
        {**preset_state("mirrored"), "replacement": "residual"},
    ),
)


class ContextScene:
    """The same for a position of the recorded rounds; the tokens differ from one position to the next."""

    SHOWN = 7

    def __init__(self) -> None:
        self.bars = SplitScene([""] * (self.SHOWN + 1))
        self.figure = self.bars.figure
        self.figure.set_size_inches(10, 4.2)
        self.figure.set_layout_engine("constrained", rect=(0, 0.14, 1, 0.86))  # room for the tokens' texts below the axes
        self.labels = [
            ax.text(i + 0.25, -0.03, "", transform=ax.get_xaxis_transform(), rotation=30, ha="right", va="top")
            for ax in self.figure.axes
            for i in range(self.SHOWN + 1)
        ]
        self.moving: list[Artist] = [*self.bars.moving, *self.labels]

    def update(self, round: int, position: int, replacement: str = "residual") -> str:
        """Show one position of one round."""
        recorded = load_rounds().rounds[round]
        texts, p, q, kept = recorded.rows[position - 1].top(self.SHOWN)
        names = [visible(text) for text in texts[:-1]] + ["all others"]
        for label, name in zip(self.labels, names * 2, strict=True):
            label.set_text(name)
        self.bars.tokens = [f'"{name}"' for name in names[:-1]] + names[-1:]
        before = "".join(_text_of(recorded, i) for i in range(position - 1))
        context = f"{recorded.context}{before}".replace("\n", " / ")
        return f'After "...{context[-60:]}": {self.bars.update(p, q, replacement, kept)}'


def context_explorer() -> FigView:
    """Pick one of the 72 recorded rounds of a real model, and a position in it: real p, real q.

    Returns
    -------
    FigView
        Its controls are ``round``, ``position`` and ``replacement``.
    """
    wide = widgets.Layout(width="330px")
    controls = {
        "round": widgets.IntSlider(value=10, min=0, max=len(load_rounds().rounds) - 1, description="round", layout=wide),
        "position": widgets.IntSlider(value=1, min=1, max=load_rounds().K, description="position", layout=wide),
        "replacement": widgets.ToggleButtons(options=REPLACEMENTS, description="replace from"),
    }
    return FigView(ContextScene(), controls, title="p and q of a real language model")


CONTEXT = Explorer(context_explorer, ({"round": 10, "position": 1}, {"round": 24, "position": 2}, {"round": 0, "position": 1}))


def _text_of(recorded: Any, position: int) -> str:
    row = recorded.rows[position]
    return str(row.tokens[row.ids.tolist().index(recorded.draft[position])])
