"""Tokens per round against the number of drafts: the closed form, and what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ..theory.speed import expected_tokens
from ..types import Floats
from .style import FAINT, INK, P, axes_or_new, style


@dataclass(frozen=True, eq=False)
class TokensReading:
    """Tokens per round over K.

    Attributes
    ----------
    alpha : float
        Acceptance rate in every context.
    K : sequence of int
        Drafts per round.
    expected : ndarray
        Mean tokens per round at each K.
    measured, errors : ndarray or None
        What was measured, and its standard errors.
    """

    alpha: float
    K: Sequence[int]
    expected: Floats
    measured: Floats | None
    errors: Floats | None

    @property
    def says(self) -> str:
        """The closed form at each K, and how far from it the measured means are."""
        curve = ", ".join(f"{e:.3f} at K = {k}" for k, e in zip(self.K, self.expected, strict=True))
        says = f"Expected tokens per round at overlap {self.alpha:.2f}: {curve}"
        if self.measured is None:
            return says + "."
        return f"{says}; measured, at most {np.abs(self.measured - self.expected).max():.2f} away."


def read_tokens(
    alpha: float, K: Sequence[int], measured: ArrayLike | None = None, errors: ArrayLike | None = None
) -> TokensReading:
    """Work out the closed form, and put what was measured beside it.

    Parameters
    ----------
    alpha : float
        Acceptance rate in every context.
    K : sequence of int
        Drafts per round.
    measured, errors : array_like, optional
        Mean tokens per round at each K, and their standard errors.

    Returns
    -------
    TokensReading
    """
    means, bars = (None if values is None else np.asarray(values, np.float64) for values in (measured, errors))
    return TokensReading(alpha, K, expected_tokens(alpha, np.asarray(K)), means, bars)


def plot_tokens(
    alpha: float,
    K: Sequence[int],
    measured: ArrayLike | None = None,
    errors: ArrayLike | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw expected tokens per round over K, with measured means and bars of 3.3 standard errors.

    Parameters
    ----------
    alpha, K, measured, errors
        As in `read_tokens`.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    reading = read_tokens(alpha, K, measured, errors)
    ax = axes_or_new(ax)
    with style():
        ax.plot(K, reading.expected, color=P, linewidth=2, marker="o", markersize=9, markerfacecolor="white")
        if alpha < 1:
            limit = 1 / (1 - alpha)
            ax.axhline(limit, color=FAINT, linestyle=":", linewidth=1.5)
            ax.text(K[0], limit, f"limit 1 / (1 - alpha) = {limit:.2f}", va="bottom", color=FAINT)
        label = f"(1 - alpha^(K+1)) / (1 - alpha),  alpha = {alpha:.2f}"
        ax.text(0.98, 0.12, label, transform=ax.transAxes, ha="right", color=P)
        if reading.measured is not None:
            bars = None if reading.errors is None else 3.3 * reading.errors
            ax.errorbar(K, reading.measured, bars, fmt="x", color=INK, markersize=7, capsize=4, linewidth=1.5)
            ax.text(0.98, 0.03, "x  measured, 3.3 standard errors", transform=ax.transAxes, ha="right", color=INK)
        ax.set_xticks(K)
        ax.set_xlabel("drafts per round, K")
        ax.set_ylabel("tokens per round")
        ax.set_ylim(0.8, 1.08 / (1 - alpha) if alpha < 1 else None)
        ax.set_title("Tokens per target pass")
    return ax


def describe_tokens(alpha: float, K: Sequence[int], measured: ArrayLike | None = None, errors: ArrayLike | None = None) -> str:
    """Say what `plot_tokens` shows."""
    return read_tokens(alpha, K, measured, errors).says
