"""Audit of recorded rounds from a real engine: no control over its model is needed, and no counts of cells.

Three questions, in this order, place a fault: are the drafts from q? Is each draft accepted with probability min(1, p / q)?
Are the outputs from p? Each is answered by sums that are standard normal if the answer is yes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from math import copysign, inf, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import erfc

from ...models.recorded import RecordedRound
from ..check import Found, Verdict
from ..report import AuditReport
from .file import RecordFile
from .numpy_file import numpy_rounds
from .sums import Round, check_round, scores, summarise, summarise_listed

LIMIT = 4 << 30
"""Largest NumPy file in bytes that is opened, by what its headers say, unless `limit` says otherwise."""


class Question(NamedTuple):
    """What is asked of the recorded rounds: which of their `scores` answer it, what a no means, and does it decide?"""

    name: str
    scores: tuple[int, ...]
    no: str
    decides: bool


QUESTIONS = (
    Question("drafts from q?", (0, 1), "The drafts are not from the q that is reported.", False),
    Question(
        "acceptance right?",
        (2,),
        "Drafts are not accepted with probability min(1, p / q): another rule, or a fault of the test.",
        False,
    ),
    Question("outputs from p?", (3, 4), "The outputs are not from p: this is biased.", True),
)


def audit_records(
    records: str | os.PathLike[str] | Iterable[Any], *, alpha: float = 0.001, name: str | None = None, limit: int = LIMIT
) -> AuditReport:
    """Audit rounds that an engine recorded.

    Parameters
    ----------
    records : path-like or iterable
        A file of `RoundRecorder`, or another engine's in the same format, which `specviz.auditing.records.file` describes; a
        NumPy file (.npz) with arrays draft [n, K], q [n, K, V], p [n, K + 1, V], num_draft [n], tokens [n, K + 1] and n_out [n];
        or an iterable of `Round`, of `specviz.models.recorded.RecordedRound`, or of (draft, q, p, tokens).
    alpha : float
        False-alarm rate of the whole report, split over its tests of normal sums.
    name : str, optional
        What to call the engine.
    limit : int
        Largest NumPy file in bytes, by its headers, that is opened.

    Returns
    -------
    AuditReport
        Its check "outputs from p?" decides losslessness. The other two are notes, which place the fault: a lossless rule may
        accept in other ways, and a drafter that is wrongly reported shows in the outputs if it does harm.

    Raises
    ------
    ValueError
        For a file that is none of these or in which no line is a round, a header that promises too much, or a record that is
        no round.

    Notes
    -----
    For an emitted token at position j, given what came before, the law is p_j. So for any w known before the token is drawn the
    sum of w(x) - E w over the sum of Var w, rooted, tends to the standard normal law. A recorder's file and an iterable are read
    round by round; a NumPy file is loaded whole, within `limit`.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is {alpha}; expected a rate between 0 and 1")
    if isinstance(records, (str, os.PathLike)):
        called, rounds = Path(records).name, _open(Path(records), limit)
    else:
        called, rounds = "records", records
    total, n, emitted = np.zeros((5, 2)), 0, 0
    for one in rounds:
        made = one if isinstance(rounds, RecordFile) else _round(one, n)  # those of a file are checked line by line
        total += scores(made)
        n += 1
        emitted += len(made.tokens)
    if not n:
        raise ValueError("records holds no round; expected at least one")
    each = alpha / 5
    checks = []
    for question, which, no, decides in QUESTIONS:
        z = max((_z(*total[i]) for i in which), key=abs)
        p_value = min(1.0, len(which) * float(erfc(abs(z) / sqrt(2))))
        off = p_value < each * len(which)
        verdict: Verdict = ("FAIL" if off else "pass") if decides else "note"
        of = f" (the largest of {len(which)})" if len(which) > 1 else ""
        finding = f"z = {z:+.2f}{of}, p-value {p_value:.2g}. {no if off else 'No sign against it.'}"
        ran = f"{n:,} rounds, {emitted:,} tokens"
        checks.append(Found(question, verdict, finding, "statistical", p_value, None, z, ran))
    remarks = []
    if isinstance(rounds, RecordFile) and rounds.lost:
        remarks.append(f"Left out: {rounds.lost:,} line(s) of the file that hold no recorded round. The first, {rounds.reason}.")
    remarks.append(f"{n:,} rounds, {emitted / n:.2f} tokens a round.")
    scope = "it covers the rounds that were recorded, and faults that these sums see in so many of them."
    return AuditReport(name or called, tuple(checks), alpha, scope, remarks=tuple(remarks))


def _open(path: Path, limit: int) -> Iterable[Any]:
    with path.open("rb") as file:
        start = file.read(4)
    return numpy_rounds(path, limit) if start == b"PK\x03\x04" else RecordFile(path)


def _z(total: float, variance: float) -> float:
    if variance > 1e-12:
        return total / sqrt(variance)
    return 0.0 if abs(total) < 1e-6 else copysign(inf, total)


def _round(one: Any, number: int) -> Round:
    try:
        if isinstance(one, Round):
            check_round(one)
            return one
        if isinstance(one, RecordedRound):
            return summarise_listed(one)
        return summarise(*one)
    except (TypeError, ValueError) as error:
        raise ValueError(f"record {number}: {error}") from error
