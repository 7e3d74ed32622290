"""Exercises of notebook 01: the residual, the famous mistake, and a residual of one token."""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...probability import overlap, residual
from ..exercise import Exercise, NotAttempted, Wrong, from_function, show


def residual_of(p, q):
    """Return max(0, p - q), normalised; p itself where nothing is owed, since then no replacement is ever needed."""
    owed = [max(0, a - b) for a, b in zip(p, q)]
    total = sum(owed)
    return [x / total for x in owed] if total > 0 else list(p)


def law_with_replacement_from_p(p, q):
    """Return the law of one verified token when the replacement of a rejected draft is drawn from p."""
    kept = [min(a, b) for a, b in zip(p, q)]
    return [k + (1 - sum(kept)) * a for k, a in zip(kept, p)]


def _pairs() -> Iterator[tuple[Any, ...]]:
    yield [0.5, 0.5], [0.8, 0.2]
    yield [1.0, 0.0], [0.0, 1.0]
    yield [0.5, 0.5], [0.5, 0.5]
    yield [0.6, 0.3, 0.1], [0.2, 0.5, 0.3]
    yield [0.4, 0.3, 0.2, 0.1], [0.1, 0.3, 0.2, 0.4]
    rng = np.random.default_rng(0)
    for V in (3, 4, 6, 20):
        yield rng.dirichlet(np.ones(V)).tolist(), rng.dirichlet(np.ones(V)).tolist()


def _one_owed(answer: Any) -> None:
    if answer is None:
        raise NotAttempted
    try:
        p, q = (np.asarray(side, np.float64) for side in answer)
    except (TypeError, ValueError):
        raise Wrong(f"{show(answer)}\n  expected a pair: two lists of four probabilities") from None
    if p.shape != (4,) or q.shape != (4,):
        raise Wrong(f"p has shape {p.shape} and q {q.shape}; expected four probabilities each")
    for name, law in (("p", p), ("q", q)):
        if not ((law >= 0).all() and abs(law.sum() - 1) < 1e-9):
            raise Wrong(f"{name} = {show(law)}\n  sums to {law.sum():.6g}; expected four probabilities that sum to 1")
    alpha, owed = float(overlap(p, q)), int((residual(p, q) > 1e-12).sum())
    if abs(alpha - 0.6) > 1e-9:
        raise Wrong(f"the overlap of p = {show(p)} and q = {show(q)}\n  is {alpha:.6g}; expected 0.6")
    if owed != 1:
        raise Wrong(f"p = {show(p)}, q = {show(q)}\n  {owed} tokens are owed; expected one")


EXERCISES = (
    from_function(
        "01a",
        "Write the residual. Mind the corner p = q, where nothing is owed.",
        residual_of,
        (
            "What does token x still need, once min(p(x), q(x)) is kept?",
            "max(0, p(x) - q(x)). These add up to 1 - alpha; divide by their sum.",
            "Where the sum is 0 there is nothing to divide by: return p.",
        ),
        "equal to the definition on 9 pairs, disjoint ones and p = q among them.",
        cases=_pairs,
    ),
    from_function(
        "01b",
        "The famous mistake, as a law: what comes out if replacements are drawn from p?",
        law_with_replacement_from_p,
        (
            "Two ways lead to token y: as a draft that was kept, or as a replacement.",
            "Kept: min(p(y), q(y)). A replacement is needed with probability 1 - alpha, and is y with probability p(y).",
            "min(p, q) + (1 - alpha) p, token by token, with alpha the sum of the minima.",
        ),
        "equal to the exact law on 9 pairs; on (.4, .3, .2, .1) and (.1, .3, .2, .4) it is (.22, .39, .26, .13).",
        cases=_pairs,
    ),
    Exercise(
        "01c",
        "Find p and q over four tokens with an overlap of 0.6 whose residual has a single token.",
        "pair = None  # (p, q), each a list of four probabilities",
        (
            "One token is owed: p is larger than q there, and nowhere else.",
            "That token must be owed 1 - 0.6 = 0.4.",
            "Begin with q = (.1, .3, .3, .3). Give the first token .4 more, and take .4 from the others.",
        ),
        "pair = ([0.5, 0.3, 0.1, 0.1], [0.1, 0.3, 0.3, 0.3])",
        _one_owed,
        "overlap 0.6, one token owed. A draw from such a residual needs no randomness: a test on it cannot see a "
        "uniform used twice.",
    ),
)
