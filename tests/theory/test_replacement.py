import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz.theory.replacement import verified_law


@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_the_residual_restores_p_and_p_itself_does_not(V, seed):
    p, q = np.random.default_rng(seed).dirichlet(np.ones(V), 2)
    assert verified_law(p, q) == pytest.approx(p)
    assert verified_law(p, q, "p") == pytest.approx(np.minimum(p, q) + (1 - np.minimum(p, q).sum()) * p)


def test_the_law_of_a_replacement_from_p():
    assert verified_law([0.6, 0.3, 0.1], [0.2, 0.5, 0.3], "p") == pytest.approx([0.44, 0.42, 0.14])
    assert verified_law([0.4, 0.3, 0.2, 0.1], [0.1, 0.3, 0.2, 0.4], "p") == pytest.approx([0.22, 0.39, 0.26, 0.13])


def test_grouped_tokens_restore_p_as_well():
    assert verified_law([0.5, 0.5], [0.2, 0.8], kept=[0.2, 0.3]) == pytest.approx([0.5, 0.5])


def test_another_source_is_refused():
    with pytest.raises(ValueError, match="replacement is 'q'; expected 'residual' or 'p'"):
        verified_law([0.5, 0.5], [0.5, 0.5], "q")
