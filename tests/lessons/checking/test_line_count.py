"""A loop over rows is seen by the lines of Python that it runs."""

import sys

import numpy as np
import pytest

import specviz
from specviz.lessons import check
from specviz.lessons.checking.exercise import Answer, NeedsWork
from specviz.lessons.checking.line_count import FEW, MANY, LineCounter, refuse_loops


def rows(B):
    return (np.ones((B, 3)),)


def for_loop(x):
    total = 0
    for row in x:
        total += row[0]
    return total


def helper(x):
    return sum(map(first, x))


def first(row):
    return row[0]


@pytest.mark.parametrize(
    "loop", [for_loop, helper, lambda x: sum([row[0] for row in x]), lambda x: max(x, key=lambda row: row[0])]
)
def test_a_loop_over_rows_is_refused(loop):
    with pytest.raises(NeedsWork, match=rf"there is a loop over rows: {FEW} rows take \d+ lines of Python, {MANY} rows take \d+"):
        refuse_loops(Answer(loop, 2.0), rows)


def over_positions(x):
    return [x[:, i].sum() for i in range(x.shape[1])]


@pytest.mark.parametrize("whole", [lambda x: x.sum(), over_positions])
def test_as_many_lines_for_any_number_of_rows_are_no_loop(whole):
    refuse_loops(Answer(whole, 2.0), rows)


def test_the_answer_is_itself_again_afterwards():
    answer = Answer(for_loop, 2.0)
    with pytest.raises(NeedsWork):
        refuse_loops(answer, rows)
    assert answer.student is for_loop


def test_lines_are_counted_and_the_tracer_is_put_back():
    tracer = sys.gettrace()
    counter = LineCounter(for_loop)
    assert counter(np.ones((5, 1))) == 5
    assert counter.lines == 1 + (5 + 1) + 5 + 1
    with pytest.raises(TypeError):
        counter()
    assert sys.gettrace() is tracer


def loop_over_positions(draft, q, p, num_draft, rng):
    """A right answer to 07a that goes from position to position, all rows at a time."""
    B, K = draft.shape
    tokens, n, going = np.full((B, K + 1), -1), np.zeros(B, int), np.ones(B, bool)
    for i in range(K):
        live = np.flatnonzero(going & (i < num_draft))
        if len(live):
            x = draft[live, i]
            kept = rng.random(len(live)) * q[live, i, x] < p[live, i, x]
            tokens[live[kept], i] = x[kept]
            n[live[kept]] += 1
            refused = live[~kept]
            if len(refused):
                owed = np.maximum(p[refused, i] - q[refused, i], 0)
                tokens[refused, i] = specviz.sample_rows(owed / owed.sum(axis=1, keepdims=True), rng)
                going[refused] = False
    whole = np.flatnonzero(going)
    if len(whole):
        tokens[whole, n[whole]] = specviz.sample_rows(p[whole, n[whole]], rng)
    return tokens, n + 1


def test_a_verifier_with_a_loop_over_positions_is_correct():
    assert check("07a", loop_over_positions).state == "correct"
