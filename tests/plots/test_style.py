"""Pictures of one look, made without pyplot."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from specviz.plots import style


def test_pictures_are_made_without_pyplot_and_show_themselves():
    figure, _ = style.new_figure(4, 3)
    assert isinstance(figure, Figure)
    bundle, metadata = style.Picture(figure, "what it shows")._repr_mimebundle_()
    assert metadata == {"image/png": {"alt": "what it shows"}}
    assert bundle["text/plain"] == "what it shows"
    assert bundle["image/png"]


def luminance(colour):
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(colour):
    return 1.05 / (luminance(colour) + 0.05)


def test_contrast_on_white():
    """Text at least 4.5 to 1, bars 3 to 1; the drafter's orange is a bar, always hatched, and never text."""
    assert contrast(style.INK) >= 4.5
    assert contrast(style.FAINT) >= 4.5
    assert contrast(style.P) >= 4.5
    assert contrast(style.OWED) >= 3
    assert contrast(style.REJECTED) >= 3


@pytest.mark.parametrize("ground", [(1, 1, 1, 1), (0, 0, 0, 1), (0.5, 0.5, 0.5, 1), (0.9, 0.4, 0, 1), (0.2, 0.1, 0.5, 1)])
def test_ink_stands_out_on_any_ground(ground):
    shade = luminance("#" + "".join(f"{round(255 * x):02x}" for x in ground[:3]))
    assert {"white": 1.05 / (shade + 0.05), "black": (shade + 0.05) / 0.05}[style.ink_on(ground)] >= 4.5
