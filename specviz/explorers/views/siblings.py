"""Many candidates for one position: reject siblings one by one, and compare the ways of drawing them with the best possible."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
from matplotlib.artist import Artist

from ...plots.names import token_names
from ...plots.siblings import DRAWINGS, MOST, AcceptanceBars, StageBars, read_acceptance, read_stages
from ...plots.style import P, Q, new_figure
from ..widgets.bars import DistributionBars
from ..widgets.explorer import Explorer
from ..widgets.figview import FigView

FIRST_P, FIRST_Q, FIRST_SIBLINGS = (0.4, 0.3, 0.2, 0.1), (0.1, 0.3, 0.2, 0.4), (3, 1, 0)


class SiblingsScene:
    """What is owed before each sibling and after the last, and on the right how often one is kept."""

    def __init__(self) -> None:
        self.tokens = token_names(len(FIRST_P))
        self.figure, axes = new_figure(12, 3.4, MOST + 2, width_ratios=[1] * (MOST + 1) + [2.2])
        self.stages = [StageBars(ax, self.tokens, number) for number, ax in enumerate(axes[:-1])]
        self.acceptance = AcceptanceBars(axes[-1])
        self.moving: list[Artist] = [artist for stage in self.stages for artist in stage.artists]
        self.moving += self.acceptance.artists

    def update(self, p: Any, q: Any, drawing: Any, k: int, **siblings: int) -> str:
        """Show the first k of the siblings x1, x2, ..."""
        acceptance = read_acceptance(p, q, k=k)
        self.acceptance.set(acceptance)
        try:
            reading = read_stages(p, q, [siblings[f"x{i + 1}"] for i in range(k)], drawing, self.tokens)
            stages, says = reading.stages, reading.says
        except ValueError as never:
            stages, says = [], f"These siblings are never drawn: {never}."
        for number, panel in enumerate(self.stages):
            panel.set(stages[number] if number < len(stages) else None)
        return f"Drawn {drawing}. {says} {acceptance.says}"


def siblings_explorer() -> FigView:
    """Sliders over p and q, the way of drawing, the number of siblings, and a picker for each.

    Returns
    -------
    FigView
        Its controls are ``p``, ``q``, ``drawing``, ``k`` and ``x1`` to ``x3``.
    """
    tokens = token_names(len(FIRST_P))
    p, q = DistributionBars("p", FIRST_P, tokens, P), DistributionBars("q", FIRST_Q, tokens, Q)
    options = [(name, i) for i, name in enumerate(tokens)]
    narrow = {"style": {"button_width": "44px", "description_width": "70px"}}
    drawing = widgets.Dropdown(options=DRAWINGS, description="drawn", layout=widgets.Layout(width="270px"))
    k = widgets.IntSlider(value=3, min=1, max=MOST, description="siblings", layout=widgets.Layout(width="270px"))
    siblings = {
        f"x{i + 1}": widgets.ToggleButtons(options=options, value=x, description=f"sibling {i + 1}", **narrow)
        for i, x in enumerate(FIRST_SIBLINGS)
    }
    row = widgets.HBox(
        [p, q, widgets.VBox([drawing, k, *siblings.values()])], layout=widgets.Layout(flex_flow="row wrap", grid_gap="12px")
    )
    controls = {"p": p, "q": q, "drawing": drawing, "k": k, **siblings}
    return FigView(SiblingsScene(), controls, title="Siblings, and what is owed after each", layout_of_controls=row)


SIBLINGS = Explorer(siblings_explorer, ({"k": 2}, {"drawing": "without replacement", "k": 3}, {"drawing": "top k"}))
