import numpy as np
import pytest
from cases import (
    Scripted,
    assert_round_is_lossless,
    at_thresholds,
    cases,
    emitted,
    random_case,
    random_contexts,
    uniforms_by_name,
    with_padding,
)
from hypothesis import given
from hypothesis import strategies as st

from specviz import match_target
from specviz.rules.match import match_row
from specviz.uniforms import GivenUniforms

seeds = st.integers(0, 2**32 - 1)


@given(case=cases(), seed=seeds, fill=st.sampled_from([np.nan, 0.0, -1.0, 7.0]))
def test_shapes_zeros_and_padding(case, seed, fill):
    plain, padded = (match_target(*c, np.random.default_rng(seed)) for c in (case, with_padding(case, fill)))
    assert np.array_equal(plain.tokens, padded.tokens)
    for b, tokens in enumerate(emitted(plain)):
        assert 1 <= len(tokens) <= case.num_draft[b] + 1
        assert all(case.p[b, i, x] > 0 for i, x in enumerate(tokens))


def test_the_vectorised_rule_is_the_scalar_program():
    """10,000 ragged rows with uniforms at and beside every threshold: the same tokens."""
    rng = np.random.default_rng(0)
    B, K, V = 10_000, 3, 4
    case = random_case(rng, B, K, V)
    u, final = at_thresholds(match_row, case, rng)
    out = match_target(*case, Scripted(np.column_stack([u, final])))
    for b, tokens in enumerate(emitted(out)):
        n = case.num_draft[b]
        named = GivenUniforms(uniforms_by_name(u[b], final[b]))
        assert tokens == match_row(case.draft[b, :n].tolist(), case.q[b, :n].tolist(), case.p[b, : n + 1].tolist(), named)


@pytest.mark.parametrize(("V", "seed"), [*((2, seed) for seed in range(8)), (3, 9)])
def test_lossless_by_exact_integration(V, seed):
    assert_round_is_lossless(match_row, *random_contexts(np.random.default_rng(seed), V=V, K=2), V=V, K=2)


def test_q_is_not_used():
    case = random_case(np.random.default_rng(0), 50, 3, 4)
    with_q, without_q = (match_target(case.draft, q, case.p, case.num_draft, np.random.default_rng(1)) for q in (case.q, None))
    assert np.array_equal(with_q.tokens, without_q.tokens)
