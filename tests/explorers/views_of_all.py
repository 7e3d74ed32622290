"""What the tests of all explorers share: a change of every control, and a view by its parts."""

import io

import numpy as np
import pytest
from PIL import Image

from specviz.explorers import EXPLORERS
from specviz.explorers.views.grid import FIRST

CHANGES = {
    "round": {"K": 5, "step": 4, "seed": 8, "p": (0.1, 0.2, 0.3, 0.4), "q": (1.0, 0, 0, 0)},
    "split": {"replacement": "p", "p": (0.1, 0.2, 0.3, 0.4), "q": (0.4, 0.3, 0.2, 0.1)},
    "context": {"round": 24, "position": 2, "replacement": "p"},
    "square": {"token": 3, "u": 0.0, "comparison": "weak", "darts": 300, "p": (0.5, 0.3, 0.2, 0.0), "q": (0.4, 0.3, 0.2, 0.1)},
    "grid": {"marks": ((0, 1, 1, 1), *FIRST[1:]), "num_draft": (4, 3, 2, 3, 1), "count": "sum", "bonus_row": "K"},
    "speed": {"alpha": 0.5, "cost": 0.4, "K": 8, "beside": "recorded"},
    "law": {"verifier": "residual_abs", "K": 2, "n": 500, "seed": 1},
    "needles": {"verifier": "match_then_fresh", "K": 2, "seed": 5},
    "report": {"verifier": "uniform_reused", "seed": 1},
    "process": {"context": (10, 1), "temperature": 0.5, "top_k": 3, "top_p": 0.5, "min_p": 0.9, "told": "p raw"},
    "power": {"cells": 16, "n": 5_000, "tv": 0.05, "alpha": 0.05},
    "siblings": {
        "p": (0.1, 0.2, 0.3, 0.4),
        "q": (0.4, 0.3, 0.2, 0.1),
        "drawing": "without replacement",
        "k": 2,
        "x1": 1,
        "x2": 2,
        "x3": 2,
    },
    "block": {"p": (0.1, 0.2, 0.7), "q": (0.4, 0.3, 0.3), "K": 2, "x1": 0, "x2": 2, "x3": 2, "x4": 0},
}
"""A change of every control of every explorer."""
every = pytest.mark.parametrize("name", EXPLORERS)


def find(widget, description):
    """The first widget with this description."""
    if getattr(widget, "description", None) == description:
        return widget
    found = (find(child, description) for child in getattr(widget, "children", ()))
    return next((child for child in found if child), None)


def pixels(view):
    return np.asarray(Image.open(io.BytesIO(view.picture.value)))
