"""Judge the block: pick a drafted path and see how far the token rule and the block rule keep it."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
from matplotlib.artist import Artist

from ...plots.block import MOST, KeptSteps, PathBars, read_path
from ...plots.names import token_names
from ...plots.style import P, Q, new_figure
from ..widgets.bars import DistributionBars
from ..widgets.explorer import Explorer
from ..widgets.figview import FigView

FIRST_P, FIRST_Q, FIRST_PATH = (0.6, 0.3, 0.1), (0.2, 0.5, 0.3), (1, 0, 0, 1)


class BlockScene:
    """Acceptance and weights on the left, how far the path is kept on the right."""

    def __init__(self) -> None:
        self.figure, (left, right) = new_figure(11, 3.7, 2, width_ratios=[1.35, 1])
        self.bars, self.steps = PathBars(left), KeptSteps(right)
        self.moving: list[Artist] = [*self.bars.artists, *self.steps.artists]

    def update(self, p: Any, q: Any, K: int, **drafts: int) -> str:
        """Show the first K of the drafts x1, x2, ..."""
        draft = [drafts[f"x{i + 1}"] for i in range(K)]
        never = [x for x in draft if q[x] <= 0]
        path = read_path([] if never else draft, q, p)
        self.bars.set(path)
        self.steps.set(path)
        if never:
            return f"This path is never drafted: q({token_names(len(q))[never[0]]}) is 0."
        return path.says


def block_explorer() -> FigView:
    """Sliders over p, q and K, and a picker for each draft of the path.

    Returns
    -------
    FigView
        Its controls are ``p``, ``q``, ``K`` and ``x1`` to ``x4``.
    """
    tokens = token_names(len(FIRST_P))
    p, q = DistributionBars("p", FIRST_P, tokens, P), DistributionBars("q", FIRST_Q, tokens, Q)
    options = [(name, i) for i, name in enumerate(tokens)]
    narrow = {"style": {"button_width": "44px", "description_width": "60px"}}
    drafts = {
        f"x{i + 1}": widgets.ToggleButtons(options=options, value=x, description=f"draft {i + 1}", **narrow)
        for i, x in enumerate(FIRST_PATH)
    }
    K = widgets.IntSlider(value=4, min=1, max=MOST, description="K", layout=widgets.Layout(width="260px"))
    row = widgets.HBox([p, q, widgets.VBox([K, *drafts.values()])], layout=widgets.Layout(flex_flow="row wrap", grid_gap="12px"))
    controls = {"p": p, "q": q, "K": K, **drafts}
    return FigView(BlockScene(), controls, title="One path under the token rule and the block rule", layout_of_controls=row)


BLOCK = Explorer(block_explorer, ({"K": 3}, {"K": 4, "x1": 0, "x2": 0, "x3": 1, "x4": 2}, {"K": 3, "x1": 1, "x2": 2, "x3": 0}))
