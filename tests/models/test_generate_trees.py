import numpy as np
import pytest
from cases import contexts_of

from specviz import MarkovPair, draw_tree, generate_trees, tree_parents, verify_tree
from specviz.auditing.statistics.chi_square import chi_square, count_cells
from specviz.exact.tree import tree_round_law
from specviz.models.designed import CHAIN_A
from specviz.rules.tree.rule import verify_tree_row

DRAWINGS = ("iid", "without replacement", "top k")


@pytest.mark.parametrize("ragged", [False, True])
@pytest.mark.parametrize("drawing", DRAWINGS)
def test_law_of_the_sequences(drawing, ragged):
    rng = np.random.default_rng(0)
    made = generate_trees(CHAIN_A, verify_tree, (2, 2), drawing, length=3, n=20_000, rng=rng, ragged=ragged)
    assert chi_square(count_cells(made.sequences, 4), CHAIN_A.joint_law(3), alpha=1e-5).passed


@pytest.mark.parametrize("drawing", DRAWINGS)
def test_tokens_of_the_first_round_are_those_of_the_exact_law(drawing):
    target, drafter = contexts_of(CHAIN_A)
    law = tree_round_law(verify_tree_row, target, drafter, tree_parents((2, 2)).tolist(), drawing)
    made = generate_trees(CHAIN_A, verify_tree, (2, 2), drawing, length=1, n=20_000, rng=np.random.default_rng(0))
    exact = float(sum(len(tokens) * mass for tokens, mass in law.items()))
    assert made.tokens_per_round == pytest.approx(exact, abs=4 * made.tokens_per_round_error)


def test_what_lies_beyond_the_nodes_is_wrong():
    """Where there is no node, p and q of the context that is filled in are exchanged."""
    num_nodes = np.arange(7).repeat(10)
    tree, q, p = draw_tree(CHAIN_A, np.full(70, 4), tree_parents((2, 2)), "iid", np.random.default_rng(0), num_nodes)
    for row, n in enumerate(num_nodes):
        after = [4, *tree.tokens[row]]
        for j, state in enumerate(after):
            laws = (CHAIN_A.q[state], CHAIN_A.target[state])
            assert np.array_equal([q[row, j], p[row, j]], laws if j <= n else laws[::-1])


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (
            lambda out: (out.tokens[:, :1], out.n_out),
            r"the verifier returned shapes \(10, 1\) and \(10,\); expected tokens \(10, 2\)",
        ),
        (lambda out: (out.tokens, out.n_out * 0), r"n_out\[0\] is 0; expected 1 to depth \+ 1 = 2"),
        (lambda out: (out.tokens * 0 - 1, out.n_out), r"tokens\[0, 0\] is -1; expected a token id from 0 to 3"),
    ],
)
def test_a_broken_contract_is_named(result, message):
    def verifier(*arguments):
        return result(verify_tree(*arguments))

    with pytest.raises(ValueError, match=message):
        generate_trees(CHAIN_A, verifier, (2,), "iid", length=2, n=10, rng=np.random.default_rng(0))


def test_bad_arguments():
    with pytest.raises(ValueError, match="length is 0"):
        generate_trees(CHAIN_A, verify_tree, (2,), "iid", length=0, n=1, rng=np.random.default_rng(0))


def test_a_chain_that_leaves_nothing_for_a_sibling_says_so():
    pair = MarkovPair(np.full((2, 2), 0.5), np.eye(2))
    with pytest.raises(ValueError, match="leaves nothing for one more sibling"):
        generate_trees(pair, verify_tree, (2,), "without replacement", length=1, n=5, rng=np.random.default_rng(0))
