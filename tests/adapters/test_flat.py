import pickle

import numpy as np
import pytest
from cases import cases, random_case
from hypothesis import given
from hypothesis import strategies as st

from specviz import audit, generate, sample_rows, verify
from specviz.adapters import FromFlat, ToFlat
from specviz.auditing.statistics.chi_square import chi_square, count_cells
from specviz.lessons.exercises.engine import engine_verify
from specviz.models.designed import CHAIN_A, RAGGED
from specviz.rules.contract import ContractError

CASE = random_case(np.random.default_rng(3), B=4, K=3)._replace(num_draft=np.array([1, 0, 2, 0]))
WITHOUT_Q = st.booleans()


def flattened(case, totals=np.int64):
    """The four flat arguments of a case, row by row."""
    draft, q, p, num_draft = case
    V = p.shape[2]
    target = [p[b, i] for b, n in enumerate(num_draft) for i in range(n + 1)]
    drafter = None if q is None else [q[b, i] for b, n in enumerate(num_draft) for i in range(n)]
    tokens = [draft[b, i] for b, n in enumerate(num_draft) for i in range(n)]
    return (
        np.array(target, p.dtype).reshape(-1, V),
        None if q is None else np.array(drafter, q.dtype).reshape(-1, V),
        np.array(tokens, np.int64),
        np.cumsum(num_draft, dtype=totals),
    )


def cut(case):
    """The case without the columns in which no row has a draft."""
    K = int(case.num_draft.max(initial=0))
    return case._replace(draft=case.draft[:, :K], q=None if case.q is None else case.q[:, :K], p=case.p[:, : K + 1])


@given(cases(), WITHOUT_Q)
def test_the_flat_arguments_are_the_rows_one_after_the_other(case, without_q):
    case = case._replace(q=None if without_q else case.q)
    seen = []
    FromFlat(lambda *flat: seen.append(flat) or ToFlat(verify)(*flat))(*case, np.random.default_rng(0))
    *arrays, _ = seen[0]
    for given_array, expected in zip(arrays, flattened(case, np.int32), strict=True):
        assert (given_array is None) == (expected is None)
        if expected is not None:
            assert np.array_equal(given_array, expected)
            assert given_array.dtype == expected.dtype


@given(cases(), WITHOUT_Q, st.sampled_from(["last", "probs"]))
def test_there_and_back_nothing_changes(case, without_q, bonus):
    case = case._replace(q=None if without_q else case.q)
    there_and_back = FromFlat(ToFlat(verify), bonus=bonus)(*case, np.random.default_rng(1))
    tokens, n_out = verify(*cut(case), np.random.default_rng(1))
    assert np.array_equal(there_and_back.n_out, n_out)
    assert np.array_equal(there_and_back.tokens[:, : tokens.shape[1]], tokens)
    assert (there_and_back.tokens[:, tokens.shape[1] :] == -1).all()


@given(cases(), st.sampled_from([np.int32, np.uint64, np.int64]))
def test_a_flat_call_gives_the_tokens_of_the_batch(case, totals):
    expected = verify(*cut(case), np.random.default_rng(2)).tokens
    assert np.array_equal(ToFlat(verify)(*flattened(case, totals), np.random.default_rng(2)), expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_types_of_numbers_are_kept(dtype):
    seen = []
    case = CASE._replace(q=CASE.q.astype(dtype), p=CASE.p.astype(dtype))
    FromFlat(ToFlat(lambda *batch: seen.append(batch) or verify(*batch)))(*case, np.random.default_rng(0))
    draft, q, p, num_draft, _ = seen[0]
    assert q.dtype == p.dtype == dtype
    assert draft.dtype == num_draft.dtype == np.int64


@pytest.mark.parametrize(("B", "K"), [(0, 3), (0, 0), (3, 0), (3, 2)])
def test_no_requests_and_no_drafts(B, K):
    rng = np.random.default_rng(0)
    case = random_case(rng, B, K)._replace(num_draft=np.zeros(B, int))
    tokens, n_out = FromFlat(ToFlat(verify))(*case, rng)
    assert tokens.shape == (B, K + 1)
    assert n_out.tolist() == [1] * B
    assert ToFlat(verify)(*flattened(case), rng).shape == (B, 1)


def drawn_beforehand(target_probs, draft_probs, draft_tokens_flat, cu_num_draft, generator, bonus_tokens):
    """A flat rule that is given its bonus tokens."""
    bonus_probs = np.eye(target_probs.shape[1])[bonus_tokens]
    return ToFlat(verify)(target_probs, draft_probs, draft_tokens_flat, cu_num_draft, generator, bonus_probs=bonus_probs)


def test_bonus_tokens_are_drawn_from_the_rows_behind_the_last_drafts():
    seen = []
    verifier = FromFlat(lambda *flat, **bonus: seen.append(bonus) or drawn_beforehand(*flat, **bonus), bonus="tokens")
    verifier(*CASE, np.random.default_rng(5))
    expected = sample_rows(CASE.p[np.arange(4), CASE.num_draft], np.random.default_rng(5))
    assert seen[0]["bonus_tokens"].tolist() == expected.tolist()


def test_a_rule_that_is_given_bonus_tokens_keeps_the_law():
    made = generate(
        CHAIN_A,
        FromFlat(drawn_beforehand, bonus="tokens"),
        length=3,
        K=RAGGED,
        n=20_000,
        rng=np.random.default_rng(0),
    )
    assert chi_square(count_cells(made.sequences, 4), CHAIN_A.joint_law(3), alpha=1e-5).passed


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda out: out[:, :-1], r"returned tokens of shape \(4, 2\); expected \(B, longest n \+ 1\) = \(4, 3\)"),
        (lambda out: out[:3], r"returned tokens of shape \(3, 3\); expected \(B, longest n \+ 1\) = \(4, 3\)"),
        (lambda out: (out, 1), "returned tokens of different lengths"),
        (lambda out: out.astype(float), "returned tokens of dtype float64; expected integers"),
        (lambda out: np.maximum(out, 0), r"n_out\[\d\] is 3; expected 1 to num_draft \+ 1"),
        (lambda out: out * 0 - 1, r"n_out\[0\] is 0; expected 1 to num_draft \+ 1"),
        (lambda out: np.full_like(out, -1) + (np.arange(3) == 1), r"tokens\[0, 0\] is -1; expected a token id from 0 to 3"),
        (lambda out: np.where(out == -1, -1, -2), r"tokens\[0, 0\] is -2; expected a token id from 0 to 3"),
        (lambda out: np.where(out == -1, -1, 4), r"tokens\[0, 0\] is 4; expected a token id from 0 to 3"),
    ],
)
def test_a_wrong_result_is_named(change, message):
    with pytest.raises(ContractError, match=message):
        FromFlat(lambda *flat: change(ToFlat(verify)(*flat)))(*CASE, np.random.default_rng(0))


