from itertools import chain, combinations

import numpy as np
import pytest

from specviz import overlap
from specviz.exact.tree import tree_round_law
from specviz.rules.tree.rule import verify_tree_row
from specviz.theory.transport import best_acceptance, candidate_sets, tree_acceptance

P, Q = [0.4, 0.3, 0.2, 0.1], [0.1, 0.3, 0.2, 0.4]
DRAWINGS = ("iid", "without replacement", "top k")


@pytest.mark.parametrize(
    ("k", "drawing", "tree", "best"),
    [
        (1, "iid", 0.70, 0.70),
        (2, "iid", 0.73, 0.79),
        (2, "without replacement", 0.75, 0.8345),
        (2, "top k", 0.40, 0.40),
        (3, "iid", 0.757, 0.871),
        (3, "without replacement", 0.825, 1.0),
        (3, "top k", 0.60, 0.60),
    ],
)
def test_numbers_of_the_course(k, drawing, tree, best):
    assert tree_acceptance(P, Q, k, drawing) == pytest.approx(tree, abs=5e-5)
    assert best_acceptance(P, Q, k, drawing) == pytest.approx(best, abs=5e-5)


def random_laws(seed, V=4):
    return np.random.default_rng(seed).dirichlet(np.ones(V), 2)


@pytest.mark.parametrize("drawing", DRAWINGS)
@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_linear_program_is_the_smallest_cut(drawing, k):
    """By max-flow and min-cut the best is the minimum, over sets T of tokens, of p(T) + P(the candidates are not all in T)."""
    for seed in range(10):
        p, q = random_laws(seed)
        sets = candidate_sets(q, k, drawing)
        assert sum(sets.values()) == pytest.approx(1)
        tokens = range(4)
        cuts = [
            p[list(T)].sum() + sum(mass for s, mass in sets.items() if not s <= set(T))
            for T in chain.from_iterable(combinations(tokens, n) for n in range(5))
        ]
        best = best_acceptance(p, q, k, drawing)
        assert best == pytest.approx(min(cuts), abs=1e-9)
        kept = tree_acceptance(p, q, k, drawing)
        assert kept <= best + 1e-9
        if k == 1 and drawing != "top k":
            assert kept == best == pytest.approx(float(overlap(p, q)))


@pytest.mark.parametrize("drawing", DRAWINGS)
@pytest.mark.parametrize("k", [2, 3])
def test_the_tree_rule_integrated_keeps_as_much(drawing, k):
    from fractions import Fraction

    for seed in range(3):
        p, q = (
            [Fraction(int(n) + 1, 24) for n in np.random.default_rng((seed, side)).multinomial(20, [0.25] * 4)] for side in (0, 1)
        )
        target = {(): p} | {(x,): p for x in range(4)}
        law = tree_round_law(verify_tree_row, target, {(): q}, [-1] * k, drawing)
        kept = float(sum(mass for tokens, mass in law.items() if len(tokens) == 2))
        assert tree_acceptance([float(x) for x in p], [float(x) for x in q], k, drawing) == pytest.approx(kept, abs=1e-12)


def test_equal_laws_are_always_kept_and_corners():
    for drawing in ("iid", "without replacement"):
        assert tree_acceptance(P, P, 2, drawing) == pytest.approx(1)
        assert best_acceptance(P, P, 2, drawing) == pytest.approx(1)
    assert tree_acceptance([1, 0], [0, 1], 2, "iid") == 0
    assert best_acceptance([1, 0], [0, 1], 2, "iid") == pytest.approx(0)
    assert best_acceptance([1.0], [1.0], 1, "top k") == pytest.approx(1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: best_acceptance(P, Q, 0, "iid"), "k is 0"),
        (lambda: tree_acceptance(P, [1, 0, 0, 0], 2, "without replacement"), "k is 2; expected from 1 to 1"),
        (lambda: best_acceptance(P, [0.5, 0.5], 1, "iid"), "p has 4 tokens and q 2"),
        (lambda: best_acceptance([P], Q, 1, "iid"), r"p has shape \(1, 4\)"),
        (lambda: tree_acceptance([0.5, 0.4], [0.5, 0.5], 1, "iid"), "p sums to 0.9"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()
