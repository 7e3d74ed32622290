"""An audit at a glance: how far each check that draws is from its limit."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from ..audit.verdict import AuditReport
from .style import INK, OWED, REJECTED, axes_or_new, style

LOWEST = 1e-20
"""p-values below it are drawn there."""


def plot_report(report: AuditReport, *, ax: Axes | None = None) -> Any:
    """Draw the p-value of each check on a logarithmic axis, and certain failures at its end.

    Parameters
    ----------
    report : AuditReport
    ax : matplotlib.axes.Axes, optional

    Returns
    -------
    matplotlib.axes.Axes
    """
    checks = [check for check in report.checks if check.verdict in ("pass", "FAIL")]
    with style():
        ax = axes_or_new(ax)
        for y, check in enumerate(checks):
            certain = not np.isfinite(check.p_value)
            p_value = (LOWEST if check.verdict == "FAIL" else 1.0) if certain else max(check.p_value, LOWEST)
            failed = check.verdict == "FAIL"
            ax.plot(-np.log10(p_value), y, "X" if failed else "o", color=REJECTED if failed else OWED, markersize=8)
        ax.axvline(-np.log10(report.alpha), color=INK, linewidth=1, linestyle=":")
        ax.text(-np.log10(report.alpha), -0.9, " false-alarm rate of the report", color=INK, fontsize=9, va="center")
        ax.set_yticks(range(len(checks)), [check.name for check in checks])
        ax.set_ylim(len(checks) - 0.5, -1.5)
        ax.set_xlim(-0.5, -np.log10(LOWEST) + 0.5)
        ax.set_xlabel("evidence, -log10 of the p-value")
        ax.set_title(describe_report(report), fontsize=11)
    return ax


def describe_report(report: AuditReport) -> str:
    """The verdict, and how many checks passed."""
    decided = [check for check in report.checks if check.verdict in ("pass", "FAIL")]
    passed = sum(check.verdict == "pass" for check in decided)
    verdict = "no bias seen" if report.passed else "NOT lossless"
    return f"{report.verifier}: {verdict}; {passed} of {len(decided)} checks passed"
