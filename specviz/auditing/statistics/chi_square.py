"""The statistics: exact expected counts, Pearson's chi-square, its power, and the smallest bias that it would have seen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import log, sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats
from scipy.optimize import brentq

from ...probability import check_probabilities
from ...types import Floats, Ints

MIN_EXPECTED = 5
"""Cells with a smaller expected count are pooled: below it the chi-square law is no longer a good approximation."""


@dataclass(frozen=True)
class ChiSquare:
    """Pearson's chi-square of counts against an exact law.

    Attributes
    ----------
    statistic : float
        sum (observed - expected)^2 / expected over the cells.
    dof : int
        Degrees of freedom: cells - 1.
    p_value : float
        Probability, under the law, of a statistic at least this large.
    cut : float
        The statistic above which the law is rejected at the false-alarm rate `alpha`.
    alpha : float
    n : int
        Sequences counted.
    cells : int
        Cells with a probability above zero, before any pooling.
    total_variation : float
        Distance between the observed frequencies and the law, before any pooling.
    """

    statistic: float
    dof: int
    p_value: float
    cut: float
    alpha: float
    n: int
    cells: int
    total_variation: float

    @property
    def passed(self) -> bool:
        """Is the statistic within what the law produces, but for a share `alpha` of runs?"""
        return self.statistic <= self.cut

    @property
    def bound(self) -> float:
        """Total variation from the law that the data exclude, with confidence 1 - alpha.

        TV_observed + sqrt((cells - 1) / n) / 2 + sqrt(ln(1 / alpha) / (2 n)): the mean distance of an empirical law from its own
        is at most the second term, and the third is McDiarmid's bound for the deviation from that mean.
        """
        return self.total_variation + sqrt((self.cells - 1) / self.n) / 2 + sqrt(log(1 / self.alpha) / (2 * self.n))


def count_cells(sequences: Ints, V: int) -> Ints:
    """Count sequences of tokens.

    Parameters
    ----------
    sequences : ndarray of int, shape (n, L)
    V : int

    Returns
    -------
    ndarray of int64, shape (V,) * L
    """
    L = sequences.shape[1]
    cells = np.ravel_multi_index(tuple(sequences.T), (V,) * L)
    return np.bincount(cells, minlength=V**L).reshape((V,) * L)


def chi_square(counts: ArrayLike, law: ArrayLike, *, alpha: float = 0.001) -> ChiSquare:
    """Test counts against an exact law.

    Parameters
    ----------
    counts : array_like of int
        Counts of any shape.
    law : array_like, same shape
        Probabilities that sum to 1. A count in a cell of probability zero refutes the law at once.
    alpha : float
        False-alarm rate of this test.

    Returns
    -------
    ChiSquare

    Raises
    ------
    ValueError
        If the shapes differ, the law is none, alpha is no rate or there are no counts.

    Notes
    -----
    Cells with an expected count below `MIN_EXPECTED` are pooled into one, least likely first, until the pool has that much.

    Examples
    --------
    >>> print(f"{chi_square([50, 50], [.5, .5]).statistic:.1f}")
    0.0
    """
    observed, probability = np.asarray(counts, np.float64), np.asarray(law, np.float64)
    if observed.shape != probability.shape:
        raise ValueError(f"counts has shape {observed.shape} and law {probability.shape}; expected the same")
    observed, probability = observed.ravel(), probability.ravel()
    check_probabilities("law", probability)
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is {alpha}; expected a rate between 0 and 1")
    n = observed.sum()
    if not n > 0:
        raise ValueError("counts are all 0; expected at least one sequence")
    tv = float(np.abs(observed / n - probability).sum() / 2)
    cells = int((probability > 0).sum())
    impossible = bool((observed[probability == 0] > 0).any())
    possible = probability > 0
    observed, expected = pool(observed[possible], n * probability[possible])
    statistic = float("inf") if impossible else float(((observed - expected) ** 2 / expected).sum())
    dof = len(expected) - 1
    if dof == 0:
        statistic = float("inf") if impossible else 0.0
        return ChiSquare(statistic, 0, float(not impossible), 0.0, alpha, int(n), cells, tv)
    p_value, cut = float(stats.chi2.sf(statistic, dof)), float(stats.chi2.isf(alpha, dof))
    return ChiSquare(statistic, dof, p_value, cut, alpha, int(n), cells, tv)


def pool(observed: Floats, expected: Floats) -> tuple[Floats, Floats]:
    """Merge the cells of smallest expected count until every cell, the merged one included, has at least `MIN_EXPECTED`."""
    order = np.argsort(expected, kind="stable")
    small = int(np.searchsorted(expected[order], MIN_EXPECTED))
    while 0 < small < len(order) and expected[order[:small]].sum() < MIN_EXPECTED:
        small += 1
    rest, merged = order[small:], order[:small]
    if not small:
        return observed[rest], expected[rest]
    return np.append(observed[rest], observed[merged].sum()), np.append(expected[rest], expected[merged].sum())


def divergence(alternative: ArrayLike, law: ArrayLike) -> float:
    """Noncentrality of the chi-square per sequence: sum (alternative - law)^2 / law.

    Parameters
    ----------
    alternative, law : array_like
        Two laws over the same cells, of any shape.

    Returns
    -------
    float
        Infinite when the alternative reaches a cell that the law does not.
    """
    a, p = np.asarray(alternative, np.float64).ravel(), np.asarray(law, np.float64).ravel()
    if (a[p == 0] > 0).any():
        return float("inf")
    a, p = a[p > 0], p[p > 0]
    with np.errstate(over="ignore"):
        return float(((a - p) ** 2 / p).sum())


def power(alternative: ArrayLike, law: ArrayLike, n: int, *, alpha: float = 0.001) -> float:
    """Probability that n sequences from `alternative` are told from `law` by the chi-square.

    Parameters
    ----------
    alternative, law : array_like
        Two laws over the same cells, of any shape.
    n : int
        Sequences.
    alpha : float
        False-alarm rate.

    Returns
    -------
    float
        The statistic is taken as noncentral chi-square with noncentrality n * `divergence`; no cell is pooled.
    """
    noncentrality = n * divergence(alternative, law)
    dof = int((np.asarray(law) > 0).sum()) - 1
    if noncentrality == 0:
        return alpha if dof else 0.0
    if noncentrality > 1e6 * max(dof, 1):  # beyond what the library's series can sum, and certain
        return 1.0
    return float(stats.ncx2.sf(stats.chi2.isf(alpha, dof), dof, noncentrality))


@lru_cache
def noncentrality_for(dof: int, *, alpha: float = 0.001, power: float = 0.999) -> float:
    """Noncentrality at which the chi-square rejects with the given power.

    Parameters
    ----------
    dof : int
        Degrees of freedom, at least 1.
    alpha, power : float
        False-alarm rate, and probability of seeing the bias.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If there is no degree of freedom.

    Examples
    --------
    >>> print(f"{noncentrality_for(63):.1f}")
    104.6
    """
    if dof < 1:
        raise ValueError(f"dof is {dof}; expected at least 1 degree of freedom")
    cut = stats.chi2.isf(alpha, dof)
    return float(brentq(lambda nc: stats.ncx2.sf(cut, dof, nc) - power, 1e-6, 100 + 100 * sqrt(dof)))


def smallest_visible_bias(law: ArrayLike, n: int, *, alpha: float = 0.001, power: float = 0.999) -> float:
    """Smallest total variation that n sequences would have shown with the given power, whatever its shape.

    Parameters
    ----------
    law : array_like
        The exact law, of any shape.
    n : int
        Sequences.
    alpha, power : float
        False-alarm rate, and probability of seeing the bias.

    Returns
    -------
    float
        Infinite when cells would be pooled, since a bias inside the pool is not seen at all; see `MIN_EXPECTED`.

    Notes
    -----
    A bias of total variation d has divergence at least 4 d^2: by Cauchy and Schwarz, (sum |a - p|)^2 <= sum (a - p)^2 / p. So any
    bias of at least sqrt(noncentrality / n) / 2 has the power asked for, and one spread over the cells in proportion to p needs
    to be that large.
    """
    if n < 1:
        raise ValueError(f"n is {n}; expected at least one sequence")
    probability = np.asarray(law, np.float64)
    possible = probability[probability > 0]
    if len(possible) == 1:  # any other sequence refutes the law at once, if it comes up
        return float(1 - (1 - power) ** (1 / n))
    if n * possible.min() < MIN_EXPECTED:
        return float("inf")
    return sqrt(noncentrality_for(len(possible) - 1, alpha=alpha, power=power) / n) / 2
