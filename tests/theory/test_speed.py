import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz import MarkovPair, best_draft_length, expected_tokens, generate, speedup, survival, verify_block
from specviz.exact.chain import ExactLaws
from specviz.models.designed import CHAIN_A, RAGGED
from specviz.rules.block import verify_block_row
from specviz.theory.speed import block_tokens_per_round


def test_numbers_of_the_course():
    assert expected_tokens(0.7, 3) == pytest.approx(2.533)
    assert expected_tokens(0.7, 3) - survival(0.7, 3) == pytest.approx(2.19), "without the bonus"
    assert best_draft_length(0.7, 0.1) == 4
    assert speedup(0.7, 4, 0.1) == pytest.approx(1.981, abs=5e-4)
    assert speedup(0.5, 3, 0.4) == pytest.approx(0.852, abs=5e-4)


def test_corners():
    assert expected_tokens([0, 1], 3).tolist() == [1, 4]
    assert expected_tokens(0.7, 0) == 1
    assert best_draft_length(0.2, 0.5) == 0, "drafting does not pay"
    assert best_draft_length(0.9, 0.0, most=9) == 9
    assert expected_tokens(0.5, np.uint8(255)) == pytest.approx(2)
    assert expected_tokens(0.7, np.arange(3)) == pytest.approx([1, 1.7, 2.19])
    assert expected_tokens(0.7, 5) == pytest.approx(survival(0.7, np.arange(6)).sum()), "the geometric sum"


@pytest.mark.parametrize(
    "call",
    [
        lambda: expected_tokens(1.1, 3),
        lambda: expected_tokens(np.nan, 3),
        lambda: expected_tokens(0.5, -1),
        lambda: expected_tokens(0.5, 2.5),
        lambda: speedup(0.5, 2, -0.1),
    ],
)
def test_bad_input(call):
    with pytest.raises(ValueError, match="expected"):
        call()


# ---- the block rule on a chain ---------------------------------------------------------------------------------------


def test_the_block_rule_s_tokens_per_round():
    pair = MarkovPair.teaching()
    assert block_tokens_per_round(pair, 3) == pytest.approx(2.756, abs=5e-4)
    assert pair.tokens_per_round(3) == pytest.approx(2.533)
    assert block_tokens_per_round(CHAIN_A, 3) == pytest.approx(2.7370, abs=5e-5)
    assert block_tokens_per_round(pair, [0.5, 0, 0, 0.5]) == pytest.approx(0.5 + 0.5 * block_tokens_per_round(pair, 3))
    assert block_tokens_per_round(pair, 0) == 1
    assert block_tokens_per_round(pair, 1) == pytest.approx(1.7), "one draft: the token rule"
    measured = generate(pair, verify_block, length=1, K=3, n=100_000, rng=np.random.default_rng(0))
    assert measured.tokens_per_round == pytest.approx(block_tokens_per_round(pair, 3), abs=4 * measured.tokens_per_round_error)


@pytest.mark.parametrize("K", [3, RAGGED])
def test_the_block_rule_s_mean_by_exact_integration(K):
    exact = ExactLaws(verify_block_row, CHAIN_A).tokens_per_round(K)
    assert block_tokens_per_round(CHAIN_A, K) == pytest.approx(float(exact), abs=1e-12)


def test_the_block_rule_gives_never_fewer_tokens_on_two_thousand_random_pairs():
    gains = []
    for seed in range(2000):
        pair, K = MarkovPair.random(2 + seed % 3, seed), 2 + seed % 2
        gains.append(block_tokens_per_round(pair, K) - pair.tokens_per_round(K))
    assert min(gains) >= -1e-12
    assert np.mean(gains) > 0.05


@given(st.integers(0, 2**32 - 1), st.integers(0, 3))
def test_the_block_rule_gives_never_fewer_tokens_in_ragged_batches_and_with_zeros(seed, K):
    rng = np.random.default_rng(seed)
    V = int(rng.integers(1, 5))
    target, drafter = rng.multinomial(12, rng.dirichlet(np.full(V, 0.5), (2, V + 1))) / 12
    pair, lengths = MarkovPair(target, drafter), rng.dirichlet(np.ones(K + 1))
    assert block_tokens_per_round(pair, lengths) >= pair.tokens_per_round(lengths) - 1e-12
