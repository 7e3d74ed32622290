"""A PNG of a picture that changes little from one frame to the next: what is as before is not compressed again."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from ...types import Array

BAND = 16
"""Rows that are compressed together."""
NONE, UP = 0, 2
"""Filters of a row of pixels: none, and the difference to the row above, which deflates well at the fastest level."""


class PngWriter:
    """Writes frames of one size.

    Each band of rows is a piece of the deflate stream that needs nothing of the pieces before it: its first row has no filter,
    and it ends with a full flush. So the pieces of bands without a change are those of the frame before.

    Parameters
    ----------
    height, width : int
    """

    def __init__(self, height: int, width: int) -> None:
        self.height, self.width = height, width
        self._pixels = np.zeros((height, width, 4), np.uint8)
        self._filtered = np.full((height, 1 + 3 * width), UP, np.uint8)
        self._filtered[::BAND, 0] = NONE
        self._pieces = [b""] * -(-height // BAND)

    def write(self, pixels: Array) -> bytes:
        """The PNG of a frame.

        Parameters
        ----------
        pixels : ndarray of uint8, shape (height, width, 4)
            RGBA; A is taken to be 255.

        Returns
        -------
        bytes
        """
        now, before = (np.ascontiguousarray(frame).view(np.uint32)[..., 0] for frame in (pixels, self._pixels))
        changed = np.logical_or.reduceat((now != before).any(axis=1), range(0, self.height, BAND))
        for band, piece in enumerate(self._pieces):
            if changed[band] or not piece:
                self._pieces[band] = self._compress(pixels, slice(band * BAND, (band + 1) * BAND))
        self._pixels[:] = pixels
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        end = b"\x03\x00" + struct.pack(">I", zlib.adler32(self._filtered.data))  # an empty last piece, and the sum over all
        data = b"".join([b"\x78\x01", *self._pieces, end])
        return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")

    def _compress(self, pixels: Array, rows: slice) -> bytes:
        band = pixels[rows]
        colours = np.empty((len(band), self.width, 3), np.uint8)
        for channel in range(3):  # eight times as fast as one copy of pixels[..., :3]
            colours[..., channel] = band[..., channel]
        flat, filtered = colours.reshape(len(band), -1), self._filtered[rows]
        filtered[0, 1:] = flat[0]
        np.subtract(flat[1:], flat[:-1], out=filtered[1:, 1:])
        deflate = zlib.compressobj(1, wbits=-zlib.MAX_WBITS)
        return deflate.compress(filtered.data) + deflate.flush(zlib.Z_FULL_FLUSH)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
