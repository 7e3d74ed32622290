"""Generators for single calls, and a row of a call as a counter-example."""

from __future__ import annotations

import numpy as np

from .batches import Case


def generator(seed: int) -> np.random.Generator:
    """A fresh generator for one call."""
    return np.random.default_rng(seed)


def show(case: Case, b: int, seed: str) -> str:
    """One row as a counter-example of three lines."""
    draft, q, p, num_draft = case
    n = int(num_draft[b])
    lists = [np.round(a.astype(float), 4).tolist() for a in (q[b, :n], p[b, : n + 1])]
    short = [text if len(text := str(rows)) < 200 else f"{rows[0][:4]}..., V = {p.shape[2]}" for rows in lists]
    return f"draft = {draft[b, :n].tolist()}, {seed}\nq = {short[0]}\np = {short[1]}"
