"""The contract that every verifier of a chain keeps: its signature, what may be given to it, and what may come back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ..inverse_cdf import is_long
from ..probability import as_floats, check_probabilities, check_rng
from ..types import Array, Ints

CHUNK = 16384
"""Rows verified together: with a small vocabulary their p and q stay in cache; with a large one a batch is one chunk."""


class Verified(NamedTuple):
    """What a verifier returns.

    Attributes
    ----------
    tokens : ndarray of int64, shape (B, K + 1)
        Accepted drafts, then the recovered or the bonus token, then -1.
    n_out : ndarray of int64, shape (B,)
        Tokens emitted in each row: accepted + 1, at most `num_draft` + 1.
    """

    tokens: Ints
    n_out: Ints


class Verifier(Protocol):
    """The common signature: any such callable can be given to `generate`, to the audit and to the explorers."""

    def __call__(
        self, draft: Array, q: Array | None, p: Array, num_draft: Array, rng: np.random.Generator, /
    ) -> tuple[Array, Array]:
        """Return tokens [B, K + 1] and n_out [B]."""
        ...


class Batch(NamedTuple):
    """Arguments after `check_batch`: arrays of known shape and type, the caller's own memory wherever possible.

    Attributes
    ----------
    draft : ndarray of int64, shape (B, K)
    q : ndarray of float32 or float64, shape (B, K, V), or None for a deterministic drafter
    p : ndarray of float32 or float64, shape (B, K + 1, V)
    num_draft : ndarray of int64, shape (B,)
    first : int
        Number of the first row in the caller's batch; messages add it.
    """

    draft: Array
    q: Array | None
    p: Array
    num_draft: Ints
    first: int = 0

    @property
    def dtype(self) -> np.dtype[Any]:
        """The wider floating type of p and q."""
        return self.p.dtype if self.q is None else np.result_type(self.p, self.q)

    @property
    def long(self) -> bool:
        """Are its rows of p and q long? Then a rule reads them one by one; short ones it gathers, many at a time."""
        return is_long(self.p.shape[2])

    def chunks(self) -> Iterator[tuple[slice, Batch]]:
        """Views of `CHUNK` rows at a time, each with the slice that it came from."""
        for start in range(0, len(self.draft), CHUNK):
            rows = slice(start, start + CHUNK)
            q = None if self.q is None else self.q[rows]
            yield rows, Batch(self.draft[rows], q, self.p[rows], self.num_draft[rows], start)


def apply_rule(rule: Callable[[Batch], tuple[Ints, Ints]], batch: Batch) -> Verified:
    """Verify a batch chunk by chunk; `rule` maps a chunk to the drafts it accepts and the token that follows them, each [B]."""
    B, K = batch.draft.shape
    tokens, n_out = np.empty((B, K + 1), np.int64), np.empty(B, np.int64)
    with np.errstate(invalid="ignore", over="ignore"):  # what is no probability is refused by name, not warned about
        for rows, chunk in batch.chunks():
            accepted, final = rule(chunk)
            np.add(accepted, 1, out=n_out[rows])
            emit(tokens[rows], chunk.draft, accepted, final)
    return Verified(tokens, n_out)


def emit(tokens: Ints, draft: Array, accepted: Ints, final: Ints) -> None:
    """Write each row's accepted drafts, its final token, and -1 behind it."""
    few = accepted.astype(np.int8) if draft.shape[1] < 127 else accepted
    for i in range(draft.shape[1]):
        beyond = -(few <= i).astype(np.int64)  # 0, or -1 behind the accepted drafts: whatever is or-ed with -1 is -1
        np.bitwise_or(draft[:, i], beyond, out=tokens[:, i])  # a choice without branches, 3 times as fast as where
    tokens[:, -1] = -1
    tokens.reshape(-1)[np.arange(0, tokens.size, tokens.shape[1]) + accepted] = final


def check_batch(
    draft: ArrayLike, q: ArrayLike | None, p: ArrayLike, num_draft: ArrayLike, rng: Any, *, validate: bool = False
) -> Batch:
    """Check shapes, types, draft ids and draft lengths; with `validate` every number of every valid row too.

    Raises
    ------
    ValueError
        Names the argument, the row and the position, and says what was expected.
    """
    batch = check_arrays(draft, q, p, num_draft)
    check_rng(rng)
    if validate:
        _check_values(batch)
    return batch


