"""Exercises of notebook 03: the leading run, the law behind the last token, and a whole verifier for one row."""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..exercise import Wrong, call, example_of, from_function, same, show
from ..judges import row_by_row, same_joint_law


def count_kept(marks, num_draft):
    """Return the drafts kept in each row: marks [B, K] of 0 and 1, of which row b holds num_draft[b]; the rest is padding."""
    marks, num_draft = np.asarray(marks), np.asarray(num_draft)
    is_draft = np.arange(marks.shape[1]) < num_draft[:, None]
    return np.cumprod(marks * is_draft, axis=1).sum(axis=1)


def last_token(kept, num_draft):
    """Say what the last token of each row is drawn from: "p[2]" for a bonus there, "p[1] - q[1]" for a recovered token."""
    return [f"p[{n}]" if n == end else f"p[{n}] - q[{n}]" for n, end in zip(kept, num_draft)]


def verify_one(draft, q, p, rng):
    """Verify one row of n drafts, q [n][V] and p [n + 1][V]; return the tokens that come out, as a list."""
    for i, x in enumerate(draft):
        if not rng.random() * q[i][x] < p[i][x]:
            owed = np.maximum(np.subtract(p[i], q[i]), 0)
            return [*draft[:i], int(rng.choice(len(owed), p=owed / owed.sum()))]
    return [*draft, int(rng.choice(len(p[-1]), p=p[-1]))]


def _marks() -> Iterator[tuple[Any, ...]]:
    yield np.array([[1]]), np.array([1])
    yield np.array([[1]]), np.array([0])
    yield np.array([[0, 1]]), np.array([2])
    yield np.array([[1, 0, 1, 1]]), np.array([4])
    yield np.array([[1, 1, 1, 1]]), np.array([2])
    yield np.array([[1, 1], [0, 1], [1, 0]]), np.array([2, 2, 2])
    yield np.zeros((0, 3), int), np.zeros(0, int)
    rng = np.random.default_rng(0)
    for B, K in ((2, 3), (4, 4), (8, 5)):
        yield (rng.random((B, K)) < 0.7).astype(int), rng.integers(0, K + 1, B)


def _ends() -> Iterator[tuple[Any, ...]]:
    yield [0], [0]
    yield [1], [1]
    yield [0], [1]
    yield [2, 1], [2, 2]
    yield [0, 1, 2, 3], [3, 3, 3, 3]
    yield [2, 0, 3, 1], [2, 4, 4, 1]


def _row(answer: Any) -> None:
    one, half, other = [1.0, 0.0], [0.5, 0.5], [0.0, 1.0]
    certain = [
        ([], [], [other], [1]),
        ([0], [half], [other, one], [1]),
        ([0], [one], [one, other], [0, 1]),
        ([1, 0], [half, half], [other, one, other], [1, 0, 1]),
        ([0, 1], [half, half], [other, other, other], [1]),
    ]
    for draft, q, p, expected in certain:
        for seed in range(3):
            got = call(answer, draft, q, p, np.random.default_rng(seed))
            if not same(list(np.ravel(got)), expected):
                example = example_of(answer, (draft, q, p, np.random.default_rng(seed)))
                raise Wrong(f"{example}\n  expected {show(expected)}, whatever rng gives\n  got      {show(got)}")
    same_joint_law(row_by_row(answer), n=6_000)


EXERCISES = (
    from_function(
        "03a",
        "Count the drafts that are kept in each row of a ragged batch.",
        count_kept,
        (
            "Set the marks of the padding to 0 first.",
            "np.cumprod along a row stays 1 up to the first 0.",
            "np.cumprod(marks * (np.arange(K) < num_draft[:, None]), axis=1).sum(axis=1)",
        ),
        "right on 10 batches: one without rows, rows without drafts, padding full of ones. A loop would be right "
        "as well, and slower.",
        cases=_marks,
    ),
    from_function(
        "03b",
        "Say for each row which law its last token is drawn from.",
        last_token,
        (
            "Row i of p is the law behind the first i drafts.",
            "Fewer kept than drafted: a recovered token at position kept. As many: a bonus, at the same position.",
            'f"p[{n}]" if n == num_draft, else f"p[{n}] - q[{n}]", with n the number kept.',
        ),
        "right on 6 batches, short rows and rows without drafts among them.",
        cases=_ends,
    ),
    from_function(
        "03c",
        "Write the whole verifier for one row.",
        verify_one,
        (
            "Loop over the drafts, with a fresh uniform for each.",
            "At the first rejection return the drafts before it and one token from max(0, p[i] - q[i]), normalised.",
            "After the loop return all drafts and one token from p[n]. rng.choice(V, p=law) draws a token.",
        ),
        "five rows with one possible outcome, then 6,000 sequences of three tokens on the teaching chain, ragged,"
        " by a chi-square that fails a right "
        "verifier once in a million runs. A bias in total variation below about 0.08 may have gone unseen, and "
        "speed was not judged.",
        judge=_row,
        seconds=20,
    ),
)
