"""Exercises of notebook 00: the overlap, and one round by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import probability
from ...rules.token import verify_row
from ...uniforms import GivenUniforms
from ..checking.compare import compare, pairs
from ..checking.exercise import Answer, Exercise


def overlap(p, q):
    """The probability that a draft sampled from q is kept: sum over x of min(p(x), q(x)). p and q are lists of numbers."""
    return sum(min(p_x, q_x) for p_x, q_x in zip(p, q))


def _check_overlap(answer: Answer) -> None:
    compare(answer, "p q", [(p.tolist(), q.tolist()) for p, q in pairs()], probability.overlap)


def count_kept(draft, u, q, p):
    """How many drafts are kept. At position i the draft is draft[i], its uniform u[i], and q[i] and p[i] are
    rows of probabilities."""
    for i, x in enumerate(draft):
        if not u[i] * q[i][x] < p[i][x]:
            return i
    return len(draft)


def _kept(draft: list[int], u: list[float], q: list[list[float]], p: list[list[float]]) -> int:
    uniforms = GivenUniforms({("accept", i): u_i for i, u_i in enumerate(u)} | {"final": 0.0})
    return len(verify_row(draft, q, p, uniforms)) - 1


def _rounds() -> list[tuple[Any, ...]]:
    half, skew = [0.5, 0.5], [0.8, 0.2]
    cases: list[tuple[Any, ...]] = [
        ([], [], [], [half]),
        ([0], [0.6], [skew], [half, half]),
        ([0], [0.7], [skew], [half, half]),
        ([1], [0.0], [half], [[1.0, 0.0], half]),  # p(x) = 0 and u = 0: strict
        ([1], [0.9], [[1.0, 0.0]], [half, half]),  # q(x) = 0
        ([0, 0], [0.9, 0.1], [skew, skew], [half, half, half]),  # the second would pass, but nothing follows a rejection
    ]
    rng = np.random.default_rng(0)
    for K in (1, 2, 3) * 6:
        q, p = rng.multinomial(10, np.full(3, 1 / 3), K) / 10, rng.multinomial(10, np.full(3, 1 / 3), K + 1) / 10
        draft = [int(rng.choice(3, p=row)) for row in q]
        cases.append((draft, (rng.integers(0, 20, K) / 20 + 0.013).tolist(), q.tolist(), p.tolist()))
    return cases


def _check_kept(answer: Answer) -> None:
    compare(answer, "draft u q p", _rounds(), _kept, note=_kept_note)


def _kept_note(draft: list[int], u: list[float], q: list[list[float]], p: list[list[float]]) -> str:
    tests = [
        f"position {i}: {u[i]:.3g} * {q[i][x]:.3g} < {p[i][x]:.3g} is {u[i] * q[i][x] < p[i][x]}" for i, x in enumerate(draft)
    ]
    return "\n".join(tests)


EXERCISES = (
    Exercise(
        id="00a",
        title="overlap",
        task="Write overlap(p, q): the probability that a draft from q is kept under p.",
        hints=(
            "Take one token x. It is drafted with probability q(x), and what can come out of keeping it is at most p(x).",
            "For each token the smaller of p(x) and q(x) counts.",
            "Add up min(p(x), q(x)) over all tokens: zip gives the pairs.",
        ),
        answer=overlap,
        check=_check_overlap,
        checked="Checked on 32 pairs of 1 to 6 tokens: equal, one-hot, disjoint and random ones.\n"
        "Not checked: bad input, such as rows that do not sum to 1.",
    ),
    Exercise(
        id="00b",
        title="one round by hand",
        task="Write count_kept(draft, u, q, p): how many drafts of a round are kept.",
        hints=(
            "Go through the positions in order. What ends the round?",
            "The draft x at position i is kept when u[i] * q[i][x] < p[i][x]. After the first that is not, nothing "
            "more is looked at.",
            "A for loop over enumerate(draft): if the test fails, return i; after the loop, return len(draft).",
        ),
        answer=count_kept,
        check=_check_kept,
        checked="Checked on 24 rounds of 0 to 3 drafts, with p(x) = 0 at u = 0, q(x) = 0, and a draft that would pass "
        "behind a rejection.\n"
        "Not checked: whole batches; that is notebook 03.",
    ),
)
