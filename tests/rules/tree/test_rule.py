"""The tree rule: one rule written twice, its exact law, and what holds for all inputs."""

from functools import partial

import numpy as np
import pytest
from cases import Scripted, extreme_uniforms, random_case, random_contexts
from hypothesis import given
from hypothesis import strategies as st
from tree_cases import DRAWINGS, all_drawings, random_tree, row_of

from specviz import DraftTree, tree_parents, verify, verify_tree
from specviz.exact.tree import round_bias, tree_round_law
from specviz.rules.tree.rule import verify_tree_row
from specviz.uniforms import GivenUniforms

BELOW_ONE = np.nextafter(1, 0)
seeds = st.integers(0, 2**32 - 1)


class Edges:
    """Uniforms of which many lie on the threshold of the question, or next to it; `values` keeps them by name."""

    def __init__(self, rng):
        self.rng, self.values = rng, {}

    def less(self, name, scale, bound):
        u = self.rng.choice([self.rng.random(), 0.0, BELOW_ONE])
        if scale > 0 and self.rng.random() < 0.7:
            u = bound / scale * self.rng.choice([1 - 1e-9, 1, 1, 1 + 1e-9])
        self.values[name] = float(np.clip(u, 0, BELOW_ONE))
        return GivenUniforms(self.values).less(name, scale, bound)

    def choose(self, name, weights):
        cut = np.cumsum(weights)[self.rng.integers(len(weights))] / sum(weights) * self.rng.choice([1 - 1e-9, 1, 1 + 1e-9])
        self.values[name] = float(np.clip(self.rng.choice([cut, cut, self.rng.random(), 0.0]), 0, BELOW_ONE))
        return GivenUniforms(self.values).choose(name, weights)


# ---- one rule, written twice -----------------------------------------------------------------------------------------


@all_drawings
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_vectorised_rule_is_the_scalar_program(drawing, dtype):
    """The same tokens for the same uniforms, on and beside the thresholds; sums of multiples of 1/64 are exact in any order."""
    rng = np.random.default_rng(0)
    B, N = 1000, 6
    tree, q, p = random_tree(rng, drawing, B, N, dtype=dtype, children=4 if dtype == np.float64 else 2)
    u = rng.random((B, N + 1))
    expected = []
    for b in range(B):
        edges = Edges(rng)
        expected.append(verify_tree_row(*row_of(tree, q, p, b), edges, drawing))
        for name, value in edges.values.items():
            u[b, N if name == "final" else name[1]] = value
    out = verify_tree(tree, q, p, Scripted(u), validate=True)
    emitted = [tuple(row[:n].tolist()) for row, n in zip(out.tokens, out.n_out, strict=True)]
    assert emitted == expected
    assert len(set(out.n_out.tolist())) >= 4
    for b, n in enumerate(out.n_out):
        path = out.path[b, : n - 1]
        assert (out.tokens[b, n:] == -1).all()
        assert (out.path[b, n - 1 :] == -1).all()
        assert tuple(tree.tokens[b, path]) == emitted[b][:-1]
        assert [-1, *path[:-1]] == tree.parents[b, path].tolist() or n == 1


@given(seeds)
def test_a_chain_is_the_token_rule(seed):
    """One child a node, whatever the way of drawing; top k is the deterministic drafter, q None."""
    case = random_case(np.random.default_rng(seed), 6, 3, 4)
    u = np.random.default_rng(seed).random((6, 4))
    q = np.concatenate([case.q, case.p[:, :1]], axis=1)
    by_token_rule = verify(*case, Scripted(u[:, :3], u[:, 3]))
    by_one_hot = verify(case.draft, None, case.p, case.num_draft, Scripted(u[:, :3], u[:, 3]))
    for drawing in DRAWINGS:
        tree = DraftTree(case.draft, [-1, 0, 1], drawing, case.num_draft)
        out = verify_tree(tree, q, case.p, Scripted(u))
        expected = by_one_hot if drawing == "top k" else by_token_rule
        assert out.n_out.tolist() == expected.n_out.tolist()
        assert [r[:n].tolist() for r, n in zip(out.tokens, out.n_out, strict=True)] == [
            r[:n].tolist() for r, n in zip(expected.tokens, expected.n_out, strict=True)
        ]


# ---- the exact law ---------------------------------------------------------------------------------------------------


def positive_contexts(rng, V, depth):
    """As `random_contexts`, with no zero in the drafter, so that siblings can be drawn without replacement."""
    target, drafter = random_contexts(rng, V, depth)
    return target, {prefix: [(61 * mass + 1) / (61 + V) for mass in row] for prefix, row in drafter.items()}


