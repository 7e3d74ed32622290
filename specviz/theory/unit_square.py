"""The acceptance test as an area: a draft and its uniform are one point of the unit square, which is kept or not."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..types import Floats, Mask


def kept_shares(p: ArrayLike, q: ArrayLike) -> Floats:
    """Share of the uniforms for which each draft is kept: min(1, p(x) / q(x)), and 0 for one that is never drafted.

    Parameters
    ----------
    p, q : array_like, shape (V,)
        Target and draft law.

    Returns
    -------
    ndarray of float64, shape (V,)
        With columns q(x) wide and this high, the area is the overlap.
    """
    p, q = np.asarray(p, np.float64), np.asarray(q, np.float64)
    return np.asarray(np.minimum(1, np.divide(p, q, out=np.zeros(len(p)), where=q > 0)))


def kept_darts(p: ArrayLike, q: ArrayLike, darts: ArrayLike) -> Mask:
    """Which darts are kept.

    Parameters
    ----------
    p, q : array_like, shape (V,)
        Target and draft law.
    darts : array_like, shape (n, 2)
        Points of the unit square: the first coordinate picks the draft, the second is its uniform.

    Returns
    -------
    ndarray of bool, shape (n,)
        u * q(x) < p(x) for the draft x in whose column the dart lies.
    """
    p, q, darts = np.asarray(p, np.float64), np.asarray(q, np.float64), np.asarray(darts, np.float64)
    x = np.minimum(np.searchsorted(np.cumsum(q), darts[:, 0], side="right"), np.flatnonzero(q)[-1])
    return np.asarray(darts[:, 1] * q[x] < p[x])
