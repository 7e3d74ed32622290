"""Exercises of notebook 01: the residual, a wrong replacement, and a pair made to order."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import probability
from ..checking.compare import compare, law_of, pairs
from ..checking.exercise import Answer, Exercise, NeedsWork, show


def residual(p, q):
    """max(0, p - q), normalised. p and q are NumPy arrays of shape [V]. If p equals q nothing is owed: return p then."""
    owed = np.maximum(p - q, 0)
    return owed / owed.sum() if owed.sum() > 0 else p


def _equal(p: Any, q: Any) -> str:
    return "p = q: nothing is ever rejected, so the rule does not need it; return p" if np.array_equal(p, q) else ""


def _check_residual(answer: Answer) -> None:
    compare(answer, "p q", pairs(), probability.residual, note=_equal)


def law_with_replacement_from_p(p, q):
    """The law of the token that comes out, shape [V], if a rejected draft is replaced by a draw from p (which is wrong)."""
    kept = np.minimum(p, q)
    return kept + (1 - kept.sum()) * p


def _check_replaced(answer: Answer) -> None:
    compare(answer, "p q", pairs(), law_with_replacement_from_p)


def pair():
    """p and q over 4 tokens, with overlap 0.6, whose residual is one single token."""
    return [0.7, 0.1, 0.1, 0.1], [0.3, 0.3, 0.2, 0.2]


def _check_pair(answer: Answer) -> None:
    made = answer()
    try:
        p, q = made
    except (TypeError, ValueError):
        raise NeedsWork(f"expected two laws p and q, got {show(made)}") from None
    p, q = law_of(answer, (), "p", p), law_of(answer, (), "q", q)
    if len(p) != 4 or len(q) != 4:
        raise NeedsWork(f"expected 4 tokens in p and in q, got {len(p)} and {len(q)}")
    owed = np.maximum(p - q, 0)
    kept = float(probability.overlap(p, q))
    if abs(kept - 0.6) > 1e-9:
        raise NeedsWork(f"p = {show(p)}, q = {show(q)}\nexpected  overlap 0.6\ngot       overlap {kept:.6g}")
    if (owed > 1e-9).sum() != 1:
        raise NeedsWork(
            f"p = {show(p)}, q = {show(q)}\nexpected  one token with p(x) > q(x)\ngot       max(0, p - q) = {show(owed.round(9))}"
        )


EXERCISES = (
    Exercise(
        id="01a",
        title="the residual",
        task="Write residual(p, q): the law of the token that replaces a rejected draft.",
        hints=(
            "What does p still want where q gave too little? Where q gave enough, nothing.",
            "np.maximum(p - q, 0) is what is owed. A law must sum to 1.",
            "Divide by the sum; but if the sum is 0, return p.",
        ),
        answer=residual,
        check=_check_residual,
        checked="Checked on 32 pairs of 1 to 6 tokens: equal, one-hot, disjoint and random ones.\n"
        "Not checked: batches, and differences that are only rounding.",
    ),
    Exercise(
        id="01b",
        title="the replacement drawn from p",
        task="Write law_with_replacement_from_p(p, q): the law that comes out if a rejected draft is replaced by a draw from p.",
        hints=(
            "A token comes out in two ways: as a draft that was kept, or as a replacement.",
            "Kept: min(p, q). And how often is there a replacement at all?",
            "min(p, q) + (1 - overlap) * p, where the overlap is the sum of min(p, q).",
        ),
        answer=law_with_replacement_from_p,
        check=_check_replaced,
        checked="Checked on 32 pairs of 1 to 6 tokens against the exact law.\nNot checked: nothing else is asked.",
    ),
    Exercise(
        id="01c",
        title="a pair made to order",
        task="Find p and q over 4 tokens with overlap 0.6 whose residual is one single token. Give a function that "
        "returns p, q (or the two as a tuple).",
        hints=(
            "The residual lives where p(x) > q(x). On how many tokens may that be?",
            "On one token p is larger than q by 0.4 in all; on the others q takes these 0.4.",
            "Start from any p with at least 0.4 on token 0. Take 0.4 away from it, give them to other tokens, and call that q.",
        ),
        answer=pair,
        check=_check_pair,
        checked="Checked: two laws over 4 tokens, overlap 0.6, and p(x) > q(x) at one token.\n"
        "Not checked: there are many answers; any of them is right.",
        value=True,
    ),
)
