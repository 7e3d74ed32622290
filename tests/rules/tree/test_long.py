"""Long rows: one walk at a time, in memory that does not grow, and the tokens of the walk for short rows."""

import tracemalloc

import numpy as np
import pytest
from cases import Scripted, extreme_uniforms
from tree_cases import all_drawings, random_tree, row_of

from specviz import DraftTree, tree_parents, verify_tree
from specviz.inverse_cdf import LONG
from specviz.rules.contract import Batch
from specviz.rules.tree.draft import draw_sibling
from specviz.rules.tree.long import walk_long
from specviz.rules.tree.rule import verify_tree_row
from specviz.rules.tree.short import walk_short
from specviz.uniforms import GivenUniforms


@all_drawings
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_both_walks_end_at_the_same_node_with_the_same_token(drawing, dtype):
    """Either can walk down any tree; which one does is a question of speed."""
    rng = np.random.default_rng(0)
    tree, q, p = random_tree(rng, drawing, B=500, dtype=dtype, children=2)
    batch = Batch(tree.tokens, None if drawing == "top k" else q, p, tree.num_nodes)
    u = extreme_uniforms(rng, (500, 7))
    (at, final), (at_long, final_long) = walk_short(tree, batch, slice(0, 500), u), walk_long(tree, batch, u)
    assert np.array_equal(at, at_long)
    assert np.array_equal(final, final_long)


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
