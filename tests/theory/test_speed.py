import numpy as np
import pytest

from specviz import best_draft_length, expected_tokens, speedup, survival


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
