"""The law of one draft, measured without chance: where the verifier's answer changes as its uniforms move.

Its answer is a step function of the uniforms that it draws. Bisection finds every step to twelve digits, the widths of the steps
are the law, and so faults the size of a rounding show that no count could: a lenience of 0.999, or arithmetic in float16.
Works for any rule that draws one to three numbers by `rng.random` for a row of one draft.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...types import Floats
from ..check import Found, Part, Probe
from ..options import Options
from ..subject.batches import Case
from ..subject.contract import Adapted, VerifierError
from ..subject.scripted import Stub

P = np.array([0.31, 0.27, 0.23, 0.19])
Q = np.array([0.17, 0.21, 0.25, 0.37])
BONUS = np.array([[0.23, 0.37, 0.19, 0.21], [0.41, 0.11, 0.29, 0.19], [0.13, 0.33, 0.17, 0.37], [0.29, 0.21, 0.39, 0.11]])
"""Laws without ties, two tokens owed, every step wider than the lattice that finds it."""

LATTICE = 32
PROBES = 8
HALVINGS = 34
MOST = 3
TOLERANCE = 1e-5
"""Float32 arithmetic moves the law by 1e-7; whoever is off by more than this is not rounding in float32."""

Output = tuple[int, ...]


class NotMeasurable(Exception):
    """The verifier's uniforms cannot be set."""


@dataclass
class Measured:
    """Answers of a verifier to one row as a function of the numbers that it draws."""

    verifier: Adapted
    x: int
    drafts: int
    slots: int = 0
    together: bool = field(default=True)

    def __post_init__(self) -> None:
        for rows in (7, 1):
            self.together = rows > 1
            try:
                self.slots = max(self._run(np.full((rows, MOST + 1), u), count=True) for u in (0.02, 0.3, 0.7, 0.98))
            except VerifierError as error:
                if error.part != "raised":
                    raise
                continue
            if 1 <= self.slots <= MOST and (rows == 1 or self._rows_are_alone()):
                return
        raise NotMeasurable

    def _rows_are_alone(self) -> bool:
        """Does a row of a batch answer as it does alone? If not, rows are asked one by one."""
        u = np.random.default_rng(4).random((12, self.slots))
        return self._outputs(u) == [answer for row in u for answer in self._outputs(row[None])]

    def answers(self, u: Floats) -> list[Output]:
        """One answer for each row of uniforms [n, slots]."""
        if self.together and len(u) > 1:
            return self._outputs(u)
        return [answer for row in u for answer in self._outputs(row[None])]

    def law(self, fixed: Floats | None = None) -> dict[Output, float]:
        """Probability of each answer, the first uniforms being fixed."""
        fixed = np.empty(0) if fixed is None else fixed
        rest = self.slots - len(fixed) - 1
        probes = np.random.default_rng(5).random((PROBES, rest)) if rest else np.empty((1, 0))

        def signatures(points: Floats) -> list[tuple[Output, ...]]:
            heads = np.tile(fixed, (len(points) * len(probes), 1))
            u = np.column_stack([heads, np.repeat(points, len(probes)), np.tile(probes, (len(points), 1))])
            flat = self.answers(u)
            return [tuple(flat[i : i + len(probes)]) for i in range(0, len(flat), len(probes))]

        points = (np.arange(LATTICE) + 0.5) / LATTICE
        seen = signatures(points)
        at = [i for i in range(LATTICE - 1) if seen[i] != seen[i + 1]]
        low, high = points[at], points[[i + 1 for i in at]]
        for _ in range(HALVINGS if at else 0):
            middle = (low + high) / 2
            left = np.array([now == seen[i] for now, i in zip(signatures(middle), at, strict=True)])
            low, high = np.where(left, middle, low), np.where(left, high, middle)
        edges = np.concatenate([[0.0], (low + high) / 2, [1.0]])
        total: dict[Output, float] = defaultdict(float)
        for a, b in pairwise(edges):
            inside = np.append(fixed, (a + b) / 2)
            part = self.law(inside) if rest else {self.answers(inside[None])[0]: 1.0}
            for answer, mass in part.items():
                total[answer] += mass * float(b - a)
        return total

    def _outputs(self, u: Floats) -> list[Output]:
        tokens, n_out = self.verifier(*self._case(len(u)), Stub(np.column_stack([u, np.full((len(u), 1), 0.5)])))
        return [tuple(row[:n]) for row, n in zip(tokens.tolist(), n_out.tolist(), strict=True)]

    def _run(self, u: Floats, count: bool) -> int:
        stub = Stub(u)
        self.verifier(*self._case(len(u)), stub)
        return stub.used

    def _case(self, B: int) -> Case:
        q, p = np.tile(Q, (B, 1, 1)), np.tile(np.stack([P, BONUS[self.x]]), (B, 1, 1))
        return Case(np.full((B, 1), self.x), q, p, np.full(B, self.drafts))


