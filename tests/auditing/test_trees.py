import numpy as np
import pytest
from cases import contexts_of

from specviz import DraftTree, tree_parents, verify_tree
from specviz.auditing.trees import BUDGETS, INSTANCES, audit_tree
from specviz.catalogue.trees import WRONG_TREES, row_by_row
from specviz.exact.tree import tree_round_law
from specviz.models.designed import CHAINS
from specviz.rules.tree.rule import verify_tree_row

DRAWINGS = ("iid", "without replacement", "top k")

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
            target, drafter = contexts_of(CHAINS[name.split()[1][0]])
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


def test_bad_arguments_and_settings():
    with pytest.raises(ValueError, match="budget is 'huge'; expected one of 'quick', 'standard', 'deep'"):
        audit_tree(verify_tree, drawing="iid", budget="huge")
    assert list(BUDGETS) == ["quick", "standard", "deep"]
