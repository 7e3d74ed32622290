import tracemalloc
from fractions import Fraction as F
from functools import partial

import numpy as np
import pytest
from cases import Scripted, extreme_uniforms, random_case, random_contexts, random_rows
from hypothesis import given
from hypothesis import strategies as st

from specviz import DraftTree, tree_parents, verify, verify_tree
from specviz.exact.tree import round_bias, tree_round_law
from specviz.inverse_cdf import LONG
from specviz.rules.tree.draft import draw_sibling
from specviz.rules.tree.rule import verify_tree_row
from specviz.uniforms import GivenUniforms, integrate

DRAWINGS = ("iid", "without replacement", "top k")
BELOW_ONE = np.nextafter(1, 0)
seeds = st.integers(0, 2**32 - 1)
all_drawings = pytest.mark.parametrize("drawing", DRAWINGS)


def random_parents(rng, B, N, children):
    """Any tree of N nodes in which no node has more than so many children."""
    parents = np.empty((B, N), int)
    for row in parents:
        for j in range(N):
            row[j] = rng.choice([i for i in range(-1, j) if (row[:j] == i).sum() < children])
    return parents


def random_tree(rng, drawing, B=8, N=6, V=5, dtype=np.float64, children=4):
    """Ragged trees of any shape, their drafts drawn from q in the way named; q and p are multiples of 1/64."""
    q, p = random_rows(rng, (B, N + 1), V), random_rows(rng, (B, N + 1), V, dtype)
    if drawing != "iid":
        q = (q * 64 + 1) / (64 + V)
        q = np.round(q * 64) / 64
        q[..., 0] += 1 - q.sum(axis=-1)
        q = np.where((q <= 0).any(axis=-1, keepdims=True), np.eye(V)[0] * (60 - 4 * V) / 64 + 4 / 64 + np.eye(V)[0] * 4 / 64, q)
    parents = random_parents(rng, B, N, min(children, V))
    tokens = np.empty((B, N), int)
    for j in range(N):
        for b in range(B):
            elder = tokens[b, :j][parents[b, :j] == parents[b, j]]
            tokens[b, j] = draw_sibling(q[b, [parents[b, j] + 1]], elder[None], drawing, rng.random(1))[0]
    return DraftTree(tokens, parents, drawing, rng.integers(0, N + 1, B)), q.astype(dtype), p


def row_of(tree, q, p, b):
    """Arguments of the scalar program for one row, all numbers float64."""
    n = tree.num_nodes[b]
    laws = [d[b, : n + 1].astype(float).tolist() for d in (q, p)]
    return tree.tokens[b, :n].tolist(), tree.parents[b, :n].tolist(), *laws


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


@all_drawings
@pytest.mark.parametrize("V", [LONG, LONG + 100, 70_000])
def test_wide_vocabularies(drawing, V):
    """Beyond LONG a row is read piece by piece: the same tokens as the scalar program gives."""
    rng = np.random.default_rng(V)
    B, parents = 12 if V < 70_000 else 4, tree_parents((2, 2))
    a, b = rng.multinomial(2**10, rng.dirichlet(np.full(V, 4 / V), (2, B, 7))) / 2**10
    q, p = (a + b) / 2, (a + 3 * b) / 4
    tokens = np.empty((B, 6), int)
    for j, parent in enumerate(parents):
        elder = tokens[:, [i for i in range(j) if parents[i] == parent]]
        tokens[:, j] = draw_sibling(q[:, parent + 1], elder, drawing, rng.random(B))
    tree = DraftTree(tokens, parents, drawing, rng.integers(2, 7, B))
    u = rng.random((B, 7))
    out = verify_tree(tree, q, p, Scripted(u))
    for row in range(B):
        named = {("accept", j): u[row, j] for j in range(6)} | {"final": u[row, 6]}
        tokens = verify_tree_row(*row_of(tree, q, p, row), GivenUniforms(named), drawing)
        assert tuple(out.tokens[row, : out.n_out[row]].tolist()) == tokens
    assert len(set(out.n_out.tolist())) >= 2


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
    with pytest.raises(ValueError, match=r"tokens\[0, 0\] and tokens\[0, 1\] are siblings and both 0"):
        DraftTree([[0, 0]], [-1, -1], "without replacement")


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


# ---- numbers ---------------------------------------------------------------------------------------------------------


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


def test_extra_memory_does_not_grow_with_the_batch():
    B, N, V = 8, 6, 128_256
    p = np.full((B, N + 1, V), 1 / V, np.float32)
    tree = DraftTree(np.tile(np.arange(N), (B, 1)), tree_parents((2, 2)), "without replacement")
    q = p[:, :, ::-1]
    verify_tree(tree, q, p, np.random.default_rng(0))
    tracemalloc.start()
    verify_tree(tree, q, p, np.random.default_rng(0))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3.5e6
    assert p.nbytes > 25e6


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
        ({"tokens": [0, 1]}, r"tokens has shape \(2,\); expected \(B, N\)"),
        ({"tokens": [[0.0, 1.0], [1, 0]]}, "tokens has dtype float64; expected integers"),
        ({"parents": [-1, -1, 0]}, r"parents has shape \(3,\); expected \(2, 2\) or \(2,\)"),
        ({"parents": [[-1, 1], [-1, 0]]}, r"parents\[0, 1\] is 1; expected -1, the root, or a node before 1"),
        ({"parents": [[-1, 0], [-2, 0]]}, r"parents\[1, 0\] is -2"),
        ({"num_nodes": [2]}, r"num_nodes has shape \(1,\)"),
        ({"num_nodes": [2, 3]}, r"num_nodes\[1\] is 3; expected a number from 0 to N = 2"),
        ({"drawing": "greedy"}, "drawing is 'greedy'; expected one of 'iid', 'without replacement', 'top k'"),
        ({"tokens": [[0, 1], [1, 1]], "drawing": "top k"}, r"tokens\[1, 0\] and tokens\[1, 1\] are siblings and both 1"),
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
    assert (tree_parents((3,)) == -1).all()
    with pytest.raises(ValueError, match="at least 1 child"):
        tree_parents((2, 0))


def test_lazy_drafts_have_the_law_of_siblings():
    """The integrated drafts are what `draw_sibling` draws: here the law of the second one."""
    q = {(): [F(1, 2), F(3, 10), F(1, 5)]}
    law = tree_round_law(lambda tokens, *_: (tokens[1],), {(): []}, q, [-1, -1], "without replacement")
    assert law[(0,)] == F(3, 10) * F(1, 2) / F(7, 10) + F(1, 5) * F(1, 2) / F(8, 10)
    assert integrate(lambda u: u.choose("x", q[()]))[0] == F(1, 2)
