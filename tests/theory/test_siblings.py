import numpy as np
import pytest

from specviz.theory.siblings import sibling_stages
from specviz.theory.transport import tree_acceptance

P, Q = (0.4, 0.3, 0.2, 0.1), (0.1, 0.3, 0.2, 0.4)


def test_stages_of_siblings():
    first, second, last = sibling_stages(P, Q, [3, 1], "iid")
    assert (first.kept, second.kept) == pytest.approx((0.25, 0))
    assert second.owed == pytest.approx([1, 0, 0, 0])
    assert last.law is None
    kept = sibling_stages(P, Q, [3, 1, 0], "without replacement")
    assert [stage.token for stage in kept] == [3, 1, 0], "A is kept for sure: no last draw"
    assert kept[1].law == pytest.approx([1 / 6, 1 / 2, 1 / 3, 0])
    assert kept[2].law == pytest.approx([1 / 3, 0, 2 / 3, 0])
    ranked = sibling_stages(P, Q, [0, 0], "top k")
    assert [stage.token for stage in ranked] == [3, 1, -1]
    assert ranked[1].kept == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match=r"siblings\[1\] is D, which cannot be drawn there"):
        sibling_stages(P, Q, [3, 3], "without replacement", names="ABCD")
    with pytest.raises(ValueError, match=r"siblings\[1\] is 1, which cannot be drawn there"):
        sibling_stages(P, (1.0, 0, 0, 0), [0, 0], "top k")


def test_what_is_owed_shrinks_from_stage_to_stage():
    """Not p less the law again: (9, 6) - (4, 4) twentieths make 5/7 and 2/7, less 1/5 each make 6/7 and 1/7."""
    stages = sibling_stages((0.45, 0.3, 0.15, 0.1), (0.2, 0.2, 0.25, 0.35), [3, 3], "iid")
    assert stages[1].owed == pytest.approx([5 / 7, 2 / 7, 0, 0])
    assert stages[2].owed == pytest.approx([6 / 7, 1 / 7, 0, 0])


def test_stages_add_up_to_the_acceptance():
    """Over all pairs of independent siblings: the first is kept, or the second is."""
    total = 0.0
    for x in range(4):
        for y in range(4):
            kept = [stage.kept for stage in sibling_stages(P, Q, [x, y], "iid") if stage.law is not None]
            total += Q[x] * Q[y] * (1 - np.prod([1 - k for k in kept]))
    assert total == pytest.approx(tree_acceptance(P, Q, 2, "iid")) == pytest.approx(0.73)


def test_siblings_of_equal_laws_are_kept():
    stages = sibling_stages((0.25,) * 4, (0.25,) * 4, [2, 1], "iid")
    assert [stage.kept for stage in stages] == [1]
