"""Exercises of notebook 06: name the bug, and be the adversary of a weak test."""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...audit.mutants import mutant
from ...markov import MarkovPair
from ...probability import total_variation
from ...rules.tokenwise import verify
from ..exercise import Exercise, NotAttempted, Wrong, from_function, show
from ..judges import joint_test, run

FAULTS = (
    "replacement_from_p",
    "residual_abs",
    "one_uniform_per_row",
    "uniform_reused",
    "count_of_mask",
    "bonus_from_drafter",
    "bonus_from_row_before",
    "match_then_fresh",
)
"""Names to choose from; five of them are suspects."""

_GUILTY = ("count_of_mask", "bonus_from_row_before", "one_uniform_per_row", "match_then_fresh", "replacement_from_p")


def _anonymous(number: int, name: str) -> Callable[..., Any]:
    inner = mutant(name).build(MarkovPair.teaching())

    def suspect(draft, q, p, num_draft, rng):
        return inner(draft, q, p, num_draft, rng)

    suspect.__name__ = f"suspect_{number}"
    return suspect


suspects = tuple(_anonymous(number, name) for number, name in enumerate(_GUILTY))
"""Five verifiers of the common signature, each with one fault out of `FAULTS`."""


def _symptoms(verifier: Callable[..., Any]) -> str:
    at = {K: run(verifier, K=K, n=20_000) for K in (2, 3)}
    chain = MarkovPair.teaching()
    first = total_variation(np.bincount(at[3].sequences[:, 0], minlength=4) / 20_000, chain.joint_law(1))
    joint = ", ".join(f"chi-square at K = {K} {joint_test(made).statistic:,.0f}" for K, made in at.items())
    return f"first token off by TV {first:.3f}, {joint}, {at[3].tokens_per_round:.2f} tokens per round at K = 3"


def _named(answer: Any) -> None:
    if not isinstance(answer, (list, tuple)) or len(answer) != len(suspects):
        raise Wrong(f"{show(answer)}\n  expected a list of {len(suspects)} names")
    if all(name is None for name in answer):
        raise NotAttempted
    for name in answer:
        if name is not None and name not in FAULTS:
            raise Wrong(f"{name!r} is no name to choose from; expected one of {', '.join(FAULTS)}")
    right = sum(a == b for a, b in zip(answer, _GUILTY, strict=True))
    for number, (name, guilty) in enumerate(zip(answer, _GUILTY, strict=True)):
        if name != guilty:
            claim = f"\n  {name}: {_symptoms(mutant(name).build(MarkovPair.teaching()))}" if name else ""
            raise Wrong(
                f"{right} of {len(suspects)} are right; suspect {number} is not\n  it:  {_symptoms(suspects[number])}{claim}"
            )


def fool_first_token(draft, q, p, num_draft, rng):
    """Verify wrongly, and pass a test of the first token; return tokens [B, K + 1] and n_out [B]."""
    tokens, n_out = verify(draft, q, p, num_draft, rng)
    longer = n_out > 1
    tokens[longer, 1] = tokens[longer, 0]  # say the first token twice
    return tokens, n_out


def fool_three_tokens(draft, q, p, num_draft, rng):
    """Verify wrongly, and pass a test of three tokens at K = 3; return tokens [B, K + 1] and n_out [B]."""
    tokens, n_out = verify(draft, q, p, num_draft, rng)
    tokens[n_out == num_draft + 1, -1] = 0  # the bonus is always A
    return tokens, n_out


def _passes(answer: Any, K: int, tokens: int) -> None:
    test = joint_test(run(answer, K=K, n=50_000), alpha=1e-4, tokens=tokens)
    if not test.passed:
        what = "the first token" if tokens == 1 else f"{tokens} tokens"
        raise Wrong(f"the weak test of {what} at K = {K} sees it: chi-square {test.statistic:,.0f}, cut {test.cut:.0f}")


def _is_caught(answer: Any, K: int) -> None:
    test = joint_test(run(answer, K=K, n=50_000))
    if test.passed:
        raise Wrong(
            f"the joint law of three tokens at K = {K} does not see it either: chi-square {test.statistic:,.0f}, "
            f"cut {test.cut:.0f}"
        )


def _fools_first(answer: Any) -> None:
    _passes(answer, 3, 1)
    _is_caught(answer, 3)


def _fools_three(answer: Any) -> None:
    _passes(answer, 3, 3)
    _is_caught(answer, 2)


EXERCISES = (
    Exercise(
        "06a",
        "Name the bug: `suspects` has five anonymous verifiers, `FAULTS` the names to choose from. Give the five names in order.",
        "names = [None, None, None, None, None]  # names from FAULTS",
        (
            "Measure each: generate(pair, suspects[0], length=3, K=2, n=100_000, rng=...), then the first token, "
            "the joint law, the tokens per round.",
            "A right first token: one uniform per row, or a wrong bonus (which the joint law does not see at K = "
            "3). Too many tokens: one uniform "
            "per row, or a count of all marks. Too few: a match.",
            "Right counts and a wrong first token: the replacement. From p it is off by TV .12 on the teaching "
            "chain, from abs(p - q) by .15, as "
            "with the uniform used twice.",
        ),
        f"names = {list(_GUILTY)}",
        _named,
        "all five named.",
        seconds=20,
    ),
    from_function(
        "06b",
        "Be the adversary: write a wrong verifier that a test of the first token passes, at K = 3. (`verify` may be used.)",
        fool_first_token,
        (
            "The first token must keep its law. Everything behind it is yours.",
            "Call verify, and spoil the second token of the rows that emit more than one.",
            "longer = n_out > 1; tokens[longer, 1] = tokens[longer, 0]",
        ),
        "50,000 sequences: first token not rejected at 1 in 10,000, joint law rejected at 1 in a million. That is"
        " why nobody should publish a first-token test.",
        judge=_fools_first,
        seconds=30,
    ),
    from_function(
        "06c",
        "And one that passes the joint law of three tokens at K = 3, but is wrong.",
        fool_three_tokens,
        (
            "Which token of a round is never among the first three at K = 3?",
            "The bonus of a full row, token 4.",
            "Call verify; where n_out == num_draft + 1, overwrite the last column.",
        ),
        "50,000 sequences: not rejected at K = 3, rejected at K = 2. Audit with K below the number of tokens.",
        judge=_fools_three,
        seconds=30,
    ),
)
