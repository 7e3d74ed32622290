"""A stand-in for a Generator whose uniforms are chosen: constant, or scripted number by number."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...types import Floats


class NotScripted(Exception):
    """The verifier asked for more uniforms, or for other shapes, than a script can answer."""


class Stub:
    """Answers `random` from a script, and has none of a Generator's other methods.

    Parameters
    ----------
    script : ndarray, shape (B, slots), or float
        A float answers every question. In a table, row b answers for row b of a batch: each call that asks for an array whose
        first axis is B takes the next columns. With B = 1 any call takes as many numbers as it asks for.
    """

    def __init__(self, script: Floats | float) -> None:
        self.script = script
        self.used = 0

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """The next uniforms of the script, as `numpy.random.Generator.random` returns them."""
        shape: tuple[int, ...] = () if size is None else (int(size),) if np.ndim(size) == 0 else tuple(int(s) for s in size)
        if out is not None:
            shape = out.shape
        values = self._take(shape)
        if dtype in (np.float32, "float32", "f4"):
            values = np.minimum(values, np.nextafter(np.float32(1), np.float32(0))).astype(np.float32)
        if out is not None:
            out[...] = values
            return out
        return values if shape else values[()]

    def _take(self, shape: tuple[int, ...]) -> Floats:
        if isinstance(self.script, float):
            return np.full(shape, self.script)
        B = len(self.script)
        numbers = int(np.prod(shape))
        if B > 1 and (not shape or shape[0] != B):
            raise NotScripted
        columns = numbers // B
        if self.used + columns > self.script.shape[1]:
            raise NotScripted
        taken = self.script[:, self.used : self.used + columns]
        self.used += columns
        return np.array(taken.reshape(shape))
