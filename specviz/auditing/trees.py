"""Prove or refute that a tree verifier is lossless: padding first, then the joint law of whole sequences on designed chains."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..models.designed import CHAIN_A, CHAIN_B
from ..models.generate_trees import TreeVerifier, draw_tree, generate_trees
from ..models.markov import MarkovPair
from ..rules.tree.draft import DraftTree, Drawing
from ..types import Array, Ints
from .check import Found
from .checks.sequences import sensitivity
from .report import AuditReport
from .statistics.chi_square import chi_square, count_cells

BUDGETS = {"quick": 5_000, "standard": 20_000, "deep": 200_000}
"""Sequences for each instance."""

INSTANCES: tuple[tuple[str, MarkovPair, tuple[int, ...], bool], ...] = (
    ("chain A, 2 then 2", CHAIN_A, (2, 2), False),
    ("chain B, 3 at once", CHAIN_B, (3,), False),
    ("chain A, 3 then 1, ragged", CHAIN_A, (3, 1), True),
    ("chain B, 2 then 2, ragged", CHAIN_B, (2, 2), True),
)
"""Name, chains, children at each level, and whether trees are cut short."""

SCOPE = "it covers these trees on two designed chains, this way of drawing siblings, and biases of that size."

LENGTH = 3
"""Tokens per sequence: two levels of a tree and the token behind them."""


def audit_tree(
    verifier: TreeVerifier,
    *,
    drawing: Drawing,
    seed: int = 0,
    budget: str = "standard",
    alpha: float = 0.001,
    name: str | None = None,
) -> AuditReport:
    """Audit a tree verifier for one way of drawing siblings.

    Parameters
    ----------
    verifier : callable
        Takes (tree, q, p, rng) and returns tokens [B, D + 1] and n_out [B] first, see `specviz.verify_tree`.
    drawing : {"iid", "without replacement", "top k"}
        How siblings are drawn; `verify_tree` reads it from the tree, an engine's verifier may know only one.
    seed : int
        Seeds the streams; fixed before looking.
    budget : {"quick", "standard", "deep"}
        How many sequences, see `BUDGETS`.
    alpha : float
        False-alarm rate of the whole report, split evenly over the laws that are tested. The padding check has none.
    name : str, optional
        What to call the verifier; its `__name__` unless given.

    Returns
    -------
    AuditReport

    Raises
    ------
    ValueError
        If the budget is unknown or the verifier breaks the contract of `specviz.models.generate_trees.generate_trees`.
    """
    if budget not in BUDGETS:
        raise ValueError(f"budget is {budget!r}; expected one of {', '.join(map(repr, BUDGETS))}")
    n, share = BUDGETS[budget], alpha / len(INSTANCES)
    checks = [_padding(verifier, drawing, seed)]
    streams = np.random.SeedSequence(seed).spawn(len(INSTANCES))
    for (what, pair, branching, ragged), stream in zip(INSTANCES, streams, strict=True):
        law = pair.joint_law(LENGTH)
        rng = np.random.default_rng(stream)
        run = generate_trees(pair, verifier, branching, drawing, length=LENGTH, n=n, rng=rng, ragged=ragged)
        test = chi_square(count_cells(run.sequences, pair.V), law, alpha=share)
        distance = f"TV {test.total_variation:.3f}, true TV below {test.bound:.3f}"
        finding = f"chi-square {test.statistic:,.1f}, cut {test.cut:.1f}; {distance}"
        law_found = Found(f"joint law, {what}", "pass" if test.passed else "FAIL", finding, "statistical", test.p_value, test)
        ran = f"{n:,} sequences of {LENGTH} tokens, {what}"
        checks.append(replace(law_found, statistic=test.statistic, ran=ran, sensitivity=sensitivity(law, n, share)))
        pace = f"{run.tokens_per_round:.3f} +- {run.tokens_per_round_error:.3f}"
        checks.append(Found(f"tokens per round, {what}", "note", pace, "statistical"))
    return AuditReport(name or str(getattr(verifier, "__name__", "verifier")), tuple(checks), alpha, SCOPE)


def _padding(verifier: TreeVerifier, drawing: Drawing, seed: int) -> Found:
    """The same trees with other padding give the same tokens, and nothing is written to."""
    trees, q, p = _ragged_batch(drawing, seed)
    padding = np.arange(-1, trees.size) >= trees.num_nodes[:, None]
    seen = []
    for fill in (None, 0.0, np.nan, -1.0):
        tokens, parents, q_fill, p_fill = trees.tokens.copy(), trees.parents.copy(), q.copy(), p.copy()
        if fill is not None:
            q_fill[padding] = p_fill[padding] = fill
            tokens[~trees.is_node], parents[~trees.is_node] = -1, trees.size
        tree = DraftTree(tokens, parents, drawing, trees.num_nodes)
        given = [array.copy() for array in (tokens, q_fill, p_fill)]
        try:
            result = verifier(tree, q_fill, p_fill, np.random.default_rng(seed))
        except Exception as error:
            return _decided(f"padding filled with {fill} stops it: {type(error).__name__}: {error}")
        if not all(np.array_equal(*pair, equal_nan=True) for pair in zip(given, (tokens, q_fill, p_fill), strict=True)):
            return _decided("it writes to its arguments")
        seen.append(_emitted(np.asarray(result[0]), np.asarray(result[1])))
        if seen[-1] != seen[0]:
            row = next(b for b, pair in enumerate(zip(*seen[:: len(seen) - 1], strict=True)) if pair[0] != pair[1])
            return _decided(f"row {row} changes with padding {fill}: {seen[0][row]} becomes {seen[-1][row]}")
    finding = f"{len(seen[0])} ragged trees, 4 kinds of padding: same tokens, nothing written to"
    return Found("padding", "pass", finding, "certain", ran="four calls of 64 ragged trees")


def _decided(finding: str) -> Found:
    return Found("padding", "FAIL", finding, "certain", ran="four calls of 64 ragged trees", part="rows")


def _ragged_batch(drawing: Drawing, seed: int) -> tuple[DraftTree, Array, Array]:
    rng = np.random.default_rng(seed)
    parents = np.array([-1, -1, 0, 0, 1, 1])
    num_nodes: Ints = rng.integers(0, 7, 64)
    return draw_tree(CHAIN_A, np.full(64, CHAIN_A.start), parents, drawing, rng, num_nodes)


def _emitted(tokens: Array, n_out: Array) -> list[tuple[int, ...]]:
    return [tuple(row[:n].tolist()) for row, n in zip(tokens, n_out.tolist(), strict=True)]
