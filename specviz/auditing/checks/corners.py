"""Inputs at their limits: zeros, one-hot rows, p = q, no drafts, large rows in float32, uniforms of 0 and just below 1."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from ...types import Floats
from ..check import Found, Probe
from ..options import Options
from ..subject.batches import Case, ragged, with_drafts
from ..subject.contract import Adapted, VerifierError
from ..subject.generators import generator, show
from ..subject.scripted import Stub

LARGEST = float(np.nextafter(1, 0))


def _grid(q_rows: Floats, p_rows: Floats) -> Case:
    """One draft in each row: every draft that q allows, with every pair of rows."""
    V = q_rows.shape[1]
    picks = [(a, b, x) for a, b, x in product(range(len(q_rows)), range(len(p_rows)), range(V)) if q_rows[a, x] > 0]
    a, b, x = (np.array(column) for column in zip(*picks, strict=True))
    p = np.stack([p_rows[b], p_rows[(b + 1) % len(p_rows)]], axis=1)
    return Case(x[:, None], q_rows[a][:, None], p, np.arange(len(a)) % 7 % 2 ^ 1)


def corner_cases() -> Iterator[tuple[str, Case]]:
    """Batches with names."""
    q = np.array([[0.2, 0.3, 0.1, 0.1, 0.3], [0, 0.5, 0, 0.5, 0], [0.5, 0, 0.25, 0, 0.25]])
    p = np.array([[0, 0.25, 0.5, 0.25, 0], [0, 0, 1, 0, 0], [0.5, 0, 0, 0, 0.5], [0, 0.5, 0.25, 0.25, 0]])
    yield "zeros", _grid(q, p)
    yield "one-hot rows", _grid(np.eye(5), np.vstack([np.eye(5), p]))
    equal = ragged(11, B=32)
    yield "p equal to q", equal._replace(p=np.concatenate([equal.q, equal.p[:, -1:]], axis=1))
    yield "no row has a draft", equal._replace(num_draft=np.zeros(32, np.int64))
    rng = np.random.default_rng(12)
    wide = np.zeros((4, 3, 32768))
    wide[..., 1:-1] = rng.pareto(1.2, (4, 3, 32766)) + 1e-3
    wide /= wide.sum(axis=-1, keepdims=True)
    yield "float32, V = 32,768", with_drafts(wide[:, :1], wide[:, 1:], np.array([0, 1, 1, 1]), rng).astype(np.float32)


class Corners(Probe):
    """Every corner with a seed, and with uniforms of 0 and just below 1."""

    name = "corners"
    question = "At the limits of p, q and u: is no token of probability 0 emitted, and nothing valid refused?"
    kind = "certain"

    def ask(self, verifier: Adapted, asked: Options, rate: float) -> Found:
        """Three calls for each of the corner cases, and two for empty shapes."""
        scripted = True
        for name, case in corner_cases():
            sources: list[tuple[str, Any]] = [("u = 0", Stub(0.0)), ("u just below 1", Stub(LARGEST))]
            for how, rng in ((f"seed = {asked.seed}", generator(asked.seed)), *sources):
                try:
                    tokens, n_out = verifier(*case.copy(), rng)
                except VerifierError as error:
                    if error.part == "time":
                        raise
                    if isinstance(rng, Stub) and error.part == "raised":
                        scripted = False
                        continue
                    return self.found("FAIL", f"{name}, {how}: {error}", example=show(case, 0, how))
                emitted = np.arange(tokens.shape[1]) < n_out[:, None]
                p = np.take_along_axis(case.p, np.where(emitted, tokens, 0)[..., None], axis=2)[..., 0]
                off = np.argwhere(emitted & ~(p > 0))
                if len(off):
                    b, i = (int(j) for j in off[0])
                    finding = f"{name}, {how}: emits token {tokens[b, i]} at position {i} of row {b}, where its p is 0"
                    part = "acceptance" if i < n_out[b] - 1 else "bonus" if i == case.num_draft[b] else "residual"
                    return self.found("FAIL", finding, example=show(case, b, how), part=part)
        refused = [name for name, shape in (("B = 0", (0, 3)), ("K = 0", (3, 0))) if not _takes(verifier, asked.seed, *shape)]
        finding = "no impossible token, also at u = 0 and just below 1" if scripted else "no impossible token"
        if not scripted:
            finding += "; u = 0 and u just below 1 could not be set"
        if refused:
            finding += f"; refuses {' and '.join(refused)}"
        return self.found("pass", finding, ran="zeros, one-hot, p = q, no drafts, float32 at V = 32,768")


def _takes(verifier: Adapted, seed: int, B: int, K: int) -> bool:
    case = Case(np.zeros((B, K), np.int64), np.full((B, K, 4), 0.25), np.full((B, K + 1, 4), 0.25), np.zeros(B, np.int64))
    try:
        verifier(*case, generator(seed))
    except VerifierError as error:
        if error.part == "time":
            raise
        return False
    return True
