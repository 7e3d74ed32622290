"""A verifier as it comes, behind the common signature: results made into arrays, the contract checked, time limited."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from ...types import Array, Ints
from .timeout import TimeIsUp, time_limit

Part = Literal["raised", "time", "shape", "values"]


class VerifierError(ValueError):
    """A verifier broke the contract; `part` says which part: it raised, took too long, or returned wrong shapes or values."""

    def __init__(self, message: str, part: Part) -> None:
        super().__init__(message)
        self.part = part

    def __reduce__(self) -> tuple[type[VerifierError], tuple[str, Part]]:
        return type(self), (str(self), self.part)


@dataclass
class Adapted:
    """Calls a verifier, makes arrays of whatever it returns, and holds it to the contract.

    Parameters
    ----------
    verifier : callable
        Of the common signature (draft, q, p, num_draft, rng). Results may be arrays, lists, or tensors with `detach`.
    one_row : bool
        The verifier takes one row: draft [K], q [K, V], p [K + 1, V], an int and rng, and returns that row's tokens and n_out.
    seconds : float
        A call that takes longer is stopped, where the platform can: in the main thread, on a system with SIGALRM.
    deadline : float
        All calls end before this value of `time.monotonic`.
    """

    verifier: Callable[..., Any]
    one_row: bool = False
    seconds: float = 20.0
    deadline: float = field(default=float("inf"))

    def __call__(self, draft: Array, q: Array | None, p: Array, num_draft: Array, rng: Any, /) -> tuple[Array, Array]:
        """Call the verifier; a VerifierError says how it broke the contract."""
        B, K = draft.shape
        assert q is not None, "an audit always gives q"
        limit = min(self.seconds, self.deadline - time.monotonic())
        try:
            with time_limit(limit), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with np.errstate(all="ignore"):
                    if self.one_row:
                        tokens, n_out = self._row_by_row(draft, q, p, num_draft, rng)
                    else:
                        tokens, n_out = _two(self.verifier(draft, q, p, num_draft, rng))
        except TimeIsUp as error:
            where = f"a batch of {B} rows, K = {K}, V = {p.shape[2]}"
            raise VerifierError(f"took more than {max(limit, 0):.3g} s on {where} and was stopped", "time") from error
        except VerifierError:
            raise
        except Exception as error:  # whatever the verifier raises is a finding
            text = " ".join(str(error).split())[:200]
            raise VerifierError(f"raised {type(error).__name__}: {text}", "raised") from error
        check_contract(tokens, n_out, num_draft, K, p.shape[2])
        return tokens.astype(np.int64, copy=False), n_out.astype(np.int64, copy=False)

    def _row_by_row(self, draft: Array, q: Array, p: Array, num_draft: Array, rng: Any) -> tuple[Ints, Ints]:
        B, K = draft.shape
        tokens, n_out = np.full((B, K + 1), -1, np.int64), np.zeros(B, np.int64)
        for b in range(B):
            row, n = _two(self.verifier(draft[b], q[b], p[b], int(num_draft[b]), rng))
            row = row.reshape(-1)
            if n.size != 1 or row.dtype.kind not in "iu" or len(row) > K + 1:
                raise VerifierError(
                    f"returned shapes {row.shape} and {n.shape} for one row; expected K + 1 tokens, a count", "shape"
                )
            tokens[b, : len(row)], n_out[b] = row, n.reshape(-1)[0]
        return tokens, n_out


def _two(result: Any) -> tuple[Array, Array]:
    try:
        tokens, n_out = result
    except (TypeError, ValueError):
        raise VerifierError(
            f"returned {type(result).__name__}; expected two arrays: tokens [B, K + 1], n_out [B]", "shape"
        ) from None
    return _array(tokens), _array(n_out)


def _array(values: Any) -> Array:
    """An array of a list, an array, or a tensor that must be detached and fetched first."""
    if hasattr(values, "detach"):
        values = values.detach().cpu().numpy()
    try:
        return np.asarray(values)
    except ValueError:
        raise VerifierError("returned rows of different lengths; expected tokens [B, K + 1], padded with -1", "shape") from None


def check_contract(tokens: Array, n_out: Array, num_draft: Array, K: int, V: int) -> None:
    """Check shapes, types, counts and ids.

    Raises
    ------
    VerifierError
        Names the row and the position, and says what was expected.
    """
    B = len(num_draft)
    if tokens.shape != (B, K + 1) or n_out.shape != (B,):
        raise VerifierError(f"returned shapes {tokens.shape} and {n_out.shape}; expected {(B, K + 1)} and {(B,)}", "shape")
    for name, array in (("tokens", tokens), ("n_out", n_out)):
        if array.size and array.dtype.kind not in "iu":
            raise VerifierError(f"returned {name} of dtype {array.dtype}; expected integers", "shape")
    off = (n_out < 1) | (n_out > num_draft + 1)
    if off.any():
        b = int(off.argmax())
        raise VerifierError(f"n_out[{b}] is {n_out[b]}; expected 1 to num_draft + 1 = {num_draft[b] + 1}", "values")
    emitted = np.arange(K + 1) < n_out[:, None]
    off = ((tokens < 0) | (tokens >= V)) & emitted
    if off.any():
        b, i = (int(j) for j in np.argwhere(off)[0])
        raise VerifierError(f"tokens[{b}, {i}] is {tokens[b, i]}; expected a token id from 0 to {V - 1}", "values")
