"""How rules read p and q, seen through `verify`: tile by tile, short rows or long, and what is read is checked."""

import tracemalloc

import numpy as np
import pytest
from cases import Scripted, emitted, random_case

from specviz import verify
from specviz.inverse_cdf import LONG

BELOW_ONE = np.nextafter(1, 0)


def rng_for(seed):
    return np.random.default_rng(seed)


def test_a_residual_without_mass_draws_from_p():
    """q exceeds p everywhere by rounding: a rejection leaves nothing owed."""
    p = np.array([[[0.5, 0.5], [1, 0]]])
    q = p[:, :1] * (1 + 1e-9)
    out = verify([[0]], q, p, [1], Scripted([BELOW_ONE], [0.75]))
    assert emitted(out) == [(1,)]


def test_rows_beyond_a_chunk_and_beyond_a_tile():
    case = random_case(rng_for(2), 40, 2, 3)
    many = [np.concatenate([a] * 500) for a in case]
    u = rng_for(3).random((40, 2)), rng_for(4).random(40)
    whole = np.tile(u[0], (500, 1)), np.tile(u[1], 500)
    chunks = [part for s in range(0, 20_000, 16384) for part in (whole[0][s : s + 16384], whole[1][s : s + 16384])]
    few, lots = verify(*case, Scripted(*u)), verify(*many, Scripted(*chunks))
    assert np.array_equal(np.tile(few.tokens, (500, 1)), lots.tokens)


@pytest.mark.parametrize("V", [40, 1000, LONG, LONG + 1, 70_000, 131_072])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_wide_vocabularies(V, dtype):
    """Tokens agree with the definition in float64, or else u lies within rounding of a boundary."""
    rng = rng_for(V)
    p, q = (rng.pareto(1.2, (2, 4, 3, V)) * (rng.random((2, 4, 3, V)) < 0.9)) + 1e-12
    p, q = ((d / d.sum(axis=-1, keepdims=True)).astype(dtype) for d in (p, q[:, :2]))
    draft = q.argmax(axis=-1)
    out = verify(draft, q, p, [0, 1, 2, 2], Scripted(u := rng.random((4, 2)), final := rng.random(4)))
    for b, tokens in enumerate(emitted(out)):
        i = len(tokens) - 1
        assert tokens[:-1] == tuple(draft[b, :i])
        owed = p[b, i].astype(float)
        if i < [0, 1, 2, 2][b]:
            assert u[b, i] * q[b, i, draft[b, i]] >= p[b, i, draft[b, i]]
            owed = np.maximum(owed - q[b, i], 0)
        below, above = owed[: tokens[i]].sum(), owed[: tokens[i] + 1].sum()
        assert owed[tokens[i]] > 0
        slack = 3e-7 if dtype == np.float32 else 1e-12
        assert below / owed.sum() - slack <= final[b] <= above / owed.sum() + slack


@pytest.mark.parametrize("contiguous", [True, False])
@pytest.mark.parametrize(("B", "K", "V"), [(100_000, 3, 4), (200, 3, 5000), (8, 3, 128_256)])
def test_extra_memory_does_not_grow_with_the_batch(B, K, V, contiguous):
    """No copy of p or q, 11 MB and more: beside the result a few tiles of 65,536 float32 numbers, with their indices."""
    p, q = np.full((B, K + 1, V), 1 / V, np.float32), np.full((B, K, V), 1 / V, np.float32)
    if not contiguous:
        p, q = p.transpose(1, 0, 2).copy().transpose(1, 0, 2), q.transpose(1, 0, 2).copy().transpose(1, 0, 2)
    draft, num_draft = np.zeros((B, K), int), np.full(B, K)
    verify(draft[:1], q[:1], p[:1], num_draft[:1], rng_for(0))
    tracemalloc.start()
    verify(draft, q, p, num_draft, rng_for(0))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak - 8 * B * (K + 2) < 3.5e6


def test_float32_and_mixed_precision():
    case = random_case(rng_for(5), 50, 3, 6)
    same = [
        verify(case.draft, case.q.astype(a), case.p.astype(b), case.num_draft, rng_for(6)).tokens
        for a in (np.float32, np.float64)
        for b in (np.float32, np.float64)
    ]
    assert all(np.array_equal(same[0], other) for other in same)


@pytest.mark.parametrize("V", [3, LONG + 5])
@pytest.mark.parametrize("name", ["p", "q"])
@pytest.mark.parametrize("value", [np.nan, -0.25])
def test_a_bad_entry_in_a_row_that_is_drawn_from_is_never_a_token(V, name, value):
    """The draft is rejected for sure, so that both rows are read in full; the bad entry is none that the accept test reads."""
    p, q = np.zeros((1, 2, V)), np.zeros((1, 1, V))
    p[..., 1] = q[..., 0] = 1
    (p if name == "p" else q)[0, 0, V - 1] = value
    with pytest.raises(ValueError, match=rf"{name}\[0, 0, {V - 1}\] is {value}"):
        verify([[0]], q, p, [1], rng_for(0))


def test_an_infinite_row_is_refused():
    p, q = np.array([[[0.0, np.inf], [0.5, 0.5]]]), np.array([[[1.0, 0.0]]])
    with pytest.raises(ValueError, match="row 0, position 0"):
        verify([[0]], q, p, [1], rng_for(0))


def test_rows_are_named_beyond_the_first_chunk():
    B = 20_000
    p, draft = np.full((B, 2, 2), 0.5), np.zeros((B, 1), int)
    p[18_500, 0] = np.nan
    with pytest.raises(ValueError, match=r"p\[18500, 0, 0\] is nan"):
        verify(draft, np.full((B, 1, 2), 0.5), p, np.ones(B, int), rng_for(0))
