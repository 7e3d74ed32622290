"""Count tokens, choose K: the closed forms over the overlap and the cost of drafting, with the recorded rounds beside them."""

from __future__ import annotations

import ipywidgets as widgets
import numpy as np
from matplotlib.artist import Artist

from ...models.recorded import load_rounds
from ...plots.speed import MOST, SpeedCurve, TokensCurve, read_speed
from ...plots.style import new_figure
from ...types import Floats
from ..widgets.explorer import Explorer
from ..widgets.figview import FigView


def recorded_tokens() -> tuple[Floats, Floats]:
    """Mean tokens per round of the recorded rounds, had they held K = 0, 1, ..., 4 drafts, and their standard errors.

    With K drafts a round keeps min(accepted, K) of them, since the test of a draft does not depend on those behind it.
    """
    rounds = load_rounds().rounds
    accepted = np.array([r.accepted for r in rounds])
    tokens = 1.0 + np.minimum(accepted[:, None], np.arange(load_rounds().K + 1))
    return tokens.mean(axis=0), tokens.std(axis=0, ddof=1) / np.sqrt(len(tokens))


class SpeedScene:
    """Tokens per pass on the left, speed-up on the right."""

    def __init__(self) -> None:
        self.figure, (left, right) = new_figure(11, 3.8, 2)
        self.tokens, self.speed = TokensCurve(left), SpeedCurve(right)
        self.moving: list[Artist] = [*self.tokens.artists, *self.speed.artists]

    def update(self, alpha: float, cost: float, K: int, beside: str) -> str:
        """Show an overlap, a cost and a K."""
        measured, errors = recorded_tokens() if beside == "recorded" else (None, None)
        reading = read_speed(alpha, cost, K=K, measured=measured, errors=errors)
        self.tokens.set(reading)
        self.speed.set(reading)
        return reading.says


def speed_explorer() -> FigView:
    """Sliders over the overlap, the cost of a draft and K, and the recorded rounds.

    Returns
    -------
    FigView
        Its controls are ``alpha``, ``cost``, ``K`` and ``beside``.
    """
    wide = {"layout": widgets.Layout(width="300px")}
    beside = {"the formula alone": "formula", "recorded rounds": "recorded"}
    controls = {
        "alpha": widgets.FloatSlider(value=0.7, min=0, max=1, step=0.01, description="overlap", **wide),
        "cost": widgets.FloatSlider(value=0.1, min=0, max=0.6, step=0.01, description="cost c", **wide),
        "K": widgets.IntSlider(value=3, min=0, max=MOST, description="K", **wide),
        "beside": widgets.ToggleButtons(options=beside, description="show", style={"button_width": "140px"}),
    }
    return FigView(SpeedScene(), controls, title="Tokens per pass and speed-up over K")


SPEED = Explorer(
    speed_explorer,
    (
        {"alpha": 0.9, "cost": 0.05, "K": 8},
        {"alpha": 0.5, "cost": 0.4, "K": 3},
        {"alpha": 0.77, "cost": 0.1, "K": 4, "beside": "recorded"},
    ),
)
