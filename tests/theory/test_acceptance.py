"""Acceptance along a path, held against the block rule's own program and against exact sums."""

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz import MarkovPair
from specviz.rules.block import verify_block_row
from specviz.rules.token import verify_row
from specviz.theory.acceptance import block_acceptance, block_weights, kept_by_block_rule, kept_by_token_rule, token_acceptance
from specviz.theory.speed import block_tokens_per_round
from specviz.uniforms import integrate

P, Q = (0.6, 0.3, 0.1), (0.2, 0.5, 0.3)


def constant(draft, q=Q, p=P):
    K = len(draft)
    return [draft], np.tile(q, (1, K, 1)), np.tile(p, (1, K + 1, 1))


def test_the_path_of_the_course():
    assert block_weights(*constant([1, 0, 0]))[0] == pytest.approx([1, 0.6, 1, 1])
    assert token_acceptance(*constant([1, 0, 0]))[0] == pytest.approx([0.6, 1, 1])
    assert block_acceptance(*constant([1, 0, 0]))[0] == pytest.approx([0.16 / 0.56, 1, 1])
    assert block_acceptance(*constant([1, 2, 0]))[0] == pytest.approx([0.16 / 0.56, 0, 0.6])
    assert kept_by_token_rule([0.6, 1, 0.5]) == pytest.approx([0.6, 0.6, 0.3])
    assert kept_by_block_rule([0.2, 0, 0.5]) == pytest.approx([0.6, 0.5, 0.5])


@given(st.integers(0, 2**32 - 1), st.integers(1, 3))
def test_kept_is_what_the_programs_keep(seed, K):
    """The law of the number of drafts kept, integrated over the uniforms of both rules, rows with zeros among them."""
    rng = np.random.default_rng(seed)
    V = int(rng.integers(1, 4))
    q, p = rng.multinomial(12, np.full(V, 1 / V), (2, K + 1))
    draft = [int(rng.choice(np.flatnonzero(row))) for row in q[:K]]
    exact = [[Fraction(int(x), 12) for x in row] for row in q[:K]], [[Fraction(int(x), 12) for x in row] for row in p]
    arrays = [draft], [q[:K] / 12], [p / 12]
    kept = kept_by_token_rule(token_acceptance(*arrays)[0]), kept_by_block_rule(block_acceptance(*arrays)[0])
    for program, expected in zip((verify_row, verify_block_row), kept, strict=True):
        law = integrate(partial(program, draft, *exact))
        at_least = [float(sum(mass for tokens, mass in law.items() if len(tokens) > i)) for i in range(1, K + 1)]
        assert at_least == pytest.approx(expected.tolist(), abs=1e-12)


@given(st.integers(0, 2**32 - 1))
def test_over_all_paths_it_is_the_exact_mean(seed):
    pair, K = MarkovPair.random(3, seed), 3
    draft = np.array(list(product(range(3), repeat=K)))
    states = np.concatenate([np.full((27, 1), pair.start), draft], axis=1)
    q, p = pair.drafter[states[:, :K]], pair.target[states]
    mass = np.take_along_axis(q, draft[..., None], 2)[..., 0].prod(axis=1)
    block = kept_by_block_rule(block_acceptance(draft, q, p)).sum(axis=1)
    token = kept_by_token_rule(token_acceptance(draft, q, p)).sum(axis=1)
    assert 1 + mass @ block == pytest.approx(block_tokens_per_round(pair, K))
    assert 1 + mass @ token == pytest.approx(pair.tokens_per_round(K))


def test_no_drafts_and_bad_input():
    assert block_weights(np.empty((2, 0), int), np.empty((2, 0, 3)), np.ones((2, 1, 3)) / 3).tolist() == [[1], [1]]
    with pytest.raises(ValueError, match=r"expected \(N, K\), \(N, K, V\), \(N, K \+ 1, V\)"):
        block_weights([[0, 1]], [[[1.0, 0.0]]], [[[1.0, 0.0]]])
    with pytest.raises(ValueError, match=r"q\[0, 1, 2\] is 0.0; expected above 0, since draft\[0, 1\] was drawn from it"):
        block_weights(*constant([0, 2], q=(0.5, 0.5, 0.0)))
