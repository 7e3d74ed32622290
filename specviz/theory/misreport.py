"""Exact laws of faults on the drafter's side: drafts of another law than is reported, a length that looks at its own tokens."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..logits import process_logits
from ..models.markov import MarkovPair
from ..probability import overlap, residual, total_variation
from ..rules.token import verify_row
from ..types import Floats
from ..uniforms import integrate


class Outcome(NamedTuple):
    """One draft, verified by the token rule.

    Attributes
    ----------
    law : ndarray, shape (V,)
        Law of the token that comes out.
    bias : float
        Its total variation from the law that was asked for.
    acceptance : float
        Probability that the draft is kept.
    """

    law: Floats
    bias: float
    acceptance: float


def misreported(p: ArrayLike, q: ArrayLike, sampled: ArrayLike, wanted: ArrayLike | None = None) -> Outcome:
    """Exact law of one verified token when drafts come from `sampled` and the rule is told q.

    A draft x is kept with probability min(1, p(x) / q(x)), and a rejected one is replaced from max(0, p - q), normalised:
    law(x) = s(x) min(1, p(x) / q(x)) + (1 - acceptance) residual(x).

    Parameters
    ----------
    p, q : array_like, shape (V,)
        What the rule is told. Where q(x) is 0, a draft x is kept if p(x) is above 0, as in `specviz.verify`.
    sampled : array_like, shape (V,)
        The law that drafts are really sampled from.
    wanted : array_like, shape (V,), optional
        The law that should come out; p unless given.

    Returns
    -------
    Outcome

    Raises
    ------
    ValueError
        If the vocabularies differ, or an entry is negative, infinite or a NaN.

    Examples
    --------
    >>> print(misreported([0.6, 0.3, 0.1], [0.2, 0.5, 0.3], sampled=[0, 1, 0]).law.round(3))
    [0.4 0.6 0. ]
    """
    overlap(p, q), overlap(p, sampled)  # checks shapes and entries
    p, q, sampled = (np.asarray(row, np.float64) for row in (p, q, sampled))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        kept = sampled * np.where(q > 0, np.minimum(1, p / q), p > 0)
    acceptance = min(kept.sum(), 1.0)  # rounding must not make the rejected mass negative
    law = kept + (1 - acceptance) * residual(p, q)
    return Outcome(law, float(total_variation(law, p if wanted is None else wanted)), float(acceptance))


def mismatches(target_logits: ArrayLike, drafter_logits: ArrayLike, **settings: Any) -> dict[str, Outcome]:
    """What comes out when one side of the rule is told a raw law where the sampler used a processed one.

    Drafts always come from the processed drafter, and the processed target is what should come out.

    Parameters
    ----------
    target_logits, drafter_logits : array_like, shape (V,)
    **settings
        As for `specviz.process_logits`, used for both.

    Returns
    -------
    dict
        An `Outcome` for each of "right", "p raw", "q raw" and "both raw".
    """
    p_raw, q_raw = process_logits(target_logits), process_logits(drafter_logits)
    p, q = process_logits(target_logits, **settings), process_logits(drafter_logits, **settings)
    told = {"right": (p, q), "p raw": (p_raw, q), "q raw": (p, q_raw), "both raw": (p_raw, q_raw)}
    return {name: misreported(*pair, sampled=q, wanted=p) for name, pair in told.items()}


def stopping_law(pair: MarkovPair, K: int, length: int, *, below: float, keep: bool) -> Floats:
    """Exact law of sequences when drafting stops at the first draft whose q is below a threshold.

    How many drafts a row holds must not depend on a token that was sampled and then thrown away. A drafter that finds a draft too
    unlikely and *drops* it hands over only likely ones: the verifier is told q and gets something else. One that *keeps* it as
    the last is right: the length then depends only on tokens that the verifier sees.

    Parameters
    ----------
    pair : MarkovPair
    K : int
        Most drafts in a round.
    length : int
        Tokens per sequence.
    below : float
        Drafting stops when q(x) of the draft x is below this.
    keep : bool
        Is that draft handed over, or dropped?

    Returns
    -------
    ndarray of float64, shape (V,) * length
        To hold against `pair.joint_law(length)`.
    """
    target, drafter, reported = (
        [[Fraction(float(x)) for x in row] for row in side] for side in (pair.target, pair.drafter, pair.q)
    )

    @cache
    def round_law(start: int) -> dict[tuple[int, ...], Fraction]:
        law: dict[tuple[int, ...], Fraction] = {}

        def extend(draft: tuple[int, ...], mass: Fraction, stop: bool) -> None:
            states = (start, *draft)
            if stop or len(draft) == K:
                rule = partial(verify_row, draft, [reported[s] for s in states[:-1]], [target[s] for s in states])
                for tokens, share in integrate(rule).items():
                    assert isinstance(tokens, tuple)
                    law[tokens] = law.get(tokens, Fraction(0)) + mass * share
                return
            for x, q_x in enumerate(drafter[states[-1]]):
                unlikely = q_x < below
                if q_x and unlikely and not keep:
                    extend(draft, mass * q_x, True)
                elif q_x:
                    extend((*draft, x), mass * q_x, unlikely)

        extend((), Fraction(1), False)
        return law

    return sequence_law(round_law, pair.start, length, pair.V)


def sequence_law(round_law: Callable[[int], dict[tuple[int, ...], Fraction]], start: int, length: int, V: int) -> Floats:
    """Law of whole sequences that are made of rounds.

    Parameters
    ----------
    round_law : callable
        From the state before a round, which is the last token, to the law of the round's tokens.
    start : int
        State before the first token.
    length : int
        Tokens per sequence; what a round makes beyond it is cut off.
    V : int

    Returns
    -------
    ndarray of float64, shape (V,) * length
    """

    @cache
    def law(state: int, left: int) -> dict[tuple[int, ...], Fraction]:
        out: dict[tuple[int, ...], Fraction] = {}
        for tokens, mass in round_law(state).items():
            tails = law(tokens[-1], left - len(tokens)) if len(tokens) < left else {(): Fraction(1)}
            for tail, share in tails.items():
                whole = (*tokens, *tail)[:left]
                out[whole] = out.get(whole, Fraction(0)) + mass * share
        return out

    cells = np.zeros((V,) * length)
    for tokens, mass in law(start, length).items():
        cells[tokens] = mass
    return cells
