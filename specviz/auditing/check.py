"""What a check found."""

from __future__ import annotations

from dataclasses import dataclass

from .statistics.chi_square import ChiSquare


@dataclass(frozen=True, eq=False)
class Check:
    """One question put to a verifier.

    Attributes
    ----------
    name : str
    verdict : str
        "pass" or "FAIL" for a question that decides losslessness; "note" for one that does not; "n/a" when it cannot be asked.
    finding : str
        What was measured, against what.
    p_value : float
        Probability of a finding at least as far off, from a lossless verifier (for a note: from the token rule). NaN where
        nothing was drawn: a certain check has no false alarms.
    test : ChiSquare or None
        The test behind a pass or a fail.
    statistic : float
        Its value; NaN for a certain check.
    ran : str
        What was run.
    example : str
        The smallest counter-example, of at most three lines, or nothing.
    """

    name: str
    verdict: str
    finding: str
    p_value: float = float("nan")
    test: ChiSquare | None = None
    statistic: float = float("nan")
    ran: str = ""
    example: str = ""


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
