"""Tokens per round against the number of drafts: the closed form, and what was measured."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ..theory.speed import expected_tokens
from .style import FAINT, INK, P, axes_or_new, style


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
    alpha : float
        Acceptance rate in every context.
    K : sequence of int
        Drafts per round.
    measured, errors : array_like, optional
        Mean tokens per round at each K, and their standard errors.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    ax = axes_or_new(ax)
    expected = expected_tokens(alpha, np.asarray(K))
    with style():
        ax.plot(K, expected, color=P, linewidth=2, marker="o", markersize=9, markerfacecolor="white")
        if alpha < 1:
            limit = 1 / (1 - alpha)
            ax.axhline(limit, color=FAINT, linestyle=":", linewidth=1.5)
            ax.text(K[0], limit, f"limit 1 / (1 - alpha) = {limit:.2f}", va="bottom", color=FAINT)
        label = f"(1 - alpha^(K+1)) / (1 - alpha),  alpha = {alpha:.2f}"
        ax.text(0.98, 0.12, label, transform=ax.transAxes, ha="right", color=P)
        if measured is not None:
            bars = None if errors is None else 3.3 * np.asarray(errors)
            ax.errorbar(K, measured, bars, fmt="x", color=INK, markersize=7, capsize=4, linewidth=1.5)
            ax.text(0.98, 0.03, "x  measured, 3.3 standard errors", transform=ax.transAxes, ha="right", color=INK)
        ax.set_xticks(K)
        ax.set_xlabel("drafts per round, K")
        ax.set_ylabel("tokens per round")
        ax.set_ylim(0.8, 1.08 / (1 - alpha) if alpha < 1 else None)
        ax.set_title("Tokens per target pass")
    return ax


def describe_tokens(alpha: float, K: Sequence[int], measured: ArrayLike | None = None) -> str:
    """Say what `plot_tokens` shows."""
    expected = expected_tokens(alpha, np.asarray(K))
    curve = ", ".join(f"{e:.3f} at K = {k}" for k, e in zip(K, expected, strict=True))
    says = f"Expected tokens per round at overlap {alpha:.2f}: {curve}"
    if measured is None:
        return says + "."
    gap = np.abs(np.asarray(measured) - expected).max()
    return f"{says}; measured, at most {gap:.2f} away."
