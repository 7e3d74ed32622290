"""Whole sequences against the joint law of the target."""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from ...models.designed import CHAINS, RAGGED
from ...models.generate import generate
from ...types import Array, Ints
from ..check import Check
from ..statistics.chi_square import MIN_EXPECTED, chi_square, count_cells, noncentrality_for, pool
from ..statistics.identity import Evidence, count_by_context, evidence
from ..subject.contract import Adapted
from .drawing import LENGTH, LONGEST, Drafter, decided, pair_of


class Sequences(NamedTuple):
    """Counts of generated sequences on one chain; see `count_sequences`. Arrays of several tasks are added or appended."""

    cells: Ints
    groups: Ints
    first: Ints
    overdue: Ints
    num_draft: Array
    n_out: Array
    tokens: Array


def count_sequences(verifier: Adapted, seed: np.random.SeedSequence, n: int, chain: str, drafter: Drafter | None) -> Sequences:
    """Generate n ragged sequences of 4 tokens on a chain.

    Returns
    -------
    Sequences
        cells : [V] * 4, whole sequences. groups : see `count_by_context`, all rounds. first : [K + 1, K + 2], the first rounds by
        drafts and tokens emitted. overdue : [2], rejections whose new token had p <= q, and rejections. Then the first rounds
        one by one, and their sequences.
    """
    pair = pair_of(chain, drafter)
    shape = (LONGEST, pair.states, pair.V)
    groups = np.zeros((LONGEST + 1, LONGEST + 1, pair.states, pair.V), np.int64)
    overdue, lengths = np.zeros(2, np.int64), []

    def recorded(draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        assert q is not None
        start = (p[:, 0, None] == pair.target[None]).all(axis=2).argmax(axis=1)  # the rows of a chain differ
        contexts = np.column_stack([start, draft])
        lengths.append(num_draft.copy())
        tokens, n_out = verifier(draft, q, p, num_draft, rng)
        groups[...] += count_by_context(tokens, n_out, num_draft, contexts, shape)
        rejected = np.flatnonzero(n_out <= num_draft)
        at = n_out[rejected] - 1
        s, x = contexts[rejected, at], tokens[rejected, at]
        overdue[...] += int((pair.target[s, x] <= pair.q[s, x]).sum()), len(rejected)
        return tokens, n_out

    made = generate(pair, recorded, length=LENGTH, K=RAGGED, n=n, rng=np.random.default_rng(seed))
    first = np.zeros((LONGEST + 1, LONGEST + 2), np.int64)
    np.add.at(first, (lengths[0], made.first_round), 1)
    small = (a.astype(np.int8) for a in (lengths[0], made.first_round, made.sequences))
    return Sequences(count_cells(made.sequences, pair.V), groups, first, overdue, *small)


def judge_sequences(counted: Sequences, chain: str, alpha: float) -> Check:
    """Whole sequences against the target's joint law; cells of few sequences are pooled, and the gamma law keeps the rate."""
    law = CHAINS[chain].joint_law(LENGTH)
    n = int(counted.cells.sum())
    test = chi_square(counted.cells, law, alpha=alpha)
    possible = law > 0
    observed, expected = pool(counted.cells[possible].astype(np.float64), n * law[possible])
    impossible = bool((counted.cells[~possible] > 0).any())
    found = Evidence(float("inf"), 0.0, 0.0) if impossible else evidence(observed, expected / n)
    p_value, verdict = found.p_value, decided(found.p_value, alpha)
    finding = f"chi-square {found.statistic:,.0f}, {len(expected) - 1} expected; TV {test.total_variation:.3f}"
    z = np.where(possible, (counted.cells - n * law) / np.sqrt(np.where(possible, n * law, 1)), counted.cells * 1e9)
    cell = np.unravel_index(int(np.abs(z).argmax()), law.shape)
    tokens = [int(x) for x in cell]
    example = f"chain {chain}, {n:,} sequences: {tokens} came {counted.cells[cell]} times, {n * law[cell]:.1f} expected"
    ran = f"{n:,} ragged sequences of 4 tokens on chain {chain}"
    shown = example if verdict == "FAIL" else ""
    return Check(f"sequences, chain {chain}", verdict, finding, p_value, test, found.statistic, ran, shown)


def sequence_sensitivity(chain: str, n: int, alpha: float) -> float:
    """Total variation that n sequences show with 99.9% power, whatever its shape: what is inside the pool may hide."""
    law = CHAINS[chain].joint_law(LENGTH).ravel()
    order = np.sort(law[law > 0])
    small = int(np.searchsorted(n * order, MIN_EXPECTED))
    dof = len(order) - max(small - 1, 0) - 1
    if dof < 1:
        return float("inf")
    return sqrt(noncentrality_for(dof, alpha=alpha) / n) / 2 + float(order[:small].sum())


def first_rounds(counted: dict[str, Sequences]) -> list[Any]:
    """What a diagnosis counts."""
    from ..diagnosis.diagnose import FirstRounds

    return [
        FirstRounds(chain, *(a.astype(np.int64) for a in (found.num_draft, found.n_out, found.tokens)))
        for chain, found in counted.items()
    ]
