"""Time `verify` against the textbook way and against reading memory once: interleaved in one run, medians, as ratios."""

from __future__ import annotations

import argparse
import sys
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from statistics import median
from typing import Any

import numpy as np

from ..auditing.statistics.chi_square import chi_square, count_cells
from ..models.generate import generate
from ..models.markov import MarkovPair
from ..rules.block import verify_block
from ..rules.greedy import verify_greedy
from ..rules.token import verify
from ..rules.tree.draft import DraftTree, Drawing, draw_sibling, tree_parents
from ..rules.tree.rule import verify_tree
from ..types import Array
from . import ROOT

SHAPES = ((400_000, 3, 4, np.float64, 3), (64, 5, 32_000, np.float32, 6), (64, 5, 128_256, np.float32, 10))
"""Rows, drafts, vocabulary, type, and how many times as fast as the textbook way `verify` is meant to be."""

RULES = (64, 5, 128_256)
"""Rows, drafts and vocabulary, in float32, at which the other rules are held against `verify`."""

BRANCHING = (2, 2, 2)
"""Children at each level of the trees there."""

WITHIN, GREEDY_WITHIN = 3.0, 1.3
"""How many times `verify`'s time a rule may take; and greedy verification, of one argmax over the rows that it reads."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("--rounds", type=int, default=15, help="interleaved repetitions (default 15)")
    parser.add_argument("--browser", action="store_true", help="time key press to picture in a real browser instead")
    parser.add_argument("--presses", type=int, default=60, help="key presses an explorer with --browser (default 60)")


def run(chosen: argparse.Namespace) -> int:
    """Time the rules, or the explorers in a browser: 2 if there is none."""
    if chosen.browser:
        from . import browser, latency  # what draws and what browses is not wanted in memory beside the rules

        return browser.status(lambda: latency.print_latency(chosen.presses))
    print_ratios(chosen.rounds)
    return 0


def batch(B: int, K: int, V: int, dtype: Any) -> tuple[Array, Array, Array, Array]:
    """A full batch of random laws whose overlap is about two thirds; drafts that q is likely to give."""
    rng = np.random.default_rng(0)
    p, q = random_laws(rng, (B, K + 1, V), dtype), random_laws(rng, (B, K, V), dtype)
    draft = rng.integers(0, V, (4, B, K))
    row, at = np.arange(B)[:, None], np.arange(K)
    best = q[row, at, draft].argmax(axis=0)
    return np.take_along_axis(draft, best[None], axis=0)[0], q, p, np.full(B, K)


def random_laws(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> Array:
    """Rows whose entries are uniform but for their sum."""
    rows = np.empty(shape, dtype)
    rng.random(out=rows, dtype=dtype)
    rows /= rows.sum(axis=-1, keepdims=True, dtype=np.float64).astype(dtype)
    return rows


def tree_batch(B: int, V: int, drawing: Drawing) -> tuple[DraftTree, Array, Array]:
    """Full trees over random laws, their drafts really drawn from q."""
    rng = np.random.default_rng(0)
    parents = tree_parents(BRANCHING)
    N = len(parents)
    p, q = (random_laws(rng, (B, N + 1, V), np.float32) for _ in range(2))
    tokens = np.empty((B, N), np.int64)
    for j, parent in enumerate(parents.tolist()):
        elder = tokens[:, [i for i in range(j) if parents[i] == parent]]
        tokens[:, j] = draw_sibling(q[:, parent + 1], elder, drawing, rng.random(B))
    return DraftTree(tokens, parents, drawing), q, p


def print_ratios(rounds: int) -> None:
    """Print what `verify` takes against the textbook way and against reading, and what the other rules take against it."""
    textbook = _textbook()
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}; medians of {rounds} interleaved rounds")
    print("        rows x K x V     type  verify ms  textbook  goal  read rows once  extra MB")
    for B, K, V, dtype, goal in SHAPES:
        arguments = batch(B, K, V, dtype)
        rules = {"textbook": textbook, "verify": verify}
        calls: dict[str, Callable[[], Any]] = {
            name: partial(rule, *arguments, np.random.default_rng(1)) for name, rule in rules.items()
        }
        if V > 1000:
            accepted = verify(*arguments, np.random.default_rng(1)).n_out - 1
            calls["read"] = partial(read_used_rows, *arguments[1:3], accepted)
        ms = interleaved(calls, rounds)
        ratio = f"{ms['verify'] / ms['read']:.2f}x the time" if "read" in ms else "-"
        extra = _peak(calls["verify"]) - 8 * B * (K + 2) / 1e6
        print(
            f"{B:>10,d} x {K} x {V:>7,d} {np.dtype(dtype).name:>8s} {ms['verify']:10.2f} "
            f"{ms['textbook'] / ms['verify']:8.1f}x {goal:4d}x {ratio:>15s} {extra:9.2f}"
        )
    print_rules(rounds)
    print(f"memory: one pass of max over 256 MB runs at {_read_speed():.1f} GB/s")
    print(f"joint-law test, 300,000 sequences of 3 tokens at K = 3: {_joint_test():.2f} s")


def print_rules(rounds: int) -> None:
    """Print what the other rules take, as multiples of `verify`, in one interleaved run."""
    B, K, V = RULES
    draft, q, p, num_draft = batch(B, K, V, np.float32)
    likeliest = np.where(np.arange(K) < K // 2, p[:, :K].argmax(axis=2), draft)  # greedy drafts, right in the first half
    read = verify_greedy(likeliest, p, num_draft).n_out
    arguments = draft, q, p, num_draft, np.random.default_rng(1)
    calls: dict[str, Callable[[], Any]] = {"verify": partial(verify, *arguments), "block": partial(verify_block, *arguments)}
    tree, q_tree, p_tree = tree_batch(B, V, "without replacement")
    for drawing in ("without replacement", "iid"):
        named = DraftTree(tree.tokens, tree.parents, drawing)
        calls[f"tree, {drawing}"] = partial(verify_tree, named, q_tree, p_tree, np.random.default_rng(1))
    calls["argmax"] = partial(argmax_of_used_rows, p, read)
    calls["greedy"] = partial(verify_greedy, likeliest, p, num_draft)
    ms = interleaved(calls, rounds, cold=p.max)
    branching = " x ".join(map(str, BRANCHING))
    print(f"other rules at {B} x {K} x {V:,d} float32, trees of {branching} candidates; verify takes {ms['verify']:.1f} ms")
    for name in calls:
        if name not in ("verify", "argmax", "greedy"):
            print(f"  {name:<26s} {ms[name] / ms['verify']:5.2f}x verify's time, goal {WITHIN}x")
    print(f"  {'greedy':<26s} {ms['greedy'] / ms['argmax']:5.2f}x one argmax over the rows it reads, goal {GREEDY_WITHIN}x")


def argmax_of_used_rows(p: Array, read: Array) -> None:
    """Argmax over the rows that greedy verification reads."""
    for row, positions in enumerate(read):
        p[row, :positions].argmax(axis=1)


def read_used_rows(q: Array, p: Array, accepted: Array) -> None:
    """Read once each row that `verify` draws from, by the simplest call that reads: a sum."""
    for row, i in enumerate(accepted):
        p[row, i].sum()
        if i < q.shape[1]:
            q[row, i].sum()


def interleaved(calls: dict[str, Callable[[], Any]], rounds: int, cold: Callable[[], Any] | None = None) -> dict[str, float]:
    """Median milliseconds of each call, taking turns. `cold`, unless given the textbook way, touches everything before each."""
    cold = cold or calls["textbook"]
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            if name != "textbook":
                cold()
            start = time.perf_counter()
            call()
            taken[name].append(1e3 * (time.perf_counter() - start))
    return {name: median(times) for name, times in taken.items()}


def _peak(call: Callable[[], Any]) -> float:
    """Most megabytes allocated at a time during the call."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def _read_speed() -> float:
    block = np.ones(32 << 20)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        block.max()
        times.append(time.perf_counter() - start)
    return block.nbytes / median(times) / 1e9


def _joint_test() -> float:
    start = time.perf_counter()
    pair = MarkovPair.teaching()
    made = generate(pair, verify, length=3, K=3, n=300_000, rng=np.random.default_rng(0))
    chi_square(count_cells(made.sequences, pair.V), pair.joint_law(3))
    return time.perf_counter() - start


def _textbook() -> Any:
    """The yardstick is a test's file and not part of the package."""
    spec = spec_from_file_location("textbook", ROOT / "tests" / "textbook.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.verify_textbook
