"""Exercises of notebook 06: name the bug, and fool the first-token test. Fooling the test at K = 3 is in `ex06_bonus`."""

from __future__ import annotations

import numpy as np

from specviz import residual, sample_rows

from ...auditing.statistics.chi_square import ChiSquare, chi_square, count_cells
from ...models.generate import generate
from ...rules.contract import Verifier
from ..checking.compare import TEACHING, as_verifier
from ..checking.exercise import Answer, Exercise, NeedsWork, show
from .suspects import GAUGES, MEASURED, NAMES, SUSPECT_NAMES, measure, names

N = 40_000
ALPHA = 0.001


def _check_names(answer: Answer) -> None:
    given = answer()
    given = given.tolist() if isinstance(given, np.ndarray) else given
    if not isinstance(given, (list, tuple)) or len(given) != len(NAMES):
        raise NeedsWork(f"expected a list of {len(NAMES)} names, got {show(given)}")
    for i, name in enumerate(given):
        if name not in SUSPECT_NAMES:
            raise NeedsWork(f"suspects[{i}]: {name!r} is no name to choose from; expected one of {', '.join(SUSPECT_NAMES)}")
    wrong = [i for i, name in enumerate(given) if name != NAMES[i]]
    if wrong:
        i = wrong[0]
        claimed, seen = measure(given[i]), measure(NAMES[i])
        at = int(np.argmax(np.abs(np.subtract(claimed, seen))))
        raise NeedsWork(
            f"{len(NAMES) - len(wrong)} of {len(NAMES)} are right. Look at suspects[{i}], {MEASURED:,} sequences:\n{GAUGES[at]}\n"
            f"expected  {claimed[at]:.3f}, if it were {given[i]}\ngot       {seen[at]:.3f}"
        )


def fool(draft, q, p, num_draft, rng):
    """tokens [B, K + 1] (padded with -1) and n_out [B]: wrong, but with the right law of the first token.
    num_draft is K in every row."""
    B, K = draft.shape
    row = np.arange(B)
    x = draft[..., None]
    q_x, p_x = (np.take_along_axis(d[:, :K], x, axis=2)[..., 0] for d in (q, p))
    u = np.repeat(rng.random((B, 1)), K, axis=1)
    n = np.cumprod(u * q_x < p_x, axis=1).sum(axis=1)
    last = p[:, K].copy()
    rejected = n < K
    last[rejected] = residual(p[row, n], q[row, np.minimum(n, K - 1)])[rejected]
    tokens = np.where(np.arange(K + 1) < n[:, None], np.pad(draft, ((0, 0), (0, 1))), -1)
    tokens[row, n] = sample_rows(last, rng)
    return tokens, n + 1


def _test(verifier: Verifier, *, length: int, K: int) -> ChiSquare:
    run = generate(TEACHING, verifier, length=length, K=K, n=N, rng=np.random.default_rng(0))
    return chi_square(count_cells(run.sequences, TEACHING.V), TEACHING.joint_law(length), alpha=ALPHA)


def must_fool(answer: Answer, weak: tuple[int, int], weak_name: str) -> None:
    """Check a verifier that passes a weak test, of so many tokens at some K, and is caught by three tokens at K = 2."""
    verifier: Verifier = as_verifier(answer)
    generate(TEACHING, verifier, length=3, K=2, n=1, rng=np.random.default_rng(0))  # the smallest call first
    length, K = weak
    passes = _test(verifier, length=length, K=K)
    if not passes.passed:
        raise NeedsWork(
            f"the weak test caught it: {weak_name}, {N:,} sequences\nexpected  chi-square up to {passes.cut:.1f}\n"
            f"got       {passes.statistic:,.1f}"
        )
    strong = _test(verifier, length=3, K=2)
    if strong.passed:
        raise NeedsWork(
            f"it passes {weak_name}, but it passes the joint test at K = 2 too: is it wrong at all?\n"
            f"expected  chi-square above {strong.cut:.1f} for three tokens at K = 2\ngot       {strong.statistic:.1f}"
        )


def _check_first(answer: Answer) -> None:
    must_fool(answer, (1, 2), "the first-token test")


RATE = f"(false-alarm rate {ALPHA} each). Not checked: ragged batches; every row holds K drafts here."

EXERCISES = (
    Exercise(
        id="06a",
        title="name the bug",
        task="Five verifiers are in specviz.lessons.suspects. Give the list of their five names, out of "
        "specviz.lessons.SUSPECT_NAMES.",
        hints=(
            "Measure each: first token, three tokens at K = 2, three at K = 3, tokens per round. Which of the gauges move?",
            "A clean law: then compare the tokens per round with 2.533. A clean first token, a wrong joint law: look "
            "at K = 3 as well.",
            "Fault by fault: the table of notebook 06 has the four numbers of each name; find the row that matches.",
        ),
        answer=names,
        check=_check_names,
        checked="Checked: all five names.\nNot checked: whether you measured or guessed.",
        value=True,
    ),
    Exercise(
        id="06b",
        title="fool the first-token test",
        task="Write a wrong verifier that passes a test of the first token, and is caught by one of three tokens.",
        hints=(
            "The first token only sees the test at position 0 and its replacement. What comes after is yours to spoil.",
            "Take a right verifier and let the positions share what should be fresh for each.",
            "One uniform for the whole row: u = np.repeat(rng.random((B, 1)), K, axis=1).",
        ),
        answer=fool,
        check=_check_first,
        checked=f"Checked at K = 2 on the teaching chain, {N:,} sequences: chi-square of the first token passes, that of "
        "three tokens does not\n"
        f"{RATE}",
    ),
)
