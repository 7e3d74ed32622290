"""Files of recorded rounds in JSON Lines: the format, which any engine can write, a writer and a reader.

A file of rounds is text in UTF-8. Each line is one JSON object and holds one round: k drafts x_i, n emitted tokens y_i, and sums
over the vocabulary at position i = 0, 1, ... There p and q are the probabilities of target and drafter that draft i was verified
with, each divided by its sum. Each field but the first is a list of the length given here; what is no id is a number from 0 to 1.

=================  =========  =========================================================================
field              length     meaning
=================  =========  =========================================================================
``specviz_round``             the version of this format: the integer 1
``draft``          k >= 0     ids of the drafted tokens x_i, integers from 0
``tokens``         n          ids of the emitted tokens y_i, 1 <= n <= k + 1: the first n - 1 drafts, which
                              were accepted, then the recovered token, or the bonus token if n = k + 1
``p_draft``        k          p(x_i)
``q_draft``        k          q(x_i)
``overlap``        k          sum min(p, q)
``accept_square``  k          sum min(p, q)^2 / q, without tokens of q = 0
``q2``, ``q3``     k          sum q^2, sum q^3
``p_token``        n          p(y_i)
``p2``, ``p3``     n          sum p^2, sum p^3
``q_token``        min(k, n)  q(y_i)
``output_square``  min(k, n)  sum min(p, q)^2 / p, without tokens of p = 0
=================  =========  =========================================================================

All fields are needed, in any order; others are allowed and not read. The q of a deterministic drafter is 1 at its draft. NaN and
infinity do not occur. A line has at most 1,048,576 bytes with its newline; blank lines are skipped. Who changes the meaning of a
field raises the version.

A line that is cut off, or that is no such object, is left out and counted. There is no checksum: a digit that the disk has
changed is read as it stands.
"""

from __future__ import annotations

import json
import os
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from reprlib import repr as short
from threading import Lock
from typing import Any, BinaryIO

if sys.platform != "win32":
    import fcntl

from .sums import Round, check_round, summarise

VERSION = 1
LONGEST = 1 << 20
"""Most bytes of a line, some 4,000 drafts: no more than that is ever read at once."""

ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False)


def to_line(one: Round) -> bytes:
    r"""Write a round as a line of the format; each number is read back as exactly the same float.

    Raises
    ------
    ValueError
        If it takes more than `LONGEST` bytes.

    Examples
    --------
    >>> line = to_line(summarise(draft=[0], q=[[0.5, 0.5]], p=[[0.25, 0.75], [0.5, 0.5]], tokens=[1]))
    >>> print(line.decode().strip().replace(',"', ',\n "'))
    {"specviz_round":1,
     "draft":[0],
     "tokens":[1],
     "p_draft":[0.25],
     "q_draft":[0.5],
     "overlap":[0.75],
     "accept_square":[0.625],
     "q2":[0.5],
     "q3":[0.25],
     "p_token":[0.75],
     "p2":[0.625],
     "p3":[0.4375],
     "q_token":[0.5],
     "output_square":[0.5833333333333333]}
    """
    line = ENCODER.encode({"specviz_round": VERSION, **one._asdict()}).encode() + b"\n"
    if len(line) > LONGEST:
        raise ValueError(f"a round of {len(one.draft)} drafts takes {len(line):,} bytes; expected at most {LONGEST:,}")
    return line


def from_line(line: bytes) -> Round:
    """Read a line of the format.

    Raises
    ------
    ValueError
        Says why the line is no recorded round.
    """
    if len(line) > LONGEST:
        raise ValueError(f"is longer than {LONGEST:,} bytes")
    try:
        fields = json.loads(str(line, "utf-8-sig"))
    except (ValueError, RecursionError):
        raise ValueError("is cut off, damaged, or no JSON") from None
    if not isinstance(fields, dict) or "specviz_round" not in fields:
        raise ValueError("has no field specviz_round")
    version = fields["specviz_round"]
    if version != VERSION:
        newer = ", so a newer specviz is needed" if isinstance(version, int) and version > VERSION else ""
        raise ValueError(f"has version {short(version)} of the format; expected {VERSION}{newer}")
    for name in Round._fields:
        if not isinstance(fields.get(name), list):
            raise ValueError(f"has no list {name}")
    one = Round(**{name: tuple(fields[name]) for name in Round._fields})
    check_round(one)
    return one


