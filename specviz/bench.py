"""Time `verify` against the textbook way and against reading memory once: interleaved in one run, medians, as ratios."""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from .arrays import Array
from .audit.law import chi_square, count_cells
from .generate import generate
from .markov import MarkovPair
from .rules.tokenwise import verify

SHAPES = ((400_000, 3, 4, np.float64, 3), (64, 5, 32_000, np.float32, 6), (64, 5, 128_256, np.float32, 10))
"""Rows, drafts, vocabulary, type, and how many times as fast as the textbook way `verify` is meant to be."""


def batch(B: int, K: int, V: int, dtype: Any) -> tuple[Array, Array, Array, Array]:
    """A full batch of random laws whose overlap is about two thirds; drafts that q is likely to give."""
    rng = np.random.default_rng(0)
    p, q = np.empty((B, K + 1, V), dtype), np.empty((B, K, V), dtype)
    for side in (p, q):
        rng.random(out=side, dtype=dtype)
        side /= side.sum(axis=-1, keepdims=True, dtype=np.float64).astype(dtype)
    draft = rng.integers(0, V, (4, B, K))
    row, at = np.arange(B)[:, None], np.arange(K)
    best = q[row, at, draft].argmax(axis=0)
    return np.take_along_axis(draft, best[None], axis=0)[0], q, p, np.full(B, K)


def run(rounds: int) -> None:
    """Print the ratios."""
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
    print(f"memory: one pass of max over 256 MB runs at {_read_speed():.1f} GB/s")
    print(f"joint-law test, 300,000 sequences of 3 tokens at K = 3: {_joint_test():.2f} s")


def read_used_rows(q: Array, p: Array, accepted: Array) -> None:
    """Read once each row that `verify` draws from, by the simplest call that reads: a sum."""
    for row, i in enumerate(accepted):
        p[row, i].sum()
        if i < q.shape[1]:
            q[row, i].sum()


def interleaved(calls: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Median milliseconds of each call, taking turns. The textbook way touches everything: what follows it starts cold."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            if name != "textbook":
                calls["textbook"]()
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
    path = Path(__file__).resolve().parents[1] / "tests" / "textbook.py"
    spec = spec_from_file_location("textbook", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.verify_textbook
