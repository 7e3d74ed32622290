"""The round identity: given what was emitted before, and that a token was emitted at all, it has the target's law there.

It holds for every lossless rule, whatever it does with its drafts, and it covers the bonus and ragged rows. So the tokens of all
rounds can be counted by context, and each context's counts tested against the target's row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import gammainc, gammaincc

from ...types import Array, Floats, Ints


class Evidence(NamedTuple):
    """A sum of Pearson statistics, with the mean and the variance that it has under the law, exactly.

    Attributes
    ----------
    statistic : float
        Infinite when a token came out that the law does not allow.
    mean, variance : float
    """

    statistic: float
    mean: float
    variance: float

    def __add__(self, other: tuple[float, ...]) -> Evidence:  # type: ignore[override]
        return Evidence(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def p_value(self) -> float:
        """Probability of a statistic at least so large, by the gamma law that has the same mean and variance.

        For large counts that is the chi-square; for small ones it keeps the right width, which the chi-square does not.
        """
        if self.statistic == float("inf"):
            return 0.0
        if self.variance <= 0:
            return 1.0
        return float(gammaincc(self.mean**2 / self.variance, self.statistic * self.mean / self.variance))

    @property
    def two_sided(self) -> float:
        """The same, for a statistic that is too small as well: rows that are more even than chance."""
        if not self.variance > 0 or self.statistic == float("inf"):
            return self.p_value
        low = float(gammainc(self.mean**2 / self.variance, self.statistic * self.mean / self.variance))
        return min(1.0, 2 * min(low, self.p_value))


def evidence(counts: Array, laws: Floats) -> Evidence:
    """Sum the Pearson statistics of many groups of counts.

    Parameters
    ----------
    counts : array_like of int, shape (..., V)
        Each group's total is taken as given.
    laws : ndarray, shape (..., V)
        Broadcasts against `counts`.

    Returns
    -------
    Evidence

    Notes
    -----
    For N counts over k cells the mean is k - 1 and the variance 2 (k - 1) + (sum 1 / p - k^2 - 2 k + 2) / N, exactly. Groups of
    one token add their (constant) mean and no more, so no group needs to be left out for being small.
    """
    counts, laws = np.broadcast_arrays(np.asarray(counts, np.float64), laws)
    total = counts.sum(axis=-1)
    used = total > 0
    counts, laws, total = counts[used], laws[used], total[used]
    possible = laws > 0
    if (counts[~possible] > 0).any():
        return Evidence(float("inf"), 0.0, 0.0)
    k = possible.sum(axis=-1)
    expected = np.where(possible, laws * total[..., None], 1)
    statistic = np.where(possible, (counts - expected) ** 2 / expected, 0).sum()
    inverse = np.where(possible, 1 / np.where(possible, laws, 1), 0).sum(axis=-1)
    variance = 2 * (k - 1) + (inverse - k**2 - 2 * k + 2) / total
    return Evidence(float(statistic), float((k - 1).sum()), float(np.maximum(variance, 0).sum()))


def count_by_context(tokens: Ints, n_out: Ints, num_draft: Ints, contexts: Ints, shape: tuple[int, int, int]) -> Ints:
    """Count emitted tokens by the drafts of their row, their position and their context.

    Parameters
    ----------
    tokens : ndarray of int, shape (B, K + 1)
    n_out, num_draft : ndarray of int, shape (B,)
    contexts : ndarray of int, shape (B, K + 1)
        Number of the target's row that each position is judged by.
    shape : (K, contexts, V)

    Returns
    -------
    ndarray of int64, shape (K + 1, K + 1, contexts, V)
    """
    K, S, V = shape
    full = (K + 1, K + 1, S, V)
    b, i = np.nonzero(np.arange(K + 1) < n_out[:, None])
    cells = np.ravel_multi_index((num_draft[b], i, contexts[b, i], tokens[b, i]), full)
    return np.bincount(cells, minlength=int(np.prod(full))).reshape(full)


def pool_groups(counts: Ints, laws: Floats, least: float = 5) -> Ints:
    """Put the groups of `count_by_context` that are too small for a chi-square together, context by context.

    Returns
    -------
    ndarray of int64, shape (groups + 1, contexts, V)
        The large groups as they are, 0 in place of the small ones; the last row holds the small ones of each context.
    """
    flat = counts.reshape(-1, *counts.shape[2:])
    rarest = np.where(laws > 0, laws, 1).min(axis=-1)
    small = flat.sum(axis=-1) * rarest < least
    return np.concatenate([np.where(small[..., None], 0, flat), np.where(small[..., None], flat, 0).sum(axis=0)[None]])


def worst_group(counts: Ints, laws: Floats, say: Callable[[int, int, int], str]) -> str:
    """Words on the group of `count_by_context` with the smallest p-value."""
    best, text = 2.0, ""
    for n, i, s in np.argwhere(counts.sum(axis=-1) > 0).tolist():
        group = evidence(counts[n, i, s], laws[s])
        if group.p_value < best:
            seen = counts[n, i, s] / counts[n, i, s].sum()
            x = int(np.abs(seen - laws[s]).argmax())
            best = group.p_value
            text = f"{say(n, i, s)}: token {x} came out with frequency {seen[x]:.3f}; p = {laws[s][x]:.3f}"
    return text
