"""What a draft is worth by how it is treated: the acceptance of the token rule, of a one-hot draft, and of sample-and-match."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..probability import as_floats, check_probabilities, overlap
from ..types import Floats


class Treatments(NamedTuple):
    """Probability that a draft is kept, averaged over rows.

    Attributes
    ----------
    token_rule : float
        sum_x min(p(x), q(x)): drafts from q, verified with q.
    one_hot : float
        max_x p(x): the best that a deterministic draft can do, verified with q None.
    match_self : float
        sum_x p(x)^2: the target as its own drafter, sampled and matched, or its samples treated as one-hot.
    match : float
        sum_x p(x) q(x): drafts from q, sampled and matched, or treated as one-hot.
    """

    token_rule: float
    one_hot: float
    match_self: float
    match: float


def treatments(p: ArrayLike, q: ArrayLike, temperature: float = 1.0) -> Treatments:
    """Acceptance under each treatment, both laws sharpened or flattened by the temperature.

    Parameters
    ----------
    p, q : array_like, shape (V,) or (n, V)
        Laws; a temperature T makes them p^(1/T), normalised.
    temperature : float
        Above 0.

    Returns
    -------
    Treatments

    Raises
    ------
    ValueError
        If a row is no law, the shapes differ, or the temperature is not above 0.

    Examples
    --------
    >>> print("{:.2f} {:.2f} {:.2f} {:.2f}".format(*treatments([0.6, 0.3, 0.1], [0.2, 0.5, 0.3])))
    0.60 0.60 0.46 0.30
    """
    p, q = (np.atleast_2d(as_floats(name, rows)).astype(np.float64) for name, rows in (("p", p), ("q", q)))
    if p.shape != q.shape:
        raise ValueError(f"p has shape {p.shape} and q {q.shape}; expected the same")
    if not 0 < temperature < np.inf:
        raise ValueError(f"temperature is {temperature}; expected a finite number above 0")
    check_probabilities("p", p)
    check_probabilities("q", q)
    p, q = _tempered(p, temperature), _tempered(q, temperature)
    means = overlap(p, q), p.max(axis=1), (p * p).sum(axis=1), (p * q).sum(axis=1)
    return Treatments(*(float(values.mean()) for values in means))


def _tempered(rows: Floats, temperature: float) -> Floats:
    powered = (rows / rows.max(axis=1, keepdims=True)) ** (1 / temperature)
    return np.asarray(powered / powered.sum(axis=1, keepdims=True))
