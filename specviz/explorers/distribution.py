"""A distribution that is edited by sliders: the one that moves goes where it is put, the others keep their ratios."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ipywidgets as widgets
import numpy as np
import traitlets
from numpy.typing import ArrayLike

from ..arrays import Floats
from ..probability import check_probabilities

STEP = 0.01
"""What one press of an arrow key adds to a probability."""


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


class DistributionSliders(widgets.VBox):  # type: ignore[misc]
    """A slider with a typed number for each token of a distribution.

    Parameters
    ----------
    name : str
        What the sliders are called, "p" or "q".
    value : array_like, shape (V,)
        The distribution to begin with.
    tokens : sequence of str
        Their names.
    colour : str
        Of the sliders' handles.

    Attributes
    ----------
    value : tuple of float
        The distribution; it always sums to 1. Setting it moves the sliders.
    """

    value = traitlets.Tuple()

    def __init__(self, name: str, value: ArrayLike, tokens: Sequence[str], colour: str) -> None:
        self._following = False
        self.sliders = [
            widgets.FloatSlider(
                min=0,
                max=1,
                step=STEP,
                description=f"{name}({token})",
                readout_format=".2f",
                style={"handle_color": colour, "description_width": "46px"},
                layout=widgets.Layout(width="260px"),
            )
            for token in tokens
        ]
        super().__init__(self.sliders)
        for token, slider in enumerate(self.sliders):
            slider.observe(lambda change, token=token: self._moved(token, change["new"]), names="value")
        self.value = tuple(np.asarray(value, np.float64).tolist())

    @traitlets.validate("value")
    def _check(self, proposal: Any) -> tuple[float, ...]:
        value = np.asarray(proposal["value"], np.float64)
        if value.shape != (len(self.sliders),):
            raise ValueError(f"value has shape {value.shape}; expected {len(self.sliders)} probabilities")
        check_probabilities("value", value)
        return tuple((value / value.sum()).tolist())

    @traitlets.observe("value")
    def _follow(self, change: Any) -> None:
        self._following = True
        try:
            for slider, probability in zip(self.sliders, change["new"], strict=True):
                slider.value = probability
        finally:
            self._following = False

    def _moved(self, token: int, probability: float) -> None:
        """Follow a slider. The browser sends back what it rounded to a step; taken for a move it would let the others drift."""
        if not self._following and abs(probability - self.value[token]) > 0.51 * STEP:
            self.value = tuple(move_one(self.value, token, probability).tolist())
