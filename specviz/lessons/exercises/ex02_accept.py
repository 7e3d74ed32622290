"""Exercises of notebook 02: the acceptance test, and a draw that never gives an impossible token."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...types import Floats
from ...uniforms import GivenUniforms
from ..checking.compare import compare, whole
from ..checking.exercise import Answer, Exercise, NeedsWork

BELOW_1 = float(np.nextafter(1, 0))


def accept(u, p_x, q_x):
    """True if the draft is kept; u is uniform on [0, 1). No division: q_x may be 0. A token with p_x = 0 is never kept."""
    return u * q_x < p_x


def _accept(u: float, p_x: float, q_x: float) -> bool:
    return GivenUniforms({"accept": u}).less("accept", scale=q_x, bound=p_x)


def _accept_note(u: float, p_x: float, q_x: float) -> str:
    if p_x == 0:
        return "p(x) = 0: the target never says this token, so that it is never kept, not even when u is 0"
    return "q(x) = 0: no division; u * 0 < p(x) holds" if q_x == 0 else ""


def _check_accept(answer: Answer) -> None:
    cases = [(0.5, 0.5, 0.5), (0.0, 0.0, 0.5), (0.0, 0.0, 0.0), (0.5, 0.5, 0.0), (BELOW_1, 0.25, 0.25), (0.5, 0.25, 0.5)]
    cases += [(0.75, 0.25, 0.5), (0.25, 0.25, 0.5), (0.0, 0.25, 0.5), (0.0, 1e-320, 1.0), (0.5, 1.0, 1e-320)]
    grid = [(u, p_x, q_x) for u in (0.1, 0.6, 0.9) for p_x in (0.05, 0.4, 0.9) for q_x in (0.1, 0.5)]
    compare(answer, "u p_x q_x", cases + grid, _accept, note=_accept_note)


def sample(dist, u):
    """The first token whose cumulative probability exceeds u times the sum of dist; never one of probability zero.

    dist is an array [V] whose sum may fall short of 1 by rounding; u is in [0, 1)."""
    c = np.cumsum(dist)
    token = np.searchsorted(c, u * c[-1], side="right")
    return min(token, np.flatnonzero(dist)[-1])


SHORT = np.full(10, 0.1, np.float32) * np.float32(0.9999)
"""Ten tokens whose float32 sum ends short of 1: a u just below 1 lies behind the last cumulative sum."""


def _rows() -> list[tuple[Any, float]]:
    rows: list[Any] = [[1.0], [0.0, 1.0], [1.0, 0.0], [0.25, 0.75], [0.0, 0.5, 0.5], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.4, 0.4]]
    rows += [[0.0, 0.3, 0.0, 0.7, 0.0], np.append(SHORT, np.float32(0)).tolist()]
    us = (0.0, 0.2, 0.25, 0.45, 0.5, 0.6, 0.9, BELOW_1)
    return [(row, u) for row in rows for u in us]


def _sample(dist: Any, u: float) -> int:
    return GivenUniforms({"final": u}).choose("final", list(dist))


def _token(answer: Answer, dist: Floats, u: float, got: Any) -> int:
    if not whole(got) or not 0 <= got < len(dist):
        note = f"expected a token: a whole number from 0 to {len(dist) - 1}"
        raise NeedsWork(answer.tell((dist, u), _sample(dist, u), got, note))
    return int(got)


def _check_sample(answer: Answer) -> None:
    answer.names = ("dist", "u")
    for row, u in sorted(_rows(), key=lambda case: len(case[0])):
        dist = np.array(row)
        got = answer(dist, u)
        token = _token(answer, dist, u, got)
        if dist[token] == 0:
            raise NeedsWork(answer.tell((dist, u), _sample(row, u), got, "this token has probability zero"))
        cumulative = np.cumsum(dist)
        near = np.abs(u * cumulative[-1] - cumulative).min() < 1e-3  # at a step either side is a matter of rounding
        if token != _sample(row, u) and not (near and token in (_sample(row, u) - 1, _sample(row, u) + 1)):
            raise NeedsWork(answer.tell((dist, u), _sample(row, u), got))
    _check_frequencies(answer)


def _check_frequencies(answer: Answer) -> None:
    """Equally spaced uniforms must give each token its share, whatever order the method takes the tokens in."""
    dist = np.array([0.0, 0.3, 0.5, 0.0, 0.2])
    us = [(i + 0.5) / 200 for i in range(200)]
    tokens = [_token(answer, dist, u, answer(dist, u)) for u in us]
    shares = np.bincount(tokens, minlength=5) / 200
    if np.abs(shares - dist).max() > 0.0051:
        raise NeedsWork(
            f"dist = {dist.tolist()} and 200 equally spaced u\nexpected  shares {dist.tolist()}\ngot       {shares.tolist()}"
        )


EXERCISES = (
    Exercise(
        id="02a",
        title="the acceptance test",
        task="Write accept(u, p_x, q_x): keep a draft with probability min(1, p(x) / q(x)), without dividing.",
        hints=(
            "Start from u < p(x) / q(x) and get rid of the fraction.",
            "Multiply both sides by q(x). Now look at u = 0 with p(x) = 0: should < be <= ?",
            "u * q_x < p_x, strictly.",
        ),
        answer=accept,
        check=_check_accept,
        checked="Checked on 29 cases: zeros in p and q, u = 0, u just below 1, denormal numbers.\n"
        "Not checked: arrays; the same line works on them.",
    ),
    Exercise(
        id="02b",
        title="never an impossible token",
        task="Write sample(dist, u): the token that u picks from dist, never one of probability zero.",
        hints=(
            "np.cumsum gives the cumulative sums. Which is the first to exceed u? Try u = 0 with a zero at the front.",
            "Compare strictly, and scale u by the last cumulative sum, so that u just below 1 still finds a token.",
            "np.searchsorted(c, u * c[-1], side='right') with c = np.cumsum(dist); cut it off at the last token with dist > 0.",
        ),
        answer=sample,
        check=_check_sample,
        checked="Checked on 63 cases: u = 0, u just below 1, zeros at both ends and between, a sum that falls short; and "
        "the shares over 200 u.\n"
        "Not checked: large vocabularies in float32.",
    ),
)
