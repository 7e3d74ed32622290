"""What an audit found: checks with their verdicts, in text, HTML and JSON, and in words what a pass does not prove."""

from __future__ import annotations

import json
import textwrap
from dataclasses import dataclass
from html import escape
from importlib import import_module
from math import isfinite, isnan
from typing import Any

from .check import Check, Pace

WIDTH = 80


@dataclass(frozen=True)
class AuditReport:
    """Verdict on one verifier.

    Attributes
    ----------
    verifier : str
        Its name.
    checks : tuple of Check
    alpha : float
        False-alarm rate of the whole report: the share of runs in which a lossless verifier would fail it.
    sensitivity : float
        Smallest bias, as a total variation, that would have been seen with 99.9% power, whatever its shape. Infinite where no
        such promise is possible, NaN where none is made.
    diagnosis : object or None
        Probable faults with their odds, and `sentence`, which says them; see `specviz.auditing.diagnosis.diagnose`.
    tokens_per_round : Pace or None
    remarks : tuple of str
        How the run differed from what was asked for.
    scope : str
        What a pass covers, where it is not one chain or the whole set of instances.
    """

    verifier: str
    checks: tuple[Check, ...]
    alpha: float
    sensitivity: float
    diagnosis: Any = None
    tokens_per_round: Pace | None = None
    remarks: tuple[str, ...] = ()
    scope: str = ""

    @property
    def passed(self) -> bool:
        """Did no check that decides losslessness fail?"""
        return all(check.verdict != "FAIL" for check in self.checks)

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that decide and failed, the certain ones first."""
        return tuple(sorted((c for c in self.checks if c.verdict == "FAIL"), key=lambda c: isfinite(c.p_value)))

    @property
    def summary(self) -> str:
        """The verdict in one sentence."""
        if not self.passed:
            if not isfinite(self.failed[0].p_value):
                return f"{self.verifier}: NOT lossless; no chance is involved in the check '{self.failed[0].name}'."
            return f"{self.verifier}: NOT lossless (a lossless one would fail this report once in {1 / self.alpha:,.0f} runs)."
        pace = self.tokens_per_round
        slower = f" It is {pace.word} than the token rule." if pace and pace.word in ("slower", "faster") else ""
        if isnan(self.sensitivity):
            return f"{self.verifier}: no bias seen.{slower}"
        if not self.sensitivity < 1:
            return f"{self.verifier}: no bias seen, but too few sequences to promise that one would have been.{slower}"
        return (
            f"{self.verifier}: no bias seen; one of {self.sensitivity:.3f} in total variation is seen 999 times in 1,000.{slower}"
        )

    @property
    def caution(self) -> str:
        """What the verdict does not say."""
        if not self.passed and self.diagnosis is not None:
            return str(self.diagnosis.sentence)
        if not self.passed:
            if not isfinite(self.failed[0].p_value):
                return "The checks above say what was seen; they do not say which line of the verifier is wrong."
            return "The law is wrong on this chain; the checks above do not say which line of the verifier is."
        if self.scope:
            return f"A pass is no proof: {self.scope}"
        if len(self.checks) > 6:
            return (
                "A pass is no proof: it covers these instances, up to three drafts a row, and biases of that size. Other shapes, "
                "devices and number formats, and how the engine makes p, q and the drafts, were not run."
            )
        return "A pass is no proof: it covers this chain, these draft lengths and biases of that size."

    def __str__(self) -> str:
        width = max((len(check.name) for check in self.checks), default=0)
        lines = textwrap.wrap(self.summary, WIDTH)
        for check in self.checks:
            head = f"  {check.verdict:4s}  {check.name:{width}s}  "
            lines += textwrap.wrap(check.finding, WIDTH, initial_indent=head, subsequent_indent=" " * len(head)) or [
                head.rstrip()
            ]
        if not self.passed and self.failed[0].example:
            lines += ["Counter-example:", *(f"  {line}" for line in self.failed[0].example.splitlines())]
        if self.tokens_per_round:
            lines += textwrap.wrap(_pace(self.tokens_per_round), WIDTH)
        for remark in (*self.remarks, self.caution):
            lines += textwrap.wrap(remark, WIDTH)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><td>{escape(check.verdict)}</td><td>{escape(check.name)}</td><td>{escape(check.finding)}</td></tr>"
            for check in self.checks
        )
        head = "<tr><th>verdict</th><th>check</th><th>finding</th></tr>"
        example = f"<pre>{escape(self.failed[0].example)}</pre>" if self.failed and self.failed[0].example else ""
        pace = [_pace(self.tokens_per_round)] if self.tokens_per_round else []
        words = "".join(f"<p>{escape(text)}</p>" for text in (*pace, *self.remarks, self.caution))
        return f"<p><b>{escape(self.summary)}</b></p><table>{head}{cells}</table>{example}{words}"

    def to_json(self) -> str:
        """The report as JSON text; numbers that are not finite are null."""
        names = ("name", "verdict", "finding", "statistic", "p_value", "ran", "example")
        found = self.diagnosis
        candidates = [{"names": list(c.names), "odds": c.odds, "what": c.what} for c in found.candidates] if found else []
        whole = {
            "verifier": self.verifier,
            "passed": self.passed,
            "summary": self.summary,
            "caution": self.caution,
            "alpha": self.alpha,
            "sensitivity": self.sensitivity,
            "tokens_per_round": vars(self.tokens_per_round) if self.tokens_per_round else None,
            "diagnosis": {"sentence": found.sentence, "known": found.known, "candidates": candidates} if found else None,
            "remarks": list(self.remarks),
            "checks": [{name: getattr(check, name) for name in names} for check in self.checks],
        }
        return json.dumps(_finite(whole), indent=1)

    def plot(self, *, ax: Any = None) -> Any:
        """Draw how far each check that draws is from its limit; needs matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional

        Returns
        -------
        matplotlib.axes.Axes
        """
        return import_module("specviz.plots.report").plot_report(self, ax=ax)  # pictures come later than the audit


def _pace(pace: Pace) -> str:
    return (
        f"Tokens per round: {pace.measured:.3f} ({pace.word}); token rule {pace.token_rule:.3f}, "
        f"no lossless rule above {pace.bound:.3f}."
    )


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_finite(entry) for entry in value]
    if isinstance(value, float) and not isfinite(value):
        return None
    return value
