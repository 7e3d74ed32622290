import pytest

from specviz.explorers.widgets.bars import DistributionBars
from specviz.explorers.widgets.distribution import move_one


def test_a_distribution_is_checked_and_kept_to_the_last_bit():
    """An answer that differs in the last bit would pull a bar back that is being dragged."""
    control = DistributionBars("p", [0.25] * 4, "ABCD", "#000000")
    control.value = sent = tuple(move_one([0.5, 0.3, 0.15, 0.05], 0, 0.51).tolist())
    assert control.value == sent
    control.value = (0.1, 0.2, 0.3, 0.4000001)
    assert sum(control.value) == pytest.approx(1, abs=1e-15)
    with pytest.raises(ValueError, match="sums to 2"):
        control.value = (0.5,) * 4
    with pytest.raises(ValueError, match="expected 4 probabilities"):
        control.value = (0.5, 0.5)
