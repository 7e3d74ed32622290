"""Exercises of notebook 10: two candidates for one position, drawn with and without replacement."""

from __future__ import annotations

import numpy as np

from specviz import overlap, residual

from ...theory.transport import tree_acceptance
from ...types import Floats
from ..checking.compare import compare, pairs
from ..checking.exercise import Answer, Exercise


def acceptance_of_two(p, q):
    """The probability that the first candidate is kept under p, or else the second under the residual. Arrays [V]."""
    return 1 - (1 - overlap(p, q)) * (1 - overlap(residual(p, q), q))


def _two(p: Floats, q: Floats) -> float:
    return tree_acceptance(p, q, 2, "iid")


def _check_two(answer: Answer) -> None:
    compare(answer, "p q", [*pairs(), (np.array([0.4, 0.3, 0.2, 0.1]), np.array([0.1, 0.3, 0.2, 0.4]))], _two)


def next_q(q, x):
    """The law [V] of the second candidate, after x has been drawn and put aside. q(x) is below 1."""
    rest = q.copy()
    rest[x] = 0
    return rest / rest.sum()


def _check_without(answer: Answer) -> None:
    cases = [(q, x) for _, q in pairs() for x in np.flatnonzero(q).tolist() if q[x] < 1]
    compare(answer, "q x", cases, next_q)


EXERCISES = (
    Exercise(
        id="10a",
        title="two candidates",
        task="Write acceptance_of_two(p, q): the probability that one of two candidates, drawn independently from q, is kept.",
        hints=(
            "The first is kept with probability overlap(p, q). What does the second have to make up for?",
            "After a rejection the target is the residual, normalised. The second candidate is tested against that.",
            "1 - (1 - overlap(p, q)) * (1 - overlap(residual(p, q), q)).",
        ),
        answer=acceptance_of_two,
        check=_check_two,
        checked="Checked on 33 pairs of 1 to 6 tokens.\nNot checked: more than two candidates, and drawing without replacement.",
    ),
    Exercise(
        id="10b",
        title="without replacement",
        task="Write next_q(q, x): the law of the second candidate when the first was x and is not drawn again.",
        hints=(
            "x cannot come again. The others keep their ratios.",
            "Set the entry of x to 0 in a copy, and normalise.",
            "rest = q.copy(); rest[x] = 0; return rest / rest.sum().",
        ),
        answer=next_q,
        check=_check_without,
        checked="Checked on every possible first candidate of 29 laws; the input must stay as it is.\n"
        "Not checked: a drafter that is sure of x; there is no second candidate then.",
    ),
)
