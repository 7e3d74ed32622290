"""A file of recorded rounds: compact, versioned, append-only. Damage costs the records that it touches and no others.

Layout, little-endian: 8 bytes of name, a version and a reserved number (u32 each). Then each record: 4 bytes of mark, payload
length (u32), CRC-32 of the payload (u32), payload: drafts k and tokens n (u32 each), their ids (i64), and the sums (f64).
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from .sums import SUMS, Round, summarise

NAME, VERSION = b"SPECVIZR", 1
MARK = b"RND\n"
HEAD = struct.Struct("<4sII")
LONGEST = 1 << 16
"""Largest payload in bytes: some 650 drafts. Checked before anything is read."""


class RoundRecorder:
    """Writes one record a round; for an engine to call.

    Parameters
    ----------
    path : path-like
        Appended to if it is there.

    Raises
    ------
    ValueError
        If the file there is something else.

    Examples
    --------
    >>> with RoundRecorder("rounds.bin") as recorder:  # doctest: +SKIP
    ...     recorder.record(draft, q, p, tokens)
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        path = Path(path)
        there = path.exists() and path.stat().st_size > 0
        if there:
            with path.open("rb") as file:
                _check_header(file, path)
        self._file = path.open("ab")
        if not there:
            self._file.write(NAME + struct.pack("<II", VERSION, 0))

    def record(self, draft: Any, q: Any, p: Any, tokens: Any) -> None:
        """Append one round; see `specviz.auditing.records.sums.summarise`."""
        self.append(summarise(draft, q, p, tokens))

    def append(self, one: Round) -> None:
        """Append a round whose sums are at hand; it is on its way to the disk when this returns."""
        ids = np.array([*one.draft, *one.tokens], "<i8").tobytes()
        payload = struct.pack("<II", len(one.draft), len(one.tokens)) + ids + np.asarray(one.sums, "<f8").tobytes()
        if len(payload) > LONGEST:
            raise ValueError(f"a round of {len(one.draft)} drafts takes {len(payload)} bytes; expected at most {LONGEST}")
        self._file.write(HEAD.pack(MARK, len(payload), zlib.crc32(payload)) + payload)
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> RoundRecorder:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


@dataclass
class RecordFile:
    """Reads the records one by one; `lost` says afterwards how many places were damaged."""

    path: Path
    lost: int = 0

    def __iter__(self) -> Iterator[Round]:
        self.lost = 0
        with self.path.open("rb") as file:
            _check_header(file, self.path)
            size = self.path.stat().st_size
            damaged = False
            while (at := file.tell()) < size:
                one = _read(file, size)
                if one is not None:
                    damaged = False
                    yield one
                    continue
                self.lost += not damaged
                damaged = True
                if not _next_mark(file, at + 1):
                    return


def _check_header(file: BinaryIO, path: Path) -> None:
    head = file.read(16)
    if len(head) < 16 or head[:8] != NAME:
        raise ValueError(f"{path} is no file of recorded rounds; expected it to start with {NAME.decode()}")
    version = struct.unpack("<I", head[8:12])[0]
    if version != VERSION:
        raise ValueError(f"{path} has version {version}; expected {VERSION}")


def _read(file: BinaryIO, size: int) -> Round | None:
    """The record that starts here, or None if it is damaged or cut off."""
    head = file.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    mark, length, crc = HEAD.unpack(head)
    if mark != MARK or not 8 <= length <= LONGEST or file.tell() + length > size:
        return None
    payload = file.read(length)
    k, n = struct.unpack_from("<II", payload)
    if zlib.crc32(payload) != crc or not 1 <= n <= k + 1 or 8 + 8 * (k + n + (k + 1) * len(SUMS)) != length:
        return None
    ids = np.frombuffer(payload, "<i8", k + n, 8).tolist()
    sums = np.frombuffer(payload, "<f8", (k + 1) * len(SUMS), 8 + 8 * (k + n)).reshape(k + 1, len(SUMS))
    return Round(tuple(ids[:k]), tuple(ids[k:]), sums.astype(np.float64))


def _next_mark(file: BinaryIO, start: int) -> bool:
    """Go to the next mark at or behind `start`, reading a little at a time."""
    file.seek(start)
    tail = b""
    while block := file.read(1 << 16):
        found = (tail + block).find(MARK)
        if found >= 0:
            file.seek(file.tell() - len(block) - len(tail) + found)
            return True
        tail = (tail + block)[-(len(MARK) - 1) :]
    return False
