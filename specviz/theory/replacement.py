"""What comes out of one verified draft, by the law that replaces a rejected one."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..probability import residual
from ..types import Floats


def verified_law(p: ArrayLike, q: ArrayLike, replacement: str = "residual", kept: ArrayLike | None = None) -> Floats:
    """Exact law of one verified token: kept + (1 - alpha) r, with r the residual, or p for the common mistake.

    Parameters
    ----------
    p, q : array_like, shape (V,)
        Target and draft law.
    replacement : {"residual", "p"}
        What a rejected draft is replaced from.
    kept : array_like, shape (V,), optional
        min(p, q) unless given; smaller where one entry stands for several tokens together. It sums to alpha.

    Returns
    -------
    ndarray of float64, shape (V,)

    Raises
    ------
    ValueError
        If the replacement is none of the two.

    References
    ----------
    Chen et al., "Accelerating Large Language Model Decoding with Speculative Sampling", 2023, theorem 1: with the residual the
    law is p.

    Examples
    --------
    >>> print(verified_law([0.6, 0.3, 0.1], [0.2, 0.5, 0.3], "p").round(2))
    [0.44 0.42 0.14]
    """
    if replacement not in ("residual", "p"):
        raise ValueError(f"replacement is {replacement!r}; expected 'residual' or 'p'")
    p, q = np.asarray(p, np.float64), np.asarray(q, np.float64)
    kept = np.minimum(p, q) if kept is None else np.asarray(kept, np.float64)
    return np.asarray(kept + (1 - kept.sum()) * (residual(p, kept) if replacement == "residual" else p))
