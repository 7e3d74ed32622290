"""An audit as a report card: a line for each check with its verdict, the evidence against the verifier, and what was found."""

from __future__ import annotations

import textwrap
from math import isfinite, log10
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection

from ..auditing.check import Found
from ..auditing.report import AuditReport
from .style import FAINT, INK, REJECTED_INK, P, axes_or_new, style

DECADES = 20
"""Where the evidence ends: a p-value of 1e-20, or a certain counter-example."""

GROUND = {"pass": P, "FAIL": REJECTED_INK}
BAR = 3.15, 5.65
"""Ends of the evidence on the card's own scale from 0 to 10."""

WIDTH = 62
"""Characters of a finding that fit behind the evidence."""


class ReportCard:
    """Lines for up to `most` checks; `set` shows a report, or an empty card."""

    def __init__(self, ax: Axes, most: int) -> None:
        left = BAR[0]
        with style():
            boxes = [[(0, y + 0.14), (0.62, y + 0.14), (0.62, y + 0.86), (0, y + 0.86)] for y in range(most)]
            self.boxes = PolyCollection(boxes, facecolor="white", edgecolor="white", linewidth=1)
            self.bars = LineCollection([[(left, y + 0.5), (left, y + 0.5)] for y in range(most)], linewidth=7, capstyle="butt")
            ax.add_collection(self.boxes)
            ax.add_collection(self.bars)
            common: dict[str, Any] = {"va": "center", "fontsize": 10}
            self.verdicts = [ax.text(0.31, y + 0.52, "", ha="center", fontweight="bold", **common) for y in range(most)]
            self.names = [ax.text(0.75, y + 0.52, "", fontweight="bold", **common) for y in range(most)]
            self.findings = [ax.text(5.8, y + 0.52, "", **common) for y in range(most)]
            self.summary = ax.text(0, -1.1, "", va="center", fontsize=11, fontweight="bold")
            ax.text(left, -0.25, "evidence, p-value 1 to 1e-20; dotted: the limit", color=FAINT, **common)
            (self.limit,) = ax.plot([0, 0], [0.05, most], color=INK, linestyle=":", linewidth=1.5)
        ax.set_xlim(-0.02, 10)
        ax.set_ylim(most + 0.05, -1.6)
        ax.axis("off")

    def set(self, report: AuditReport | None, summary: str = "") -> None:
        """Show a report, or `summary` alone."""
        checks = report.checks[: len(self.names)] if report else ()
        left, right = BAR
        grounds, edges, lines, colours = [], [], [], []
        for y, (verdict, name, finding) in enumerate(zip(self.verdicts, self.names, self.findings, strict=True)):
            check = checks[y] if y < len(checks) else None
            ground = GROUND.get(check.verdict, "white") if check else "white"
            grounds.append(ground)
            edges.append("white" if check is None else FAINT if ground == "white" else ground)
            lines.append([(left, y + 0.5), (left + (right - left) * (_evidence(check) if check else 0), y + 0.5)])
            colours.append(ground if check and check.verdict in GROUND else FAINT)
            verdict.set_text(check.verdict if check else "")
            verdict.set_color(FAINT if ground == "white" else "white")
            name.set_text(check.name if check else "")
            finding.set_text(_short(check.finding, WIDTH) if check else "")
            for text in (name, finding):
                text.set_color(REJECTED_INK if check and check.verdict == "FAIL" else INK)
        self.boxes.set_facecolor(grounds)
        self.boxes.set_edgecolor(edges)
        self.bars.set_segments(lines)
        self.bars.set_color(colours)
        at = left + (right - left) * min(1.0, -log10(report.alpha) / DECADES) if report else left
        self.limit.set_xdata([at, at])
        self.limit.set_visible(report is not None)
        self.summary.set_text(_short(report.summary if report else summary, 128))
        self.summary.set_color(FAINT if report is None else P if report.passed else REJECTED_INK)

    @property
    def artists(self) -> list[Artist]:
        """What moves."""
        return [self.boxes, self.bars, *self.verdicts, *self.names, *self.findings, self.limit, self.summary]


def plot_report(report: AuditReport, *, ax: Axes | None = None) -> Axes:
    """Draw a report card. A dotted line marks the false-alarm rate of the report.

    Parameters
    ----------
    report : AuditReport
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    lines = len(report.checks)
    ax = axes_or_new(ax, 11, 0.27 * (lines + 2))
    ReportCard(ax, lines).set(report)
    return ax


def describe_report(report: AuditReport) -> str:
    """Say what the card shows."""
    asked = [check for check in report.checks if check.verdict in GROUND]
    failed = [check.name for check in asked if check.verdict == "FAIL"]
    if not failed:
        return f"{report.summary} {len(asked)} checks, none failed. {report.caution}"
    shown = f"{'; '.join(failed[:4])}{'; and others' if len(failed) > 4 else ''}"
    return f"{report.summary} {len(failed)} of {len(asked)} checks failed: {shown}. {report.caution}"


def _evidence(check: Found) -> float:
    """From 0 to 1: decades of the p-value, a certain counter-example at the end."""
    if not isfinite(check.p_value):
        return 1.0 if check.verdict == "FAIL" else 0.0
    return min(1.0, -log10(max(check.p_value, 10.0**-DECADES)) / DECADES)


def _short(text: str, width: int) -> str:
    """A text that fits its line; mathtext is not started."""
    return textwrap.shorten(text, width, placeholder=" ...").replace("$", r"\$")
