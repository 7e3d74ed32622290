import pickle

import numpy as np
import pytest
from cases import cases
from hypothesis import given

from specviz import verify
from specviz.rules.contract import ContractError, Verified, as_array, check_result

NUM_DRAFT = np.array([2, 0, 1])
TOKENS = np.array([[1, 0, 3], [2, -1, -1], [0, 1, -1]])
N_OUT = np.array([3, 1, 2])


def check(result):
    return check_result(result, NUM_DRAFT, K=2, V=4)


class Tensor:
    """Refuses to be read before it is detached and fetched, as a tensor with a gradient on another device does."""

    def __init__(self, values, ready=()):
        self.values, self.ready = values, ready

    def detach(self):
        return Tensor(self.values, (*self.ready, "detach"))

    def cpu(self):
        return Tensor(self.values, (*self.ready, "cpu"))

    def numpy(self):
        assert self.ready == ("detach", "cpu")
        return np.array(self.values)

    def __array__(self, *args, **kwargs):
        raise TypeError("call numpy() first")


@pytest.mark.parametrize(
    "form",
    [
        lambda tokens, n_out: Verified(tokens, n_out),
        lambda tokens, n_out: [tokens.tolist(), n_out.tolist()],
        lambda tokens, n_out: (Tensor(tokens), Tensor(n_out)),
        lambda tokens, n_out: (tokens.astype(np.int32), n_out.astype(np.uint8)),
    ],
    ids=["arrays", "lists", "tensors", "narrow integers"],
)
def test_every_form_of_a_right_result_becomes_int64(form):
    tokens, n_out = check(form(TOKENS, N_OUT))
    assert tokens.tolist() == TOKENS.tolist()
    assert n_out.tolist() == N_OUT.tolist()
    assert tokens.dtype == n_out.dtype == np.int64


def test_nothing_is_copied_without_need():
    tokens, n_out = check((TOKENS, N_OUT))
    assert tokens is TOKENS
    assert n_out is N_OUT


@given(cases())
def test_results_of_the_rule_pass_unchanged(case):
    out = verify(*case, np.random.default_rng(0))
    assert check_result(out, case.num_draft, case.draft.shape[1], case.p.shape[2])[0] is out.tokens


def changed(array, index, value):
    array = array.copy()
    array[index] = value
    return array


@pytest.mark.parametrize(
    ("result", "part", "row", "message"),
    [
        (None, "shape", None, r"the verifier returned NoneType; expected two arrays: tokens \[B, K \+ 1\], n_out \[B\]"),
        ((TOKENS, N_OUT, N_OUT), "shape", None, "the verifier returned tuple; expected two arrays"),
        (
            (TOKENS[:, :2], N_OUT),
            "shape",
            None,
            r"returned shapes \(3, 2\) and \(3,\); expected tokens \(3, 3\) and n_out \(3,\)",
        ),
        (
            (TOKENS, N_OUT[:, None]),
            "shape",
            None,
            r"returned shapes \(3, 3\) and \(3, 1\); expected tokens \(3, 3\) and n_out \(3,\)",
        ),
        (([[1], [1, 2], [1]], N_OUT), "shape", None, "returned tokens of different lengths; expected rows padded with -1"),
        ((TOKENS.astype(float), N_OUT), "shape", None, "returned tokens of dtype float64; expected integers"),
        ((TOKENS, N_OUT > 1), "shape", None, "returned n_out of dtype bool; expected integers"),
        ((TOKENS, changed(N_OUT, 1, 0)), "values", 1, r"the verifier's n_out\[1\] is 0; expected 1 to num_draft \+ 1 = 1"),
        ((TOKENS, changed(N_OUT, 2, 3)), "values", 2, r"the verifier's n_out\[2\] is 3; expected 1 to num_draft \+ 1 = 2"),
        (
            (changed(TOKENS, (0, 2), 4), N_OUT),
            "values",
            0,
            r"the verifier's tokens\[0, 2\] is 4; expected a token id from 0 to 3",
        ),
        ((changed(TOKENS, (2, 1), -1), N_OUT), "values", 2, r"tokens\[2, 1\] is -1; expected a token id from 0 to 3"),
    ],
)
def test_a_broken_contract_is_named(result, part, row, message):
    with pytest.raises(ContractError, match=message) as caught:
        check(result)
    assert isinstance(caught.value, ValueError)
    assert (caught.value.part, caught.value.row) == (part, row)


def test_what_stands_behind_n_out_is_not_looked_at():
    assert check((np.where(TOKENS < 0, 99, TOKENS), N_OUT)).tokens[1].tolist() == [2, 99, 99]


def test_an_empty_batch_needs_no_types():
    tokens, n_out = check_result((np.empty((0, 3)), []), np.empty(0, int), K=2, V=4)
    assert tokens.shape == (0, 3)
    assert tokens.dtype == n_out.dtype == np.int64


def test_the_limit_goes_by_the_name_that_the_caller_gives_it():
    with pytest.raises(ContractError, match=r"expected 1 to depth \+ 1 = 3"):
        check_result((TOKENS, N_OUT + 1), NUM_DRAFT, K=2, V=4, limit="depth")


def test_the_error_leaves_out_its_subject_for_callers_that_have_one_and_travels():
    error = pickle.loads(pickle.dumps(ContractError("n_out[1] is 9; expected 1", "values", 1)))
    assert str(error) == "the verifier's n_out[1] is 9; expected 1"
    assert (error.finding, error.part, error.row) == ("n_out[1] is 9; expected 1", "values", 1)


def test_as_array_fetches_a_tensor():
    assert as_array(Tensor([1, 2])).tolist() == [1, 2]
