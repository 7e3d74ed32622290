"""Numbers of the block rule: how many tokens it gives, and what its wrong versions do to the law."""

from fractions import Fraction
from functools import cache, partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz import MarkovPair, generate, verify_block
from specviz.models.designed import CHAIN_A, RAGGED
from specviz.rules.block import verify_block_row
from specviz.theory.misreport import sequence_law
from specviz.theory.speed import block_tokens_per_round
from specviz.uniforms import integrate


def rows_of(side):
    return [[Fraction(round(20 * x), 20) for x in row] for row in side]


A_TARGET, A_DRAFTER = rows_of(CHAIN_A.target), rows_of(CHAIN_A.drafter)


@cache
def round_law(program, lengths, start):
    """Law of a round on chain A, drafts integrated; the program is told the drafter's law at the bonus position as well."""
    law = {}
    for n, share in enumerate(lengths):
        for draft in product(range(4), repeat=n):
            states = (start, *draft)
            mass = Fraction(share).limit_denominator(100)
            for state, x in zip(states, draft, strict=False):
                mass *= A_DRAFTER[state][x]
            p, q = [A_TARGET[s] for s in states], [A_DRAFTER[s] for s in states]
            for tokens, probability in integrate(partial(program, draft, q, p)).items() if mass else ():
                law[tokens] = law.get(tokens, 0) + mass * probability
    return law


def right(draft, q, p, u):
    return verify_block_row(draft, q[: len(draft)], p, u)


def inner_formula_at_the_end(draft, q, p, u, K=3):
    """In a row that holds fewer than K drafts the last sub-block is judged as if another draft came behind it."""
    n = len(draft)
    if n == K:
        return right(draft, q, p, u)
    w, kept = [Fraction(1)], 0
    for i, x in enumerate(draft):
        w.append(min(1, w[i] * p[i][x] / q[i][x]))
        m = sum(max(0, w[-1] * p_y - q_y) for p_y, q_y in zip(p[i + 1], q[i + 1], strict=True))
        kept = i + 1 if w[-1] == 1 or u.less(i, m + 1 - w[-1], m) else kept
    weights = [max(0, w[kept] * p_y - q_y) for p_y, q_y in zip(p[kept], q[kept], strict=True)] if kept < n else p[n]
    return (*draft[:kept], u.choose("final", weights if any(weights) else p[kept]))


def token_residual(draft, q, p, u):
    """Sub-blocks are judged rightly; the replacement comes from the token rule's residual."""

    class Watched:
        less = staticmethod(u.less)

        @staticmethod
        def choose(name, weights):
            return ("owed", weights)

    *kept, (_, weights) = verify_block_row(draft, q[: len(draft)], p, Watched)
    i = len(kept)
    if i < len(draft):
        weights = [max(0, p_y - q_y) for p_y, q_y in zip(p[i], q[i], strict=True)]
    return (*kept, u.choose("final", weights if any(weights) else p[i]))


@pytest.mark.parametrize(
    ("program", "lengths", "length", "bias"),
    [
        (right, RAGGED, 3, 0),
        (inner_formula_at_the_end, RAGGED, 3, 0.0869),
        (inner_formula_at_the_end, RAGGED, 4, 0.0991),
        (inner_formula_at_the_end, (0, 0, 0, 1), 3, 0),
        (token_residual, (0, 0, 0, 1), 3, 0.0016),
        (token_residual, (0, 0, 0, 1), 4, 0.0032),
    ],
)
def test_exact_bias_of_whole_sequences_on_chain_a(program, lengths, length, bias):
    law = sequence_law(lambda state: round_law(program, lengths, state), CHAIN_A.start, length, 4)
    assert np.abs(law - CHAIN_A.joint_law(length)).sum() / 2 == pytest.approx(bias, abs=5e-5 if bias else 1e-12)


def test_tokens_per_round_of_the_course():
    pair = MarkovPair.teaching()
    assert block_tokens_per_round(pair, 3) == pytest.approx(2.756, abs=5e-4)
    assert pair.tokens_per_round(3) == pytest.approx(2.533)
    assert block_tokens_per_round(CHAIN_A, 3) == pytest.approx(2.7370, abs=5e-5)
    assert block_tokens_per_round(pair, [0.5, 0, 0, 0.5]) == pytest.approx(0.5 + 0.5 * block_tokens_per_round(pair, 3))
    assert block_tokens_per_round(pair, 0) == 1
    assert block_tokens_per_round(pair, 1) == pytest.approx(1.7), "one draft: the token rule"
    measured = generate(pair, verify_block, length=1, K=3, n=100_000, rng=np.random.default_rng(0))
    assert measured.tokens_per_round == pytest.approx(block_tokens_per_round(pair, 3), abs=4 * measured.tokens_per_round_error)


def test_tokens_per_round_by_exact_integration():
    law = round_law(right, (0, 0, 0, 1), 4)
    exact = sum(len(tokens) * mass for tokens, mass in law.items())
    assert block_tokens_per_round(CHAIN_A, 3) == pytest.approx(float(exact), abs=1e-12)
    law = round_law(right, RAGGED, 4)
    assert block_tokens_per_round(CHAIN_A, RAGGED) == pytest.approx(float(sum(len(t) * m for t, m in law.items())), abs=1e-12)


def test_a_round_keeps_at_least_i_drafts_with_the_mean_weight():
    """Why it pays: P(kept >= i) is the mean of w_i, which no lossless rule can exceed; so the mean is 1 plus their sum."""
    law = round_law(right, (0, 0, 0, 1), 4)
    for i in (1, 2, 3):
        weights = Fraction(0)
        for draft in product(range(4), repeat=i):
            mass, w = Fraction(1), Fraction(1)
            for state, x in zip((4, *draft), draft, strict=False):
                mass *= A_DRAFTER[state][x]
                w = min(1, w * A_TARGET[state][x] / A_DRAFTER[state][x])
            weights += mass * w
        assert sum(mass for tokens, mass in law.items() if len(tokens) > i) == weights


def test_never_fewer_tokens_on_two_thousand_random_pairs():
    gains = []
    for seed in range(2000):
        pair, K = MarkovPair.random(2 + seed % 3, seed), 2 + seed % 2
        gains.append(block_tokens_per_round(pair, K) - pair.tokens_per_round(K))
    assert min(gains) >= -1e-12
    assert np.mean(gains) > 0.05


@given(st.integers(0, 2**32 - 1), st.integers(0, 3))
def test_never_fewer_tokens_in_ragged_batches_and_with_zeros(seed, K):
    rng = np.random.default_rng(seed)
    V = int(rng.integers(1, 5))
    target, drafter = rng.multinomial(12, rng.dirichlet(np.full(V, 0.5), (2, V + 1))) / 12
    pair, lengths = MarkovPair(target, drafter), rng.dirichlet(np.ones(K + 1))
    assert block_tokens_per_round(pair, lengths) >= pair.tokens_per_round(lengths) - 1e-12
