"""The exact law of a round of a tree: against the chain's, by hand, and lazily drawn drafts."""

from fractions import Fraction as F

import pytest
from cases import contexts_of

from specviz.exact.chain import ExactLaws
from specviz.exact.tree import round_bias, tree_round_law
from specviz.models.designed import CHAIN_A
from specviz.rules.token import verify_row
from specviz.rules.tree.rule import verify_tree_row
from specviz.uniforms import integrate


@pytest.mark.parametrize("K", [0, 1, 2])
def test_a_chain_as_a_tree_has_the_chain_s_law(K):
    target, drafter = contexts_of(CHAIN_A)
    law = tree_round_law(verify_tree_row, target, drafter, list(range(-1, K - 1)), "iid")
    assert law == ExactLaws(verify_row, CHAIN_A).round_law(CHAIN_A.start, K)


def test_bias_by_hand():
    """Tokens 0 and 1 with law (3/4, 1/4) in every context: a round that always emits 0, and one that emits 0, 1."""
    target = {(): [F(3, 4), F(1, 4)], (0,): [F(3, 4), F(1, 4)], (1,): [F(3, 4), F(1, 4)]}
    assert round_bias({(0,): F(1)}, target, 1) == F(1, 4)
    assert round_bias({(0,): F(1)}, target, 2) == F(1, 4), "the target goes on behind the round"
    assert round_bias({(0, 1): F(1)}, target, 1) == F(1, 4)
    assert round_bias({(0, 1): F(1)}, target, 2) == 1 - F(3, 16)
    assert round_bias({(0,): F(3, 4), (1,): F(1, 4)}, target, 2) == 0


def test_lazy_drafts_have_the_law_of_siblings():
    """The integrated drafts are what `draw_sibling` draws: here the law of the second one."""
    q = {(): [F(1, 2), F(3, 10), F(1, 5)]}
    law = tree_round_law(lambda tokens, *_: (tokens[1],), {(): []}, q, [-1, -1], "without replacement")
    assert law[(0,)] == F(3, 10) * F(1, 2) / F(7, 10) + F(1, 5) * F(1, 2) / F(8, 10)
    assert integrate(lambda u: u.choose("x", q[()]))[0] == F(1, 2)


def test_the_acceptance_of_one_and_of_two_candidates():
    p, q = ([F(n, 10) for n in row] for row in ((4, 3, 2, 1), (1, 3, 2, 4)))
    target, drafter = {(): p} | {(x,): p for x in range(4)}, {(): q}

    def kept(parents, drawing):
        law = tree_round_law(verify_tree_row, target, drafter, parents, drawing)
        return sum(mass for tokens, mass in law.items() if len(tokens) == 2)

    assert kept([-1], "iid") == F(7, 10)
    assert kept([-1, -1], "iid") == F(73, 100)
    assert kept([-1, -1], "without replacement") == F(3, 4)
    assert kept([-1, -1], "top k") == F(4, 10), "the likeliest two are D and B: p gives them .1 and .3"
