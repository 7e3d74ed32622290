"""What an audit found: the checks with their verdicts, in text and in HTML, and in words what a pass does not prove."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from scipy import stats

from ..generate import generate
from ..markov import MarkovPair
from ..rules.batch import Verifier
from .law import ChiSquare, chi_square, count_cells, smallest_visible_bias


@dataclass(frozen=True, eq=False)
class Check:
    """One question put to a verifier.

    Attributes
    ----------
    name : str
    verdict : str
        "pass" or "FAIL" for a question that decides losslessness, "note" for one that does not.
    finding : str
        What was measured, against what.
    p_value : float
        Probability of a finding at least as far off, from a lossless verifier (for a note: from the token rule).
    test : ChiSquare or None
        The test behind a pass or a fail.
    """

    name: str
    verdict: str
    finding: str
    p_value: float
    test: ChiSquare | None = None


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
        Smallest bias, as a total variation, that would have been seen with 99.9% power, whatever its shape.
    """

    verifier: str
    checks: tuple[Check, ...]
    alpha: float
    sensitivity: float

    @property
    def passed(self) -> bool:
        """Did no check that decides losslessness fail?"""
        return all(check.verdict != "FAIL" for check in self.checks)

    @property
    def summary(self) -> str:
        """The verdict in one sentence."""
        if not self.passed:
            return f"{self.verifier}: NOT lossless (a lossless one would fail this report once in {1 / self.alpha:,.0f} runs)."
        if self.sensitivity >= 1:
            return f"{self.verifier}: no bias seen, but too few sequences to promise that one would have been."
        return f"{self.verifier}: no bias seen; one of {self.sensitivity:.3f} in total variation is seen 999 times in 1,000."

    @property
    def caution(self) -> str:
        """What the verdict does not say."""
        if not self.passed:
            return "The law is wrong on this chain; the checks above do not say which line of the verifier is."
        return "A pass is no proof: it covers this chain, these draft lengths and biases of that size."

    def __str__(self) -> str:
        width = max(len(check.name) for check in self.checks)
        lines = [f"  {check.verdict:4s}  {check.name:{width}s}  {check.finding}" for check in self.checks]
        return "\n".join([self.summary, *lines, self.caution])

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><td>{escape(check.verdict)}</td><td>{escape(check.name)}</td><td>{escape(check.finding)}</td></tr>"
            for check in self.checks
        )
        head = "<tr><th>verdict</th><th>check</th><th>finding</th></tr>"
        return f"<p><b>{escape(self.summary)}</b></p><table>{head}{cells}</table><p>{escape(self.caution)}</p>"


def audit_law(
    verifier: Verifier,
    pair: MarkovPair | None = None,
    *,
    K: Sequence[int] = (2, 3),
    length: int = 3,
    n: int = 300_000,
    seed: int = 0,
    alpha: float = 0.001,
    name: str | None = None,
) -> AuditReport:
    """Compare the joint law of whole sequences with the exact one, and the tokens per round with the token rule's.

    Parameters
    ----------
    verifier : callable
        Of the common signature (draft, q, p, num_draft, rng).
    pair : MarkovPair, optional
        The teaching chain unless given.
    K : sequence of int
        Draft lengths to test at. A bonus is token K + 1 of a round, so that one K below `length` is needed to see it.
    length : int
        Tokens per sequence.
    n : int
        Sequences per draft length.
    seed : int
        Seeds the streams; fixed before looking.
    alpha : float
        False-alarm rate of the whole report, split evenly over the draft lengths.
    name : str, optional
        What to call the verifier; its `__name__` unless given.

    Returns
    -------
    AuditReport

    Raises
    ------
    ValueError
        If K is no sequence, or the verifier breaks the contract of `specviz.generate`.

    Notes
    -----
    The tokens per round are a note and never a fail: a lossless rule may be slower or faster than the token rule.
    """
    if np.ndim(K) != 1 or not len(K):
        raise ValueError(f"K is {K!r}; expected a sequence of draft lengths, such as (2, 3)")
    pair = pair or MarkovPair.teaching()
    law = pair.joint_law(length)
    checks = []
    for drafts, stream in zip(K, np.random.SeedSequence(seed).spawn(len(K)), strict=True):
        run = generate(pair, verifier, length=length, K=drafts, n=n, rng=np.random.default_rng(stream))
        counts = count_cells(run.sequences, pair.V)
        test = chi_square(counts, law, alpha=alpha / len(K))
        distance = f"TV {test.total_variation:.3f}, true TV below {test.bound:.3f}"
        finding = f"chi-square {test.statistic:,.1f}, cut {test.cut:.1f}; {distance}"
        verdict = "pass" if test.passed else "FAIL"
        checks.append(Check(f"joint law, K = {drafts}", verdict, finding, test.p_value, test))
        exact = pair.tokens_per_round(drafts)
        error = max(run.tokens_per_round_error, 1 / n)  # rounds that all give the same number still have one that was not seen
        z = (run.tokens_per_round - exact) / error
        pace = "as the token rule" if abs(z) < stats.norm.isf(alpha / 2) else "slower" if z < 0 else "more than the token rule"
        finding = f"{run.tokens_per_round:.3f}, token rule {exact:.3f}: {pace}"
        checks.append(Check(f"tokens per round, K = {drafts}", "note", finding, float(2 * stats.norm.sf(abs(z)))))
    sensitivity = smallest_visible_bias(law, n, alpha=alpha / len(K))
    return AuditReport(name or str(getattr(verifier, "__name__", "verifier")), tuple(checks), alpha, sensitivity)
