"""A distribution that is edited by dragging its bars, by sliders and by typed numbers: three views of one value."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets
from numpy.typing import ArrayLike

from ...probability import check_probabilities

HERE = Path(__file__).parent


class DistributionBars(anywidget.AnyWidget):
    """A bar that can be dragged, a slider and a typed number for each token of a distribution.

    The token that is moved goes where it is put, the others keep their ratios (`distribution.move_one`). In a series of moves of
    one token the ratios are those before the first: moved to 1 and back, the others are as they were. The bars follow the pointer
    in the browser; the kernel hears of it as fast as it can answer, and always of the last move.

    Parameters
    ----------
    name : str
        What the distribution is called, "p" or "q".
    value : array_like, shape (V,)
        The distribution to begin with.
    tokens : sequence of str
        Their names.
    colour : str
        Of the bars.
    hatched : bool, optional
        Whether the bars are hatched; those of q are unless said.

    Attributes
    ----------
    value : tuple of float
        The distribution; it always sums to 1. Setting it moves everything.
    """

    _esm = HERE / "bars.js"
    _css = HERE / "bars.css"
    name = traitlets.Unicode().tag(sync=True)
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    colour = traitlets.Unicode().tag(sync=True)
    hatched = traitlets.Bool().tag(sync=True)
    value = traitlets.Tuple().tag(sync=True)

    def __init__(
        self, name: str, value: ArrayLike, tokens: Sequence[str], colour: str, *, hatched: bool | None = None, **layout: Any
    ) -> None:
        look = {"name": name, "tokens": list(tokens), "colour": colour, "hatched": name == "q" if hatched is None else hatched}
        super().__init__(value=tuple(np.asarray(value, np.float64).tolist()), **look, **layout)

    @traitlets.validate("value")
    def _check(self, proposal: Any) -> tuple[float, ...]:
        value = np.asarray(proposal["value"], np.float64)
        if value.shape != (len(self.tokens),):
            raise ValueError(f"value has shape {value.shape}; expected {len(self.tokens)} probabilities")
        check_probabilities("value", value)
        if abs(value.sum() - 1) < 1e-12:  # as the browser sends it: an answer that differs in the last bit would pull a bar back
            return tuple(value.tolist())
        return tuple((value / value.sum()).tolist())
