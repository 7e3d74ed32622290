"""What is owed from one rejection to the next, in numbers: short rows, held to the same as long ones."""

import numpy as np
import pytest
from cases import Scripted
from tree_cases import all_drawings, row_of

from specviz import DraftTree, verify_tree
from specviz.inverse_cdf import LONG
from specviz.rules.tree.rule import verify_tree_row
from specviz.uniforms import GivenUniforms

BELOW_ONE = np.nextafter(1, 0)


@pytest.mark.parametrize("V", [3, LONG + 5])
def test_two_hundred_rejections_in_float32(V):
    """What is owed shrinks to 0.3 with each: it is scaled up again and does not run out. After the first only token 0 is owed."""
    p, q = np.zeros(V, np.float32), np.zeros(V, np.float32)
    p[:3], q[:3] = [0.85, 0.15, 0], [0.7, 0.2, 0.1]
    lengths = np.arange(60, 201)
    tree = DraftTree(np.full((len(lengths), 200), 2), np.full(200, -1), "iid", lengths)
    q, p = (np.broadcast_to(row, (len(lengths), 201, V)) for row in (q, p))
    u = np.full((len(lengths), 201), 0.9)
    assert verify_tree(tree, q, p, Scripted(u)).tokens[:, 0].tolist() == [0] * len(lengths)


@pytest.mark.parametrize("V", [3, LONG + 5])
def test_scaling_up_changes_no_ratio(V):
    """Tokens 0 and 1 are owed nearly alike, and every rejection makes the difference 3.3 times as large: as in the program."""
    nodes = np.arange(14, 24)
    p, q = np.zeros((len(nodes), 24, V)), np.zeros((len(nodes), 24, V))
    p[..., :2], q[..., :3] = [0.5 + 1e-11, 0.5 - 1e-11], [0.35, 0.35, 0.3]
    tree, u = DraftTree(np.full((len(nodes), 23), 2), np.full(23, -1), "iid", nodes), np.full((len(nodes), 24), 0.6)
    out = verify_tree(tree, q, p, Scripted(u))
    named = {("accept", j): 0.6 for j in range(23)} | {"final": 0.6}
    expected = [verify_tree_row(*row_of(tree, q, p, b), GivenUniforms(named), "iid")[0] for b in range(len(nodes))]
    assert out.tokens[:, 0].tolist() == expected
    assert expected == sorted(expected, reverse=True)
    assert set(expected) == {0, 1}


def test_a_confident_drafter_in_float32():
    """q is all but one-hot; what is left of it after the rejection is summed, not taken as 1 - q, which keeps no digit."""
    p, q = np.array([[[0, 0.5, 0.5]] * 3], np.float32), np.array([[[1, 2e-8, 6e-8]] * 3], np.float32)
    tree = DraftTree([[0, 1]], [-1, -1], "without replacement")
    for u, kept in ((0.99, True), (0.0, True)):  # law of the second: (0, .25, .75), owed (0, .5, .5): 1 is always kept
        assert (verify_tree(tree, q, p, Scripted([0.5, u, 0.5])).path[0, 0] == 1) == kept
    tree = DraftTree([[0, 2]], [-1, -1], "without replacement")
    for u, kept in ((0.66, True), (0.67, False)):  # 2 is kept with probability .5 / .75
        assert (verify_tree(tree, q, p, Scripted([0.5, u, 0.5])).path[0, 0] == 1) == kept


def test_a_residual_without_mass_is_p_again():
    p = np.array([[[0.5, 0.5]] * 3])
    tree = DraftTree([[0, 1]], [-1, -1], "iid")
    out = verify_tree(tree, p * (1 + 1e-9), p, Scripted([BELOW_ONE, BELOW_ONE, 0.75]))
    assert out.tokens.tolist() == [[1, -1]]


@pytest.mark.parametrize("V", [3, LONG + 5])
def test_after_a_residual_without_mass_a_rejected_sibling_stays_out_of_q(V):
    """By rounding 0 is rejected and p stays; the next draft comes from (0, .6, .4), and its rejection leaves only token 0."""
    q = np.zeros((1, 3, V))
    q[..., :3] = [0.5, 0.3, 0.2]
    tree = DraftTree([[0, 1]], [-1, -1], "without replacement")
    out = verify_tree(tree, q, q * (1 - 1e-9), Scripted([BELOW_ONE, 0.9, 0.9]))
    assert out.tokens.tolist() == [[0, -1]]


@pytest.mark.parametrize("V", [3, LONG + 5])
@pytest.mark.parametrize(("name", "value"), [("p", np.nan), ("p", -0.25), ("q", np.nan), ("q", -0.25), ("p", np.inf)])
@all_drawings
def test_a_bad_entry_in_a_row_that_is_read_is_never_a_token(V, name, value, drawing):
    """Both children are rejected for sure; the bad entry is none that a test reads."""
    if drawing == "top k" and name == "q":
        return
    p, q = np.zeros((1, 3, V)), np.zeros((1, 3, V))
    p[..., 2], q[..., :2] = 1, 0.5
    (p if name == "p" else q)[0, 0, V - 1] = value
    message = "row 0, position 0" if value == np.inf else rf"{name}\[0, 0, {V - 1}\] is {value}"
    with pytest.raises(ValueError, match=message):
        verify_tree(DraftTree([[0, 1]], [-1, -1], drawing), q, p, np.random.default_rng(0))
