"""Rounds of a NumPy file (.npz) that holds them as one batch: draft, q, p, num_draft, tokens, n_out."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ...rules.contract import check_arrays
from ...types import Array

ARRAYS = ("draft", "q", "p", "num_draft", "tokens", "n_out")


def numpy_rounds(path: Path, limit: int) -> Iterator[tuple[Array, Array, Array, Array]]:
    """Yield draft, q, p and tokens of each round; never unpickles, and checks sizes in the headers before an array is made.

    Raises
    ------
    ValueError
        If the file is damaged, promises more than `limit` bytes, or its arrays are no batch; names the array and the row.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            promised = sum(_promised(archive, name, path) for name in ARRAYS)
        if promised > limit:
            raise ValueError(f"{path} promises {promised:,} bytes; expected at most limit = {limit:,}")
        with np.load(path, allow_pickle=False) as arrays:
            draft, q, p, num_draft, tokens, n_out = (arrays[name] for name in ARRAYS)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as error:
        raise ValueError(f"{path} is damaged: {error}") from error
    check_arrays(draft, q, p, num_draft)
    for name, array, shape in (("tokens", tokens, p.shape[:2]), ("n_out", n_out, p.shape[:1])):
        if array.shape != shape or array.dtype.kind not in "iu":
            raise ValueError(f"{name} has shape {array.shape} and dtype {array.dtype}; expected {shape} and integers")
    for row in np.flatnonzero((n_out < 1) | (n_out > num_draft + 1)):
        raise ValueError(f"n_out[{row}] is {n_out[row]}; expected 1 to num_draft[{row}] + 1 = {num_draft[row] + 1}")
    for x, q_rows, p_rows, k, y, n in zip(draft, q, p, num_draft, tokens, n_out, strict=True):
        yield x[:k], q_rows[:k], p_rows[: k + 1], y[:n]


def _promised(archive: zipfile.ZipFile, name: str, path: Path) -> int:
    """Bytes of an array, by its header, if the header can be true."""
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
    return size