@all_drawings
@pytest.mark.parametrize(
    ("V", "parents"),
    [
        (3, tree_parents((2, 2))),
        (3, tree_parents((3, 2))),
        (4, tree_parents((3, 3))),
        (3, np.array([-1, 0, -1, 0, 2])),
        (2, np.array([-1, 0, 1, 0, -1, 4])),
        (3, np.array([], int)),
    ],
    ids=lambda value: "-".join(map(str, value)) if np.ndim(value) else "",
)
def test_lossless_by_exact_integration(drawing, V, parents):
    """Every context has a law of its own; drafts and tests are integrated together, and the bias is 0 as a fraction."""
    for seed in range(4 if V < 4 else 1):
        target, drafter = positive_contexts(np.random.default_rng(seed), V, 3)
        law = tree_round_law(verify_tree_row, target, drafter, parents.tolist(), drawing)
        assert sum(law.values()) == 1
        assert [round_bias(law, target, length) for length in (1, 2, 3)] == [0, 0, 0]


def test_the_rule_of_one_way_of_drawing_is_wrong_for_another():
    target, drafter = positive_contexts(np.random.default_rng(0), 3, 1)

    def mistaken(believed, tokens, parents, q, p, u, drawing):
        return verify_tree_row(tokens, parents, q, p, u, believed)

    for drawn in DRAWINGS:
        for believed in DRAWINGS:
            law = tree_round_law(partial(mistaken, believed), target, drafter, [-1, -1], drawn)
            right = believed in (drawn, "top k")  # a draft that is treated as one-hot costs speed, never the law
            assert (round_bias(law, target, 1) == 0) == right, (drawn, believed)


def test_a_repeated_draft_is_rejected_again():
    """Independent siblings 0, 0: the second finds nothing owed to 0, whatever its uniform; then the residual is taken again."""
    p, q = np.array([[[0.25, 0.5, 0.25]] * 3]), np.array([[[0.75, 0.25, 0]] * 3])
    tree = DraftTree([[0, 0]], [-1, -1], "iid")
    for second in (0.0, 0.5, BELOW_ONE):
        out = verify_tree(tree, q, p, Scripted([0.9, second, 0.5]))
        assert out.tokens.tolist() == [[2, -1]]  # after (.25, .25) / .5 comes max(0, .5 - .25), .5: u = .5 falls on 2


# ---- laws that hold for all inputs -----------------------------------------------------------------------------------


@given(seeds, st.sampled_from(DRAWINGS), st.sampled_from([np.float32, np.float64]))
def test_no_impossible_token_whatever_the_uniforms(seed, drawing, dtype):
    rng = np.random.default_rng(seed)
    tree, q, p = random_tree(rng, drawing, B=4, dtype=dtype)
    before = [a.copy() for a in (tree.tokens, tree.parents, tree.num_nodes, q, p)]
    out = verify_tree(tree, q, p, Scripted(extreme_uniforms(rng, (4, 7))))
    for b, n in enumerate(out.n_out):
        assert 1 <= n <= tree.depth[b] + 1
        at = -1
        for i, x in enumerate(out.tokens[b, :n]):
            assert p[b, at + 1, x] > 0
            at = out.path[b, i] if i < n - 1 else at
    assert all(np.array_equal(*pair) for pair in zip(before, (tree.tokens, tree.parents, tree.num_nodes, q, p), strict=True))


@given(seeds, st.sampled_from(DRAWINGS), st.sampled_from([np.nan, 0.0, -1.0, np.inf]))
def test_padding_and_the_laws_of_leaves_change_nothing(seed, drawing, fill):
    rng = np.random.default_rng(seed)
    tree, q, p = random_tree(rng, drawing, B=4)
    q_fill, p_fill, tokens, parents = q.copy(), p.copy(), tree.tokens.copy(), tree.parents.copy()
    for b, n in enumerate(tree.num_nodes):
        q_fill[b, n + 1 :], p_fill[b, n + 1 :], tokens[b, n:], parents[b, n:] = fill, fill, -1, 99
        q_fill[b, [j + 1 for j in range(-1, n) if j not in tree.parents[b, :n]]] = fill
    other = DraftTree(tokens, parents, drawing, tree.num_nodes)
    plain, padded = (
        verify_tree(tree, q, p, np.random.default_rng(1)),
        verify_tree(other, q_fill, p_fill, np.random.default_rng(1)),
    )
    assert all(np.array_equal(*pair) for pair in zip(plain, padded, strict=True))


