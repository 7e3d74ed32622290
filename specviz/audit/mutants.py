"""Wrong verifiers, and right ones that are not the token rule: what a test of losslessness must fail, and what it must pass.

The wrong ones are the token rule, written out plainly, with one part exchanged. Each names the gauges that see it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..arrays import Floats, Ints
from ..markov import MarkovPair
from ..rules.batch import Verifier
from ..rules.block import verify_block
from ..rules.match import match_target
from ..rules.tokenwise import verify
from .parts import match_rule, owed, target_bonus, token_rule

Gauge = Literal["first token", "joint law", "joint law past K", "tokens per round"]
"""What sees a fault: the law of the first token; of whole sequences; the same, but only past K tokens; the count."""


@dataclass(frozen=True)
class Mutant:
    """A verifier whose verdict is known beforehand.

    Attributes
    ----------
    name : str
    family : str
        The part of the rule that is exchanged.
    what : str
        What it does, in one sentence.
    seen_by : frozenset of str
        The gauges that differ from the token rule's; see `Gauge`.
    build : callable
        Makes the verifier for a pair. Only a verifier that asks the drafter for more than q depends on the pair.
    pair : callable
        Maps a pair to the one to generate from. Faults of the drafter's side change the law that drafts come from and leave the
        reported q; all others leave the pair.
    """

    name: str
    family: str
    what: str
    seen_by: frozenset[Gauge]
    build: Callable[[MarkovPair], Verifier]
    pair: Callable[[MarkovPair], MarkovPair] = lambda pair: pair

    @property
    def lossless(self) -> bool:
        """Does it keep the target's law? Then only the tokens per round can differ."""
        return self.seen_by <= {"tokens per round"}


def _plain(verifier: Verifier) -> Callable[[MarkovPair], Verifier]:
    return lambda pair: verifier


