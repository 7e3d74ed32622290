"""Evidence that may be looked at after every draw: an e-process, which stops early and never raises the false-alarm rate.

Under the null an e-value is at most 1 on average, whatever has been seen before; so it reaches 1 / alpha at any time with
probability alpha at most (Ville's inequality). This one is the average of two kinds of likelihood ratio against the null: of
given alternatives, and of Dirichlet laws around the null, which learn from what they have seen and so need no alternative.

References
----------
Ramdas, Grünwald, Vovk, Shafer, "Game-Theoretic Statistics and Safe Anytime-Valid Inference", Statistical Science 2023.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.special import logsumexp

from ...types import Floats, Ints

STRENGTHS = (100.0, 1000.0, 10_000.0, 100_000.0)
"""Concentrations of the Dirichlet laws: how many draws the null counts for beside those that were seen."""


class EProcess:
    """Evidence against one law on each of several instances, updated by draws.

    Parameters
    ----------
    laws : mapping of str to ndarray, shape (cells,)
        The null on each instance.
    ratios : mapping of str to ndarray, shape (alternatives, cells)
        log(alternative / null) on each instance, for as many alternatives everywhere.

    Attributes
    ----------
    log_e : float
        Logarithm of the e-value at this time.
    n : int
        Draws seen.
    """

    def __init__(self, laws: Mapping[str, Floats], ratios: Mapping[str, Floats]) -> None:
        self.laws, self.ratios = dict(laws), ratios
        self.counts = {name: np.zeros(len(law)) for name, law in laws.items()}
        self.alternatives = np.zeros(len(next(iter(ratios.values()))))
        self.learned = np.zeros((len(laws) + 1, len(STRENGTHS)))  # each instance alone, and all together
        self.impossible = False
        self.n = 0

    @property
    def log_e(self) -> float:
        """Half the mean over the alternatives, and half the mean over the Dirichlet laws."""
        if self.impossible:
            return float("inf")
        halves = [logsumexp(log) - np.log(2 * log.size) for log in (self.alternatives, self.learned)]
        return float(np.logaddexp(*halves))

    def update(self, name: str, cells: Ints) -> None:
        """Add draws of one instance, given by their cells, shape (n,).

        Each is predicted from those before it: by c null(x) + (its count), over c + (all counts).
        """
        law, counts = self.laws[name], self.counts[name]
        self.impossible |= bool((law[cells] == 0).any())
        if self.impossible:
            return
        self.alternatives += self.ratios[name][:, cells].sum(axis=1)
        before = counts[cells] + _earlier_equals(cells)
        total = counts.sum() + np.arange(len(cells))
        where = [list(self.laws).index(name), -1]
        for k, c in enumerate(STRENGTHS):
            self.learned[where, k] += np.log((c + before / law[cells]) / (c + total)).sum()
        counts += np.bincount(cells, minlength=len(law))
        self.n += len(cells)


def _earlier_equals(cells: Ints) -> Ints:
    """How many entries before each one are equal to it."""
    order = np.argsort(cells, kind="stable")
    ordered = cells[order]
    first = np.searchsorted(ordered, ordered, side="left")
    earlier = np.empty(len(cells), np.int64)
    earlier[order] = np.arange(len(cells)) - first
    return earlier
