"""Exercises of notebook 03: the leading run, the row of the last token, and a whole verifier."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...auditing.statistics.chi_square import chi_square, count_cells
from ...models.generate import generate
from ...types import Array
from ..checking.compare import TEACHING, compare, whole
from ..checking.exercise import Answer, Exercise, NeedsWork, show
from ..checking.line_count import refuse_loops

SEQUENCES = 6000
"""Enough for a bonus drawn from the wrong row, the faintest of the common faults (TV .084), to be seen in 999 runs of 1,000."""


def count_kept(marks, num_draft):
    """Drafts kept in each row, shape [B]. marks [B, K] is True where a test passed; marks at i >= num_draft[b] are padding."""
    is_draft = np.arange(marks.shape[1]) < num_draft[:, None]
    return np.cumprod(marks & is_draft, axis=1).sum(axis=1)


def _check_count(answer: Answer) -> None:
    cases: list[tuple[Any, ...]] = [(np.zeros((0, 2), bool), np.zeros(0, int)), (np.zeros((1, 0), bool), np.array([0]))]
    for K in (1, 2, 3):
        for bits in range(2**K):
            marks = np.array([[bool(bits >> i & 1) for i in range(K)]])
            cases += [(marks, np.array([n])) for n in range(K + 1)]
    rng = np.random.default_rng(0)
    cases += [(rng.random((B, 4)) < 0.7, rng.integers(0, 5, B)) for B in (2, 3, 20)]
    compare(answer, "marks num_draft", cases, count_kept)
    refuse_loops(answer, lambda B: (np.tile([True, True, False, True], (B, 1)), np.full(B, 4)))


def final_law(kept, num_draft):
    """A pair: the row of p (0, 1, ...) that the last token is drawn from, and True if from its residual, False
    if from p itself."""
    return kept, kept < num_draft


def _check_final(answer: Answer) -> None:
    answer.names = ("kept", "num_draft")
    for n in range(5):
        for k in range(n + 1):
            got = answer(k, n)
            wanted = final_law(k, n)
            try:
                row, is_residual = got
            except (TypeError, ValueError):
                row = is_residual = None
            if not whole(row) or not (isinstance(is_residual, (bool, np.bool_)) or whole(is_residual)):
                raise NeedsWork(answer.tell((k, n), wanted, got, "expected a pair (row of p, residual or not)"))
            if (row, bool(is_residual)) != wanted:
                raise NeedsWork(answer.tell((k, n), wanted, got))


def verify_one(draft, q, p, rng):
    """The kept drafts and one more token, as a list. draft has n tokens (n may be 0), q is [n, V], p is [n + 1, V]."""
    for i, x in enumerate(draft):
        if not rng.random() * q[i][x] < p[i][x]:
            owed = np.maximum(p[i] - q[i], 0)
            return [*draft[:i], int(rng.choice(len(owed), p=owed / owed.sum()))]
    return [*draft, int(rng.choice(p.shape[1], p=p[len(draft)]))]


def _one(answer: Answer, draft: list[int], q: Array, p: Array, rng: np.random.Generator) -> list[int]:
    case = (draft, q, p, rng)
    got = answer(*case)
    try:
        tokens = list(got)
    except TypeError:
        tokens = [None]
    if not all(whole(token) for token in tokens):
        raise NeedsWork(answer.tell(case, note=f"expected a list of tokens, your function returned {show(got)}"))
    tokens = [int(token) for token in tokens]
    kept = tokens[:-1]
    if not 1 <= len(tokens) <= len(draft) + 1 or kept != list(draft[: len(kept)]) or not 0 <= tokens[-1] < p.shape[1]:
        raise NeedsWork(answer.tell(case, "the kept drafts and one more token", tokens))
    return tokens


def _check_verifier(answer: Answer) -> None:
    answer.names = ("draft", "q", "p", "rng")
    rng = np.random.default_rng(0)
    first, second = np.eye(2)
    corners: list[tuple[Any, ...]] = [
        ([], np.zeros((0, 2)), second[None], [1], "no draft: the bonus comes from p[0]"),
        ([0], first[None], np.array([second, first]), [1], "p(x) = 0: rejected, and the residual is token 1"),
        ([0], first[None], np.array([first, second]), [0, 1], "kept for sure, then the bonus from p[1]"),
        ([0, 0], np.array([first] * 2), np.array([second, first, first]), [1], "nothing follows a rejection"),
        ([0, 1], np.array([first, second]), np.array([first, first, second]), [0, 0], "the residual of position 1"),
    ]
    for draft, q, p, wanted, note in corners:
        got = _one(answer, draft, q, p, rng)
        if got != wanted:
            raise NeedsWork(answer.tell((draft, q, p, rng), wanted, got, note))
    _check_law(answer)


def _check_law(answer: Answer) -> None:
    def lifted(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        assert q is not None
        tokens, n_out = np.full((len(draft), draft.shape[1] + 1), -1), np.zeros(len(draft), np.int64)
        for b, n in enumerate(num_draft.tolist()):
            row = _one(answer, draft[b, :n].tolist(), q[b, :n], p[b, : n + 1], rng)
            tokens[b, : len(row)], n_out[b] = row, len(row)
        return tokens, n_out

    rng = np.random.default_rng(0)
    run = generate(TEACHING, lifted, length=3, K=2, n=SEQUENCES, rng=rng)
    test = chi_square(count_cells(run.sequences, 4), TEACHING.joint_law(3))
    if not test.passed:
        raise NeedsWork(
            f"{SEQUENCES} sequences of 3 tokens at K = 2, teaching chain\nexpected  chi-square up to {test.cut:.1f}\n"
            f"got       {test.statistic:.1f}: the law that comes out is not the target's (TV about {test.total_variation:.3f})"
        )
    mean, error, wanted = run.tokens_per_round, run.tokens_per_round_error, TEACHING.tokens_per_round(2)
    if abs(mean - wanted) > 3.3 * error:  # 3.3 standard errors: 0.1% of right verifiers
        raise NeedsWork(
            f"the law is right, the speed is not\nexpected  {wanted:.3f} tokens per round at K = 2\ngot       {mean:.3f}"
        )


EXERCISES = (
    Exercise(
        id="03a",
        title="the leading run",
        task="Write count_kept(marks, num_draft): for each row of a batch the number of drafts that are kept, without "
        "a loop over rows.",
        hints=(
            "The sum of the marks is wrong: a mark behind the first False must not count.",
            "A running product (or running minimum) along the row stays 1 until the first False and is 0 from there on.",
            "np.cumprod(marks & (np.arange(K) < num_draft[:, None]), axis=1).sum(axis=1).",
        ),
        answer=count_kept,
        check=_check_count,
        checked="Checked on all patterns of up to 3 marks with every num_draft, on an empty batch, K = 0, and three "
        "ragged batches;\n"
        "and that more rows run no more lines of Python. Not checked: speed.",
    ),
    Exercise(
        id="03b",
        title="where the last token comes from",
        task="Write final_law(kept, num_draft): which row of p the last token comes from, and whether from its residual.",
        hints=(
            "kept drafts stand at positions 0 to kept - 1. At which position does the last token stand?",
            "It stands at position kept, in both cases. What tells a rejection from a round in which all were kept?",
            "The row is kept; it is a residual if kept < num_draft.",
        ),
        answer=final_law,
        check=_check_final,
        checked="Checked: every kept and num_draft up to 4.\nNot checked: nothing else is asked.",
    ),
    Exercise(
        id="03c",
        title="the whole verifier",
        task="Write verify_one(draft, q, p, rng): one row, from the drafts to the list of tokens that come out.",
        hints=(
            "A loop over the drafts, as in 00b, with a fresh rng.random() for each. Two ways lead out of the loop.",
            "On the first rejection the last token comes from max(0, p[i] - q[i]), normalised; after the loop, from p[n].",
            "rng.choice(V, p=law) draws a token; return [*draft[:i], token].",
        ),
        answer=verify_one,
        check=_check_verifier,
        checked=f"Checked: five corners; {SEQUENCES:,} sequences of 3 tokens at K = 2 against the exact law,\n"
        "and the tokens per round (a right verifier fails in 2 of 1,000 seeds, all in all).\n"
        "Not checked: the strict < (that is 02a), bad input, large vocabularies, and biases whose total variation on\n"
        "sequences of 3 tokens is below about 0.07.",
    ),
)
