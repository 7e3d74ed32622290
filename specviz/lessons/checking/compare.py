"""Compare a student's function with the reference, case by case, smallest case first; cases to do so with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...models.markov import MarkovPair
from ...rules.contract import ContractError, Verified, Verifier, check_result
from ...types import Array, Floats
from .exercise import Answer, NeedsWork

NUMBERS = "expected a number or an array of numbers"


def compare(
    answer: Answer,
    names: str,
    cases: Iterable[tuple[Any, ...]],
    reference: Callable[..., Any],
    *,
    tol: float = 1e-9,
    note: Callable[..., str] = lambda *args: "",
) -> None:
    """Call both on each case; the smallest on which they differ becomes the counter-example.

    Parameters
    ----------
    answer : Answer
    names : str
        Names of the arguments, separated by spaces.
    cases : iterable of tuple
        Tried from the fewest numbers to the most, in the given order where these are equal.
    reference : callable
        Gives what is expected.
    tol : float
        Largest difference that is taken for rounding.
    note : callable
        A remark on a case, or "".

    Raises
    ------
    NeedsWork, NotAttempted
    """
    answer.names = tuple(names.split())
    for case in sorted(cases, key=lambda case: sum(np.size(a) for a in case)):
        same(answer, case, reference(*case), answer(*case), tol=tol, note=note(*case))


def same(answer: Answer, case: tuple[Any, ...], expected: Any, got: Any, *, tol: float = 1e-9, note: str = "") -> Array:
    """Check one result: its type, shape, NaN and numbers. Returns it as an array."""
    wanted = np.asarray(expected)
    try:
        array = np.asarray(got)
        if array.dtype.kind not in "biuf":
            raise TypeError
    except (TypeError, ValueError):
        problem = f"{NUMBERS}, your function returned {type(got).__name__}"
        raise NeedsWork(answer.tell(case, expected, got, problem)) from None
    if array.shape != wanted.shape:
        problem = f"the shape is {array.shape}; expected {wanted.shape}"
    elif np.isnan(array).any() and not np.isnan(wanted).any():
        problem = note or "NaN: was 0 divided by 0?"
    elif not np.allclose(array, wanted, rtol=1e-7, atol=tol):
        problem = note
    else:
        return array
    raise NeedsWork(answer.tell(case, expected, got, problem))


def whole(value: Any) -> bool:
    """Is it a whole number, and not True or False?"""
    if isinstance(value, np.ndarray) and value.shape == ():
        return value.dtype.kind in "iu"
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def law_of(answer: Answer, case: tuple[Any, ...], name: str, value: Any) -> Floats:
    """A law that the student made: finite, not negative, sum 1."""
    try:
        law = np.asarray(value, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise NeedsWork(answer.tell(case, note=f"{name} is {value!r}; expected a list of probabilities")) from None
    if law.ndim != 1 or not np.isfinite(law).all() or (law < 0).any() or abs(law.sum() - 1) > 1e-9:
        raise NeedsWork(
            answer.tell(case, note=f"{name} = {value!r} is no law: expected probabilities, none negative, that sum to 1")
        )
    return law


def pairs(seed: int = 0) -> list[tuple[Floats, Floats]]:
    """Pairs p, q: corners first (equal, one-hot, disjoint), then random ones in twentieths, some with zeros."""
    corners = [
        ([1], [1]),
        ([1, 0], [0.5, 0.5]),
        ([0.5, 0.5], [0.8, 0.2]),
        ([0.5, 0.5], [1, 0]),
        ([0, 1], [1, 0]),
        ([0.25, 0.75], [0.25, 0.75]),
        ([0.6, 0.3, 0.1], [0.2, 0.5, 0.3]),
        ([0.5, 0.3, 0.15, 0.05], [0.25, 0.25, 0.25, 0.25]),
    ]
    rng = np.random.default_rng(seed)
    drawn = [tuple(rng.multinomial(20, np.full(V, 1 / V), 2) / 20) for V in (2, 3, 4, 6) for _ in range(6)]
    return [(np.array(p, np.float64), np.array(q, np.float64)) for p, q in [*corners, *drawn]]


def as_verifier(answer: Answer) -> Verifier:
    """The student's verifier, its result checked for shape, range and padding on the way."""
    answer.names = ("draft", "q", "p", "num_draft", "rng")

    def verifier(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> Verified:
        result = answer(draft, q, p, num_draft, rng)
        try:
            return check_result(result, num_draft, draft.shape[1], p.shape[2])
        except ContractError as error:
            row = error.row
            if row is None:
                raise NeedsWork(f"your function {error.finding}") from None
            tokens, n_out = (np.asarray(part)[row].tolist() for part in result)
            raise NeedsWork(
                f"row {row} with draft = {draft[row].tolist()}, num_draft = {num_draft[row]}\n"
                f"{error.finding}\ngot       n_out = {n_out}, tokens = {tokens}"
            ) from None

    return verifier


TEACHING = MarkovPair.teaching()
