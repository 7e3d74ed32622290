import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz import MarkovPair, expected_tokens
from specviz.models.designed import CHAIN_A


def test_teaching_chain():
    pair = MarkovPair.teaching()
    assert pair.overlap == pytest.approx(np.full(4, 0.7))
    assert ((pair.target - pair.drafter > 1e-12).sum(axis=1) == 2).all(), "two tokens are owed in every state"
    assert pair.tokens_per_round(3) == pytest.approx(2.533)
    assert pair.tokens_per_round(3) == pytest.approx(expected_tokens(0.7, 3))


def test_a_chain_with_unequal_overlaps_and_a_start_state():
    assert CHAIN_A.start == 4
    assert CHAIN_A.overlap == pytest.approx([0.8, 0.85, 0.55, 0.45, 0.8])
    assert CHAIN_A.tokens_per_round(3) == pytest.approx(2.6816, abs=5e-5)


def test_joint_law_by_hand():
    law = CHAIN_A.joint_law(3)
    assert law.shape == (4, 4, 4)
    assert law.sum() == pytest.approx(1)
    assert law[0, 1, 2] == pytest.approx(8 / 20 * 10 / 20 * 3 / 20)
    assert CHAIN_A.joint_law(1) == pytest.approx(CHAIN_A.target[4])


def test_ragged_tokens_per_round_is_the_mixture():
    by_length = [CHAIN_A.tokens_per_round(K) for K in range(4)]
    assert CHAIN_A.tokens_per_round([0.1, 0.2, 0.2, 0.5]) == pytest.approx(np.dot([0.1, 0.2, 0.2, 0.5], by_length))
    assert by_length[0] == 1


def test_misreported_drafter():
    greedy = MarkovPair.teaching().with_drafter(np.eye(4)[MarkovPair.teaching().drafter.argmax(axis=1)])
    assert greedy.tokens_per_round(3) == pytest.approx(2.134, abs=5e-4)


@given(st.integers(1, 5), st.integers(0, 1000), st.integers(0, 3))
def test_random_pairs_are_lawful(V, seed, K):
    pair = MarkovPair.random(V, seed)
    assert pair.joint_law(2).sum() == pytest.approx(1)
    assert 1 <= pair.tokens_per_round(K) <= K + 1 + 1e-9


def test_pairs_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        MarkovPair.teaching().target[0, 0] = 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MarkovPair(np.full((2, 3), 1 / 3), np.full((2, 3), 1 / 3)), r"target has shape \(2, 3\)"),
        (lambda: MarkovPair(np.eye(2), np.ones((2, 2))), r"drafter\[0\] sums to 2"),
        (lambda: MarkovPair(np.eye(2), np.eye(3)), "one shape"),
        (lambda: MarkovPair(np.eye(2), np.eye(2), start=2), "start is 2"),
        (lambda: CHAIN_A.joint_law(0), "length is 0"),
        (lambda: CHAIN_A.tokens_per_round(-1), "K is -1"),
        (lambda: CHAIN_A.tokens_per_round([0.5, 0.4]), "K sums to 0.9"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_rows_are_normalised():
    pair = MarkovPair([[0.6, 0.3995]] * 2, [[0.5, 0.5]] * 2)
    assert pair.joint_law(3).sum() == pytest.approx(1, abs=1e-12)
    assert CHAIN_A.tokens_per_round([0, 0.9995]) == pytest.approx(CHAIN_A.tokens_per_round(1))
    with pytest.raises(ValueError, match=r"start is 0\.5"):
        MarkovPair(np.eye(2), np.eye(2), start=0.5)
