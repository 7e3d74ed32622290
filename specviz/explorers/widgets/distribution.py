"""What edits distributions: the rule by which one token moves, and the presets, swap, reset and seed of a pair of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import ipywidgets as widgets
import numpy as np
from numpy.typing import ArrayLike

from ...models.recorded import load_rounds
from ...types import Floats
from .figview import FigView

PRESETS: dict[str, tuple[list[float], list[float]]] = {
    "the chapter's pair": ([0.5, 0.3, 0.15, 0.05], [0.25, 0.25, 0.25, 0.25]),
    "mirrored": ([0.4, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4]),
    "both equal over all": ([0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25]),
    "p = q": ([0.4, 0.3, 0.2, 0.1], [0.4, 0.3, 0.2, 0.1]),
    "disjoint": ([0.6, 0.4, 0, 0], [0, 0, 0.3, 0.7]),
    "one-hot target": ([0, 1, 0, 0], [0.4, 0.3, 0.2, 0.1]),
    "one-hot drafter": ([0.4, 0.3, 0.2, 0.1], [0, 1, 0, 0]),
    "Zipf, drafter flatter": ([0.48, 0.24, 0.16, 0.12], [0.36, 0.25, 0.21, 0.18]),
}
OWN = "set by hand"
"""What a menu of presets shows when the controls stand at none of them."""
REAL = "a real context"
"""Also a preset: the three likeliest tokens of a recorded position, and all others together."""


def move_one(dist: ArrayLike, token: int, probability: float) -> Floats:
    """Give one token a new probability; the others share the rest in the ratios that they had, or equally if they had none.

    Parameters
    ----------
    dist : array_like, shape (V,)
    token : int
    probability : float
        From 0 to 1.

    Returns
    -------
    ndarray of float64, shape (V,)
        Sums to 1.

    Notes
    -----
    The browser follows the same rule in ``moveOne`` of bars.js.
    """
    moved = np.array(dist, np.float64)
    if not 0 <= probability <= 1:
        raise ValueError(f"probability is {probability}; expected a number from 0 to 1")
    moved[token] = 0
    if len(moved) == 1:
        return np.ones(1)
    if moved.sum() <= 0:
        moved[:] = 1
        moved[token] = 0
    moved *= (1 - probability) / moved.sum()
    moved[token] = probability
    return moved


def preset_pair(name: str) -> tuple[list[float], list[float]]:
    """p and q of a preset."""
    if name != REAL:
        return PRESETS[name]
    _, p, q, _ = load_rounds().rounds[24].rows[1].top(3)
    return cast(list[float], p.tolist()), cast(list[float], q.tolist())


def preset_state(name: str) -> dict[str, tuple[float, ...]]:
    """The controls ``p`` and ``q`` of a view at a preset."""
    p, q = preset_pair(name)
    return {"p": tuple(p), "q": tuple(q)}


def random_pair(V: int, seed: int) -> tuple[list[float], list[float]]:
    """Two random distributions over V tokens, each drawn uniformly from all there are and rounded to steps of a slider."""
    rng = np.random.default_rng(seed)
    pair = []
    for dist in rng.dirichlet(np.ones(V), size=2):
        cuts = np.round(np.cumsum(dist) * 100).astype(int)
        cuts[-1] = 100
        pair.append((np.diff(cuts, prepend=0) / 100).tolist())
    return pair[0], pair[1]


class Presets(widgets.Dropdown):  # type: ignore[misc]
    """A menu that sets the controls of a view, and shows which preset they stand at, if any.

    Parameters
    ----------
    states : mapping of str to mapping
        Values of controls by name, for each preset.
    **look
        Of the menu.
    """

    def __init__(self, states: Mapping[str, Mapping[str, Any]], **look: Any) -> None:
        self.states = states
        self._busy = False
        super().__init__(options=[*states, OWN], description="preset", **look)

    def attach(self, view: FigView) -> None:
        """Work on this view."""
        self.view = view
        self.observe(self._chosen, names="value")
        for name in next(iter(self.states.values())):
            view.controls[name].observe(self._follow, names="value")
        self._follow()

    def _chosen(self, change: Any) -> None:
        if self._busy or change["new"] == OWN:
            return
        self._busy = True
        try:
            self.view.set(**self.states[change["new"]])
        finally:
            self._busy = False

    def _follow(self, _: Any = None) -> None:
        if self._busy:
            return
        self._busy = True
        try:
            self.value = next((name for name, state in self.states.items() if self._shows(state)), OWN)
        finally:
            self._busy = False

    def _shows(self, state: Mapping[str, Any]) -> bool:
        return all(np.allclose(self.view.controls[name].value, value, rtol=0, atol=1e-9) for name, value in state.items())


class PairPicker(widgets.VBox):  # type: ignore[misc]
    """Presets, swap, reset, and a random pair from a seed, for a view with controls ``p`` and ``q`` over four tokens."""

    def __init__(self) -> None:
        wide, style = widgets.Layout(width="260px"), {"description_width": "60px"}
        self.preset = Presets({name: preset_state(name) for name in (*PRESETS, REAL)}, layout=wide, style=style)
        self.swap = widgets.Button(description="swap p and q", icon="exchange", layout=widgets.Layout(width="128px"))
        self.reset = widgets.Button(description="reset", icon="undo", layout=widgets.Layout(width="128px"))
        self.seed = widgets.BoundedIntText(
            value=0, min=0, max=10**6, description="seed", layout=widgets.Layout(width="128px"), style=style
        )
        self.random = widgets.Button(description="random pair", icon="random", layout=widgets.Layout(width="128px"))
        self.seed.add_class("specviz-action")  # it puts a new pair; going back puts another, not the one before
        super().__init__([self.preset, widgets.HBox([self.swap, self.reset]), widgets.HBox([self.seed, self.random])])

    def attach(self, view: FigView, **start: Any) -> None:
        """Let the buttons work on a view; `start` is what reset sets besides p and q."""

        def show(pair: tuple[list[float], list[float]], **more: Any) -> None:
            view.set(p=tuple(pair[0]), q=tuple(pair[1]), **more)

        def start_again(_: Any) -> None:
            show(preset_pair(next(iter(PRESETS))), **start)

        self.preset.attach(view)
        self.seed.observe(lambda change: show(random_pair(4, change["new"])), names="value")
        self.random.on_click(lambda _: show(random_pair(4, self.seed.value)))
        self.swap.on_click(lambda _: show((view.controls["q"].value, view.controls["p"].value)))
        self.reset.on_click(start_again)
