"""What is drawn and counted for the checks that need statistics: each function is one task, whole and repeatable by its seed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ...inverse_cdf import inverse_cdf
from ...models.designed import CHAINS, RAGGED
from ...models.generate import draft_round, generate, spoil_padding
from ...models.markov import MarkovPair
from ...theory.acceptance import kept_by_token_rule, token_acceptance
from ...types import Array, Floats, Ints
from ..statistics.chi_square import count_cells
from ..statistics.identity import Evidence, count_by_context, evidence
from ..subject.contract import Adapted

LENGTH = 4
LONGEST = len(RAGGED) - 1
WIDE_V = 4200
"""No whole number of tiles of 128, so that a tail that is dropped is seen."""

Drafter = Callable[[MarkovPair], MarkovPair]


class Sequences(NamedTuple):
    """Counts of generated sequences on one chain; see `count_sequences`. Arrays of several tasks are added or appended."""

    cells: Ints
    groups: Ints
    first: Ints
    overdue: Ints
    num_draft: Array
    n_out: Array
    tokens: Array


class Rows(NamedTuple):
    """Counts of many small calls; see `count_rows`."""

    each: Evidence
    pairs: Ints
    excess: Floats


def pair_of(chain: str, drafter: Drafter | None) -> MarkovPair:
    """The designed chain, with the drafter that the drafts really come from."""
    return drafter(CHAINS[chain]) if drafter else CHAINS[chain]


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


@cache
def prefix_pair() -> MarkovPair:
    """Rows for each prefix of up to three tokens out of four: node 0 is empty, and 4 node + 1 + x follows node by token x."""
    rng = np.random.default_rng(20)
    target, drafter = 0.8 * rng.dirichlet(np.ones(4), (2, 85)) + 0.05
    return MarkovPair(target, drafter, start=0)


def count_prefixes(verifier: Adapted, seed: np.random.SeedSequence, n: int, drafter: Drafter | None) -> Ints:
    """One ragged round from the empty prefix, in rows that depend on everything before: sees context that is stale.

    Returns
    -------
    ndarray, shape (K + 1, K + 1, 85, 4)
        See `count_by_context`.
    """
    rng = np.random.default_rng(seed)
    pair = drafter(prefix_pair()) if drafter else prefix_pair()
    counts = np.zeros((LONGEST + 1, LONGEST + 1, 85, 4), np.int64)
    for B in blocks(n, 4096):
        node = np.zeros((B, LONGEST + 1), np.int64)
        draft = np.empty((B, LONGEST), np.int64)
        for i in range(LONGEST):
            draft[:, i], _ = inverse_cdf(pair.drafter[node[:, i]], rng.random(B))
            node[:, i + 1] = 4 * node[:, i] + 1 + draft[:, i]
        q, p = pair.q[node[:, :LONGEST]], pair.target[node]
        num_draft = draw_lengths(B, rng)
        spoil_padding(pair, draft, q, p, num_draft)
        tokens, n_out = verifier(draft, q, p, num_draft, rng)
        counts += count_by_context(tokens, n_out, num_draft, node, (LONGEST, 85, 4))
    return counts


@cache
def wide_laws() -> tuple[Floats, Floats]:
    """p of 5 contexts and q of 3 over a large vocabulary: start, then by even or odd token at two positions.

    A third of the tokens are next to impossible, which shows a floor; a twentieth of the mass is on tokens below 1e-4, which
    shows what is cut or lifted there; and the last part of a tile carries a tenth of it.
    """
    rng = np.random.default_rng(21)
    weights = rng.pareto(1.8, (5, WIDE_V)) + 0.02
    weights[rng.random(weights.shape) < 1 / 3] *= 1e-4
    last = np.arange(WIDE_V) >= WIDE_V // 128 * 128
    weights[:, last] *= 0.1 * weights[:, ~last].sum(axis=1, keepdims=True) / weights[:, last].sum(axis=1, keepdims=True)
    q = weights[:3] * np.exp(1.2 * rng.standard_normal((3, WIDE_V)))
    return weights / weights.sum(axis=1, keepdims=True), q / q.sum(axis=1, keepdims=True)


def count_wide(verifier: Adapted, seed: np.random.SeedSequence, n: int) -> Ints:
    """Rounds of up to two drafts in a vocabulary of 4,200 tokens: sees floors, dropped tails and faults of tiles.

    Returns
    -------
    ndarray, shape (5, V)
        Tokens emitted by context.
    """
    rng = np.random.default_rng(seed)
    p_of, q_of = wide_laws()
    cum = q_of.cumsum(axis=1)
    counts = np.zeros((5, WIDE_V), np.int64)
    for B in blocks(n, 200):
        context = np.zeros((B, 3), np.int64)
        draft = np.empty((B, 2), np.int64)
        for i in range(2):
            u = rng.random(B)
            for s in range(3):
                rows = context[:, i] == s
                draft[rows, i] = np.minimum(np.searchsorted(cum[s], u[rows] * cum[s, -1], side="right"), WIDE_V - 1)
            context[:, i + 1] = 1 + 2 * i + draft[:, i] % 2
        num_draft = rng.integers(0, 3, B)
        tokens, n_out = verifier(draft, q_of[context[:, :2]], p_of[context], num_draft, rng)
        there = np.arange(3) < n_out[:, None]
        np.add.at(counts, (context[there], tokens[there]), 1)
    return counts


def wide_cells() -> tuple[Ints, Ints]:
    """Two ways to put each context's tokens into cells, each [5, V]: by size and sign of p - q; by place: ends, tiles in turn."""
    p, q = wide_laws()
    behind = np.concatenate([q, q[1:]])  # contexts 3 and 4 have no q: any split of the vocabulary will do
    size = np.clip(np.floor(-np.log2(p)), 0, 24).astype(np.int64)
    at = np.arange(WIDE_V)
    place = np.where(at >= WIDE_V // 128 * 128, 8, at // 128 % 8)
    place[0], place[-1] = 9, 10
    return np.asarray(size * 2 + (p > behind)), np.broadcast_to(place, p.shape)


def count_rows(verifier: Adapted, seed: np.random.SeedSequence, calls: int, B: int, drafter: Drafter | None) -> Rows:
    """Many small calls, each judged on its own: rows that share uniforms are alike, though each row's law is right.

    Returns
    -------
    Rows
        each : the sum of the calls' own statistics. pairs : [V, V], first tokens of the rows 0 and 1, 2 and 3, ... of every call.
        excess : [calls, B], drafts accepted in each row, less what the token rule accepts on average of just these drafts: what
        the row's uniforms have done.
    """
    rng = np.random.default_rng(seed)
    pair = pair_of("A", drafter)
    total, pairs, excess = Evidence(0.0, 0.0, 0.0), np.zeros((pair.V, pair.V), np.int64), np.zeros((calls, B))
    for call in range(calls):
        draft, q, p = draft_round(pair, np.full(B, pair.start), LONGEST, rng)
        num_draft = draw_lengths(B, rng)
        contexts = np.column_stack([np.full(B, pair.start), draft])
        usual = _accepted_on_average(draft, q, p, num_draft)
        spoil_padding(pair, draft, q, p, num_draft)
        tokens, n_out = verifier(draft, q, p, num_draft, rng)
        counts = count_by_context(tokens, n_out, num_draft, contexts, (LONGEST, pair.states, pair.V)).sum(axis=0)
        total += evidence(counts, pair.target)
        np.add.at(pairs, (tokens[: B - 1 : 2, 0], tokens[1::2, 0]), 1)
        excess[call] = n_out - 1 - usual
    return Rows(total, pairs, excess)


def _accepted_on_average(draft: Ints, q: Floats, p: Floats, num_draft: Ints) -> Floats:
    """Drafts that the token rule accepts of each row, on average over its uniforms: [B]."""
    with np.errstate(invalid="ignore"):  # a drafter at fault may draw what its q never gives
        accept = np.nan_to_num(token_acceptance(draft, q, p), nan=1.0)
    accept[np.arange(draft.shape[1]) >= num_draft[:, None]] = 0
    return np.asarray(kept_by_token_rule(accept).sum(axis=1))


def blocks(n: int, size: int) -> list[int]:
    """n as a sum of parts of at most `size`."""
    return [min(size, n - start) for start in range(0, n, size)]


def draw_lengths(B: int, rng: np.random.Generator) -> Ints:
    """How many drafts each of B rows holds."""
    lengths, _ = inverse_cdf(np.broadcast_to(np.array(RAGGED), (B, len(RAGGED))), rng.random(B))
    return lengths


def merge(results: list[Any]) -> Any:
    """Join what the tasks of one check counted."""
    first = results[0]
    if isinstance(first, Sequences):
        added = [sum(parts) for parts in zip(*(r[:4] for r in results), strict=True)]
        return Sequences(*added, *(np.concatenate(parts) for parts in zip(*(r[4:] for r in results), strict=True)))
    if isinstance(first, Rows):
        each, pairs, excess = zip(*results, strict=True)
        return Rows(_sum(each), _sum(pairs), np.concatenate(excess))
    return _sum(results)


def _sum(results: Any) -> Any:
    total, *rest = results
    for more in rest:
        total = total + more
    return total
