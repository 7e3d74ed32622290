"""Whole sequences against the target's joint law, on the designed chains.

What is counted here is judged by other checks as well: every round, accepted drafts, replacements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ...models.designed import CHAINS, RAGGED
from ...models.generate import generate
from ...types import Array, Floats, Ints
from ..check import Counted, Draw, Found, Sizes
from ..diagnosis.first_rounds import FirstRounds
from ..options import Drafter, Options
from ..statistics.chi_square import MIN_EXPECTED, chi_square, count_cells, noncentrality_for, pool
from ..statistics.identity import Evidence, count_by_context, evidence
from ..subject.contract import Adapted
from .drawing import LENGTH, LONGEST, pair_of


@dataclass(frozen=True, eq=False)
class SequenceCounts:
    """Counts of ragged sequences of 4 tokens on one chain.

    Attributes
    ----------
    cells : ndarray of int, shape (V,) * 4
        Whole sequences.
    groups : ndarray of int, shape (K + 1, K + 1, states, V)
        Tokens of all rounds, see `count_by_context`.
    first : ndarray of int, shape (K + 1, K + 2)
        First rounds by drafts and tokens emitted.
    overdue : ndarray of int, shape (2,)
        Rejections whose new token had p <= q, and rejections.
    num_draft, n_out, tokens : ndarray of int8
        The first rounds one by one, and the sequences that they became.
    """

    cells: Ints
    groups: Ints
    first: Ints
    overdue: Ints
    num_draft: Array
    n_out: Array
    tokens: Array

    def __add__(self, other: SequenceCounts) -> SequenceCounts:
        """Counts add up; what is kept one by one is appended."""
        return SequenceCounts(
            self.cells + other.cells,
            self.groups + other.groups,
            self.first + other.first,
            self.overdue + other.overdue,
            np.concatenate([self.num_draft, other.num_draft]),
            np.concatenate([self.n_out, other.n_out]),
            np.concatenate([self.tokens, other.tokens]),
        )

    @property
    def n(self) -> int:
        """Sequences."""
        return int(self.cells.sum())


class Sequences(Counted, Draw):
    """The joint law of sequences on one chain.

    Parameters
    ----------
    chain : str
        Name of a designed chain, see `specviz.models.designed.CHAINS`.
    """

    question = "Do whole sequences have the target's joint law?"
    sizes = Sizes(4000, 20_000, 400_000)

    def __init__(self, chain: str) -> None:
        self.chain, self.name = chain, f"sequences, chain {chain}"
        self.stream = list(CHAINS).index(chain)

    def count(self, verifier: Adapted, seed: np.random.SeedSequence, n: int, drafter: Drafter | None) -> SequenceCounts:
        """Generate n ragged sequences of 4 tokens."""
        pair = pair_of(self.chain, drafter)
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
        return SequenceCounts(count_cells(made.sequences, pair.V), groups, first, overdue, *small)

    def first_rounds(self, counts: SequenceCounts) -> FirstRounds:
        """What a diagnosis counts."""
        return FirstRounds(self.chain, *(a.astype(np.int64) for a in (counts.num_draft, counts.n_out, counts.tokens)))

    def judge(self, counts: Sequence[SequenceCounts], asked: Options, rate: float) -> Found:
        """Cells of few sequences are pooled, and the gamma law keeps the rate."""
        (counted,) = counts
        law, n = CHAINS[self.chain].joint_law(LENGTH), counted.n
        test = chi_square(counted.cells, law, alpha=rate)
        possible = law > 0
        observed, expected = pool(counted.cells[possible].astype(np.float64), n * law[possible])
        impossible = bool((counted.cells[~possible] > 0).any())
        found = Evidence(float("inf"), 0.0, 0.0) if impossible else evidence(observed, expected / n)
        finding = f"chi-square {found.statistic:,.0f}, {len(expected) - 1} expected; TV {test.total_variation:.3f}"
        return self.tested(
            found.p_value,
            rate,
            finding,
            test=test,
            statistic=found.statistic,
            ran=f"{n:,} ragged sequences of 4 tokens on chain {self.chain}",
            example=self._most_unlikely(counted.cells, law) if found.p_value < rate else "",
            sensitivity=sensitivity(law, n, rate),
        )

    def _most_unlikely(self, cells: Ints, law: Floats) -> str:
        n, possible = cells.sum(), law > 0
        z = np.where(possible, (cells - n * law) / np.sqrt(np.where(possible, n * law, 1)), cells * 1e9)
        cell = np.unravel_index(int(np.abs(z).argmax()), law.shape)
        times = f"{[int(x) for x in cell]} came {cells[cell]} times, {n * law[cell]:.1f} expected"
        return f"chain {self.chain}, {n:,} sequences: {times}"


def sensitivity(law: Floats, n: int, rate: float) -> float:
    """Total variation that n sequences show with 99.9% power, whatever its shape: what is inside the pool may hide."""
    order = np.sort(law[law > 0])
    small = int(np.searchsorted(n * order, MIN_EXPECTED))
    dof = len(order) - max(small - 1, 0) - 1
    if dof < 1:
        return float("inf")
    return sqrt(noncentrality_for(dof, alpha=rate) / n) / 2 + float(order[:small].sum())
