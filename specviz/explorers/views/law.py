"""Audit the joint law of three tokens: pick a verifier, K and the number of sequences, and watch the power come and go."""

from __future__ import annotations

from functools import lru_cache

import ipywidgets as widgets
import numpy as np
from matplotlib.artist import Artist

from ...auditing.statistics.chi_square import chi_square, count_cells, smallest_visible_bias
from ...catalogue.index import CATALOGUE, mutant
from ...models.generate import Generated, generate
from ...models.markov import MarkovPair
from ...plots.law import CellMap, NullDensity, read_law
from ...plots.style import new_figure
from ..widgets.explorer import Explorer
from ..widgets.figview import FigView

LENGTH = 3
MOST = 100_000
"""Sequences simulated at once: about 0.15 s. The slider over n shows the first n of them and simulates nothing."""


@lru_cache(maxsize=64)
def simulated(name: str, K: int, seed: int) -> Generated:
    """`MOST` sequences of three tokens from a catalogued verifier on the teaching chain."""
    entry = mutant(name)
    pair = entry.pair(MarkovPair.teaching())
    return generate(pair, entry.build(pair), length=LENGTH, K=K, n=MOST, rng=np.random.default_rng([seed, K]))


def pickable() -> list[tuple[str, str]]:
    """Labels and names of the catalogued verifiers that sequences of full rows can tell apart, or that are right."""
    plain = {"first token", "joint law", "joint law past K", "tokens per round"}
    shown = [m for m in CATALOGUE if m.seen_by & plain or m.name == "verify"]
    return [(f"{m.family}: {m.name.replace('_', ' ')}", m.name) for m in shown]


class LawScene:
    """The map of 64 cells and the chi-square on its null density."""

    def __init__(self) -> None:
        self.law = MarkovPair.teaching().joint_law(LENGTH)
        null = chi_square(self.law * MOST, self.law)
        self.figure, (left, right) = new_figure(12, 3.4, 2, width_ratios=[1.8, 1])
        self.cells = CellMap(left, len(self.law))
        self.null = NullDensity(right, null.cut)
        grid = list(left.lines)
        self.moving: list[Artist] = [self.cells.image, *grid, *self.cells.signs, *self.null.artists]

    def update(self, verifier: str, K: int, n: int, seed: int) -> str:
        """Show the first n sequences of one verifier."""
        entry = mutant(verifier)
        run = simulated(verifier, K, seed)
        reading = read_law(count_cells(run.sequences[:n], len(self.law)), self.law)
        self.cells.set(reading)
        self.null.set(reading.test)
        exact = MarkovPair.teaching().tokens_per_round(K)
        visible = smallest_visible_bias(self.law, n)
        promise = f"A true distance of {visible:.3f} is seen 999 times in 1,000."
        if visible >= 1:
            promise = "Too few sequences to promise anything: rare cells are pooled."
        tokens = f"Tokens per round: {run.tokens_per_round:.2f}, token rule {exact:.3f}."
        return f"{entry.what} {reading.says} {promise} {tokens}"


def law_explorer(verifier: str = "verify") -> FigView:
    """A picker of verifiers, sliders over K and over the number of sequences, and a seed.

    Parameters
    ----------
    verifier : str
        Name of the catalogued verifier to begin with.

    Returns
    -------
    FigView
        Its controls are ``verifier``, ``K``, ``n`` and ``seed``.
    """
    sizes = [(f"{n:,}", n) for n in (200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)]
    controls = {
        "verifier": widgets.Dropdown(
            options=pickable(), value=verifier, description="verifier", layout=widgets.Layout(width="360px")
        ),
        "K": widgets.IntSlider(value=3, min=1, max=4, description="K", continuous_update=False),
        "n": widgets.SelectionSlider(options=sizes, value=100_000, description="sequences", layout=widgets.Layout(width="360px")),
        "seed": widgets.BoundedIntText(value=0, min=0, max=10**6, description="seed", layout=widgets.Layout(width="180px")),
    }
    return FigView(LawScene(), controls, title="The joint law of three tokens, audited")


LAW = Explorer(
    law_explorer,
    ({"verifier": "verify"}, {"verifier": "replacement_from_p"}, {"verifier": "one_uniform_per_row", "n": 2_000}),
)