FLAT = dict(zip(("target_probs", "draft_probs", "draft_tokens_flat", "cu_num_draft"), flattened(CASE), strict=True))
WHOLE = "for 4 requests with 3 drafts in all"
WRONG = [
    ({"target_probs": FLAT["target_probs"][1:]}, rf"target_probs has shape \(6, 4\); expected \(7, 4\) {WHOLE}"),
    ({"target_probs": np.ones(4)}, rf"target_probs has shape \(4,\); expected \(7, 4\) {WHOLE}"),
    ({"target_probs": FLAT["target_probs"].astype(np.float16)}, "target_probs has dtype float16; expected float32 or float64"),
    ({"draft_probs": FLAT["draft_probs"][1:]}, rf"draft_probs has shape \(2, 4\); expected \(3, 4\) {WHOLE}"),
    ({"draft_probs": FLAT["draft_probs"][:, 1:]}, rf"draft_probs has shape \(3, 3\); expected \(3, 4\) {WHOLE}"),
    ({"draft_tokens_flat": [0, 1]}, rf"draft_tokens_flat has shape \(2,\); expected \(3,\) {WHOLE}"),
    ({"draft_tokens_flat": [0.5, 1, 1]}, "draft_tokens_flat has dtype float64; expected integers"),
    (
        {"cu_num_draft": np.array([2, 1, 3, 3], np.uint64)},
        r"cu_num_draft is \[2, 1, 3, 3\]; expected running totals, which never fall",
    ),
    ({"cu_num_draft": [-1, 1, 3, 3]}, "expected running totals, which never fall"),
    ({"cu_num_draft": [[1, 1, 3, 3]]}, r"cu_num_draft has shape \(1, 4\); expected \(B,\): a running total for each request"),
    ({"cu_num_draft": [1.0, 1.0, 3.0, 3.0]}, "cu_num_draft has dtype float64; expected integers"),
]


@pytest.mark.parametrize("flat", [ToFlat(verify), engine_verify], ids=["ToFlat", "engine_verify"])
@pytest.mark.parametrize(("change", "message"), WRONG)
def test_wrong_arguments_are_named(flat, change, message):
    with pytest.raises(ValueError, match=message):
        flat(*{**FLAT, **change}.values(), np.random.default_rng(0))


def test_wrong_bonus_rows_are_named():
    apart = {**FLAT, "target_probs": FLAT["draft_probs"]}
    with pytest.raises(ValueError, match=rf"bonus_probs has shape \(3, 4\); expected \(4, 4\) {WHOLE}"):
        ToFlat(verify)(*apart.values(), np.random.default_rng(0), bonus_probs=FLAT["draft_probs"])
    with pytest.raises(ValueError, match=rf"target_probs has shape \(7, 4\); expected \(3, 4\) {WHOLE}"):
        ToFlat(verify)(*FLAT.values(), np.random.default_rng(0), bonus_probs=np.eye(4))
    with pytest.raises(ValueError, match="bonus is 'first'; expected one of 'last', 'probs', 'tokens'"):
        FromFlat(engine_verify, bonus="first")


def test_garbage_behind_n_out_becomes_padding():
    def untidy(*batch):
        tokens, n_out = verify(*batch)
        return np.where(tokens < 0, 3, tokens), n_out

    expected = ToFlat(verify)(*FLAT.values(), np.random.default_rng(0))
    assert np.array_equal(ToFlat(untidy)(*FLAT.values(), np.random.default_rng(0)), expected)


def test_a_right_engine_passes_an_audit():
    report = audit(FromFlat(engine_verify), budget="quick", progress=False)
    assert report.passed, report
    assert report.verifier == "engine_verify"


def bonus_of_the_next(target_probs, draft_probs, draft_tokens_flat, cu_num_draft, generator, bonus_probs):
    """Wrong: each request gets the bonus row of the next one."""
    return ToFlat(verify)(
        target_probs, draft_probs, draft_tokens_flat, cu_num_draft, generator, bonus_probs=np.roll(bonus_probs, 1, axis=0)
    )


def test_a_wrong_engine_stays_wrong():
    assert not audit(FromFlat(bonus_of_the_next, bonus="probs"), budget="quick", progress=False).passed


@pytest.mark.parametrize("adapter", [FromFlat(engine_verify, bonus="probs"), ToFlat(verify)])
def test_it_travels(adapter):
    assert pickle.loads(pickle.dumps(adapter)) == adapter
