"""Frames of a figure, fast: a bitmap of what never moves, and texts that are drawn once and then copied.

A text costs about a millisecond to draw and 30 microseconds to copy; most texts of a frame are those of the frame before.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from ...types import Array
from .png import PngWriter

MOST_SPRITES = 3_000
"""Texts remembered by a figure; a text takes a few kilobytes."""
MARGIN = 3
"""Pixels around a text's box that its glyphs may touch."""


class Sprite(NamedTuple):
    """A text as pixels: where they belong, 255 x what its colours add there, and 255 x the share of the ground that stays."""

    rows: slice
    columns: slice
    ink: Array
    ground: Array


class Frames:
    """Draws a figure again and again.

    Parameters
    ----------
    figure : Figure
        On an Agg canvas, laid out here once and for all: a frame must not move the axes.
    moving : sequence of Artist
        What changes from frame to frame, in the order in which it is drawn.
    """

    def __init__(self, figure: Figure, moving: Sequence[Artist]) -> None:
        self.figure, self.moving = figure, list(moving)
        for artist in moving:
            artist.set_animated(True)
        figure.canvas.draw()
        figure.set_layout_engine("none")
        figure.canvas.draw()
        canvas: Any = figure.canvas
        self._background = canvas.copy_from_bbox(figure.bbox)
        self._pixels = np.asarray(canvas.buffer_rgba())
        height, width = self._pixels.shape[:2]
        renderer: Any = RendererAgg
        self._scratch = renderer(width, height, figure.dpi)
        self._writer = PngWriter(height, width)
        self._sprites: dict[Hashable, Sprite] = {}

    def png(self) -> bytes:
        """Draw the moving artists as they are now, and return the picture as a PNG."""
        canvas: Any = self.figure.canvas
        canvas.restore_region(self._background)
        for artist in self.moving:
            if isinstance(artist, Text):
                self._copy_text(artist)
            else:
                self.figure.draw_artist(artist)
        return self._writer.write(self._pixels)

    def _copy_text(self, text: Text) -> None:
        if not text.get_visible() or not text.get_text():
            return
        key = _look(text)
        if key not in self._sprites:
            if len(self._sprites) >= MOST_SPRITES:
                self._sprites.clear()
            self._sprites[key] = self._draw_text(text)
        rows, columns, ink, ground = self._sprites[key]
        under = self._pixels[rows, columns, :3]
        blend = under * ground
        blend += ink
        blend += (blend >> 8) + 1  # with the next line a division by 255, within 16 bits
        under[:] = blend >> 8

    def _draw_text(self, text: Text) -> Sprite:
        self._scratch.clear()
        text.draw(self._scratch)
        patch = text.get_bbox_patch()
        box = (patch or text).get_window_extent(self._scratch)
        drawn = np.asarray(self._scratch.buffer_rgba())
        height, width = drawn.shape[:2]
        left, right = (int(np.clip(x, 0, width)) for x in (box.x0 - MARGIN, box.x1 + MARGIN + 1))
        top, bottom = (int(np.clip(height - y, 0, height)) for y in (box.y1 + MARGIN, box.y0 - MARGIN - 1))
        rows, columns = slice(top, bottom), slice(left, right)
        pixels = drawn[rows, columns].astype(np.uint16)
        cover = pixels[..., 3:]
        return Sprite(rows, columns, pixels[..., :3] * cover, 255 - cover)


def _look(text: Text) -> Hashable:
    """All that a text's pixels depend on, as far as it may change: axes and fonts stay."""
    place = (*text.get_position(), text.get_horizontalalignment(), text.get_verticalalignment(), text.get_rotation())
    return (id(text), text.get_text(), place, str(text.get_color()), text.get_alpha(), text.get_fontsize(), text.get_fontweight())
