"""Exercises of notebook 11: the weights of the block rule, and its acceptance probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...theory.acceptance import block_weights
from ...types import Floats
from ..checking.compare import compare
from ..checking.exercise import Answer, Exercise


def weights(draft, q, p):
    """List of n + 1 weights: w_0 = 1 and w_i = min(1, w_{i-1} p(x_i) / q(x_i)). draft has n tokens, q is [n, V], p [n + 1, V].

    Every draft has q(x) above 0, since it was drawn from q."""
    w = [1]
    for i, x in enumerate(draft):
        w.append(min(1, w[-1] * p[i][x] / q[i][x]))
    return w


def _weights(draft: list[int], q: Floats, p: Floats) -> list[float]:
    path = np.array([draft], int)
    return [float(w) for w in block_weights(path, q[None], p[None])[0]]


def block_acceptance(w, q, p):
    """List of n probabilities. With m_i = sum over x of max(0, w_i p(x) - q(x)) at the position after draft i,
    which is p[i] and q[i]:
    h_i = m_i / (m_i + 1 - w_i) for i < n (0 if m_i is 0), and h_n = w_n. w has n + 1 weights, q is [n, V], p [n + 1, V]."""
    n = len(w) - 1
    h = []
    for i in range(1, n):
        m = np.maximum(w[i] * p[i] - q[i], 0).sum()
        h.append(m / (m + 1 - w[i]) if m > 0 else 0)
    return [*h, w[n]] if n else []


def _blocks() -> list[tuple[list[int], Floats, Floats]]:
    half, skew, sure = [0.5, 0.5], [0.8, 0.2], [1.0, 0.0]
    raw: list[tuple[list[int], Any, Any]] = [
        ([], np.zeros((0, 2)), [half]),
        ([0], [skew], [half, half]),
        ([1], [skew], [half, half]),
        ([1], [half], [sure, half]),
        ([0, 1], [skew, skew], [half, half, half]),
        ([1, 0], [skew, skew], [half, half, half]),
        ([1, 1], [half, half], [sure, half, half]),
        ([1, 0], [skew, half], [half, half, half]),
    ]
    rng = np.random.default_rng(0)
    for n in (2, 3, 3, 4):
        q, p = rng.dirichlet(np.ones(3), n).round(2), rng.dirichlet(np.ones(3), n + 1).round(2)
        q[:, 2], p[:, 2] = 1 - q[:, :2].sum(axis=1), 1 - p[:, :2].sum(axis=1)
        raw.append(((p[:n] * q).argmax(axis=1).tolist(), q, p))
    return [(draft, np.array(q, np.float64), np.array(p, np.float64)) for draft, q, p in raw]


def _check_weights(answer: Answer) -> None:
    compare(answer, "draft q p", _blocks(), _weights)


def _check_acceptance(answer: Answer) -> None:
    cases = [(_weights(draft, q, p), q, p) for draft, q, p in _blocks()]
    compare(answer, "w q p", cases, block_acceptance)


EXERCISES = (
    Exercise(
        id="11a",
        title="the running weight",
        task="Write weights(draft, q, p): the weights w_0 to w_n of the block rule.",
        hints=(
            "Start with [1] and append. What is cut at 1, the ratio or the running product?",
            "The running product, at every step: what is lost above 1 does not help later.",
            "w.append(min(1, w[-1] * p[i][x] / q[i][x])) for i, x in enumerate(draft).",
        ),
        answer=weights,
        check=_check_weights,
        checked="Checked on 12 blocks of 0 to 4 drafts, with a ratio above 1 before and behind one below.\n"
        "Not checked: nothing else is asked.",
    ),
    Exercise(
        id="11b",
        title="how much of the block",
        task="Write block_acceptance(w, q, p): the probabilities h_1 to h_n of accepting the first i drafts.",
        hints=(
            "The last is different: behind the whole block stands the bonus, and no q.",
            "m_i compares w_i times p[i] with q[i]. If m_i is 0, so is h_i: mind 0 / 0.",
            "for i in range(1, n): m = np.maximum(w[i] * p[i] - q[i], 0).sum(); then append w[n].",
        ),
        answer=block_acceptance,
        check=_check_acceptance,
        checked="Checked on 12 blocks of 0 to 4 drafts, with w = 1 and m = 0.\n"
        "Not checked: the draw after the block, which is from max(0, w p - q).",
    ),
)
