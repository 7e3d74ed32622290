"""Exercises of notebook 05: a joint law, the chi-square, and false alarms."""

from __future__ import annotations

import numpy as np

from ...auditing.statistics.chi_square import chi_square as pearson
from ...models.markov import MarkovPair
from ..checking.compare import TEACHING, compare
from ..checking.exercise import Answer, Exercise


def joint_law(target, start):
    """Array [V, V]: entry [x, y] is the probability of x and then y. target[s] is the law of the token after
    s; start comes before x."""
    return target[start][:, None] * target


def _check_joint(answer: Answer) -> None:
    chains = [np.array([[1.0]]), np.eye(2)[::-1], np.array([[0.9, 0.1], [0.4, 0.6]]), TEACHING.target]
    chains += [MarkovPair.random(3, seed).target[:3] for seed in range(3)]
    cases = [(chain, start) for chain in chains for start in range(len(chain))]
    compare(answer, "target start", cases, lambda chain, start: MarkovPair(chain, chain, start).joint_law(2))


def chi_square(counts, law):
    """sum over cells of (observed - expected)^2 / expected, where expected = n * law. A cell of probability
    zero is left out if its
    count is 0; if it is not, the law is refuted: return infinity."""
    if counts[law == 0].any():
        return float("inf")
    observed, expected = counts[law > 0], counts.sum() * law[law > 0]
    return ((observed - expected) ** 2 / expected).sum()


def _statistic(counts: np.ndarray, law: np.ndarray) -> float:
    return pearson(counts, law).statistic


def _check_statistic(answer: Answer) -> None:
    raw = [
        ([50, 50], [0.5, 0.5]),
        ([60, 40], [0.5, 0.5]),
        ([60, 40, 0], [0.5, 0.5, 0]),
        ([60, 39, 1], [0.5, 0.5, 0]),
        ([0, 100], [0.25, 0.75]),
        ([30, 50, 20], [0.2, 0.5, 0.3]),
        ([300, 500, 200], [0.2, 0.5, 0.3]),
        ([0, 30, 0, 70], [0, 0.4, 0, 0.6]),
    ]
    note = "a count where the law says never: no chi-square is large enough, return infinity"
    compare(
        answer,
        "counts law",
        [(np.array(c), np.array(law)) for c, law in raw],
        _statistic,
        note=lambda c, law: note if c[law == 0].any() else ("leave out cells that cannot occur" if (law == 0).any() else ""),
    )


def alarms(alpha, m):
    """A pair: how many false alarms m right verifiers give on average, each tested at level alpha; and the level (Bonferroni) at
    which each test should stand, so that any false alarm at all has probability at most alpha."""
    return m * alpha, alpha / m


def _check_alarms(answer: Answer) -> None:
    compare(answer, "alpha m", [(alpha, m) for m in (1, 2, 10, 200, 1000) for alpha in (0.05, 0.01, 0.001)], alarms, tol=1e-12)


EXERCISES = (
    Exercise(
        id="05a",
        title="the law of two tokens",
        task="Write joint_law(target, start): the probabilities of all pairs of tokens.",
        hints=(
            "The probability of x and then y is that of x, times that of y given x.",
            "x comes from target[start], y from target[x].",
            "target[start][:, None] * target: the column of the first token's law times the matrix.",
        ),
        answer=joint_law,
        check=_check_joint,
        checked="Checked on seven chains of 1 to 4 tokens from every start.\nNot checked: more than two tokens.",
    ),
    Exercise(
        id="05b",
        title="the chi-square",
        task="Write chi_square(counts, law): Pearson's statistic; mind the cells of probability zero.",
        hints=(
            "n is the sum of the counts; what is expected is n times the law.",
            "Where the law is 0 the fraction is 0 / 0 or c / 0. Deal with these cells before you divide.",
            "If counts[law == 0].any(), return float('inf'); then use only the cells with law > 0.",
        ),
        answer=chi_square,
        check=_check_statistic,
        checked="Checked on 8 tables, with cells of probability zero, empty and not.\n"
        "Not checked: pooling of cells with few expected counts, which a p-value needs.",
    ),
    Exercise(
        id="05c",
        title="false alarms",
        task="Write alarms(alpha, m): false alarms to expect from m checks at level alpha each, and the level each "
        "needs for alpha in all.",
        hints=(
            "A right verifier fails its test with probability alpha. The mean of m such alarms adds up.",
            "The probability of at least one alarm is at most the sum of the probabilities. What may each be?",
            "m * alpha, and alpha / m.",
        ),
        answer=alarms,
        check=_check_alarms,
        checked="Checked for 1 to 1,000 checks at three levels.\n"
        "Not checked: the slightly larger level 1 - (1 - alpha) ** (1 / m), which is for independent checks.",
    ),
)
