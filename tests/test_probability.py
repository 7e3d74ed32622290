import numpy as np
import pytest
from cases import Scripted, wide_rows
from hypothesis import given
from hypothesis import strategies as st

from specviz import overlap, residual, sample_rows, total_variation
from specviz.inverse_cdf import LONG

BELOW_ONE = np.nextafter(1, 0)
P, Q = np.array([0.5, 0.3, 0.15, 0.05]), np.full(4, 0.25)


def test_overlap_and_total_variation():
    assert overlap(P, Q) == pytest.approx(0.70, abs=1e-15)
    assert total_variation(P, Q) == pytest.approx(0.30, abs=1e-15)
    assert overlap([P, Q], [Q, Q]).tolist() == pytest.approx([0.7, 1.0])


def test_residual():
    assert residual(P, Q) == pytest.approx([0.25 / 0.3, 0.05 / 0.3, 0, 0])
    assert residual(P, P) == pytest.approx(P), "nothing is owed: p itself"
    assert residual(P.astype(np.float32), Q.astype(np.float32)).dtype == np.float32


def test_rows_are_taken_one_by_one():
    p, q = [P, Q, P], [Q, P, P]
    assert total_variation(p, q) == pytest.approx([0.3, 0.3, 0])
    assert residual(p, q) == pytest.approx(np.array([[5 / 6, 1 / 6, 0, 0], [0, 0, 1 / 3, 2 / 3], P]))
    assert residual(P, [Q, P]).shape == (2, 4), "one law against many"


def test_wide_float32_rows_are_summed_in_float64():
    p, q = wide_rows()
    exact = np.minimum(p, q).astype(np.float64).sum()
    assert overlap(p, q) == pytest.approx(exact, rel=1e-12)
    owed = np.maximum(p - q, 0).astype(np.float64)
    assert residual(p, q) == pytest.approx(owed / owed.sum(), rel=1e-6)


@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_kept_and_owed_make_p(V, seed):
    p, q = np.random.default_rng(seed).dirichlet(np.full(V, 0.5), 2)
    alpha = overlap(p, q)
    assert np.minimum(p, q) + (1 - alpha) * residual(p, q) == pytest.approx(p, abs=1e-12)
    assert alpha + total_variation(p, q) == pytest.approx(1)


@pytest.mark.parametrize("V", [1, 4, 17, 300, LONG, LONG + 1, LONG + 700])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("u", [0.0, 0.3, BELOW_ONE])
def test_a_token_of_probability_zero_is_never_drawn(V, dtype, u):
    rng = np.random.default_rng(V)
    weights = rng.random((20, V)) * (rng.random((20, V)) < 0.3)
    weights[:, V // 2] = 1
    weights[:, [0, -1]] *= V == 1
    rows = (weights / weights.sum(axis=1, keepdims=True)).astype(dtype)
    tokens = sample_rows(rows, Scripted(np.full(20, u)))
    assert (rows[np.arange(20), tokens] > 0).all()


def test_sample_rows_keeps_the_shape_and_the_law():
    rng = np.random.default_rng(0)
    assert sample_rows(np.empty((0, 4)), rng).shape == (0,)
    assert sample_rows([[P, Q], [Q, P]], rng).shape == (2, 2)
    assert sample_rows(P, rng).shape == ()
    counts = np.bincount(sample_rows(np.tile(P, (100_000, 1)), rng), minlength=4)
    assert ((counts - 1e5 * P) ** 2 / (1e5 * P)).sum() < 16.27  # 3 degrees of freedom, upper 0.1%
    assert ((counts - 1e5 * Q) ** 2 / (1e5 * Q)).sum() > 16.27, "the negative control: another law is told apart"


@pytest.mark.parametrize(
    ("dist", "message"),
    [
        ([[0.5, np.nan]], r"dist\[0, 1\] is nan"),
        ([[0.5, 0.5], [1.5, -0.5]], r"dist\[1, 1\] is -0.5"),
        ([[0.5, 0.5], [0, 0]], r"dist\[1\] sums to 0"),
        ([[np.inf, 0]], r"dist\[0, 0\] is inf"),
        (np.array([[1]], np.float16), "float16"),
        (np.empty((3, 0)), "at least one token"),
        (1.0, r"dist has shape \(\)"),
        ([0.9], r"dist sums to 0.9; expected 1"),
    ],
)
def test_bad_rows(dist, message):
    with pytest.raises(ValueError, match=message):
        sample_rows(dist, np.random.default_rng(0))


def test_bad_rng_and_bad_vocabulary():
    with pytest.raises(ValueError, match="default_rng"):
        sample_rows([P], 3)
    for p, q in [(P, [0.5, 0.5]), (1.0, P), (P, 1.0), (1.0, 1.0)]:
        with pytest.raises(ValueError, match="same vocabulary"):
            overlap(p, q)


@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_overlap_is_never_above_one(V, seed):
    p = np.random.default_rng(seed).dirichlet(np.full(V, 0.5))
    assert overlap(p, p) <= 1


@pytest.mark.parametrize("call", [overlap, total_variation, residual])
def test_bad_entries_are_refused(call):
    with pytest.raises(ValueError, match=r"q\[0\] is nan"):
        call([0.5, 0.3, 0.2], [np.nan, 0.5, 0.5])
    with pytest.raises(ValueError, match=r"p\[1\] is -1"):
        call([2, -1], [0.5, 0.5])


def test_a_row_of_zeros_owes_nothing_and_is_no_law():
    for p in ([0, 0], [[0.5, 0.5], [0, 0]]):
        with pytest.raises(ValueError, match="sums to 0"):
            residual(p, [0.5, 0.5])
