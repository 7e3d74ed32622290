"""Exercise 07a: a verifier for ragged batches, and what holds for any such verifier. The wrapper is in `ex07_engine`."""

from __future__ import annotations

import numpy as np

from specviz import sample_rows

from ...auditing.statistics.chi_square import chi_square, count_cells
from ...models.generate import generate
from ...rules.contract import Verifier
from ...types import Array
from ..checking.compare import TEACHING, as_verifier
from ..checking.exercise import Answer, Exercise, NeedsWork
from ..checking.line_count import refuse_loops

N = 40_000
LENGTHS = (0.2, 0.3, 0.5)
ALPHA = 0.001


def verify(draft, q, p, num_draft, rng):
    """tokens [B, K + 1], padded with -1, and n_out [B]. draft [B, K], q [B, K, V], p [B, K + 1, V], num_draft [B].

    Beyond num_draft[b] everything is padding: draft may be -1, q and p may be NaN."""
    B, K = draft.shape
    row = np.arange(B)
    is_draft = np.arange(K) < num_draft[:, None]
    x = np.where(is_draft, draft, 0)[..., None]
    q_x, p_x = (np.take_along_axis(d[:, :K], x, axis=2)[..., 0] for d in (q, p))
    kept = (rng.random((B, K)) * q_x < p_x) & is_draft
    n = np.cumprod(kept, axis=1).sum(axis=1)
    law = p[row, n]
    rejected = n < num_draft
    owed = np.maximum(law[rejected] - q[row[rejected], n[rejected]], 0)
    law[rejected] = owed / owed.sum(axis=1, keepdims=True)
    tokens = np.full((B, K + 1), -1)
    tokens[:, :K] = np.where(np.arange(K) < n[:, None], draft, -1)
    tokens[row, n] = sample_rows(law, rng)
    return tokens, n + 1


def _padded() -> list[tuple[Array, ...]]:
    """Rows whose result is certain, K = 2: padding -1 and NaN, then a batch of all of them."""
    a, b, hole = [1.0, 0.0], [0.0, 1.0], [np.nan, np.nan]
    rows = [
        ([-1, -1], [hole, hole], [b, hole, hole], 0, [1, -1, -1]),
        ([0, -1], [a, hole], [a, b, hole], 1, [0, 1, -1]),
        ([0, -1], [a, hole], [b, a, hole], 1, [1, -1, -1]),
        ([0, 1], [a, b], [a, b, a], 2, [0, 1, 0]),
        ([0, 0], [a, a], [b, a, a], 2, [1, -1, -1]),
    ]
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    return [tuple(c[i : i + 1] for c in columns) for i in range(len(rows))] + [tuple(columns)]


def _check_corners(answer: Answer, verifier: Verifier) -> None:
    rng = np.random.default_rng(0)
    none = verifier(np.zeros((0, 2), int), np.zeros((0, 2, 2)), np.zeros((0, 3, 2)), np.zeros(0, int), rng)
    assert len(none[1]) == 0
    for draft, q, p, num_draft, wanted in _padded():
        tokens, n_out = verifier(draft, q, p, num_draft, rng)
        if not np.array_equal(tokens, wanted) or not np.array_equal(n_out, (wanted >= 0).sum(axis=1)):
            row = int(np.argmax((tokens != wanted).any(axis=1) | (n_out != (wanted >= 0).sum(axis=1))))
            case = (draft[row], q[row], p[row], num_draft[row], rng)
            good = f"tokens {wanted[row].tolist()}, n_out {(wanted[row] >= 0).sum()}"
            raise NeedsWork(answer.tell(case, good, f"tokens {tokens[row].tolist()}, n_out {n_out[row]}"))


def check_batch(answer: Answer) -> None:
    """Check a verifier's corners, its law, and its tokens per round."""
    verifier = as_verifier(answer)
    _check_corners(answer, verifier)
    for K in (LENGTHS, 2):
        run = generate(TEACHING, verifier, length=3, K=K, n=N, rng=np.random.default_rng(0))
        test = chi_square(count_cells(run.sequences, TEACHING.V), TEACHING.joint_law(3), alpha=ALPHA / 2)
        what = "0 to 2 drafts a row" if K is LENGTHS else "2 drafts a row"
        if not test.passed:
            raise NeedsWork(
                f"{N:,} sequences of 3 tokens, {what}\nexpected  chi-square up to {test.cut:.1f}\n"
                f"got       {test.statistic:,.1f}: not the target's law (TV about {test.total_variation:.3f})"
            )
        wanted = TEACHING.tokens_per_round(K)
        if abs(run.tokens_per_round - wanted) > 3.5 * run.tokens_per_round_error:
            raise NeedsWork(
                f"{what}: the law is right, so that this is lossless, but it is another rule than the token rule\n"
                f"expected  {wanted:.3f} tokens per round\ngot       {run.tokens_per_round:.3f}"
            )


def _check_vectorised(answer: Answer) -> None:
    check_batch(answer)
    refuse_loops(answer, _rows)


def _rows(B: int) -> tuple[object, ...]:
    """Rows of two drafts whose laws are random; the number of drafts is 0, 1, 2, 0, ..."""
    rng = np.random.default_rng(0)
    q, p = rng.dirichlet(np.ones(4), (B, 2)), rng.dirichlet(np.ones(4), (B, 3))
    return rng.integers(0, 4, (B, 2)), q, p, np.arange(B) % 3, rng


CHECKED = (
    f"Checked: padding of -1 and NaN, rows without drafts, an empty batch; {N:,} sequences of 3 tokens, ragged and not, against\n"
    "the exact law, and the tokens per round (a right verifier fails in 2 of 1,000 seeds, all in all).\n"
)

EXERCISES = (
    Exercise(
        id="07a",
        title="a ragged batch",
        task="Write verify(draft, q, p, num_draft, rng) for a whole batch, without a loop over its rows.",
        hints=(
            "Mask first: put draft 0 at padding before you index with it, and never let its mark count.",
            "n is the leading run of the marks (03a). The last token of row b comes from p[b, n[b]], minus q there if "
            "n < num_draft.",
            "np.take_along_axis gives p(x) and q(x); p[row, n] gives [B, V]; use np.where on the rejected rows, then "
            "sample_rows.",
        ),
        answer=verify,
        check=_check_vectorised,
        checked=CHECKED
        + "More rows run no more lines of Python. Not checked: what stands behind n_out in long batches, speed, float32, and\n"
        "large vocabularies.",
    ),
)
