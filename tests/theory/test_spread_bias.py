import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz.theory.spread_bias import spread_bias


def test_the_hardest_bias_has_the_smallest_divergence():
    law, biased = spread_bias(32, 0.02)
    assert np.abs(biased - law).sum() / 2 == pytest.approx(0.02)
    assert ((biased - law) ** 2 / law).sum() == pytest.approx(4 * 0.02**2)
    with pytest.raises(ValueError, match="expected an even number"):
        spread_bias(3, 0.02)


@given(st.integers(1, 20), st.integers(0, 2**32 - 1))
def test_no_bias_of_the_same_distance_has_a_smaller_divergence(half, seed):
    law = np.full(2 * half, 1 / (2 * half))
    other = np.random.default_rng(seed).dirichlet(np.ones(2 * half))
    tv = np.abs(other - law).sum() / 2
    if tv <= 0.5:
        _, biased = spread_bias(2 * half, tv)
        assert ((biased - law) ** 2 / law).sum() <= ((other - law) ** 2 / law).sum() + 1e-12
