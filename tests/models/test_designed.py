import numpy as np
import pytest

from specviz.models.designed import CHAIN_A, CHAINS, RAGGED
from specviz.probability import residual


def test_chain_a():
    assert CHAIN_A.overlap == pytest.approx([0.8, 0.85, 0.55, 0.45, 0.8])
    assert CHAIN_A.tokens_per_round(3) == pytest.approx(2.6816, abs=5e-5)


@pytest.mark.parametrize(("name", "owed"), [("A", [2, 2, 1, 2, 2]), ("B", [1, 1, 1, 1, 2])])
def test_what_each_context_owes(name, owed):
    pair = CHAINS[name]
    assert (residual(pair.target, pair.drafter) > 0).sum(axis=1).tolist() == owed


def test_ragged():
    assert sum(RAGGED) == pytest.approx(1)


@pytest.mark.parametrize("pair", CHAINS.values(), ids=CHAINS)
def test_no_two_contexts_are_alike(pair):
    assert pair.target.shape == (5, 4)
    assert len({row.tobytes() for row in np.vstack([pair.target, pair.drafter])}) == 10
    assert min(pair.target.min(), pair.drafter.min()) > 0.04, "every token can follow every other"