class Deviation(NamedTuple):
    """How far a measured law is from the target's at most, where, and in which part of the rule."""

    off: float
    where: str
    part: Part


def measured_deviation(verifier: Adapted) -> Deviation:
    """Largest distance of a measured probability from the target's.

    Raises
    ------
    NotMeasurable
        If the verifier does not draw one to three numbers by `rng.random` for such a row, or draws others beside them.
    """
    first, found, kept_right = np.zeros(4), [], True
    for x in range(4):
        second, kept = np.zeros(4), 0.0
        for answer, share in Measured(verifier, x, 1).law().items():
            first[answer[0]] += Q[x] * share
            if len(answer) > 1:
                second[answer[1]] += share
                kept += share
        kept_right &= abs(kept - min(1.0, P[x] / Q[x])) < TOLERANCE
        if kept > 0:
            found.append(Deviation(float(np.abs(second / kept - BONUS[x]).max()), f"the bonus behind token {x}", "bonus"))
    part: Part = "residual" if kept_right else "acceptance"
    off = np.abs(first - P)
    found.append(Deviation(float(off.max()), f"token {int(off.argmax())} at the first position", part))
    empty = np.zeros(4)
    for answer, share in Measured(verifier, 0, 0).law().items():
        empty[answer[0]] += share
    found.append(Deviation(float(np.abs(empty - P).max()), "the token of a row without drafts", "bonus"))
    return max(found, key=lambda deviation: deviation.off)


class ExactLaw(Probe):
    """The law of one draft and its bonus, and of a row without drafts."""

    name = "edges"
    question = "Is the law of one draft the target's to five digits and more, measured where the answer changes?"
    kind = "exact"

    def ask(self, verifier: Adapted, asked: Options, rate: float) -> Found:
        """Every step of the answer, by bisection of the uniforms."""
        try:
            script, probe = np.random.default_rng(6).random((64, MOST)), Measured(verifier, 0, 1)
            if probe.answers(script[:, : probe.slots]) != probe.answers(script[:, : probe.slots]):
                raise NotMeasurable  # it draws other numbers beside these
            off, where, part = measured_deviation(verifier)
        except (NotMeasurable, VerifierError) as error:
            if isinstance(error, VerifierError) and error.part != "raised":
                raise
            finding = "its uniforms cannot be set; faults smaller than the sensitivity (rounding, a lenience of .999) stay unseen"
            return self.found("n/a", finding)
        ran = "every step of the answer to one draft, V = 4, by bisection"
        if off > TOLERANCE:
            example = f"p = {P.tolist()}\nq = {Q.tolist()}\nlaw of {where}: off by {off:.2g}"
            finding = f"{where} has a probability that is off by {off:.2g}"
            return self.found("FAIL", finding, ran=ran, statistic=off, example=example, part=part)
        return self.found("pass", f"one draft, V = 4: the law is the target's to {max(off, 1e-12):.0e}", ran=ran, statistic=off)
