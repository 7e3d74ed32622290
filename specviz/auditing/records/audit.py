"""Audit of recorded rounds from a real engine: no control over its model is needed, and no counts of cells.

Three questions, in this order, place a fault: are the drafts from q? Is each draft accepted with probability min(1, p / q)?
Are the outputs from p? Each is answered by sums that are standard normal if the answer is yes.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable, Iterator
from math import inf, sqrt
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import erfc

from ...models.recorded import RecordedRound
from ..check import Found, Verdict
from ..report import AuditReport
from .file import RecordFile
from .sums import Round, scores, summarise

LIMIT = 4 << 30
"""Largest NumPy file in bytes that is opened, by what its headers say, unless `limit` says otherwise."""

ARRAYS = ("draft", "q", "p", "num_draft", "tokens", "n_out")

QUESTIONS = (
    ("drafts from q?", (0, 1), "The drafts are not from the q that is reported."),
    ("acceptance right?", (2,), "Drafts are not accepted with probability min(1, p / q): another rule, or a fault of the test."),
    ("outputs from p?", (3, 4), "The outputs are not from p: this is biased."),
)


def audit_records(
    records: str | os.PathLike[str] | Iterable[Any], *, alpha: float = 0.001, name: str | None = None, limit: int = LIMIT
) -> AuditReport:
    """Audit rounds that an engine recorded.

    Parameters
    ----------
    records : path-like or iterable
        A file of `RoundRecorder`; a NumPy file (.npz) with arrays draft [n, K], q [n, K, V], p [n, K + 1, V], num_draft [n],
        tokens [n, K + 1] and n_out [n]; or an iterable of `Round`, of `specviz.models.recorded.RecordedRound`, or of
        (draft, q, p, tokens).
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
        For a file that is none of these, a header that promises too much, or a record that is no round.

    Notes
    -----
    For an emitted token at position j, given what came before, the law is p_j. So for any w known before the token is drawn the
    sum of w(x) - E w over the sum of Var w, rooted, tends to the standard normal law. A recorder's file and an iterable are read
    round by round; a NumPy file is loaded whole, within `limit`.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is {alpha}; expected a rate between 0 and 1")
    called = name or (Path(records).name if isinstance(records, (str, os.PathLike)) else "records")
    file = _open(records, limit)
    total, n, emitted = np.zeros((5, 2)), 0, 0
    for one in file:
        made = _round(one, n)
        total += scores(made)
        n += 1
        emitted += len(made.tokens)
    if not n:
        raise ValueError("records holds no round; expected at least one")
    each = alpha / 5
    checks = []
    for question, which, sentence in QUESTIONS:
        z = max((_z(*total[i]) for i in which), key=abs)
        p_value = min(1.0, len(which) * float(erfc(abs(z) / sqrt(2))))
        off = p_value < each * len(which)
        decides = question.startswith("outputs")
        verdict: Verdict = ("FAIL" if off else "pass") if decides else "note"
        of = f" (the largest of {len(which)})" if len(which) > 1 else ""
        finding = f"z = {z:+.2f}{of}, p-value {p_value:.2g}. {sentence if off else 'No sign against it.'}"
        ran = f"{n:,} rounds, {emitted:,} tokens"
        checks.append(Found(question, verdict, finding, "statistical", p_value, None, z, ran))
    remarks = []
    if isinstance(file, RecordFile) and file.lost:
        remarks.append(f"The file is damaged or cut off in {file.lost} place(s): what stood there was left out.")
    remarks.append(f"{n:,} rounds, {emitted / n:.2f} tokens a round.")
    scope = "it covers the rounds that were recorded, and faults that these sums see in so many of them."
    return AuditReport(called, tuple(checks), alpha, scope, remarks=tuple(remarks))


def _z(total: float, variance: float) -> float:
    if variance > 1e-12:
        return total / sqrt(variance)
    return 0.0 if abs(total) < 1e-6 else inf


def _round(one: Any, number: int) -> Round:
    try:
        if isinstance(one, Round):
            return one
        if isinstance(one, RecordedRound):
            return _listed(one)
        return summarise(*one)
    except (TypeError, ValueError) as error:
        raise ValueError(f"record {number}: {error}") from error


def _listed(one: RecordedRound) -> Round:
    """A round that lists the likeliest tokens only: all others are one token more."""
    q, p = [], []
    for row in one.rows:
        p.append(_closed(row.p, row.p_rest))
        if row.q is not None and row.q_rest is not None:
            q.append(_closed(row.q, row.q_rest))
    emitted = (*one.draft[: one.accepted], one.final)
    draft = [_place(row.ids, x) for row, x in zip(one.rows, one.draft, strict=False)]
    tokens = [_place(row.ids, x) for row, x in zip(one.rows, emitted, strict=False)]
    return summarise(draft, q, p, tokens)


def _closed(listed: Any, rest: float) -> Any:
    row = np.append(listed, max(rest, 0.0))
    return row / row.sum()


def _place(ids: Any, x: int) -> int:
    at = np.flatnonzero(ids == x)
    return int(at[0]) if len(at) else len(ids)


def _open(records: Any, limit: int) -> Iterable[Any]:
    if not isinstance(records, (str, os.PathLike)):
        rounds: Iterator[Any] = iter(records)
        return rounds
    path = Path(records)
    with path.open("rb") as file:
        start = file.read(4)
    return _numpy_file(path, limit) if start == b"PK\x03\x04" else RecordFile(path)


def _numpy_file(path: Path, limit: int) -> Iterator[Any]:
    """Rounds of a .npz file, without pickle; sizes in the headers are checked before an array is made."""
    with zipfile.ZipFile(path) as archive:
        promised = 0
        for name in ARRAYS:
            try:
                info = archive.getinfo(f"{name}.npy")
            except KeyError:
                raise ValueError(f"{path} has no array {name!r}; expected {', '.join(ARRAYS)}") from None
            with archive.open(info) as member:
                version = np.lib.format.read_magic(member)
                read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
                shape, _, dtype = read(member)
            size = int(np.prod([int(s) for s in shape], dtype=object)) * dtype.itemsize
            if dtype.hasobject or dtype.kind not in "iuf":
                raise ValueError(f"{name} in {path} has dtype {dtype}; expected numbers")
            if not size <= info.file_size <= size + 65536:
                raise ValueError(f"{name} in {path} promises {size:,} bytes and holds {info.file_size:,}")
            promised += size
        if promised > limit:
            raise ValueError(f"{path} promises {promised:,} bytes; expected at most limit = {limit:,}")
    with np.load(path, allow_pickle=False) as arrays:
        draft, q, p, num_draft, tokens, n_out = (arrays[name] for name in ARRAYS)
    lengths = {name: len(a) for name, a in zip(ARRAYS, (draft, q, p, num_draft, tokens, n_out), strict=True)}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"the arrays in {path} have lengths {lengths}; expected one length for all")
    for x, q_rows, p_rows, k, y, n in zip(draft, q, p, num_draft, tokens, n_out, strict=True):
        yield x[:k], q_rows[:k], p_rows[: k + 1], y[:n]
