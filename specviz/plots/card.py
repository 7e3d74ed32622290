"""An audit as a report card: a line for each check, its verdict, and the verdict over all."""

from __future__ import annotations

import textwrap

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from ..audit.report import AuditReport
from .style import FAINT, INK, REJECTED_INK, P, axes_or_new, style

WIDTH = 92
"""Characters of a finding that fit on its line."""

GROUND = {"pass": P, "FAIL": REJECTED_INK}


class ReportCard:
    """Lines for up to `most` checks; `set` shows a report."""

    def __init__(self, ax: Axes, most: int) -> None:
        with style():
            corners = [[(0, y + 0.12), (0.7, y + 0.12), (0.7, y + 0.88), (0, y + 0.88)] for y in range(most)]
            self.boxes = PolyCollection(corners, facecolor="white", edgecolor=FAINT, linewidth=1)
            ax.add_collection(self.boxes)
            self.verdicts = [
                ax.text(0.35, y + 0.52, "", ha="center", va="center", fontweight="bold", fontsize=10) for y in range(most)
            ]
            self.names = [ax.text(0.85, y + 0.52, "", va="center", fontweight="bold", fontsize=10) for y in range(most)]
            self.findings = [ax.text(3.0, y + 0.52, "", va="center", fontsize=10) for y in range(most)]
            self.summary = ax.text(0, -0.35, "", va="center", fontsize=12, fontweight="bold")
        ax.set_xlim(-0.02, 10)
        ax.set_ylim(most + 0.05, -0.85)
        ax.axis("off")

    def set(self, report: AuditReport) -> None:
        """Show a report; checks beyond the last line are left out, those that fail never are."""
        checks = sorted(report.checks, key=lambda check: check.verdict != "FAIL")[: len(self.names)]
        checks = [check for check in report.checks if check in checks]
        grounds, edges = [], []
        for line, (verdict, name, finding) in enumerate(zip(self.verdicts, self.names, self.findings, strict=True)):
            check = checks[line] if line < len(checks) else None
            ground = GROUND.get(check.verdict, "white") if check else "white"
            grounds.append(ground)
            edges.append("white" if check is None else FAINT if ground == "white" else ground)
            verdict.set_text(check.verdict if check else "")
            verdict.set_color(FAINT if ground == "white" else "white")
            name.set_text(check.name if check else "")
            finding.set_text(textwrap.shorten(check.finding, WIDTH, placeholder=" ...").replace("$", r"\$") if check else "")
            for text in (name, finding):
                text.set_color(REJECTED_INK if check and check.verdict == "FAIL" else INK)
        self.boxes.set_facecolor(grounds)
        self.boxes.set_edgecolor(edges)
        self.summary.set_text(textwrap.shorten(report.summary, 120, placeholder=" ...").replace("$", r"\$"))
        self.summary.set_color(P if report.passed else REJECTED_INK)

    @property
    def artists(self) -> list[Artist]:
        """What moves."""
        return [self.boxes, *self.verdicts, *self.names, *self.findings, self.summary]


def plot_report(report: AuditReport, *, ax: Axes | None = None) -> Axes:
    """Draw a report card.

    Parameters
    ----------
    report : AuditReport
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    ax = axes_or_new(ax, 11, 0.34 * len(report.checks) + 0.5)
    ReportCard(ax, len(report.checks)).set(report)
    return ax


def describe_report(report: AuditReport) -> str:
    """Say what the card shows."""
    failed = [check.name for check in report.checks if check.verdict == "FAIL"]
    says = f"{report.summary} {len(report.checks)} checks"
    return f"{says}; failed: {', '.join(failed)}." if failed else f"{says}, none failed. {report.caution}"
