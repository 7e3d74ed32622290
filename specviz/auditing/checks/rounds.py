"""Every token of every round, by drafts, position and context."""

from __future__ import annotations

from ...types import Floats, Ints
from ..check import Check
from ..statistics.identity import evidence, pool_groups, worst_group
from .drawing import decided


def judge_rounds(counted: Ints, laws: Floats, name: str, ran: str, alpha: float) -> Check:
    """Every token of every round, by drafts, position and context."""
    found = evidence(pool_groups(counted, laws), laws)
    verdict = decided(found.p_value, alpha)
    finding = f"chi-square {found.statistic:,.0f}, {found.mean:,.0f} expected"
    example = ""
    if verdict == "FAIL":
        example = worst_group(counted, laws, lambda n, i, s: f"rows of {n} drafts, position {i}, context {s}")
        finding += f"; {example}"
    return Check(name, verdict, finding, found.p_value, None, found.statistic, ran, example)
