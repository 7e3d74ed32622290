"""The joint law of whole sequences on one chain: the audit's main question alone, as the course asks it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy import stats

from ..models.generate import generate
from ..models.markov import MarkovPair
from ..rules.contract import Verifier
from .check import Found, Verdict
from .report import AuditReport
from .statistics.chi_square import chi_square, count_cells, smallest_visible_bias

SCOPE = "it covers this chain, these draft lengths and biases of that size."


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
        verdict: Verdict = "pass" if test.passed else "FAIL"
        ran = f"{n:,} sequences of {length} tokens, K = {drafts}"
        bias = smallest_visible_bias(law, n, alpha=alpha / len(K))
        law_found = Found(f"joint law, K = {drafts}", verdict, finding, "statistical", test.p_value, test, test.statistic, ran)
        checks.append(replace(law_found, sensitivity=bias))
        exact = pair.tokens_per_round(drafts)
        error = max(run.tokens_per_round_error, 1 / n)  # rounds that all give the same number still have one that was not seen
        z = (run.tokens_per_round - exact) / error
        pace = "as the token rule" if abs(z) < stats.norm.isf(alpha / 2) else "slower" if z < 0 else "more than the token rule"
        finding = f"{run.tokens_per_round:.3f}, token rule {exact:.3f}: {pace}"
        p_value = float(2 * stats.norm.sf(abs(z)))
        checks.append(Found(f"tokens per round, K = {drafts}", "note", finding, "statistical", p_value))
    return AuditReport(name or str(getattr(verifier, "__name__", "verifier")), tuple(checks), alpha, SCOPE)
