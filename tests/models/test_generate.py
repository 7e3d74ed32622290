import numpy as np
import pytest

from specviz import MarkovPair, generate, verify, verify_block
from specviz.auditing.statistics.chi_square import chi_square, count_cells
from specviz.models.designed import CHAIN_A
from specviz.models.generate import draft_round, spoil_padding

RAGGED = (0.1, 0.2, 0.2, 0.5)


def run(pair, verifier, K, n=60_000, length=3, seed=5):
    return generate(pair, verifier, length=length, K=K, n=n, rng=np.random.default_rng(seed))


@pytest.mark.parametrize("K", [0, 1, 2, 3, RAGGED])
@pytest.mark.parametrize("pair", [MarkovPair.teaching(), CHAIN_A], ids=["teaching", "chain A"])
def test_law_and_tokens_per_round(pair, K):
    made = run(pair, verify, K)
    assert made.sequences.shape == (60_000, 3)
    assert chi_square(count_cells(made.sequences, 4), pair.joint_law(3), alpha=1e-5).passed
    assert made.tokens_per_round == pytest.approx(pair.tokens_per_round(K), abs=5 * made.tokens_per_round_error + 1e-12)


def test_padding_is_poisonous():
    """A verifier that takes padding for drafts is seen: what lies beyond a row's drafts is plausible and wrong."""

    def ignores_num_draft(draft, q, p, num_draft, rng):
        tokens, n_out = verify(draft, q, p, np.full(len(draft), draft.shape[1]), rng)
        return tokens, np.minimum(n_out, num_draft + 1)

    assert not chi_square(count_cells(run(CHAIN_A, ignores_num_draft, RAGGED).sequences, 4), CHAIN_A.joint_law(3)).passed


def test_same_seed_same_result():
    first, second, other = (run(CHAIN_A, verify, RAGGED, n=100, seed=s) for s in (1, 1, 2))
    assert (first.sequences == second.sequences).all()
    assert (first.sequences != other.sequences).any()


def test_rounds_are_counted():
    made = run(MarkovPair.constant([0.5, 0.5], [0.5, 0.5]), verify, 1, n=50, length=6)
    assert (made.first_round == 2).all(), "p equal to q accepts every draft"
    assert (made.rounds == 3).all()


def test_block_rule_gives_more_tokens():
    assert run(MarkovPair.teaching(), verify_block, 3).tokens_per_round > 2.7


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (lambda d, q, p, n, rng: (np.zeros((len(d), 2), int), n + 1), "shapes"),
        (lambda d, q, p, n, rng: (np.zeros((len(d), 4), int), n + 2), r"n_out\[0\] is 5"),
        (lambda d, q, p, n, rng: (np.zeros((len(d), 4), int), n * 0), r"n_out\[0\] is 0"),
        (lambda d, q, p, n, rng: (np.full((len(d), 4), 4), n + 1), r"tokens\[0, 0\] is 4"),
    ],
)
def test_a_verifier_that_breaks_the_contract(broken, message):
    with pytest.raises(ValueError, match=message):
        run(CHAIN_A, broken, 3, n=10)


def test_bad_arguments():
    with pytest.raises(ValueError, match="length is 0"):
        run(CHAIN_A, verify, 3, length=0)
    with pytest.raises(ValueError, match="whole number"):
        run(CHAIN_A, verify, 2.5)


def test_what_lies_beyond_the_drafts_is_wrong_in_ids_and_in_laws():
    rng = np.random.default_rng(0)
    draft, q, p = draft_round(CHAIN_A, np.full(500, 4), 3, rng)
    spoiled = [a.copy() for a in (draft, q, p)]
    num_draft = rng.integers(0, 4, 500)
    spoil_padding(CHAIN_A, *spoiled, num_draft)
    for i in range(3):
        padding = num_draft <= i
        for before, after, at in zip((draft, q, p), spoiled, (i, i, i + 1), strict=True):
            assert np.array_equal(before[~padding, at], after[~padding, at])
            assert (before[padding, at] != after[padding, at]).any(axis=-1).all()
    assert np.array_equal(p[:, 0], spoiled[2][:, 0])
