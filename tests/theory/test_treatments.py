import pytest

from specviz.theory.treatments import treatments


def test_treatments_are_the_three_sums():
    p, q = [0.6, 0.3, 0.1], [0.2, 0.5, 0.3]
    assert treatments(p, q) == pytest.approx((0.6, 0.6, 0.46, 0.3))
    assert treatments([p, p], [q, p]) == pytest.approx((0.8, 0.6, 0.46, 0.38))
    assert treatments(p, q, 1e-6) == pytest.approx((0, 1, 1, 0), abs=1e-9), "sharp: each side knows one token"
    assert treatments(p, q, 1e6) == pytest.approx((1, 1 / 3, 1 / 3, 1 / 3), abs=1e-4), "flat"
    with pytest.raises(ValueError, match="temperature is 0"):
        treatments(p, q, 0)
    with pytest.raises(ValueError, match=r"q\[0\] sums to 1\.5"):
        treatments(p, [0.5, 0.5, 0.5])
    with pytest.raises(ValueError, match="expected the same"):
        treatments(p, [0.5, 0.5])
