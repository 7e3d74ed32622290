"""The most that any rule can get out of several candidates: an optimal transport problem, and what the tree rule gets."""

from __future__ import annotations

from itertools import permutations, product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..probability import as_floats, check_probabilities, overlap, residual
from ..rules.tree.draft import Drawing
from ..types import Floats


def candidate_sets(q: ArrayLike, k: int, drawing: Drawing) -> dict[frozenset[int], float]:
    """Law of the set of k candidates.

    Parameters
    ----------
    q : array_like, shape (V,)
    k : int
        Candidates, at least 1.
    drawing : {"iid", "without replacement", "top k"}
        How they are drawn from q; of equally likely tokens "top k" takes the lowest ids.

    Returns
    -------
    dict
        From sets of tokens to probabilities. Independent candidates may be fewer than k different ones.

    Raises
    ------
    ValueError
        If q is no law, or has fewer than k tokens to draw.
    """
    law = _law("q", q)
    possible = np.flatnonzero(law > 0).tolist()
    if k < 1 or (drawing != "iid" and k > len(possible)):
        raise ValueError(f"k is {k}; expected from 1 to {len(possible)}, the tokens that q gives")
    if drawing == "top k":
        return {frozenset(np.argsort(-law, kind="stable")[:k].tolist()): 1.0}
    sets: dict[frozenset[int], float] = {}
    for drawn in product(possible, repeat=k) if drawing == "iid" else permutations(possible, k):
        left = [1 - (law[list(drawn[:i])].sum() if drawing != "iid" else 0) for i in range(k)]
        mass = prod(float(law[x] / rest) for x, rest in zip(drawn, left, strict=True))
        sets[frozenset(drawn)] = sets.get(frozenset(drawn), 0.0) + mass
    return sets


def best_acceptance(p: ArrayLike, q: ArrayLike, k: int, drawing: Drawing) -> float:
    """Largest probability with which any lossless rule can keep one of k candidates, by linear programming.

    Let S be the set of candidates and Y, of law p, the token that comes out. A rule is a joint law of both; the largest P(Y in S)
    is a transport problem: send mass from the sets to tokens that they hold, at most P(S) from a set and p(y) to a token.

    Parameters
    ----------
    p, q : array_like, shape (V,)
    k : int
        Candidates.
    drawing : {"iid", "without replacement", "top k"}

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If p or q is no law over the same tokens, or k is out of range.

    Notes
    -----
    The program has a variable for each token of each set: fine for V up to about 10. One candidate gives sum_x min(p(x), q(x)),
    what the token rule gets.

    References
    ----------
    Sun et al., "SpecTr: Fast Speculative Decoding via Optimal Transport", NeurIPS 2023, section 3.

    Examples
    --------
    >>> print(f"{best_acceptance([.4, .3, .2, .1], [.1, .3, .2, .4], 1, 'iid'):.2f}")
    0.70
    """
    from scipy.optimize import linprog

    p, _ = _pair(p, q)
    sets = candidate_sets(q, k, drawing)
    routes = [(s, y) for s, tokens in enumerate(sets) for y in sorted(tokens)]
    bounded = np.zeros((len(sets) + len(p), len(routes)))
    for r, (s, y) in enumerate(routes):
        bounded[s, r] = bounded[len(sets) + y, r] = 1
    done = linprog(-np.ones(len(routes)), A_ub=bounded, b_ub=[*sets.values(), *p], bounds=(0, None), method="highs")
    if not done.success:
        raise RuntimeError(f"the linear program was not solved: {done.message}")
    return float(-done.fun)


def tree_acceptance(p: ArrayLike, q: ArrayLike, k: int, drawing: Drawing) -> float:
    """Probability with which the tree rule keeps one of k candidates, each tested against what the ones before left owed.

    Parameters
    ----------
    p, q : array_like, shape (V,)
    k : int
        Candidates.
    drawing : {"iid", "without replacement", "top k"}

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If p or q is no law over the same tokens, or k is out of range.

    Examples
    --------
    >>> p, q = [0.4, 0.3, 0.2, 0.1], [0.1, 0.3, 0.2, 0.4]
    >>> print(f"{tree_acceptance(p, q, 2, 'iid'):.2f} {tree_acceptance(p, q, 2, 'without replacement'):.2f}")
    0.73 0.75
    """
    p, q = _pair(p, q)
    candidate_sets(q, k, drawing)  # checks k
    return _kept(p, q, k, drawing)


def _kept(owed: Floats, law: Floats, k: int, drawing: Drawing) -> float:
    """The chance of k candidates against what is owed. Only the law without replacement depends on which one was rejected."""
    if k == 0 or not owed.any() or not law.any():
        return 0.0
    if drawing == "iid":
        alpha = float(overlap(owed, law))
        return alpha + (1 - alpha) * _kept(_left(owed, law), law, k - 1, drawing)
    if drawing == "top k":
        x = int(law.argmax())
        one_hot = np.eye(len(law))[x]
        return float(owed[x]) + float(1 - owed[x]) * _kept(_left(owed, one_hot), _without(law, x), k - 1, drawing)
    left = _left(owed, law)
    kept = float(overlap(owed, law))
    for y in np.flatnonzero(law > owed).tolist():
        kept += float(law[y] - owed[y]) * _kept(left, _without(law, y), k - 1, drawing)
    return kept


def _left(owed: Floats, law: Floats) -> Floats:
    return np.asarray(residual(owed, law), np.float64) if (owed > law).any() else np.zeros_like(owed)


def _without(law: Floats, x: int) -> Floats:
    rest = np.where(np.arange(len(law)) == x, 0, law)
    return rest / rest.sum() if rest.any() else rest


def _law(name: str, row: ArrayLike) -> Floats:
    law = as_floats(name, row)
    if law.ndim != 1:
        raise ValueError(f"{name} has shape {law.shape}; expected (V,), one law")
    check_probabilities(name, law)
    return np.asarray(law / law.sum(), np.float64)


def _pair(p: Any, q: Any) -> tuple[Floats, Floats]:
    p, q = _law("p", p), _law("q", q)
    if len(p) != len(q):
        raise ValueError(f"p has {len(p)} tokens and q {len(q)}; expected as many")
    return p, q
