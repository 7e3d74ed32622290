"""An entry of the catalogue: a verifier with its name, what it does in a sentence, its code in two forms, and what can see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ..exact.chain import Program
from ..models.designed import CHAINS
from ..models.markov import MarkovPair
from ..rules.contract import Verifier
from .build.parts import Rule

Gauge = Literal[
    "first token",
    "joint law",
    "joint law past K",
    "ragged law",
    "wide law",
    "tokens per round",
    "padding",
    "rows",
    "corners",
    "edges",
    "hygiene",
    "bad input",
]
"""What sees a fault.

The law of the first token; of whole sequences; the same, but only past K tokens; only where rows hold different numbers of
drafts; only in a large vocabulary. The mean of the tokens per round. Then what needs no statistics of one row: another content of
the padding; many rows of one call together; inputs at their limits; uniforms beside a threshold; calls that are repeated; numbers
that are no probabilities.
"""

LAW: frozenset[Gauge] = frozenset({"first token", "joint law"})
JOINT: frozenset[Gauge] = frozenset({"joint law"})
PAST_K: frozenset[Gauge] = frozenset({"joint law past K"})
PACE: frozenset[Gauge] = frozenset({"tokens per round"})
SMALL_LAWS: frozenset[Gauge] = LAW | PAST_K | {"ragged law"}
"""The gauges that count sequences of a small vocabulary."""


@dataclass(frozen=True)
class Entry:
    """A verifier whose verdict is known beforehand, wrong or right. All that is known of it stands here and nowhere else.

    Attributes
    ----------
    name : str
    family : str
        The part of the rule that is exchanged.
    what : str
        What it does, in one sentence.
    seen_by : frozenset of str
        The gauges that differ from the token rule's on the teaching chain; see `Gauge`.
    build : callable
        Makes the verifier for a pair. Only a verifier that asks the drafter for more than q depends on the pair.
    pair : callable
        Maps a pair to the one to generate from. Faults of the drafter's side change the law that drafts come from and leave the
        reported q; all others leave the pair.
    program : callable or None
        The rule for one row as a scalar program (draft, q, p, u) -> tokens, whose law `specviz.exact.chain` integrates.
    no_program : str
        Why there is none: what the fault does is not a question to a uniform, or not a matter of one row.
    in_step : bool
        Does the verifier ask for the uniforms of its program in their order: B x K for ("accept", i), then B for "final"? Then
        both forms must emit the same tokens, and a test holds them to it.
    """

    name: str
    family: str
    what: str
    seen_by: frozenset[Gauge]
    build: Callable[[MarkovPair], Verifier]
    pair: Callable[[MarkovPair], MarkovPair] = lambda pair: pair
    program: Program | None = None
    no_program: str = ""
    in_step: bool = True

    @property
    def lossless(self) -> bool:
        """Does it keep the target's law? Then only the tokens per round can differ."""
        return self.seen_by <= {"tokens per round"}

    @property
    def biased(self) -> bool:
        """Is its law wrong, in a small vocabulary, by more than rounding? Then enough sequences show it."""
        return bool(self.seen_by & SMALL_LAWS)

    @property
    def drafter(self) -> Callable[[MarkovPair], MarkovPair] | None:
        """The drafter's side, as `specviz.audit` takes it, or None where drafts come from the q that is reported."""
        return None if all(self.pair(pair) is pair for pair in CHAINS.values()) else self.pair


def entry(
    name: str,
    family: str,
    what: str,
    seen_by: frozenset[Gauge] | set[Gauge],
    rule: Rule | Verifier,
    pair: Callable[[MarkovPair], MarkovPair] = lambda pair: pair,
    *,
    build: Callable[[MarkovPair], Verifier] | None = None,
    no_program: str = "",
    in_step: bool = True,
) -> Entry:
    """An `Entry` from a rule in two forms, or from a verifier alone and the reason why there is no program."""
    verifier, program = (rule.verifier, rule.program) if isinstance(rule, Rule) else (rule, None)
    return Entry(name, family, what, frozenset(seen_by), build or (lambda _: verifier), pair, program, no_program, in_step)
