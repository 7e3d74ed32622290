"""Accept with u * q < p: one draft and its uniform as a point of the unit square, and darts that measure the overlap."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import numpy as np
from matplotlib.artist import Artist

from ...plots.names import token_names
from ...plots.square import Balance, BalanceReading, UnitSquare, read_square
from ...plots.style import P, Q, new_figure
from ..widgets.bars import DistributionBars
from ..widgets.distribution import Presets
from ..widgets.explorer import Explorer
from ..widgets.figview import FigView

PRESETS: dict[str, dict[str, Any]] = {
    "the chapter's pair": {"p": (0.5, 0.3, 0.15, 0.05), "q": (0.25,) * 4, "token": 2, "u": 0.7},
    "the target never says D": {"p": (0.5, 0.3, 0.2, 0.0), "q": (0.25,) * 4, "token": 3, "u": 0.0},
    "p = q": {"p": (0.4, 0.3, 0.2, 0.1), "q": (0.4, 0.3, 0.2, 0.1), "token": 0, "u": 0.99},
    "one-hot target": {"p": (0.0, 1.0, 0.0, 0.0), "q": (0.4, 0.3, 0.2, 0.1), "token": 1, "u": 0.99},
    "disjoint": {"p": (0.6, 0.4, 0.0, 0.0), "q": (0.0, 0.0, 0.3, 0.7), "token": 3, "u": 0.0},
}
COMPARISONS = {"u q < p": "strict", "u q <= p (wrong)": "weak"}
DARTS = np.random.default_rng(0).random((500, 2))
"""The same darts for all laws: what changes under the sliders is the square, not luck."""


class SquareScene:
    """The unit square on the left, the two sides of the test on the right."""

    def __init__(self, V: int) -> None:
        self.tokens = token_names(V)
        self.figure, (left, right) = new_figure(10, 3.8, 2, width_ratios=[1.35, 1])
        self.square, self.balance = UnitSquare(left, self.tokens), Balance(right)
        self.moving: list[Artist] = [*self.square.artists, *self.balance.artists]

    def update(self, p: Any, q: Any, token: int, u: float, comparison: str, darts: int) -> str:
        """Show a draft `token` with its uniform u, and the first `darts` darts."""
        square = read_square(p, q, self.tokens, token=token, u=u, darts=DARTS[:darts])
        test = BalanceReading(self.tokens[token], u * q[token], p[token], strict=comparison == "strict")
        self.square.set(square)
        self.balance.set(test)
        return f"{test.says} {square.says}"


def square_explorer() -> FigView:
    """Sliders over p, q and u, the draft, the comparison, and darts.

    Returns
    -------
    FigView
        Its controls are ``p``, ``q``, ``token``, ``u``, ``comparison`` and ``darts``.
    """
    first = PRESETS["the chapter's pair"]
    tokens = token_names(len(first["p"]))
    wide = {"layout": widgets.Layout(width="300px"), "style": {"description_width": "60px"}}
    controls = {
        "p": DistributionBars("p", first["p"], tokens, P),
        "q": DistributionBars("q", first["q"], tokens, Q),
        "token": widgets.ToggleButtons(
            options=[(name, i) for i, name in enumerate(tokens)],
            value=first["token"],
            description="draft x",
            style={"button_width": "44px", "description_width": "60px"},
        ),
        "u": widgets.FloatSlider(value=first["u"], min=0, max=0.99, step=0.01, description="u", **wide),
        "comparison": widgets.ToggleButtons(
            options=COMPARISONS, description="keep if", style={"button_width": "150px", "description_width": "60px"}
        ),
        "darts": widgets.IntSlider(value=0, min=0, max=len(DARTS), step=50, description="darts", **wide),
    }
    preset = Presets(PRESETS, **wide)
    extras = widgets.VBox([preset, *(controls[name] for name in ("token", "u", "comparison", "darts"))])
    row = widgets.HBox([controls["p"], controls["q"], extras], layout=widgets.Layout(flex_flow="row wrap", grid_gap="12px"))
    view = FigView(SquareScene(len(tokens)), controls, title="The acceptance test in the unit square", layout_of_controls=row)
    preset.attach(view)
    return view


SQUARE = Explorer(
    square_explorer,
    (
        {"darts": 300},
        {**PRESETS["p = q"], "darts": 300},
        {**PRESETS["the target never says D"], "comparison": "weak", "darts": 0},
    ),
)