def _one_for_the_row(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return np.repeat(rng.random((shape[0], 1)), shape[1], axis=1)


def _bonus_from_the_row_before(draft: Ints, q: Floats, p: Floats, num_draft: Ints) -> Floats:
    return p[np.arange(len(p)), np.maximum(num_draft - 1, 0)]


def _bonus_from_the_drafter(pair: MarkovPair) -> Verifier:
    def bonus(draft: Ints, q: Floats, p: Floats, num_draft: Ints) -> Floats:
        weights = target_bonus(draft, q, p, num_draft)
        drafted = np.flatnonzero(num_draft > 0)
        weights[drafted] = pair.drafter[draft[drafted, num_draft[drafted] - 1]]
        return weights

    return token_rule(bonus=bonus)


def _tempered(pair: MarkovPair) -> MarkovPair:
    powered = pair.drafter ** (1 / 0.7)
    return pair.with_drafter(powered / powered.sum(axis=1, keepdims=True))


def _nucleus(pair: MarkovPair) -> MarkovPair:
    order = np.argsort(-pair.drafter, axis=1, kind="stable")
    falling = np.take_along_axis(pair.drafter, order, axis=1)
    before = np.cumsum(falling, axis=1) - falling
    kept = np.zeros_like(falling)
    np.put_along_axis(kept, order, np.where(before < 0.8 - 1e-12, falling, 0), axis=1)
    return pair.with_drafter(kept / kept.sum(axis=1, keepdims=True))


def _greedy(pair: MarkovPair) -> MarkovPair:
    return pair.with_drafter(np.eye(pair.V)[pair.drafter.argmax(axis=1)])


LAW: frozenset[Gauge] = frozenset({"first token", "joint law"})
SLOWER: frozenset[Gauge] = frozenset({"tokens per round"})

CATALOGUE: tuple[Mutant, ...] = (
    Mutant("verify", "right", "The token rule of this package.", frozenset(), _plain(verify)),
    Mutant(
        "token_rule",
        "right",
        "The token rule from the parts below, nothing exchanged.",
        frozenset(),
        _plain(token_rule()),
    ),
    Mutant(
        "no_bonus",
        "right",
        "Leaves out the bonus token: lossless, only slower.",
        SLOWER,
        _plain(token_rule(emit_bonus=False)),
    ),
    Mutant(
        "match_target",
        "right",
        "Draws from p, emits the draw, goes on while it equals the draft.",
        SLOWER,
        _plain(match_target),
    ),
    Mutant(
        "verify_block",
        "right",
        "Accepts sub-blocks of drafts jointly: lossless and faster.",
        SLOWER,
        _plain(verify_block),
    ),
    Mutant(
        "replacement_from_p",
        "residual",
        "Draws the replacement of a rejected draft from p.",
        LAW,
        _plain(token_rule(replacement=lambda p, q: p)),
    ),
    Mutant(
        "residual_abs",
        "residual",
        "Takes abs(p - q) as the residual.",
        LAW,
        _plain(token_rule(replacement=lambda p, q: np.abs(p - q))),
    ),
    Mutant(
        "residual_reversed",
        "residual",
        "Takes max(0, q - p) as the residual.",
        LAW,
        _plain(token_rule(replacement=lambda p, q: owed(q, p))),
    ),
    Mutant(
        "one_uniform_per_row",
        "randomness",
        "Tests all positions of a row with one uniform.",
        frozenset({"joint law", "tokens per round"}),
        _plain(token_rule(uniforms=_one_for_the_row)),
    ),
    Mutant(
        "uniform_reused",
        "randomness",
        "Draws the last token with the uniform of the last accept test.",
        LAW,
        _plain(token_rule(reuse_last_uniform=True)),
    ),
    Mutant(
        "count_of_mask",
        "count",
        "Counts every accepted draft, also those behind the first rejection.",
        LAW | SLOWER,
        _plain(token_rule(count=lambda accept: accept.sum(axis=1))),
    ),
    Mutant(
        "bonus_from_drafter",
        "bonus",
        "Draws the bonus from the drafter's law at the bonus position.",
        frozenset({"joint law past K"}),
        _bonus_from_the_drafter,
    ),
    Mutant(
        "bonus_from_row_before",
        "bonus",
        "Draws the bonus from the target's row one position too early.",
        frozenset({"joint law past K"}),
        _plain(token_rule(bonus=_bonus_from_the_row_before)),
    ),
    Mutant(
        "ratio_inverted",
        "acceptance",
        "Accepts with probability min(1, q / p).",
        LAW | SLOWER,
        _plain(token_rule(accept=lambda u, p_x, q_x: u * p_x < q_x)),
    ),
    Mutant(
        "everything_accepted",
        "acceptance",
        "Accepts every draft.",
        LAW | SLOWER,
        _plain(token_rule(accept=lambda u, p_x, q_x: u < 1)),
    ),
    Mutant(
        "drafts_at_temperature",
        "drafter",
        "Drafts are sampled at temperature 0.7, q is reported at 1.",
        LAW | SLOWER,
        _plain(verify),
        _tempered,
    ),
    Mutant(
        "drafts_from_nucleus",
        "drafter",
        "Drafts are sampled with top-p 0.8, the raw q is reported.",
        LAW | SLOWER,
        _plain(verify),
        _nucleus,
    ),
    Mutant(
        "drafts_greedy",
        "drafter",
        "Drafts are the drafter's argmax, its softmax is reported.",
        LAW | SLOWER,
        _plain(verify),
        _greedy,
    ),
    Mutant(
        "match_then_fresh",
        "acceptance",
        "Sample-and-match that emits a fresh draw from p after a mismatch.",
        LAW | SLOWER,
        _plain(match_rule(lambda p, q: p)),
    ),
    Mutant(
        "match_then_residual",
        "acceptance",
        "Sample-and-match that emits a draw from the residual after a mismatch.",
        LAW | SLOWER,
        _plain(match_rule(owed)),
    ),
)
"""The right rules first, then the wrong ones."""


def mutant(name: str) -> Mutant:
    """The entry of `CATALOGUE` with this name.

    Parameters
    ----------
    name : str

    Returns
    -------
    Mutant

    Raises
    ------
    ValueError
        If there is none; the message lists the names.
    """
    for entry in CATALOGUE:
        if entry.name == name:
            return entry
    raise ValueError(f"no catalogued verifier is called {name!r}; expected one of {', '.join(m.name for m in CATALOGUE)}")
