"""Size the test: cells, draws, bias and false-alarm rate against the power, beside a rule of thumb that has none of them."""

from __future__ import annotations

import ipywidgets as widgets
from matplotlib.artist import Artist

from ...plots.power import DistanceCurves, PowerCurves, read_power
from ...plots.style import new_figure
from ..widgets.explorer import Explorer
from ..widgets.figview import FigView

SIZES = (500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)
RATES = {"1 in 20": 0.05, "1 in 100": 0.01, "1 in 1,000": 0.001, "1 in a million": 1e-6}


class PowerScene:
    """The chi-square on the left, the observed distance on the right."""

    def __init__(self) -> None:
        self.figure, (left, right) = new_figure(11, 3.6, 2)
        self.curves, self.distances = PowerCurves(left), DistanceCurves(right)
        self.moving: list[Artist] = [*self.curves.artists, *self.distances.artists]

    def update(self, cells: int, n: int, tv: float, alpha: float) -> str:
        """Show a test of n draws."""
        reading = read_power(cells, n, tv, alpha)
        self.curves.set(reading)
        self.distances.set(reading)
        return reading.says


def power_explorer() -> FigView:
    """Pickers for the cells, the draws and the false-alarm rate, and a slider over the bias.

    Returns
    -------
    FigView
        Its controls are ``cells``, ``n``, ``tv`` and ``alpha``.
    """
    wide = {"layout": widgets.Layout(width="330px"), "style": {"description_width": "80px"}}
    controls = {
        "cells": widgets.SelectionSlider(options=[4, 8, 16, 32, 64], value=32, description="cells", **wide),
        "n": widgets.SelectionSlider(options=[(f"{n:,}", n) for n in SIZES], value=20_000, description="draws", **wide),
        "tv": widgets.FloatSlider(value=0.02, min=0, max=0.1, step=0.002, readout_format=".3f", description="bias, TV", **wide),
        "alpha": widgets.SelectionSlider(options=list(RATES.items()), value=0.001, description="false alarms", **wide),
    }
    return FigView(PowerScene(), controls, title="Power of the chi-square, and a rule of thumb")


POWER = Explorer(power_explorer, ({}, {"n": 200_000, "tv": 0.01}, {"cells": 64, "n": 2_000, "tv": 0.05}))
