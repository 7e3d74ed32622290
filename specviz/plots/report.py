"""An audit as a report card: a line for each check with its verdict, the evidence against the verifier, and what was found."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
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

TYPE = 10
"""Points of the texts of a line."""
CLOSER = 0.7
"""Height of a line, as a share of its full height, below which its type shrinks with it."""
NAME, FINDING = 28, 62
"""Characters of a name and of a finding that fit before and behind the evidence, in type of full size."""


@dataclass(frozen=True)
class CardLine:
    """One check on the card.

    Attributes
    ----------
    verdict, name, finding : str
        As the check says them.
    evidence : float
        From 0 to 1: decades of the p-value, a certain counter-example at the end.
    """

    verdict: str
    name: str
    finding: str
    evidence: float


@dataclass(frozen=True)
class CardReading:
    """What a report card shows.

    Attributes
    ----------
    lines : tuple of CardLine
    summary, caution : str
        The verdict in one sentence, and what it does not say.
    passed : bool
    limit : float
        Evidence at the false-alarm rate of the report.
    """

    lines: tuple[CardLine, ...]
    summary: str
    caution: str
    passed: bool
    limit: float

    @property
    def says(self) -> str:
        """The verdict, the checks that failed, and what the verdict does not say."""
        asked = [line for line in self.lines if line.verdict in GROUND]
        failed = [line.name for line in asked if line.verdict == "FAIL"]
        if not failed:
            return f"{self.summary} {len(asked)} checks, none failed. {self.caution}"
        shown = f"{'; '.join(failed[:4])}{'; and others' if len(failed) > 4 else ''}"
        return f"{self.summary} {len(failed)} of {len(asked)} checks failed: {shown}. {self.caution}"


def read_report(report: AuditReport) -> CardReading:
    """Bring a report to the lines of a card.

    Parameters
    ----------
    report : AuditReport

    Returns
    -------
    CardReading
    """
    lines = tuple(CardLine(check.verdict, check.name, check.finding, _evidence(check)) for check in report.checks)
    return CardReading(lines, report.summary, report.caution, report.passed, min(1.0, -log10(report.alpha) / DECADES))


class ReportCard:
    """A card with a line for each check; `set` shows a reading, or an empty card.

    Parameters
    ----------
    ax : Axes
    rows : int
        Lines of full height that have room. More of them stand closer together, in smaller type.
    most : int
        Lines that are shown at all; behind them a last one says how many are not.
    """

    def __init__(self, ax: Axes, rows: int, most: int) -> None:
        self.rows, self.most = rows, most
        with style():
            self.boxes = PolyCollection([], facecolor="white", edgecolor="white", linewidth=1)
            self.bars = LineCollection([], linewidth=7, capstyle="butt")
            ax.add_collection(self.boxes)
            ax.add_collection(self.bars)
            common: dict[str, Any] = {"va": "center", "fontsize": TYPE}
            self.verdicts = [ax.text(0.31, 0, "", ha="center", fontweight="bold", **common) for _ in range(most)]
            self.names = [ax.text(0.75, 0, "", fontweight="bold", **common) for _ in range(most)]
            self.findings = [ax.text(5.8, 0, "", **common) for _ in range(most)]
            self.summary = ax.text(0, -1.1, "", va="center", fontsize=11, fontweight="bold")
            ax.text(BAR[0], -0.25, "evidence, p-value 1 to 1e-20; dotted: the limit", color=FAINT, **common)
            (self.limit,) = ax.plot([0, 0], [0.05, rows], color=INK, linestyle=":", linewidth=1.5)
        ax.set_xlim(-0.02, 10)
        ax.set_ylim(rows + 0.05, -1.6)
        ax.axis("off")

    def set(self, card: CardReading | None, summary: str = "") -> None:
        """Show a card, or `summary` alone."""
        lines = _cut(card.lines, self.most) if card else ()
        height = min(1.0, self.rows / max(len(lines), 1))
        size, gap = min(1.0, height / CLOSER), 0.14 * height
        left, right = BAR
        boxes, grounds, edges, bars, colours = [], [], [], [], []
        for number, line in enumerate(lines):
            low, middle, high = ((number + part) * height for part in (gap, 0.5, 1 - gap))
            ground = GROUND.get(line.verdict, "white")
            boxes.append([(0, low), (0.62, low), (0.62, high), (0, high)])
            grounds.append(ground)
            edges.append(FAINT if ground == "white" else ground)
            bars.append([(left, middle), (left + (right - left) * line.evidence, middle)])
            colours.append(GROUND.get(line.verdict, FAINT))
            self._write(number, line, (number + 0.52) * height, size)
        for texts in (self.verdicts, self.names, self.findings):
            for text in texts[len(lines) :]:
                text.set_text("")
        self.boxes.set_verts(boxes)
        self.boxes.set_facecolor(grounds)
        self.boxes.set_edgecolor(edges)
        self.bars.set_segments(bars)
        self.bars.set_color(colours)
        self.bars.set_linewidth(7 * size)
        at = left + (right - left) * (card.limit if card else 0)
        self.limit.set_xdata([at, at])
        self.limit.set_visible(card is not None)
        self.summary.set_text(_short(card.summary if card else summary, 128))
        self.summary.set_color(FAINT if card is None else P if card.passed else REJECTED_INK)

    def _write(self, number: int, line: CardLine, y: float, size: float) -> None:
        """Put the texts of a line at a height, in type of a share `size` of the full one."""
        verdict, name, finding = texts = self.verdicts[number], self.names[number], self.findings[number]
        for text in texts:
            text.set_y(y)
            text.set_fontsize(TYPE * size)
            text.set_color(REJECTED_INK if line.verdict == "FAIL" else INK)
        verdict.set_text(line.verdict)
        verdict.set_color("white" if line.verdict in GROUND else FAINT)
        name.set_text(_short(line.name, int(NAME / size)))
        finding.set_text(_short(line.finding, int(FINDING / size)))

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
        A new one is as high as the lines need.

    Returns
    -------
    Axes
    """
    card = read_report(report)
    rows = len(card.lines)
    ax = axes_or_new(ax, 11, 0.27 * (rows + 2))
    ReportCard(ax, rows, rows).set(card)
    return ax


def describe_report(report: AuditReport) -> str:
    """Say what the card shows."""
    return read_report(report).says


def _evidence(check: Found) -> float:
    """From 0 to 1: decades of the p-value, a certain counter-example at the end."""
    if not isfinite(check.p_value):
        return 1.0 if check.verdict == "FAIL" else 0.0
    return min(1.0, -log10(max(check.p_value, 10.0**-DECADES)) / DECADES)


def _cut(lines: Sequence[CardLine], most: int) -> Sequence[CardLine]:
    """The lines, or as many as there is room for and one that says what the others found."""
    if len(lines) <= most:
        return lines
    shown, hidden = lines[: most - 1], lines[most - 1 :]
    counts = Counter(line.verdict for line in hidden)
    worst = next(verdict for verdict in ("FAIL", "pass", *counts) if verdict in counts)
    found = ", ".join(f"{number} {verdict}" for verdict, number in counts.items())
    return [*shown, CardLine(worst, f"and {len(hidden)} more", found, max(line.evidence for line in hidden))]


def _short(text: str, width: int) -> str:
    """A text that fits its line; mathtext is not started."""
    return textwrap.shorten(text, width, placeholder=" ...").replace("$", r"\$")
