"""Exercises of notebook 04: tokens per round, and the best number of drafts."""

from __future__ import annotations

import numpy as np

from ...theory import acceptance, speed
from ..checking.compare import compare
from ..checking.exercise import Answer, Exercise, NeedsWork

ALPHAS = (0.0, 1.0, 0.5, 0.7, 0.9, 0.3, 1 - 1e-6)


def expected_tokens(alpha, K):
    """Mean tokens of a round of K drafts, bonus included, if each draft is kept with probability alpha (0 to 1)."""
    return sum(alpha**i for i in range(K + 1))


def _check_expected(answer: Answer) -> None:
    cases = [(alpha, K) for K in (0, 1, 2, 3, 8) for alpha in ALPHAS]
    compare(
        answer,
        "alpha K",
        cases,
        speed.expected_tokens,
        tol=1e-6,
        note=lambda alpha, K: "every draft is kept" if alpha == 1 else "",
    )


# Without empty lines, as it is printed.
# fmt: off
def best_K(alpha, cost):
    """The smallest K from 0 to 64 with the largest speed-up; a draft costs `cost` target passes, the check one pass."""
    def speedup(K):
        return sum(alpha**i for i in range(K + 1)) / (1 + K * cost)
    return max(range(65), key=speedup)
# fmt: on


def _check_best(answer: Answer) -> None:
    answer.names = ("alpha", "cost")
    for alpha, cost in [
        (0.7, 0.1),
        (0.0, 0.1),
        (0.5, 0.6),
        (0.9, 0.05),
        (0.8, 0.2),
        (0.6, 0.02),
        (0.95, 0.1),
        (0.3, 0.3),
        (0.99, 0.005),
    ]:
        wanted, got = speed.best_draft_length(alpha, cost), answer(alpha, cost)
        if isinstance(got, bool) or not isinstance(got, (int, np.integer)):
            raise NeedsWork(answer.tell((alpha, cost), wanted, got, "expected a whole number of drafts"))
        if got != wanted:
            gains = f"; yours gives {float(speed.speedup(alpha, int(got), cost)):.4f}" if 0 <= got <= 64 else ""
            note = f"K = {wanted} gives a speed-up of {float(speed.speedup(alpha, wanted, cost)):.4f}{gains}"
            raise NeedsWork(answer.tell((alpha, cost), wanted, got, note))


def tokens_per_round(rates):
    """Mean tokens of a round, bonus included. rates is a list: rates[i] is the probability that draft i is kept once reached."""
    return 1 + np.cumprod(rates).sum()


def _by_position(rates: list[float]) -> float:
    return 1 + float(acceptance.kept_by_token_rule(rates).sum())


def _check_positions(answer: Answer) -> None:
    cases: list[tuple[list[float]]] = [([],), ([0.7],), ([0.0],), ([0.9, 0.5],), ([0.5, 0.9],), ([0.0, 1.0],), ([0.7, 0.7, 0.7],)]
    cases += [([0.9, 0.8, 0.6],), ([0.6, 0.8, 0.9],), ([1.0, 1.0, 1.0, 1.0],), ([0.8, 0.0, 0.9, 0.9],)]
    compare(answer, "rates", cases, _by_position)


EXERCISES = (
    Exercise(
        id="04a",
        title="tokens per round",
        task="Write expected_tokens(alpha, K): mean tokens of a round if every draft is kept with probability alpha.",
        hints=(
            "Token i + 1 of a round comes out if at least i drafts were kept. With which probability is that?",
            "The mean is 1 + alpha + alpha ** 2 + ... + alpha ** K. The closed form divides by 1 - alpha.",
            "Add up the K + 1 powers: that works at alpha = 1 too, where the closed form is 0 / 0.",
        ),
        answer=expected_tokens,
        check=_check_expected,
        checked="Checked for K = 0 to 8 and alpha from 0 to 1, both ends included.\nNot checked: arrays.",
    ),
    Exercise(
        id="04b",
        title="how many drafts",
        task="Write best_K(alpha, cost): the number of drafts with the largest speed-up.",
        hints=(
            "Speed is tokens per time. How long does a round of K drafts take, in target passes?",
            "expected_tokens(alpha, K) / (1 + K * cost). K = 0 is plain decoding, with speed-up 1.",
            "max(range(65), key=...) gives the first K of the largest value.",
        ),
        answer=best_K,
        check=_check_best,
        checked="Checked on 8 drafters, three of which do not pay (K = 0).\n"
        "Not checked: a free drafter, for which more is always better.",
    ),
    Exercise(
        id="04c",
        title="rates that differ by position",
        task="Write tokens_per_round(rates): mean tokens of a round whose i-th draft, once reached, is kept with "
        "probability rates[i].",
        hints=(
            "The second draft only counts if the first was kept as well.",
            "At least i drafts are kept with probability rates[0] * ... * rates[i - 1]. Add these up.",
            "1 + sum of the running products: np.cumprod(rates).sum() + 1. The order of the rates matters.",
        ),
        answer=tokens_per_round,
        check=_check_positions,
        checked="Checked on 11 lists of 0 to 4 rates, with zeros, ones, and the same rates in another order.\n"
        "Not checked: rates that depend on the text; then only the chain itself gives the mean.",
    ),
)
