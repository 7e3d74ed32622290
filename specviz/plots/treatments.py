"""How a draft is treated, and what it costs: the acceptance of the token rule, of a one-hot draft, and of sample-and-match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ..models.recorded import Recording
from ..probability import as_floats, check_probabilities, overlap
from ..types import Floats
from .style import FAINT, OWED, REJECTED, P, axes_or_new, style


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


def recorded_laws(recording: Recording) -> tuple[Floats, Floats]:
    """p and q at all drafted positions of a recording, shape (n, V): the tokens that were listed, filled up with zeros.

    Parameters
    ----------
    recording : Recording

    Returns
    -------
    (ndarray, ndarray)
        Rows that sum to 1: what was not listed one by one is left out.
    """
    rows = [row for played in recording.rounds for row in played.rows if row.q is not None]
    widest = max(len(row.p) for row in rows)
    p, q = np.zeros((2, len(rows), widest))
    for i, row in enumerate(rows):
        assert row.q is not None
        p[i, : len(row.p)], q[i, : len(row.q)] = row.p / row.p.sum(), row.q / row.q.sum()
    return p, q


def plot_treatments(p: ArrayLike, q: ArrayLike, temperatures: Sequence[float], *, ax: Axes | None = None) -> Axes:
    """Draw the acceptance under each treatment over the temperature.

    Parameters
    ----------
    p, q : array_like, shape (V,) or (n, V)
        As for `treatments`.
    temperatures : sequence of float
        Rising, above 0.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    ax = axes_or_new(ax, 8.5, 4)
    curves = np.array([treatments(p, q, t) for t in temperatures]).T
    looks = [(P, "-", "o"), (OWED, "-", "s"), (REJECTED, "-", "^"), (FAINT, "--", "")]
    labels = [
        "token rule   \u03a3 min(p, q)",
        "best one-hot draft   max p",
        "target matched with itself   \u03a3 p\u00b2",
        "drafts from q, matched   \u03a3 p q",
    ]
    with style():
        for curve, (colour, line, marker) in zip(curves, looks, strict=True):
            ax.plot(temperatures, curve, color=colour, linestyle=line, linewidth=2, marker=marker, markevery=4, markersize=7)
        for (colour, _, _), label, y in zip(looks, labels, _spread(curves[:, -1], 0.075), strict=True):
            ax.annotate(label, (1.02, y), xycoords=("axes fraction", "data"), color=colour, va="center", annotation_clip=False)
        ax.set_xlim(temperatures[0], temperatures[-1])
        ax.set_ylim(0, 1.02)
        ax.set_xlabel("temperature of both")
        ax.set_ylabel("acceptance")
        ax.set_title("What a draft is worth, by how it is treated")
        ax.grid(axis="y", color=FAINT, alpha=0.25, linewidth=0.8)
    return ax


def describe_treatments(p: ArrayLike, q: ArrayLike, temperatures: Sequence[float]) -> str:
    """Say what `plot_treatments` shows."""
    told = []
    for t in (temperatures[0], temperatures[-1]):
        rule, one_hot, match_self, match = treatments(p, q, t)
        told.append(
            f"at temperature {t:g} the token rule keeps {rule:.2f} of the drafts, the best one-hot draft {one_hot:.2f}, "
            f"the target matched with itself {match_self:.2f}, and drafts from q, matched, {match:.2f}"
        )
    return f"Acceptance {told[0]}; {told[1]}. All of them are lossless; the hotter, the more q is worth knowing."


def _tempered(rows: Floats, temperature: float) -> Floats:
    powered = (rows / rows.max(axis=1, keepdims=True)) ** (1 / temperature)
    return np.asarray(powered / powered.sum(axis=1, keepdims=True))


def _spread(values: Floats, gap: float) -> Floats:
    """The values moved apart, as little as keeps them in order and at least `gap` from each other."""
    order = np.argsort(values, kind="stable")
    moved = values[order].copy()
    for _ in range(100):
        short = np.maximum(gap - np.diff(moved), 0)
        if not short.any():
            break
        moved[1:] += short / 2
        moved[:-1] -= short / 2
    out = np.empty_like(moved)
    out[order] = moved
    return out
