"""Wrong trees: each is biased for the ways of drawing that it is catalogued for, and for no other."""

import numpy as np
import pytest
from cases import contexts_of, random_case

from specviz import DraftTree, tree_parents
from specviz.catalogue.trees import WRONG_TREES, row_by_row, tree_rule
from specviz.exact.tree import round_bias, tree_round_law
from specviz.models.designed import CHAIN_A
from specviz.rules.tree.rule import verify_tree, verify_tree_row

DRAWINGS = ("iid", "without replacement", "top k")

# Exact total variation of three tokens, chain A, two candidates at each of two levels, the target going on after the round.
BIAS = {
    "siblings_against_p": (0.1498, 0.1244, 0.1500),
    "plain_q": (0, 0.0314, 0),
    "likeliest_first": (0.2546, 0.3807, 0),
    "duplicates_dropped": (0.0196, 0, 0),
    "last_draw_from_p": (0.1492, 0.1406, 0.2590),
    "residual_not_normalised": (0.0606, 0.0676, 0.1500),
}


@pytest.mark.parametrize("drawing", DRAWINGS)
@pytest.mark.parametrize("branching", [(2,), (3, 2), (2, 2)])
def test_the_rule_from_parts_is_the_rule(drawing, branching):
    target, drafter = contexts_of(CHAIN_A)
    parents = tree_parents(branching).tolist()
    laws = [tree_round_law(program, target, drafter, parents, drawing) for program in (tree_rule(), verify_tree_row)]
    assert laws[0] == laws[1]
    assert round_bias(laws[0], target, 3) == 0


CASES = [(wrong, drawing, bias) for wrong in WRONG_TREES for drawing, bias in zip(DRAWINGS, BIAS[wrong.name], strict=True)]


@pytest.mark.parametrize(("wrong", "drawing", "bias"), CASES, ids=lambda value: getattr(value, "name", value))
def test_bias_by_exact_integration(wrong, drawing, bias):
    """Where a fault is none for a way of drawing, the law is the target's as a fraction."""
    target, drafter = contexts_of(CHAIN_A)
    law = tree_round_law(wrong.program, target, drafter, [-1, -1, 0, 0, 1, 1], drawing)
    assert sum(law.values()) == 1
    exact = round_bias(law, target, 3)
    assert float(exact) == pytest.approx(bias, abs=5e-5)
    assert (exact > 0) == (drawing in wrong.wrong_for)


def test_row_by_row_is_the_program():
    """Ragged chains as trees, one-hot laws among them, so that most tokens are sure: those of the vectorised rule."""
    case = random_case(np.random.default_rng(0), 200, 3, 4)
    q = np.concatenate([case.q, case.p[:, :1]], axis=1)
    p = np.eye(4)[case.p.argmax(axis=2)]
    tree = DraftTree(case.draft, [-1, 0, 1], "iid", case.num_draft)
    tokens, n_out = row_by_row(verify_tree_row)(tree, q, p, np.random.default_rng(1))
    expected = verify_tree(tree, q, p, np.random.default_rng(1))
    assert np.array_equal(tokens, expected.tokens)
    assert np.array_equal(n_out, expected.n_out)
