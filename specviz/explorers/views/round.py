"""Step through one round: sliders over p, q and K, a play button, and a new round on request."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import numpy as np
from matplotlib.artist import Artist

from ...models.markov import MarkovPair
from ...plots.bars import Bars
from ...plots.names import token_names
from ...plots.round import RoundBoxes, play_round, read_round
from ...plots.style import INK, Q_HATCH, P, Q, new_figure, style
from ...probability import overlap
from ...theory.speed import expected_tokens
from ..widgets.bars import DistributionBars
from ..widgets.distribution import PairPicker
from ..widgets.explorer import Explorer
from ..widgets.figview import FigView

MOST_DRAFTS = 5


class RoundScene:
    """p and q as bars on the left, the round's boxes on the right."""

    def __init__(self, V: int) -> None:
        self.tokens = token_names(V)
        self.figure, (left, right) = new_figure(12, 3.0, 2, width_ratios=[1, 2.6])
        x = np.arange(V)
        with style():
            self.p = Bars(left, x - 0.2, 0.4, facecolor=P, edgecolor="none", label="target p")
            self.q = Bars(left, x + 0.2, 0.4, facecolor="white", edgecolor=Q, hatch=Q_HATCH, label="draft q")
            left.set_xlim(-0.6, V - 0.4)
            left.set_xticks(x, self.tokens)
            left.set_ylim(0, 1.15)
            left.set_yticks([0, 0.5, 1])
            left.tick_params(axis="x", length=0)
            left.legend(loc="upper left", ncols=2, handlelength=1.4, fontsize=10, borderaxespad=0.2)
            left.set_title("p and q")
            self.tally = right.text(0.0, -0.02, "", color=INK, va="bottom", transform=right.transAxes)
        self.boxes = RoundBoxes(right, MOST_DRAFTS)
        self.moving: list[Artist] = [self.p, self.q, *self.boxes.artists, self.tally]

    def update(self, p: Any, q: Any, K: int, step: int, seed: int) -> str:
        """Show the round that this seed gives, after `step` steps."""
        self.p.put(p)
        self.q.put(q)
        played = play_round(MarkovPair.constant(p, q), K, seed)
        reading = read_round(played, step=min(step, played.steps), tokens=self.tokens)
        self.boxes.set(reading)
        alpha = float(overlap(p, q))
        mean = float(expected_tokens(alpha, K))
        self.tally.set_text(f"overlap {alpha:.2f}, K = {K}: {mean:.3f} tokens per round on average")
        return f"{reading.says} On average a round gives {mean:.3f} tokens."


def round_explorer() -> FigView:
    """Sliders over p, q and K, a step slider with a play button, and a button for another round.

    Returns
    -------
    FigView
        Its controls are ``p``, ``q``, ``K``, ``step`` and ``seed``.
    """
    tokens = token_names(4)
    p = DistributionBars("p", [0.5, 0.3, 0.15, 0.05], tokens, P)
    q = DistributionBars("q", [0.25, 0.25, 0.25, 0.25], tokens, Q)
    K = widgets.IntSlider(value=3, min=0, max=MOST_DRAFTS, description="K")
    step = widgets.IntSlider(value=0, min=0, max=MOST_DRAFTS + 2, description="step")
    play = widgets.Play(min=0, max=MOST_DRAFTS + 2, interval=1200, description="play the round")
    seed = widgets.BoundedIntText(value=3, min=0, max=10**6, description="round no.", layout=widgets.Layout(width="180px"))
    widgets.link((play, "value"), (step, "value"))
    another = widgets.Button(description="another round", icon="random")
    picker = PairPicker()
    extras = widgets.VBox([picker, K, step, widgets.HBox([play, another]), seed])
    row = widgets.HBox([p, q, extras], layout=widgets.Layout(flex_flow="row wrap", grid_gap="12px"))
    controls = {"p": p, "q": q, "K": K, "step": step, "seed": seed}
    view = FigView(RoundScene(4), controls, title="One round of draft and verify", layout_of_controls=row)
    picker.attach(view, K=3, step=0, seed=3)
    play.observe(lambda change: _from_the_start(view, change["new"]), names="playing")
    another.on_click(lambda _: view.set(seed=(seed.value + 1) % 10**6, step=0))
    return view


ROUND = Explorer(round_explorer, ({"seed": 3, "step": 1}, {"seed": 3, "step": 5}, {"seed": 0, "step": 5}))


def _from_the_start(view: FigView, playing: bool) -> None:
    """Play pressed where the round is over: play it again."""
    now = view.state()
    if playing and now["step"] >= play_round(MarkovPair.constant(now["p"], now["q"]), now["K"], now["seed"]).steps:
        view.set(step=0)
