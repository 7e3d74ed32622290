"""Random ragged trees of drafts that several test files use."""

from __future__ import annotations

import numpy as np
import pytest
from cases import random_rows

from specviz import DraftTree
from specviz.rules.tree.draft import draw_sibling

DRAWINGS = ("iid", "without replacement", "top k")
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
