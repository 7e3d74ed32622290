import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz import overlap
from specviz.theory.unit_square import kept_darts, kept_shares


@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_the_kept_area_is_the_overlap(V, seed):
    p, q = np.random.default_rng(seed).dirichlet(np.ones(V), 2)
    assert (q * kept_shares(p, q)).sum() == pytest.approx(overlap(p, q))


def test_a_column_without_width_keeps_nothing():
    assert kept_shares([0.5, 0.5], [0, 1]).tolist() == [0, 0.5]


def test_darts_are_kept_below_the_height_of_their_column():
    """Columns of A, C and D end at 0.25, 0.5 and 1; B has none. Their heights are 1, 0 and 0.8."""
    p, q = [0.3, 0.3, 0, 0.4], [0.25, 0, 0.25, 0.5]
    darts = [[0.1, 0.99], [0.25, 0.0], [0.49, 0.3], [0.5, 0.79], [0.99, 0.81], [1.0, 0.5]]
    assert kept_darts(p, q, darts).tolist() == [True, False, False, True, False, True]
