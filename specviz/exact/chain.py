"""The exact law of a rule: its scalar program integrated over all uniforms and drafts, a proof where a test would only sample.

With fractions an equality is an equality. With floats the same integration is several times as fast, and right to rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..models.markov import MarkovPair
from ..types import Array, Floats
from ..uniforms import Uniforms, integrate

Tokens = tuple[int, ...]
Program = Callable[[Sequence[int], Any, Any, Uniforms], Tokens]
"""A rule for one row: (draft [n], q [n, V], p [n + 1, V], u) to the tokens it emits."""

Lengths = int | Sequence[Any]
"""Drafts per round: a number, or the probabilities of 0, 1, 2, ... drafts."""


def as_fractions(rows: ArrayLike, denominator: int = 1000) -> Array:
    """Rows of floats as the short fractions that they were meant to be.

    Parameters
    ----------
    rows : array_like of float, shape (..., V)
    denominator : int
        The largest denominator that is tried.

    Returns
    -------
    ndarray of Fraction, shape (..., V)
        Each within 1e-12 of the float it stands for; each row sums to exactly 1.

    Raises
    ------
    ValueError
        If an entry is no such fraction, or a row of them does not sum to 1.
    """
    floats = np.asarray(rows, np.float64)
    exact = np.empty(floats.shape, object)
    for at, x in np.ndenumerate(floats):
        exact[at] = Fraction(float(x)).limit_denominator(denominator)
        if abs(exact[at] - Fraction(float(x))) > 1e-12:
            raise ValueError(f"rows{list(map(int, at))} is {x}; expected a fraction with a denominator of at most {denominator}")
    for at in np.ndindex(floats.shape[:-1]):
        if sum(exact[at]) != 1:
            raise ValueError(f"rows{list(at)} sums to {sum(exact[at])} as fractions; expected 1")
    return exact


def call_law(
    program: Program, draft: Sequence[int], q: Any, p: Any, number: Callable[[Any], Any] = Fraction
) -> dict[Tokens, Any]:
    """Law of the tokens that one call emits, its drafts given.

    Parameters
    ----------
    program : callable
    draft : sequence of int, length n
    q : array_like, shape (n, V)
    p : array_like, shape (n + 1, V)
        Fractions, or floats.
    number : callable
        `Fraction` or `float`; see `specviz.uniforms.integrate`.

    Returns
    -------
    dict
        Tokens, as a tuple, to their probability.
    """
    kind = object if number is Fraction else np.float64
    rows_q, rows_p = np.asarray(q, kind), np.asarray(p, kind)
    law: dict[Any, Any] = integrate(partial(program, tuple(draft), rows_q, rows_p), number)
    return law


class ExactLaws:
    """Exact laws of one program on one pair of chains. A round is integrated once for each state and number of drafts.

    The program also gets q at the bonus position, as row n of q. A right rule has no use for it; one wrong rule draws from it.

    Parameters
    ----------
    program : callable
        The scalar program.
    pair : MarkovPair
        Drafts come from its drafter; the program is told its `q`. Followed by state, so rows that no token leads to are allowed.
    number : callable
        `Fraction`: the chains are taken as fractions by `as_fractions`, a ValueError if they are none. `float`: to rounding.
    """

    def __init__(self, program: Program, pair: MarkovPair, number: Callable[[Any], Any] = Fraction) -> None:
        self.program, self.pair, self.number = program, pair, number
        self._target, self._drafter, self._q = (
            as_fractions(rows) if number is Fraction else rows for rows in (pair.target, pair.drafter, pair.q)
        )
        self.round_law = cache(self._round_law)
        self._completed = cache(self._complete)

    def _round_law(self, state: int, num_draft: int) -> Mapping[Tokens, Any]:
        """Law of the tokens of one round that starts in `state` and holds `num_draft` drafts; the drafts are integrated too."""
        law: dict[Tokens, Any] = {}
        for draft in product(range(self.pair.V), repeat=num_draft):
            states = [state, *draft]
            mass = prod(self._drafter[s][x] for s, x in zip(states, draft, strict=False))
            if mass:
                for tokens, share in call_law(self.program, draft, self._q[states], self._target[states], self.number).items():
                    law[tokens] = law.get(tokens, 0) + mass * share
        return law

    def sequence_law(self, K: Lengths, length: int) -> Array:
        """Joint law of the first `length` tokens of repeated rounds.

        Parameters
        ----------
        K : int or sequence
            Drafts per round, or the probabilities of 0, 1, 2, ... drafts, drawn anew in every round.
        length : int

        Returns
        -------
        ndarray, shape (V,) * length
            Of Fraction or float64, as the laws were asked for.
        """
        return self.completed_law(self.pair.start, K, length)

    def completed_law(self, state: int, K: Lengths, length: int) -> Array:
        """As `sequence_law`, for sequences that go on from `state`."""
        return self._as_array(self._completed(state, self._lengths(K), length), length)

    def first_round_laws(self, K: Lengths, length: int, later: Lengths | None = None) -> dict[tuple[int, int], Array]:
        """Joint law of a first round's tokens emitted and the completed sequence, given its drafts.

        Parameters
        ----------
        K : int or sequence
            Drafts of the first round: those with a probability above zero are answered.
        length : int
        later : int or sequence, optional
            Drafts of the rounds behind it; as K unless given.

        Returns
        -------
        dict
            (num_draft, n_out) to an array of shape (V,) * length; for one num_draft the arrays together sum to 1.
        """
        behind = self._lengths(K if later is None else later)
        laws = {}
        for n, share in enumerate(self._lengths(K)):
            if share:
                for n_out in range(1, n + 2):
                    outcomes = {t: m for t, m in self.round_law(self.pair.start, n).items() if len(t) == n_out}
                    laws[n, n_out] = self._as_array(self._extend(outcomes, behind, length), length)
        return laws

    def tokens_per_round(self, K: Lengths) -> Any:
        """Exact mean of the tokens that the first round emits."""
        rounds = [(share, n) for n, share in enumerate(self._lengths(K)) if share]
        start = self.pair.start
        return sum(share * sum(len(t) * m for t, m in self.round_law(start, n).items()) for share, n in rounds)

    def _complete(self, state: int, lengths: tuple[Any, ...], length: int) -> Mapping[Tokens, Any]:
        law: dict[Tokens, Any] = {}
        for n, share in enumerate(lengths):
            if share:
                for tokens, mass in self._extend(self.round_law(state, n), lengths, length).items():
                    law[tokens] = law.get(tokens, 0) + share * mass
        return law

    def _extend(self, outcomes: Mapping[Tokens, Any], lengths: tuple[Any, ...], length: int) -> Mapping[Tokens, Any]:
        """Complete the tokens of a round to `length` by the rounds behind it, and cut what is beyond."""
        law: dict[Tokens, Any] = {}
        for tokens, mass in outcomes.items():
            missing = length - len(tokens)
            rest = self._completed(tokens[-1], lengths, missing) if missing > 0 else {(): 1}
            for more, share in rest.items():
                whole = (*tokens, *more)[:length]
                law[whole] = law.get(whole, 0) + mass * share
        return law

    def _lengths(self, K: Lengths) -> tuple[Any, ...]:
        if isinstance(K, (int, np.integer)):
            return (*[0] * int(K), 1)
        return tuple(as_fractions(np.asarray(K, np.float64))) if self.number is Fraction else tuple(K)

    def _as_array(self, law: Mapping[Tokens, Any], length: int) -> Array:
        array = np.full((self.pair.V,) * length, self.number(0), object if self.number is Fraction else np.float64)
        for tokens, mass in law.items():
            array[tokens] = mass
        return array


def law_with_one_seed(program: Program, pair: MarkovPair, K: int, length: int) -> Floats:
    """Joint law when every round of a sequence asks the same uniforms again; drafts are fresh.

    The fault belongs to the engine around a rule: it seeds the generator anew before each call. Rounds are then dependent, so
    the whole sequence is integrated at once, in floats. A round gets no more drafts than tokens are missing, which makes no
    difference to a rule that emits a leading run of them.

    Parameters
    ----------
    program : callable
    pair : MarkovPair
    K : int
        Drafts in every round.
    length : int

    Returns
    -------
    ndarray of float64, shape (V,) * length
    """

    def whole(u: Uniforms) -> Tokens:
        tokens: Tokens = ()
        while len(tokens) < length:
            states = [tokens[-1] if tokens else pair.start]
            for i in range(min(K, length - len(tokens))):
                states.append(u.choose(("draft", len(tokens), i), pair.drafter[states[-1]]))
            tokens += program(tuple(states[1:]), pair.q[states], pair.target[states], u)
        return tokens[:length]

    law = np.zeros((pair.V,) * length)
    outcomes: dict[Any, Any] = integrate(whole, float)
    for tokens, mass in outcomes.items():
        law[tokens] = mass
    return law
