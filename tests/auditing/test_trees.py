from fractions import Fraction as F
from functools import cache
from itertools import product

import numpy as np
import pytest

from specviz import DraftTree, MarkovPair, generate_trees, tree_parents, verify_tree
from specviz.auditing.trees import BUDGETS, INSTANCES, audit_tree
from specviz.catalogue.trees import WRONG_TREES, row_by_row, tree_rule
from specviz.exact.tree import round_bias, tree_round_law
from specviz.models.designed import CHAIN_A, CHAIN_B
from specviz.rules.tree.rule import verify_tree_row

DRAWINGS = ("iid", "without replacement", "top k")
RIGHT = tree_rule()

# Exact total variation of three tokens, chain A, two candidates at each of two levels, the target going on after the round.
BIAS = {
    "siblings_against_p": (0.1498, 0.1244, 0.1500),
    "plain_q": (0, 0.0314, 0),
    "likeliest_first": (0.2546, 0.3807, 0),
    "duplicates_dropped": (0.0196, 0, 0),
    "last_draw_from_p": (0.1492, 0.1406, 0.2590),
    "residual_not_normalised": (0.0606, 0.0676, 0.1500),
}


@cache
def contexts(chain):
    """Target and drafter of a designed chain for every prefix up to three tokens, in fractions."""
    pair = {"A": CHAIN_A, "B": CHAIN_B}[chain]
    prefixes = [prefix for n in range(4) for prefix in product(range(4), repeat=n)]
    return [
        {x: [F(round(20 * m), 20) for m in side[x[-1] if x else 4]] for x in prefixes} for side in (pair.target, pair.drafter)
    ]


@pytest.mark.parametrize("drawing", DRAWINGS)
@pytest.mark.parametrize("branching", [(2,), (3, 2), (2, 2)])
def test_the_rule_from_parts_is_the_rule(drawing, branching):
    target, drafter = contexts("A")
    parents = tree_parents(branching).tolist()
    laws = [tree_round_law(program, target, drafter, parents, drawing) for program in (RIGHT, verify_tree_row)]
    assert laws[0] == laws[1]
    assert round_bias(laws[0], target, 3) == 0


@pytest.mark.parametrize("wrong", WRONG_TREES, ids=lambda wrong: wrong.name)
def test_wrong_trees_by_exact_integration(wrong):
    """Each is biased for the ways of drawing that it is catalogued for, and lossless, as a fraction, for the others."""
    target, drafter = contexts("A")
    for drawing, bias in zip(DRAWINGS, BIAS[wrong.name], strict=True):
        law = tree_round_law(wrong.program, target, drafter, [-1, -1, 0, 0, 1, 1], drawing)
        assert sum(law.values()) == 1
        exact = round_bias(law, target, 3)
        assert float(exact) == pytest.approx(bias, abs=5e-5)
        assert (exact > 0) == (drawing in wrong.wrong_for)


CASES = [(wrong, drawing) for wrong in WRONG_TREES for drawing in DRAWINGS if drawing in wrong.wrong_for]


@pytest.mark.parametrize(("wrong", "drawing"), CASES, ids=lambda value: getattr(value, "name", value))
def test_the_audit_refutes_wrong_trees(wrong, drawing):
    """At the quick budget already, but for the smallest fault."""
    budget = "standard" if wrong.name == "duplicates_dropped" else "quick"
    report = audit_tree(row_by_row(wrong.program), drawing=drawing, budget=budget, name=wrong.name)
    assert not report.passed, str(report)
    assert report.checks[0].verdict == "pass", "the padding is never read"


def test_the_audit_passes_a_fault_where_it_is_none():
    """Nothing is drawn twice without replacement: what drops duplicates is right there."""
    dropped = next(wrong for wrong in WRONG_TREES if wrong.name == "duplicates_dropped")
    assert audit_tree(row_by_row(dropped.program), drawing="without replacement", budget="quick").passed


@pytest.mark.parametrize("drawing", DRAWINGS)
def test_the_audit_passes_the_rule_over_five_seeds(drawing):
    for seed in range(5):
        report = audit_tree(verify_tree, drawing=drawing, seed=seed)
        assert report.passed, str(report)
    assert "verify_tree: no bias seen" in report.summary
    assert [check.test.alpha for check in report.checks if check.test] == pytest.approx([0.001 / len(INSTANCES)] * len(INSTANCES))
    assert report.sensitivity < 0.04


