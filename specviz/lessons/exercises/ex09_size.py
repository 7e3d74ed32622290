"""Exercises of notebook 09: how many sequences a test needs, and a rule of thumb that cries wolf."""

from __future__ import annotations

from math import ceil

import numpy as np
from scipy.stats import binom

from specviz.auditing import noncentrality_for

from ..checking.compare import compare
from ..checking.exercise import Answer, Exercise


def sequences_needed(d, dof):
    """The smallest n such that 4 d^2 n reaches the noncentrality that a chi-square with dof degrees of freedom needs."""
    return ceil(noncentrality_for(dof) / (4 * d * d))


def _check_needed(answer: Answer) -> None:
    compare(answer, "d dof", [(d, dof) for dof in (1, 3, 63) for d in (0.1, 0.05, 0.02, 0.01)], sequences_needed, tol=1)


def false_alarm(p, n):
    """The exact probability that |k / n - p| >= 0.01, where k is binomial: the right verifier emits token A n
    times with probability p."""
    k = np.arange(n + 1)
    return binom.pmf(k, n, p)[np.abs(k / n - p) >= 0.01].sum()


def _check_false_alarm(answer: Answer) -> None:
    cases = [
        (0.0, 10),
        (0.01, 1),
        (0.5, 1),
        (0.5, 3),
        (0.5, 501),
        (0.3, 777),
        (0.1, 1013),
        (0.5, 2501),
        (0.3, 9999),
        (0.5, 30_001),
    ]
    compare(answer, "p n", cases, false_alarm, tol=1e-6)


EXERCISES = (
    Exercise(
        id="09a",
        title="how many sequences",
        task="Write sequences_needed(d, dof): how many sequences show any bias of total variation d with 99.9% power "
        "at level 0.001.",
        hints=(
            "noncentrality_for(dof) is what must be reached. How fast does it grow with n?",
            "By at least 4 d^2 a sequence. Half the bias needs four times the sequences.",
            "math.ceil(noncentrality_for(dof) / (4 * d * d)).",
        ),
        answer=sequences_needed,
        given=(noncentrality_for,),
        check=_check_needed,
        checked="Checked for d from 0.1 to 0.01 at 1, 3 and 63 degrees of freedom, give or take one sequence.\n"
        "Not checked: biases of a known shape; these may need fewer.",
    ),
    Exercise(
        id="09b",
        title="a rule that cries wolf",
        task='Write false_alarm(p, n): how often the rule "fail if TV is 0.01 or more" fails a right verifier.',
        hints=(
            "With two tokens the total variation is |k / n - p|. k is binomial.",
            "Add up the binomial probabilities of all k that fail.",
            "scipy.stats.binom.pmf(np.arange(n + 1), n, p), summed where abs(k / n - p) >= 0.01.",
        ),
        answer=false_alarm,
        check=_check_false_alarm,
        checked="Checked for n from 1 to 30,001, to six digits.\n"
        "Not checked: more than two tokens, where the rule is worse still.",
    ),
)