def check_arrays(draft: ArrayLike, q: ArrayLike | None, p: ArrayLike, num_draft: ArrayLike, p_name: str = "p") -> Batch:
    """`check_batch` for a rule that asks for no uniforms; messages call the target's rows by the name of the argument."""
    p = as_floats(p_name, p)
    if p.ndim != 3 or p.shape[1] == 0 or p.shape[2] == 0:
        raise ValueError(f"{p_name} has shape {p.shape}; expected (B, K + 1, V): one row for each draft and one for the bonus")
    B, K, V = p.shape[0], p.shape[1] - 1, p.shape[2]
    draft, num_draft = np.asarray(draft), np.asarray(num_draft)
    if draft.shape != (B, K):
        raise ValueError(f"draft has shape {draft.shape}; expected (B, K) = {(B, K)}, since {p_name} has shape {p.shape}")
    if q is not None:
        q = as_floats("q", q)
        if q.shape != (B, K, V):
            raise ValueError(f"q has shape {q.shape}; expected (B, K, V) = {(B, K, V)}, since {p_name} has shape {p.shape}")
    if num_draft.shape != (B,):
        raise ValueError(f"num_draft has shape {num_draft.shape}; expected one length for each of the {B} rows")
    for name, array in (("draft", draft), ("num_draft", num_draft)):
        if array.size and array.dtype.kind not in "iu":
            raise ValueError(f"{name} has dtype {array.dtype}; expected integers")
    if B and (num_draft.min() < 0 or num_draft.max() > K):
        row = int(np.argmax((num_draft < 0) | (num_draft > K)))
        raise ValueError(f"num_draft[{row}] is {num_draft[row]}; expected a length from 0 to K = {K}")
    draft = draft.astype(np.int64, copy=False)
    if draft.size and draft.view(np.uint64).max() >= V:  # negative ids come last; padding may be so, a draft may not
        bad = np.argwhere(((draft < 0) | (draft >= V)) & (np.arange(K) < num_draft[:, None]))
        if bad.size:
            row, i = bad[0]
            raise ValueError(f"draft[{row}, {i}] is {draft[row, i]}; expected a token id from 0 to {V - 1}")
    return Batch(draft, q, p, num_draft.astype(np.int64, copy=False))


def _check_values(batch: Batch) -> None:
    draft, q, p, num_draft, _ = batch
    for i in range(p.shape[1]):
        for row in np.flatnonzero(num_draft >= i).tolist():
            check_probabilities("p", p[row, i], (row, i))
        if q is None:
            continue
        for row in np.flatnonzero(num_draft > i).tolist():
            check_probabilities("q", q[row, i], (row, i))
            x = draft[row, i]
            if q[row, i, x] == 0:
                raise ValueError(f"q[{row}, {i}, {x}] is 0 for draft[{row}, {i}] = {x}; expected a draft sampled from q")


class ContractError(ValueError):
    """What a verifier returned breaks the contract.

    Parameters
    ----------
    finding : str
        What is wrong, without a subject: "returned shapes ..." or, with the part "values", "n_out[3] is ...". The message says
        "the verifier" in front of it; whoever calls the verifier by another name takes the finding.
    part : str
        "shape": no pair of integer arrays of the right shapes. "values": a count or an id out of range.
    row : int, optional
        The first row with such a value.
    """

    def __init__(self, finding: str, part: str, row: int | None = None) -> None:
        super().__init__(finding, part, row)
        self.finding, self.part, self.row = finding, part, row

    def __str__(self) -> str:
        return f"the verifier's {self.finding}" if self.part == "values" else f"the verifier {self.finding}"


def check_result(result: Any, num_draft: Array, K: int, V: int, limit: str = "num_draft") -> Verified:
    """Check what a verifier returned: shapes, types, counts, and the ids that it emits.

    Parameters
    ----------
    result : pair
        tokens [B, K + 1] and n_out [B]: arrays, lists or tensors of integers. What stands behind n_out is not looked at.
    num_draft : ndarray of int, shape (B,)
        Drafts of each row: it emits at least 1 token and at most one more than these.
    K, V : int
        The most drafts that a row can hold; the vocabulary.
    limit : str
        What the caller calls `num_draft`, for the message.

    Returns
    -------
    Verified
        The result as arrays of int64, without a copy wherever possible.

    Raises
    ------
    ContractError
        A ValueError that names the row and the position, and says what was expected.
    """
    try:
        tokens, n_out = result
    except (TypeError, ValueError):
        wrong = f"returned {type(result).__name__}; expected two arrays: tokens [B, K + 1], n_out [B]"
        raise ContractError(wrong, "shape") from None
    tokens, n_out = as_integers("tokens", tokens), as_integers("n_out", n_out)
    B = len(num_draft)
    if tokens.shape != (B, K + 1) or n_out.shape != (B,):
        expected = f"tokens {(B, K + 1)} and n_out {(B,)}"
        raise ContractError(f"returned shapes {tokens.shape} and {n_out.shape}; expected {expected}", "shape")
    off = (n_out < 1) | (n_out > num_draft + 1)
    if off.any():
        row = int(off.argmax())
        wrong = f"n_out[{row}] is {n_out[row]}; expected 1 to {limit} + 1 = {num_draft[row] + 1}"
        raise ContractError(wrong, "values", row)
    off = ((tokens < 0) | (tokens >= V)) & (np.arange(K + 1) < n_out[:, None])
    if off.any():
        row, i = (int(j) for j in np.argwhere(off)[0])
        wrong = f"tokens[{row}, {i}] is {tokens[row, i]}; expected a token id from 0 to {V - 1}"
        raise ContractError(wrong, "values", row)
    return Verified(tokens, n_out)


def as_integers(name: str, values: Any) -> Ints:
    """Array of int64 of what a verifier returned under that name; a ContractError if it holds anything but integers."""
    try:
        array = as_array(values)
    except ValueError:
        raise ContractError(f"returned {name} of different lengths; expected rows padded with -1", "shape") from None
    if array.size and array.dtype.kind not in "iu":
        raise ContractError(f"returned {name} of dtype {array.dtype}; expected integers", "shape")
    return array.astype(np.int64, copy=False)


def as_array(values: Any) -> Array:
    """Array of an array, of a list, or of a tensor, which is detached and fetched from its device first."""
    return np.asarray(values.detach().cpu().numpy() if hasattr(values, "detach") else values)
