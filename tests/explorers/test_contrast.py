"""Whatever a view writes has a contrast of 4.5 to 1 with what lies behind it; bars have 3 to 1, on white and on dark themes."""

import io

import numpy as np
import pytest
from explorers.views_of_all import CHANGES, every
from matplotlib.colors import to_rgb
from matplotlib.text import Text
from PIL import Image

from specviz.explorers import EXPLORERS
from specviz.plots import style

DARK = "#111111"
"""The ground of JupyterLab's dark theme."""


def luminance(colour):
    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_known_pairs():
    assert contrast("white", "black") == pytest.approx(21)
    assert contrast("#767676", "white") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("ground", ["white", DARK])
@pytest.mark.parametrize("bar", ["P", "Q"])
def test_bars_that_are_dragged(bar, ground):
    assert contrast(getattr(style, bar), ground) >= 3


@pytest.mark.parametrize("colour", ["P", "Q", "OWED", "REJECTED"])
def test_bars_of_pictures(colour):
    assert contrast(getattr(style, colour), "white") >= 3


@every
def test_texts_of_pictures(name):
    view = EXPLORERS[name].make()
    for setting in ({}, CHANGES[name]):
        view.set(**setting)
        figure = view.scene.figure
        texts = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip()]
        shown = [t for t in texts if figure.bbox.overlaps(t.get_window_extent())]
        pixels = np.asarray(Image.open(io.BytesIO(view.picture.value)))
        for text in shown:
            assert contrast(text.get_color(), ground(pixels, text)) >= 4.5, f"{text.get_text()!r} in {text.get_color()}"


def ground(pixels, text):
    """The colour that most of a text's box has."""
    box, height = text.get_window_extent(), len(pixels)
    rows = slice(max(0, height - int(box.y1) - 3), max(1, height - int(box.y0) + 3))
    found = pixels[rows, max(0, int(box.x0) - 3) : max(1, int(box.x1) + 3)].reshape(-1, 3)
    colours, counts = np.unique(found, axis=0, return_counts=True)
    return colours[counts.argmax()] / 255