class RoundRecorder:
    """Writes one line a round to a file; for an engine to call.

    Parameters
    ----------
    path : path-like
        Created, or appended to if it is there.

    Raises
    ------
    ValueError
        If what is there is something else.

    Notes
    -----
    Threads may share a recorder. Processes may share a file, each with a recorder of its own, made after any fork: they take
    turns (flock), and a line is appended by one call of the system. On Windows there are no turns, and the lines of two
    processes can mix; let each write a file of its own there.

    When `record` or `append` returns, the line is with the operating system: it outlives the process, but not a power cut. A
    process that is killed inside that call may leave a part of a line; the next line, whoever writes it, starts on a fresh one.
    A round of four drafts takes about 1 kB.

    Examples
    --------
    >>> with RoundRecorder("rounds.jsonl") as recorder:  # doctest: +SKIP
    ...     recorder.record(draft, q, p, tokens)
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._lock = Lock()
        self._file = self._path.open("ab+", buffering=0)
        try:
            with _turn(self._file):
                self._file.seek(0)
                start = self._file.read(64)
            _refuse_binary(start, self._path)
            if start.removeprefix(BOM_UTF8).lstrip()[:1] not in (b"{", b""):
                raise ValueError(f"{self._path} is no file of recorded rounds; expected JSON Lines, each line an object")
        except ValueError:
            self._file.close()
            raise

    def record(self, draft: Any, q: Any, p: Any, tokens: Any) -> None:
        """Append one round; see `specviz.auditing.records.sums.summarise`."""
        self._write(to_line(summarise(draft, q, p, tokens)))

    def append(self, one: Round) -> None:
        """Append a round whose sums are at hand.

        Raises
        ------
        ValueError
            If it is no round; see `specviz.auditing.records.sums.check_round`.
        """
        check_round(one)
        self._write(to_line(one))

    def _write(self, line: bytes) -> None:
        with self._lock, _turn(self._file):
            if _ends_in_a_part(self._file):
                line = b"\n" + line
            written = self._file.write(line)
        if written != len(line):
            raise OSError(f"{self._path} took {written} of the {len(line)} bytes of a round; is the disk full?")

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> RoundRecorder:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class RecordFile:
    """The rounds of a file, read line by line.

    Parameters
    ----------
    path : Path

    Attributes
    ----------
    lost : int
        Lines left out so far because they are no recorded round, as one is that is still being written.
    reason : str
        Number of the first of them, and why.

    Raises
    ------
    ValueError
        On iteration, if no line at all is a round.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.lost, self.reason = path, 0, ""

    def __iter__(self) -> Iterator[Round]:
        self.lost, self.reason, read = 0, "", 0
        with self.path.open("rb") as file:
            _refuse_binary(file.read(64), self.path)
            file.seek(0)
            for number, line in enumerate(_lines(file), start=1):
                if not line.strip(b"\r\n"):
                    continue
                try:
                    one = from_line(line)
                except ValueError as error:
                    self.lost += 1
                    self.reason = self.reason or f"line {number} {str(error)[:200]}"
                    continue
                read += 1
                yield one
        if self.lost and not read:
            raise ValueError(f"{self.path} holds no recorded round: {self.reason}")


def _refuse_binary(start: bytes, path: Path) -> None:
    """What specviz 0.1.0 wrote is told from a damaged file."""
    if start.startswith(b"SPECVIZR"):
        raise ValueError(f"{path} is a binary file of specviz 0.1.0, which is no longer read; record the rounds again")


@contextmanager
def _turn(file: FileIO) -> Iterator[None]:
    """Keep other processes from writing; the system ends the turn of a process that dies."""
    if sys.platform == "win32":
        yield
        return
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


def _ends_in_a_part(file: FileIO) -> bool:
    """Does the file end inside a line, since its writer died?"""
    if file.seek(0, os.SEEK_END) == 0:
        return False
    file.seek(-1, os.SEEK_END)
    return file.read(1) != b"\n"


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Each line with its newline; of one longer than `LONGEST`, one byte more than that and no more."""
    while line := file.readline(LONGEST + 1):
        yield line
        while len(line) > LONGEST and not line.endswith(b"\n"):
            line = file.readline(LONGEST + 1)
