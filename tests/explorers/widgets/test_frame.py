"""Frames are fast because texts are copied and bands of the PNG are kept: what is seen must be what matplotlib draws."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from specviz.explorers.widgets.frame import Frames
from specviz.explorers.widgets.png import BAND, PngWriter
from specviz.plots.style import new_figure


def read(data):
    return np.asarray(Image.open(io.BytesIO(data)))


@given(st.integers(1, 3 * BAND + 1), st.integers(1, 20), st.integers(0, 2**32 - 1))
def test_a_png_holds_its_pixels(height, width, seed):
    """The first frame, an equal one, one with a single other pixel, one all new, and an all black first one."""
    rng = np.random.default_rng(seed)
    writer, pixels = PngWriter(height, width), rng.integers(0, 256, (height, width, 4), np.uint8)
    frames = [pixels.copy(), pixels.copy()]
    pixels[rng.integers(height), rng.integers(width), rng.integers(3)] ^= 1
    frames += [pixels.copy(), rng.integers(0, 256, pixels.shape, np.uint8)]
    for frame in frames:
        assert np.array_equal(read(writer.write(frame)), frame[..., :3])
    black = np.zeros_like(pixels)
    assert not read(PngWriter(height, width).write(black)).any()
    assert writer.write(frames[0]) == PngWriter(height, width).write(frames[0]), "the bytes do not depend on the frames before"


@pytest.mark.parametrize("box", [None, {"facecolor": "yellow", "edgecolor": "none", "pad": 0.8}])
def test_texts_follow_every_change(box):
    """Text, colour, place, size, visibility: each new look is drawn anew, and an old one is found again."""
    figure, (ax,) = new_figure(4, 2)
    text = ax.text(0.5, 0.5, "first", ha="center", bbox=box)
    frames = Frames(figure, [text])
    seen = {}

    def shown():
        return read(frames.png())

    for change in (
        {},
        {"text": "second"},
        {"color": "#D55E00"},
        {"x": 0.2},
        {"fontsize": 20},
        {"ha": "left"},
        {"rotation": 30},
        {"alpha": 0.5},
        {"text": "two\nlines"},
        {"visible": False},
    ):
        text.set(**change)
        blitted = shown()
        text.set_animated(False)
        figure.canvas.draw()
        full = np.asarray(figure.canvas.buffer_rgba())[..., :3].astype(int)
        text.set_animated(True)
        assert np.abs(blitted - full).max() <= 2, change
        assert not any(np.array_equal(blitted, before) for before in seen.values()), change
        seen[str(change)] = blitted
    text.set(visible=True)
    assert np.array_equal(shown(), seen["{'text': 'two\\nlines'}"])
