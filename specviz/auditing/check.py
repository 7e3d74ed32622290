"""What a check of a verifier is, and what it found.

A check declares itself: its question in words, its kind, what it draws, and how that is judged. The audit runs whatever checks it
is given, the report shows whatever they found, and neither knows a check by its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from .options import Drafter, Options
from .statistics.chi_square import ChiSquare
from .subject.contract import Adapted, VerifierError

Kind = Literal["certain", "exact", "statistical"]
"""Certain: a call shows a counter-example or none. Exact: a law is measured without chance. Statistical: chance has a share in
it, and there is a false-alarm rate."""

Verdict = Literal["pass", "FAIL", "note", "n/a"]
"""Pass or FAIL where the question decides; a note where it does not; n/a where it cannot be asked of this verifier."""

Part = Literal["", "acceptance", "residual", "bonus", "rows", "randomness", "processing"]
"""The part of a rule, or of what surrounds it, that a failed check points at; nothing where it could be any."""

LOSSLESS = "lossless"
"""What nearly every check is about."""


@dataclass(frozen=True)
class Pace:
    """Tokens per round of the first rounds on one chain, all rows holding three drafts.

    Attributes
    ----------
    measured, error : float
        Mean of the verifier and its standard error.
    token_rule : float
        Exact mean of the token rule.
    bound : float
        No lossless rule has a larger mean: 1 + sum_i (1 - TV of the laws of i tokens).
    """

    measured: float
    error: float
    token_rule: float
    bound: float

    @property
    def word(self) -> str:
        """Slower, faster, or as the token rule; told apart at four standard errors."""
        gap = self.measured - self.token_rule
        return "as the token rule" if abs(gap) <= 4 * self.error else "slower" if gap < 0 else "faster"


@dataclass(frozen=True, eq=False)
class Found:
    """What one check found of a verifier.

    Attributes
    ----------
    name : str
    verdict : str
        "pass" or "FAIL" for a question that decides; "note" for one that does not; "n/a" when it cannot be asked.
    finding : str
        What was measured, against what.
    kind : str
        See `Kind`.
    p_value : float
        Probability of a finding at least as far off, from a verifier that is what it claims to be; NaN where no chance is
        involved.
    test : ChiSquare or None
        The test behind a pass or a fail.
    statistic : float
        Its value; NaN where there is none.
    ran : str
        What was run.
    example : str
        The smallest counter-example, of at most three lines, or nothing.
    part : str
        Where a FAIL points; see `Part`.
    claim : str
        What a FAIL refutes: that the verifier is "lossless", unless the check is about something else.
    sensitivity : float
        Total variation that this check sees with 99.9% power, whatever the shape of the bias. NaN where it promises nothing.
    pace : Pace or None
    """

    name: str
    verdict: Verdict
    finding: str
    kind: Kind
    p_value: float = float("nan")
    test: ChiSquare | None = None
    statistic: float = float("nan")
    ran: str = ""
    example: str = ""
    part: Part = ""
    claim: str = LOSSLESS
    sensitivity: float = float("nan")
    pace: Pace | None = None


class Check:
    """One question put to a verifier.

    Attributes
    ----------
    name : str
    question : str
        In words.
    kind : str
        See `Kind`; statistical checks that decide share the report's false-alarm rate.
    part : str
        Where a FAIL points unless the finding says more; see `Part`.
    claim : str
        What a FAIL refutes.
    """

    name: str
    question: str
    kind: Kind
    part: Part = ""
    claim: str = LOSSLESS

    def applies(self, asked: Options) -> bool:
        """Is this check part of an audit with these options?"""
        return True

    def decides(self, asked: Options) -> bool:
        """Can it fail the report, or is it a note?"""
        return True

    def found(self, verdict: Verdict, finding: str, **more: Any) -> Found:
        """What this check found; keywords are those of `Found`."""
        return Found(self.name, verdict, finding, self.kind, **{"part": self.part, "claim": self.claim, **more})

    def tested(self, p_value: float, rate: float, finding: str, **more: Any) -> Found:
        """The same with the verdict of a test at its false-alarm rate."""
        return self.found("FAIL" if p_value < rate else "pass", finding, p_value=p_value, **more)

    def broken(self, error: VerifierError) -> Found:
        """A verifier that breaks the contract while it is asked has failed, whatever the question was."""
        finding = f"the verifier's {error}" if error.part == "values" else f"the verifier {error}"
        return Found(self.name, "FAIL", finding, "certain")


class Probe(Check):
    """A check that asks by a few calls of its own, one after another."""

    def ask(self, verifier: Adapted, asked: Options, rate: float) -> Found:
        """Ask.

        Parameters
        ----------
        verifier : Adapted
        asked : Options
            Among them the seed.
        rate : float
            False-alarm rate of each statistical check; the others have no use for it.

        Raises
        ------
        VerifierError
            If the verifier breaks the contract: the audit then calls `broken`.
        """
        raise NotImplementedError


class Sizes(NamedTuple):
    """How much is drawn at each budget of a fixed size."""

    quick: int
    standard: int
    deep: int

    def at(self, budget: str) -> int | None:
        """The size at a budget, or None if it has none there."""
        return self._asdict().get(budget)


class Draw:
    """What is drawn from a verifier and counted, once for all the checks that judge it; whole and repeatable by its seed.

    It runs in tasks, anywhere: instances and counts can be pickled, equal draws are one, and counts of several tasks add up with
    ``+``.

    Attributes
    ----------
    stream : int
        Number of its stream among those that grow from one seed. No two draws share one, so that a new draw moves no other's.
    sizes : Sizes
    """

    stream: int
    sizes: Sizes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Draw) and self.stream == other.stream

    def __hash__(self) -> int:
        return hash(self.stream)

    def count(self, verifier: Adapted, seed: np.random.SeedSequence, n: int, drafter: Drafter | None) -> Any:
        """Draw n units and count them."""
        raise NotImplementedError

    def first_rounds(self, counts: Any) -> Any:
        """The first rounds among the counts, for naming a fault; None where there are none. See `specviz.auditing.diagnosis`."""
        return None


class Counted(Check):
    """A check that judges what was drawn and counted: by itself, if it is a `Draw` as well, or by others."""

    kind: Kind = "statistical"

    @property
    def draws(self) -> tuple[Draw, ...]:
        """What it judges, in the order in which `judge` gets the counts."""
        assert isinstance(self, Draw), "a counted check that is no draw names its draws"
        return (self,)

    def applies(self, asked: Options) -> bool:
        """It has a size for this budget."""
        return all(draw.sizes.at(asked.budget) for draw in self.draws)

    def judge(self, counts: Sequence[Any], asked: Options, rate: float) -> Found:
        """Judge the counts of its draws at a false-alarm rate."""
        raise NotImplementedError
