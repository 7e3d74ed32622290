"""Process p and q: temperature, top-k, top-p and min-p on both sides, and what comes out when the rule is told a raw law."""

from __future__ import annotations

from functools import cache
from typing import Any

import ipywidgets as widgets
import numpy as np
from matplotlib.artist import Artist

from ...models.recorded import load_rounds
from ...plots.names import token_names, visible
from ...plots.process import TOLD, LawBars, OutcomeOfMismatch, read_process
from ...plots.style import new_figure
from ...types import Floats
from ..widgets.explorer import Explorer
from ..widgets.figview import FigView

SHOWN = 6
"""Tokens with a bar of their own."""
TOY = (np.log([0.4, 0.3, 0.2, 0.1]), np.log([0.3, 0.1, 0.2, 0.4]))
CONTEXTS: dict[str, tuple[()] | tuple[int, int]] = {
    "four tokens": (),
    "... to navigate to the ap": (10, 1),
    "... we simply add the derivative": (40, 1),
    "... in a small village by the sea,": (24, 1),
}
"""Round and position of the recorded rounds, or the toy pair."""


@cache
def context_logits(round: int, position: int) -> tuple[tuple[str, ...], Floats, Floats]:
    """Texts, target logits and drafter logits of the tokens that are recorded one by one at a position.

    All other tokens are left out: their mass is known only as a sum, which no temperature can be applied to.

    Parameters
    ----------
    round, position : int
        The round, from 0, and the position in it, from 1.
    """
    row = load_rounds().rounds[round].rows[position - 1]
    if row.q is None:
        raise ValueError(f"position is {position}; expected one with a drafter's law, from 1 to {load_rounds().K}")
    with np.errstate(divide="ignore"):
        return row.tokens, np.log(row.p), np.log(row.q)


class ProcessScene:
    """Target, drafter, and what comes out."""

    def __init__(self) -> None:
        self.figure, axes = new_figure(12, 3.9, 3)
        self.figure.set_layout_engine("constrained", rect=(0, 0.13, 1, 0.87))  # room for the tokens' texts below the axes
        self.p, self.q = (LawBars(ax, SHOWN + 1, target=side) for ax, side in zip(axes[:2], (True, False), strict=True))
        self.out = OutcomeOfMismatch(axes[2], SHOWN + 1)
        self.labels = [
            ax.text(i + 0.25, -0.03, "", transform=ax.get_xaxis_transform(), rotation=30, ha="right", va="top")
            for ax in axes
            for i in range(SHOWN + 1)
        ]
        self.settings = axes[0].text(0.99, 0.87, "", transform=axes[0].transAxes, ha="right", va="top", fontsize=10)
        self.moving: list[Artist] = [self.settings, *self.p.artists, *self.q.artists, *self.out.artists, *self.labels]

    def update(self, context: Any, temperature: float, top_k: int, top_p: float, min_p: float, told: str) -> str:
        """Show a context under these settings; top_k 0 keeps all."""
        tokens, target, drafter = context_logits(*context) if context else (tuple(token_names(4)), *TOY)
        settings: dict[str, Any] = {"temperature": temperature, "top_k": top_k or None, "top_p": top_p, "min_p": min_p}
        reading = read_process(target, drafter, told, most=SHOWN, **settings)
        for panel in (self.p, self.q, self.out):
            panel.set(reading)
        names = [visible(tokens[i]) for i in reading.order] + (["all others"] if len(reading.order) < len(tokens) else [])
        names += [""] * (SHOWN + 1 - len(names))
        for label, name in zip(self.labels, names * 3, strict=True):
            label.set_text(name)
        chosen = f"temperature {temperature:.1f}, top-k {top_k or 'off'}, top-p {top_p:.2f}, min-p {min_p:.2f}"
        self.settings.set_text(chosen.replace(", top-p", ",\ntop-p"))
        return f"With {chosen}: {reading.says}"


def process_explorer() -> FigView:
    """Sliders over the sampler's settings, contexts, and what the rule is told.

    Returns
    -------
    FigView
        Its controls are ``context``, ``temperature``, ``top_k``, ``top_p``, ``min_p`` and ``told``.
    """
    wide = {"layout": widgets.Layout(width="310px"), "style": {"description_width": "90px"}}
    controls = {
        "context": widgets.Dropdown(options=CONTEXTS, description="context", **wide),
        "told": widgets.ToggleButtons(
            options=TOLD, description="rule is told", style={"button_width": "140px", "description_width": "90px"}
        ),
        "temperature": widgets.FloatSlider(value=1, min=0, max=2, step=0.1, description="temperature", **wide),
        "top_k": widgets.IntSlider(value=2, min=0, max=20, description="top-k (0: off)", **wide),
        "top_p": widgets.FloatSlider(value=1, min=0.05, max=1, step=0.05, description="top-p", **wide),
        "min_p": widgets.FloatSlider(value=0, min=0, max=1, step=0.05, description="min-p", **wide),
    }
    return FigView(ProcessScene(), controls, title="Raw and processed p and q, and what comes out")


PROCESS = Explorer(
    process_explorer,
    ({}, {"told": "q raw"}, {"context": (10, 1), "temperature": 0.7, "top_k": 0, "top_p": 0.8, "told": "q raw"}),
)
