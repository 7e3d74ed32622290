"""One drafted path under the token rule and under the block rule: weights, acceptance, and how far each keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ..models.markov import MarkovPair
from ..theory.acceptance import block_acceptance, block_weights, kept_by_block_rule, kept_by_token_rule, token_acceptance
from ..theory.speed import block_tokens_per_round
from ..types import Floats
from .bars import Bars
from .names import token_names
from .style import FAINT, INK, P, axes_or_new, style

MOST = 4
"""Drafts that have room."""


@dataclass(frozen=True, eq=False)
class PathReading:
    """What both rules make of one path of K drafts.

    Attributes
    ----------
    tokens : list of str, length K
    alone : ndarray, shape (K,)
        Acceptance of each draft under the token rule.
    weights : ndarray, shape (K + 1,)
        w_0 to w_K of the block rule.
    together : ndarray, shape (K,)
        Acceptance of each sub-block under the block rule.
    kept_alone, kept_together : ndarray, shape (K,)
        Probability that at least 1, ..., K drafts are kept.
    mean_alone, mean_together : float
        Exact tokens per round over all paths.
    """

    tokens: list[str]
    alone: Floats
    weights: Floats
    together: Floats
    kept_alone: Floats
    kept_together: Floats
    mean_alone: float
    mean_together: float

    @property
    def says(self) -> str:
        """What both rules make of the path, and of all paths."""

        def numbers(values: Floats) -> str:
            return ", ".join(f"{value:.3f}" for value in values)

        return (
            f"Path {' '.join(self.tokens)}: one by one accepted with {numbers(self.alone)}; weights {numbers(self.weights[1:])}; "
            f"blocks accepted with {numbers(self.together)}. Tokens from this path: token rule {1 + self.kept_alone.sum():.3f}, "
            f"block rule {1 + self.kept_together.sum():.3f}. Over all paths: {self.mean_alone:.3f} and {self.mean_together:.3f}."
        )


def read_path(draft: Sequence[int], q: ArrayLike, p: ArrayLike) -> PathReading:
    """Work out a path whose p and q are the same in every context.

    Parameters
    ----------
    draft : sequence of int, length K
        At most `MOST` tokens have room in a picture.
    q, p : array_like, shape (V,)

    Returns
    -------
    PathReading
    """
    pair, K = MarkovPair.constant(p, q), len(draft)
    path = np.array(draft, np.int64).reshape(1, K), np.tile(pair.drafter[0], (1, K, 1)), np.tile(pair.target[0], (1, K + 1, 1))
    alone, together = token_acceptance(*path)[0], block_acceptance(*path)[0]
    names = token_names(pair.V)
    return PathReading(
        [names[x] for x in draft],
        alone,
        block_weights(*path)[0],
        together,
        kept_by_token_rule(alone),
        kept_by_block_rule(together),
        pair.tokens_per_round(K),
        block_tokens_per_round(pair, K),
    )


class PathBars:
    """Acceptance of each draft alone and of each sub-block, with the running weight as diamonds; `set` moves them."""

    def __init__(self, ax: Axes) -> None:
        x = np.arange(1, MOST + 1)
        with style():
            self.alone = Bars(ax, x - 0.2, 0.36, facecolor="white", edgecolor=INK, linewidth=1.2, label="this draft alone")
            self.together = Bars(ax, x + 0.2, 0.36, facecolor=P, edgecolor="none", label="the block up to here")
            (self.weight,) = ax.plot([], [], "D", color=INK, markersize=7, label="weight w")
            self.above = [
                [ax.text(i + side, 0, "", ha="center", va="bottom", fontsize=10) for side in (-0.2, 0.2)]
                for i in range(1, MOST + 1)
            ]
            self.names = [
                ax.text(i, -0.05, "", ha="center", va="top", fontweight="bold", clip_on=False) for i in range(1, MOST + 1)
            ]
            ax.set_xlim(-0.35, MOST + 0.6)
            ax.set_ylim(0, 1.38)
            ax.set_yticks([0, 0.5, 1])
            ax.set_xticks([])
            ax.set_xlabel("drafts of the path", labelpad=20)
            ax.set_title("Accepted with probability")
            ax.legend(loc="upper left", ncols=3, handlelength=1.4, columnspacing=1.0, fontsize=10, borderaxespad=0.2)

    def set(self, path: PathReading) -> None:
        """Show another path."""
        K = len(path.tokens)
        for bars, heights, side in ((self.alone, path.alone, 0), (self.together, path.together, 1)):
            bars.put(np.pad(heights, (0, MOST - K)))
            for i in range(MOST):
                self.above[i][side].set_text(f"{heights[i]:.2f}" if i < K else "")
                self.above[i][side].set_y((heights[i] if i < K else 0) + 0.02)
        self.weight.set_data(np.arange(K + 1), path.weights)
        for i, name in enumerate(self.names):
            name.set_text(path.tokens[i] if i < K else "")

    @property
    def artists(self) -> list[Artist]:
        """What moves."""
        return [self.alone, self.together, self.weight, *(text for pair in self.above for text in pair), *self.names]


class KeptSteps:
    """Probability that at least i drafts of this path are kept, under both rules; `set` moves them."""

    def __init__(self, ax: Axes) -> None:
        with style():
            (self.alone,) = ax.plot([], [], "o--", color=INK, markerfacecolor="white", markersize=8, linewidth=1.5)
            (self.together,) = ax.plot([], [], "s-", color=P, markersize=6, linewidth=2)
            self.lines = [
                ax.text(0.02, 0.98, "", transform=ax.transAxes, va="top", color=INK),
                ax.text(0.02, 0.90, "", transform=ax.transAxes, va="top", color=P, fontweight="bold"),
                ax.text(0.02, 0.82, "", transform=ax.transAxes, va="top", color=FAINT),
            ]
            ax.set_xlim(-0.2, MOST + 0.2)
            ax.set_ylim(0, 1.55)
            ax.set_yticks([0, 0.5, 1])
            ax.set_xticks(range(MOST + 1))
            ax.set_xlabel("drafts kept, at least")
            ax.set_title("How far this path is kept")

    def set(self, path: PathReading) -> None:
        """Show another path."""
        at = np.arange(len(path.tokens) + 1)
        for line, kept in ((self.alone, path.kept_alone), (self.together, path.kept_together)):
            line.set_data(at, np.concatenate([[1], kept]))
        self.lines[0].set_text(f"o  token rule: {1 + path.kept_alone.sum():.2f} tokens from this path")
        self.lines[1].set_text(f"\u25a0  block rule: {1 + path.kept_together.sum():.2f} tokens")
        self.lines[2].set_text(f"over all paths: {path.mean_alone:.3f} and {path.mean_together:.3f}")

    @property
    def artists(self) -> list[Artist]:
        """What moves."""
        return [self.alone, self.together, *self.lines]


def plot_path(draft: Sequence[int], q: ArrayLike, p: ArrayLike, *, ax: Axes | None = None) -> Axes:
    """Draw how far both rules keep a path.

    Parameters
    ----------
    draft, q, p
        As in `read_path`.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    path = read_path(draft, q, p)
    ax = axes_or_new(ax)
    KeptSteps(ax).set(path)
    return ax


def describe_path(draft: Sequence[int], q: ArrayLike, p: ArrayLike) -> str:
    """Say what both rules make of a path; arguments as in `read_path`."""
    return read_path(draft, q, p).says
