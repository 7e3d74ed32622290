import pickle

import numpy as np
import pytest
from cases import cases, random_case
from hypothesis import given

from specviz import audit, verify
from specviz.adapters import FromRow
from specviz.rules.contract import ContractError
from specviz.rules.token import verify_row
from specviz.uniforms import GivenUniforms

CASE = random_case(np.random.default_rng(3), B=4, K=2)


def row_rule(draft, q, p, num_draft, rng):
    tokens, n_out = verify(draft[None], None if q is None else q[None], p[None], [num_draft], rng)
    return tokens[0], n_out[0]


def scalar_rule(draft, q, p, num_draft, rng):
    return verify_row(draft[:num_draft].tolist(), q, p[: num_draft + 1], GivenUniforms(rng=rng))


def one_hot(draft, q, p, num_draft, rng):
    return verify_row(draft[:num_draft].tolist(), np.eye(len(p[0]))[draft], p[: num_draft + 1], GivenUniforms(rng=rng))


def row_by_row(case, rng):
    draft, q, p, num_draft = case
    rows = [row_rule(draft[b], None if q is None else q[b], p[b], num_draft[b], rng) for b in range(len(draft))]
    return [row[:n].tolist() for row, n in rows]


def emitted(result):
    return [row[:n].tolist() for row, n in zip(*result, strict=True)]


@given(cases())
def test_a_batch_gives_what_its_rows_give(case):
    expected = row_by_row(case, np.random.default_rng(1))
    assert emitted(FromRow(row_rule)(*case, np.random.default_rng(1))) == expected


@pytest.mark.parametrize(
    "answer",
    [
        lambda tokens, n: (tokens, n),
        lambda tokens, n: (tokens[:n], n),
        lambda tokens, n: (tokens[None], np.array([n])),
        lambda tokens, n: [tokens.tolist(), int(n)],
        lambda tokens, n: tokens[:n],
        lambda tokens, n: tokens[:n].tolist(),
        lambda tokens, n: tuple(tokens[:n].tolist()),
    ],
    ids=["pair", "cut", "batch of one", "lists", "array alone", "list alone", "tuple alone"],
)
def test_every_form_of_answer_is_read(answer):
    result = FromRow(lambda *row: answer(*row_rule(*row)))(*CASE, np.random.default_rng(1))
    assert emitted(result) == row_by_row(CASE, np.random.default_rng(1))
    assert (result.tokens[np.arange(3) >= result.n_out[:, None]] == -1).all()


def test_two_tokens_are_no_pair():
    result = FromRow(lambda *row: [3, 1])(*CASE._replace(num_draft=np.ones(4, int)), np.random.default_rng(0))
    assert emitted(result) == [[3, 1]] * 4


def test_a_deterministic_drafter_has_no_q():
    case = CASE._replace(q=None)
    assert emitted(FromRow(row_rule)(*case, np.random.default_rng(1))) == row_by_row(case, np.random.default_rng(1))


def test_a_row_gets_its_own_arrays_and_a_plain_number():
    seen = []
    case = CASE._replace(q=CASE.q.astype(np.float32), p=CASE.p.astype(np.float32))
    FromRow(lambda *row: seen.append(row) or row_rule(*row))(*case, np.random.default_rng(0))
    draft, q, p, num_draft, _ = seen[2]
    assert draft.tolist() == CASE.draft[2].tolist()
    assert q.dtype == p.dtype == np.float32
    assert (q.shape, p.shape) == ((2, 4), (3, 4))
    assert type(num_draft) is int
    assert num_draft == CASE.num_draft[2]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([0, 0, 0, 0], r"returned shapes \(4,\) and \(\) for row 0; expected at most K \+ 1 = 3 tokens, and a count"),
        (([0], [1, 1]), r"returned shapes \(1,\) and \(2,\) for row 0; expected at most K \+ 1 = 3 tokens, and a count"),
        (([0.5], 1), "returned tokens of dtype float64; expected integers"),
        (([0], 1.0), "returned n_out of dtype float64; expected integers"),
        ("ab", "returned tokens of dtype <U2; expected integers"),
        (None, "returned tokens of dtype object; expected integers"),
        ([], r"n_out\[0\] is 0; expected 1 to num_draft \+ 1"),
        ([4], r"tokens\[0, 0\] is 4; expected a token id from 0 to 3"),
        ([-1], r"tokens\[0, 0\] is -1; expected a token id from 0 to 3"),
    ],
)
def test_a_wrong_answer_is_named(answer, message):
    with pytest.raises(ContractError, match=message):
        FromRow(lambda *row: answer)(*CASE, np.random.default_rng(0))


def test_wrong_arguments_are_named():
    with pytest.raises(ValueError, match=r"draft has shape \(4, 1\); expected \(B, K\) = \(4, 2\)"):
        FromRow(row_rule)(*CASE._replace(draft=CASE.draft[:, :1]), np.random.default_rng(0))
    with pytest.raises(ValueError, match="function is 3; expected a callable"):
        FromRow(3)


@pytest.mark.parametrize(("verifier", "one_row"), [(FromRow(scalar_rule), False), (scalar_rule, True)])
def test_a_right_function_of_a_row_passes_an_audit(verifier, one_row):
    report = audit(verifier, one_row=one_row, budget="quick", progress=False)
    assert report.passed, report
    assert report.verifier == "scalar_rule"


def test_a_wrong_function_of_a_row_stays_wrong():
    """It takes a drafter that samples for one that is deterministic."""
    assert not audit(FromRow(one_hot), budget="quick", progress=False, stop_early=True).passed


def test_it_travels_and_goes_by_the_name_of_its_function():
    adapter = pickle.loads(pickle.dumps(FromRow(row_rule)))
    assert adapter == FromRow(row_rule)
    assert adapter.__name__ == "row_rule"