@given(seeds, st.sampled_from(["iid", "without replacement"]))
def test_p_equal_to_q_takes_every_first_child(seed, drawing):
    rng = np.random.default_rng(seed)
    tree, q, _ = random_tree(rng, drawing, B=4)
    out = verify_tree(tree, q, q, Scripted(extreme_uniforms(rng, (4, 7))))
    for b, n in enumerate(tree.num_nodes):
        at, path = -1, []
        while at in tree.parents[b, :n].tolist():
            at = tree.parents[b, :n].tolist().index(at)
            path.append(at)
        assert out.path[b][out.path[b] >= 0].tolist() == path


def test_strides_and_precision_do_not_matter():
    tree, q, p = random_tree(np.random.default_rng(3), "without replacement", B=50, children=2)
    plain = verify_tree(tree, q, p, np.random.default_rng(0))
    strided = verify_tree(tree, np.asfortranarray(q), np.repeat(p, 2, axis=2)[..., ::2], np.random.default_rng(0))
    single = verify_tree(tree, q.astype(np.float32), p, np.random.default_rng(0))
    assert np.array_equal(plain.tokens, strided.tokens)
    assert np.array_equal(plain.tokens, single.tokens)


def test_many_rows_are_the_same_as_few():
    tree, q, p = random_tree(np.random.default_rng(4), "iid", B=40)
    u = np.random.default_rng(5).random((40, 7))
    many = DraftTree(np.tile(tree.tokens, (500, 1)), np.tile(tree.parents, (500, 1)), "iid", np.tile(tree.num_nodes, 500))
    few, lots = (
        verify_tree(tree, q, p, Scripted(u)),
        verify_tree(many, *(np.concatenate([d] * 500) for d in (q, p)), Scripted([u] * 500)),
    )
    assert np.array_equal(np.tile(few.tokens, (500, 1)), lots.tokens)


# ---- bad input -------------------------------------------------------------------------------------------------------


def good(**changed):
    tree = {"tokens": [[0, 1], [1, 0]], "parents": [-1, -1], "drawing": "iid"}
    tree.update((k, v) for k, v in changed.items() if k in ("tokens", "parents", "drawing", "num_nodes"))
    given = {"q": np.full((2, 3, 2), 0.5), "p": np.full((2, 3, 2), 0.5), "rng": np.random.default_rng(0)}
    given.update((k, v) for k, v in changed.items() if k not in tree and k != "num_nodes")
    return verify_tree(DraftTree(**tree), **given)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"tokens": [[0, 2], [1, 0]]}, r"tokens\[0, 1\] is 2; expected a token id from 0 to 1"),
        ({"tokens": [[-1, 0], [1, 0]]}, r"tokens\[0, 0\] is -1"),
        ({"p": np.full((2, 2, 2), 0.5)}, r"p has shape \(2, 2, 2\); expected \(B, N \+ 1, V\)"),
        ({"q": np.full((2, 2, 2), 0.5)}, r"q has shape \(2, 2, 2\); expected that of p"),
        ({"q": None}, "q is None; expected the laws that siblings were drawn from"),
        ({"rng": 0}, "rng is 0"),
        ({"p": np.full((2, 3, 2), np.nan)}, r"p\[0, 0, 0\] is nan"),
        ({"q": np.full((2, 3, 2), -0.5)}, r"q\[0, 0, 0\] is -0.5"),
    ],
)
def test_bad_input_is_named(changed, message):
    with pytest.raises(ValueError, match=message):
        good(**changed)


def test_sums_are_checked_where_a_bonus_is_drawn_and_with_validate_everywhere():
    p, q = np.full((1, 2, 2), 0.5), np.full((1, 2, 2), 0.5)
    p[0, 1] = [0.5, 0.2]
    with pytest.raises(ValueError, match=r"p\[0, 1\] sums to 0.7; expected 1"):
        verify_tree(DraftTree([[0]], [-1], "iid"), q, p, Scripted([0.0, 0.5]))
    q[0, 0] = [0.5, 0.4]
    p[0, 1] = 0.5
    with pytest.raises(ValueError, match=r"q\[0, 0\] sums to 0.9"):
        verify_tree(DraftTree([[0]], [-1], "iid"), q, p, Scripted([0.0, 0.5]), validate=True)
    verify_tree(DraftTree([[0]], [-1], "iid"), q, p, Scripted([0.0, 0.5]))


def test_empty_batches_and_empty_trees():
    nothing = DraftTree(np.empty((0, 3), int), [-1, -1, 0], "iid")
    assert verify_tree(nothing, np.empty((0, 4, 2)), np.empty((0, 4, 2)), np.random.default_rng(0)).tokens.shape == (0, 1)
    roots = DraftTree(np.empty((4, 0), int), np.empty((4, 0), int), "top k")
    out = verify_tree(roots, None, np.full((4, 1, 2), 0.5), np.random.default_rng(0))
    assert out.tokens.shape == (4, 1)
    assert out.n_out.tolist() == [1] * 4
