"""Break it: pick a wrong verifier and see which of four needles moves."""

from __future__ import annotations

import ipywidgets as widgets
from matplotlib.artist import Artist

from ...catalogue.index import mutant
from ...models.markov import MarkovPair
from ...plots.needles import (
    first_token_gauge,
    joint_gauge,
    read_needles,
    tokens_gauge,
    verdict_gauge,
)
from ...plots.style import new_figure
from ..widgets.explorer import Explorer
from ..widgets.figview import FigView
from .law import pickable, simulated

PAIR = MarkovPair.teaching()


class NeedlesScene:
    """Four gauges: first token, joint law, tokens per round, verdict."""

    def __init__(self) -> None:
        self.figure, axes = new_figure(11, 2.5, 4)
        self.first, self.joint, self.tokens, self.verdict = gauges = [
            make(ax) for make, ax in zip((first_token_gauge, joint_gauge, tokens_gauge, verdict_gauge), axes, strict=True)
        ]
        self.moving: list[Artist] = [artist for gauge in gauges for artist in gauge.artists]

    def update(self, verifier: str, K: int, seed: int) -> str:
        """Show one verifier at one K; the verdict takes in both."""
        reading = read_needles(PAIR, {drafts: simulated(verifier, drafts, seed) for drafts in (2, 3)}, K)
        self.first.set(reading.first)
        self.joint.set(reading.joint)
        self.tokens.set(reading.tokens, reading.expected)
        self.verdict.set(reading.verdict)
        return f"{mutant(verifier).what} {reading.says}"


def needles_explorer(verifier: str = "verify") -> FigView:
    """A picker of verifiers, K, and a seed.

    Parameters
    ----------
    verifier : str
        Name of the catalogued verifier to begin with.

    Returns
    -------
    FigView
        Its controls are ``verifier``, ``K`` and ``seed``.
    """
    controls = {
        "verifier": widgets.Dropdown(
            options=pickable(), value=verifier, description="verifier", layout=widgets.Layout(width="380px")
        ),
        "K": widgets.ToggleButtons(options=[2, 3], value=3, description="K", style={"button_width": "60px"}),
        "seed": widgets.BoundedIntText(value=0, min=0, max=10**6, description="seed", layout=widgets.Layout(width="180px")),
    }
    return FigView(NeedlesScene(), controls, title="Four needles: which one moves?")


NEEDLES = Explorer(
    needles_explorer,
    ({"verifier": "replacement_from_p"}, {"verifier": "one_uniform_per_row"}, {"verifier": "match_target"}),
)