def test_the_rule_of_another_way_of_drawing_is_refuted():
    def believes_iid(tree, q, p, rng):
        return verify_tree(DraftTree(tree.tokens, tree.parents, "iid", tree.num_nodes), q, p, rng)

    assert not audit_tree(believes_iid, drawing="without replacement", budget="quick").passed
    assert not audit_tree(believes_iid, drawing="top k", budget="quick").passed


def test_tokens_per_round_are_what_the_exact_law_says():
    """Of every instance that is not cut short; without replacement more are kept."""
    tokens = {}
    for drawing in DRAWINGS:
        notes = [check.finding for check in audit_tree(verify_tree, drawing=drawing).checks if check.verdict == "note"]
        for finding, (name, _, branching, ragged) in zip(notes, INSTANCES, strict=True):
            if ragged:
                continue
            target, drafter = contexts(name.split()[1][0])
            law = tree_round_law(verify_tree_row, target, drafter, tree_parents(branching).tolist(), drawing)
            exact = float(sum(len(t) * mass for t, mass in law.items()))
            measured, error = map(float, finding.split(" +- "))
            assert measured == pytest.approx(exact, abs=4 * error + 1e-3)
            tokens[name, drawing] = exact
    for name in {name for name, _ in tokens}:
        assert tokens[name, "without replacement"] > tokens[name, "iid"]


def test_padding_faults_are_seen_at_once():
    def all_nodes(tree, q, p, rng):
        tokens = np.where(tree.is_node, tree.tokens, 0)
        return verify_tree(DraftTree(tokens, tree_parents((2, 2)), "iid"), q, p, rng)

    def writes(tree, q, p, rng):
        p[:] = p[:, ::-1]
        return verify_tree(tree, q, p, rng)

    def counts_padding(tree, q, p, rng):
        out = verify_tree(tree, q, p, rng)
        rows = np.flatnonzero(tree.num_nodes < tree.size)
        out.tokens[rows, 0] = (tree.tokens[rows, -1] + 1) % 4
        return out

    for verifier, finding in (
        (all_nodes, "stops it: ValueError"),
        (writes, "writes to"),
        (counts_padding, "changes with padding"),
    ):
        with np.errstate(invalid="ignore"):
            check = padding_check(verifier)
        assert check.verdict == "FAIL"
        assert finding in check.finding


def padding_check(verifier):
    from specviz.auditing.trees import _padding

    return _padding(verifier, "iid", 0)


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (
            lambda out: (out.tokens[:, :1], out.n_out),
            r"the verifier returned shapes \(10, 1\) and \(10,\); expected tokens \(10, 2\)",
        ),
        (lambda out: None, "the verifier returned NoneType; expected two arrays"),
        (lambda out: (out.tokens, out.n_out * 0), r"n_out\[0\] is 0; expected 1 to depth \+ 1 = 2"),
        (lambda out: (out.tokens * 0 - 1, out.n_out), r"tokens\[0, 0\] is -1; expected a token id from 0 to 3"),
    ],
)
def test_a_broken_contract_is_named(result, message):
    def verifier(*arguments):
        return result(verify_tree(*arguments))

    with pytest.raises(ValueError, match=message):
        generate_trees(CHAIN_A, verifier, (2,), "iid", length=2, n=10, rng=np.random.default_rng(0))


def test_bad_arguments_and_settings():
    with pytest.raises(ValueError, match="budget is 'huge'; expected one of 'quick', 'standard', 'deep'"):
        audit_tree(verify_tree, drawing="iid", budget="huge")
    with pytest.raises(ValueError, match="length is 0"):
        generate_trees(CHAIN_A, verify_tree, (2,), "iid", length=0, n=1, rng=np.random.default_rng(0))
    assert list(BUDGETS) == ["quick", "standard", "deep"]


def test_a_chain_that_leaves_nothing_for_a_sibling_says_so():
    pair = MarkovPair(np.full((2, 2), 0.5), np.eye(2))
    with pytest.raises(ValueError, match="leaves nothing for one more sibling"):
        generate_trees(pair, verify_tree, (2,), "without replacement", length=1, n=5, rng=np.random.default_rng(0))
