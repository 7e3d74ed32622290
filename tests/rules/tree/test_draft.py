"""Trees of drafts: their shapes, how siblings are drawn, and what is no tree."""

import numpy as np
import pytest

from specviz import DraftTree, tree_parents
from specviz.rules.tree.draft import draw_sibling


def test_depths_of_nodes_and_padding():
    tree = DraftTree([[1, 2, 3, 4]] * 2, [[-1, 0, 1, 0], [-1, -1, 99, -7]], "iid", [4, 2])
    assert tree.node_depth.tolist() == [[0, 1, 2, 3, 2], [0, 1, 1, 0, 0]]
    assert tree.depth.tolist() == [3, 1]
    assert tree.is_node.tolist() == [[True] * 4, [True, True, False, False]]
    assert tree.size == 4


def test_one_row_of_parents_stands_for_all():
    tree = DraftTree([[0, 1], [2, 3]], [-1, 0], "top k")
    assert tree.parents.tolist() == [[-1, 0]] * 2
    assert tree.num_nodes.tolist() == [2, 2]


def test_parents_level_by_level():
    assert (tree_parents((3,)) == -1).all()
    assert tree_parents((1, 2)).tolist() == [-1, 0, 0]
    with pytest.raises(ValueError, match="at least 1 child"):
        tree_parents((2, 0))


def test_independent_siblings_may_repeat():
    assert DraftTree([[0, 0]], [-1, -1], "iid").size == 2


def test_padding_is_no_sibling():
    assert DraftTree([[0, 0]], [-1, -1], "without replacement", [1]).depth.tolist() == [1]


def test_siblings_are_drawn_as_they_should_be():
    """Ordered pairs without replacement have law q(x) q(y) / (1 - q(x)); top k takes the likeliest, of equals the lowest id."""
    law, n = np.array([0.5, 0.3, 0.2]), 200_000
    rng = np.random.default_rng(0)
    first = draw_sibling(np.tile(law, (n, 1)), np.empty((n, 0), int), "without replacement", rng.random(n))
    second = draw_sibling(np.tile(law, (n, 1)), first[:, None], "without replacement", rng.random(n))
    exact = law[:, None] * law / (1 - law[:, None]) * (1 - np.eye(3))
    counts = np.bincount(3 * first + second, minlength=9).reshape(3, 3)
    assert counts / n == pytest.approx(exact, abs=0.005)
    assert (counts.diagonal() == 0).all()
    tied = np.array([[0.25, 0.25, 0.5, 0.0]])
    likeliest = [draw_sibling(tied, np.array([elder], int).reshape(1, -1), "top k", [0.0])[0] for elder in ([], [2], [2, 0])]
    assert likeliest == [2, 0, 1]
    with pytest.raises(ValueError, match=r"law\[0\] leaves nothing for one more sibling; expected more than 3 possible tokens"):
        draw_sibling(tied, [[2, 0, 1]], "without replacement", [0.5])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"tokens": [0, 1]}, r"tokens has shape \(2,\); expected \(B, N\)"),
        ({"tokens": [[0.0, 1.0], [1, 0]]}, "tokens has dtype float64; expected integers"),
        ({"parents": [-1, -1, 0]}, r"parents has shape \(3,\); expected \(2, 2\) or \(2,\)"),
        ({"parents": [[-1, 1], [-1, 0]]}, r"parents\[0, 1\] is 1; expected -1, the root, or a node before 1"),
        ({"parents": [[-1, 0], [-2, 0]]}, r"parents\[1, 0\] is -2"),
        ({"num_nodes": [2]}, r"num_nodes has shape \(1,\)"),
        ({"num_nodes": [2, 3]}, r"num_nodes\[1\] is 3; expected a number from 0 to N = 2"),
        ({"drawing": "greedy"}, "drawing is 'greedy'; expected one of 'iid', 'without replacement', 'top k'"),
        ({"tokens": [[0, 1], [1, 1]], "drawing": "top k"}, r"tokens\[1, 0\] and tokens\[1, 1\] are siblings and both 1"),
    ],
)
def test_what_is_no_tree(changed, message):
    with pytest.raises(ValueError, match=message):
        DraftTree(**({"tokens": [[0, 1], [1, 0]], "parents": [-1, -1], "drawing": "iid"} | changed))
