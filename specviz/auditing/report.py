"""What an audit found: checks with their verdicts, in text, HTML and JSON, and in words what a pass does not prove."""

from __future__ import annotations

import json
import textwrap
from dataclasses import dataclass
from html import escape
from importlib import import_module
from math import isfinite, isnan, nan
from typing import Any, NamedTuple

from .check import LOSSLESS, Found, Pace
from .diagnosis.diagnose import Diagnosis

WIDTH = 80


class Words(NamedTuple):
    """What a report says, in sentences that cannot disagree, since one function makes them all.

    Attributes
    ----------
    summary : str
        The verdict in one sentence.
    caution : str
        What the verdict does not say; after a failure, which fault it is, as far as that is known.
    fault : str
        The fault in words if it has a name that fits, else nothing.
    """

    summary: str
    caution: str
    fault: str


@dataclass(frozen=True)
class AuditReport:
    """Verdict on one verifier.

    Attributes
    ----------
    verifier : str
        Its name.
    checks : tuple of Found
        What each check found.
    alpha : float
        False-alarm rate of the whole report: the share of runs in which a lossless verifier would fail it.
    scope : str
        What a pass covers, as a sentence that goes on from "A pass is no proof:".
    diagnosis : Diagnosis or None
        Which catalogued fault the counts fit or are near to; see `specviz.auditing.diagnosis`.
    remarks : tuple of str
        How the run differed from what was asked for.
    """

    verifier: str
    checks: tuple[Found, ...]
    alpha: float
    scope: str
    diagnosis: Diagnosis | None = None
    remarks: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Did no check that decides fail?"""
        return not self.failed

    @property
    def failed(self) -> tuple[Found, ...]:
        """The checks that decide and failed, those without chance first."""
        return tuple(sorted((f for f in self.checks if f.verdict == "FAIL"), key=lambda f: f.kind == "statistical"))

    @property
    def sensitivity(self) -> float:
        """Smallest bias, as a total variation, that would have been seen with 99.9% power, whatever its shape.

        Infinite where no such promise is possible, NaN where none is made.
        """
        return max((f.sensitivity for f in self.checks if not isnan(f.sensitivity)), default=nan)

    @property
    def tokens_per_round(self) -> Pace | None:
        """Tokens per round of the verifier beside those of the token rule and the bound, if a check measured them."""
        return next((f.pace for f in self.checks if f.pace), None)

    @property
    def tried(self) -> tuple[str, ...]:
        """What was run: instances, shapes, number formats and how much of each."""
        return tuple(dict.fromkeys(f.ran for f in self.checks if f.ran))

    @property
    def summary(self) -> str:
        """The verdict in one sentence."""
        return words(self).summary

    @property
    def caution(self) -> str:
        """What the verdict does not say."""
        return words(self).caution

    @property
    def accusation(self) -> str:
        """A failure in one sentence: the first check that failed, and the fault if its name fits, else what was found."""
        first = self.failed[0]
        return f"{self.verifier} is not {first.claim} ({first.name}): {words(self).fault or first.finding}"

    def __str__(self) -> str:
        width = max((len(found.name) for found in self.checks), default=0)
        lines = textwrap.wrap(self.summary, WIDTH)
        for found in self.checks:
            head = f"  {found.verdict:4s}  {found.name:{width}s}  "
            lines += textwrap.wrap(found.finding, WIDTH, initial_indent=head, subsequent_indent=" " * len(head)) or [
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
            "<tr>" + "".join(f"<td>{escape(text)}</td>" for text in (f.verdict, f.name, f.finding, _evidence(f))) + "</tr>"
            for f in self.checks
        )
        head = "<tr><th>verdict</th><th>check</th><th>finding</th><th>p-value</th></tr>"
        example = f"<pre>{escape(self.failed[0].example)}</pre>" if self.failed and self.failed[0].example else ""
        pace = [_pace(self.tokens_per_round)] if self.tokens_per_round else []
        tried = [f"Tried: {'; '.join(self.tried)}."] if self.tried else []
        paragraphs = "".join(f"<p>{escape(text)}</p>" for text in (*pace, *self.remarks, *tried, self.caution))
        return f"<p><b>{escape(self.summary)}</b></p><table>{head}{cells}</table>{example}{paragraphs}"

    def to_json(self) -> str:
        """The report as JSON text; numbers that are not finite are null."""
        names = ("name", "verdict", "finding", "kind", "statistic", "p_value", "ran", "example", "part", "claim")
        whole = {
            "verifier": self.verifier,
            "passed": self.passed,
            "summary": self.summary,
            "caution": self.caution,
            "alpha": self.alpha,
            "sensitivity": self.sensitivity,
            "scope": self.scope,
            "tried": list(self.tried),
            "tokens_per_round": vars(self.tokens_per_round) if self.tokens_per_round else None,
            "diagnosis": self.diagnosis.as_dict() if self.diagnosis else None,
            "remarks": list(self.remarks),
            "checks": [{name: getattr(found, name) for name in names} for found in self.checks],
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


def words(report: AuditReport) -> Words:
    """The sentences of a report, from what its checks found."""
    if report.passed:
        return Words(_passed(report), f"A pass is no proof: {report.scope}", "")
    first = report.failed[0]
    refuted = [found for found in report.failed if found.claim == LOSSLESS]
    if not refuted:
        summary = f"{report.verifier}: NOT {first.claim}, which it claims to be; no bias seen."
    elif first.kind == "statistical":
        runs = f"{1 / report.alpha:,.0f}"
        summary = f"{report.verifier}: NOT lossless (a lossless one would fail this report once in {runs} runs)."
    else:
        summary = f"{report.verifier}: NOT lossless; no chance is involved in the check '{first.name}'."
    named = report.diagnosis
    if named is None:
        return Words(summary, _unnamed(report), "")
    if named.fit == "is" and named.lossless == (not refuted):  # a right rule explains no fault, nor a wrong one its absence
        return Words(summary, named.sentence, named.sentence)
    if named.fit == "nearest" and not named.lossless:
        return Words(summary, named.sentence, "")
    where = _parts(report)
    return Words(summary, f"Unknown fault{where and ', in the ' + where}: no catalogued one is near.", "")


def _passed(report: AuditReport) -> str:
    pace = report.tokens_per_round
    slower = f" It is {pace.word} than the token rule." if pace and pace.word in ("slower", "faster") else ""
    if isnan(report.sensitivity):
        return f"{report.verifier}: no bias seen.{slower}"
    if not report.sensitivity < 1:
        return f"{report.verifier}: no bias seen, but too few sequences to promise that one would have been.{slower}"
    return (
        f"{report.verifier}: no bias seen; one of {report.sensitivity:.3f} in total variation is seen 999 times in 1,000.{slower}"
    )


def _unnamed(report: AuditReport) -> str:
    if where := _parts(report):
        return f"The failed checks point at the {where}; they do not say which line of the verifier is wrong."
    if report.failed[0].kind == "statistical":
        return "The law is wrong on this chain; the checks above do not say which line of the verifier is."
    return "The checks above say what was seen; they do not say which line of the verifier is wrong."


def _parts(report: AuditReport) -> str:
    """Where the failed checks point, in words, or nothing. Chance blurs: of statistical checks the first that knows will do."""
    pointing = [found for found in report.failed if found.part]
    sure = [found.part for found in pointing if found.kind != "statistical"]
    return " or the ".join(dict.fromkeys(sure or [found.part for found in pointing[:1]]))


def _evidence(found: Found) -> str:
    """A p-value, or the word for a check without chance."""
    if isfinite(found.p_value):
        return f"{found.p_value:.2g}"
    return "" if found.verdict == "n/a" or found.kind == "statistical" else found.kind


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
