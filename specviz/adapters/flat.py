"""The flattened layout of serving engines: the rows of all requests one after the other, without padding.

Request b has n drafts, from `cu_num_draft[b - 1]` (0 for the first request) up to `cu_num_draft[b]`. N counts the drafts of all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from ..probability import as_floats, sample_rows
from ..rules.contract import ContractError, Verified, as_integers, check_arrays, check_result
from ..types import Array, Ints, Mask
from .adapter import Adapter

Bonus = Literal["last", "probs", "tokens"]
"""Where a flat function finds the bonus position: as the last of each request's target rows, or in an argument of its own."""


@dataclass(frozen=True)
class FromFlat(Adapter):
    """A verifier made from a function of the flattened layout.

    Parameters
    ----------
    function : callable
        Takes (target_probs, draft_probs, draft_tokens_flat, cu_num_draft, generator), see `ToFlat`, as arrays; the totals are
        int32, draft_probs is None where q is, and generator is rng. Returns tokens [B, longest n + 1], padded with -1.
    bonus : {"last", "probs", "tokens"}
        "last": target_probs [N + B, V] has the bonus position as the last row of each request. Otherwise it is [N, V], and the
        function also takes a keyword argument: bonus_probs [B, V], or bonus_tokens [B], drawn from these rows by rng beforehand.

    Raises
    ------
    ContractError
        When called, if the function returns something else; see `specviz.rules.contract.check_result`.

    Examples
    --------
    >>> import numpy as np
    >>> from specviz import verify
    >>> verifier = FromFlat(ToFlat(verify))
    >>> verifier(np.array([[1]]), None, np.array([[[0., 1], [1, 0]]]), np.array([1]), np.random.default_rng(0))
    Verified(tokens=array([[1, 0]]), n_out=array([2]))
    """

    bonus: Bonus = "last"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bonus not in get_args(Bonus):
            raise ValueError(f"bonus is {self.bonus!r}; expected one of {', '.join(map(repr, get_args(Bonus)))}")

    def __call__(self, draft: Array, q: Array | None, p: Array, num_draft: Array, rng: Any, /) -> Verified:
        """Verify a batch."""
        draft, q, p, num_draft, _ = check_arrays(draft, q, p, num_draft)
        B, K = draft.shape
        position = np.arange(K + 1)
        is_draft = position[:K] < num_draft[:, None]
        rest = None if q is None else q[is_draft], draft[is_draft], np.cumsum(num_draft, dtype=np.int32), rng
        if self.bonus == "last":
            result = self.function(p[position <= num_draft[:, None]], *rest)
        else:
            probs = p[np.arange(B), num_draft]
            bonus = {"bonus_probs": probs} if self.bonus == "probs" else {"bonus_tokens": sample_rows(probs, rng)}
            result = self.function(p[:, :K][is_draft], *rest, **bonus)
        emitted = as_integers("tokens", result)
        columns = int(num_draft.max(initial=0)) + 1
        if emitted.shape != (B, columns):
            shapes = f"shape {emitted.shape}; expected (B, longest n + 1) = {(B, columns)}"
            raise ContractError(f"returned tokens of {shapes}", "shape")
        tokens = np.full((B, K + 1), -1)
        tokens[:, :columns] = emitted
        return check_result((tokens, (emitted != -1).sum(axis=1)), num_draft, K, p.shape[2])


@dataclass(frozen=True)
class ToFlat(Adapter):
    """A function of the flattened layout made from a verifier.

    Parameters
    ----------
    function : callable
        Of the common signature (draft, q, p, num_draft, rng).

    Examples
    --------
    >>> import numpy as np
    >>> from specviz import verify
    >>> flat = ToFlat(verify)
    >>> flat([[0., 1], [1, 0], [1, 0]], None, [1], [1, 1], np.random.default_rng(0))
    array([[ 1,  0],
           [ 0, -1]])
    """

    def __call__(
        self,
        target_probs: ArrayLike,
        draft_probs: ArrayLike | None,
        draft_tokens_flat: ArrayLike,
        cu_num_draft: ArrayLike,
        generator: Any,
        *,
        bonus_probs: ArrayLike | None = None,
    ) -> Ints:
        """Verify the drafts of B requests.

        Parameters
        ----------
        target_probs : array_like, shape (N + B, V), or (N, V) with `bonus_probs`
            For each request its n rows of the target, followed by the row of the bonus position unless these are apart.
        draft_probs : array_like, shape (N, V), or None
            For each request its n rows of the drafter. None: a deterministic drafter.
        draft_tokens_flat : array_like of int, shape (N,)
        cu_num_draft : array_like of int, shape (B,)
            Running totals of n.
        generator : numpy.random.Generator
        bonus_probs : array_like, shape (B, V), optional
            The target's rows at the bonus positions. For a bonus token that is drawn already, a row that is 1 there.

        Returns
        -------
        ndarray of int64, shape (B, longest n + 1)
            The tokens of each request, padded with -1.

        Raises
        ------
        ValueError
            If the lengths do not fit together; and as the verifier does.
        """
        ends, ids = _integers("cu_num_draft", cu_num_draft), _integers("draft_tokens_flat", draft_tokens_flat)
        target = as_floats("target_probs", target_probs)
        drafter = None if draft_probs is None else as_floats("draft_probs", draft_probs)
        bonus = None if bonus_probs is None else as_floats("bonus_probs", bonus_probs)
        num_draft = _lengths(ends)
        B, N, V = len(ends), int(num_draft.sum()), target.shape[-1] if target.ndim else 0
        for name, array, shape in (
            ("target_probs", target, (N + B if bonus is None else N, V)),
            ("draft_probs", drafter, (N, V)),
            ("draft_tokens_flat", ids, (N,)),
            ("bonus_probs", bonus, (B, V)),
        ):
            if array is not None and array.shape != shape:
                raise ValueError(f"{name} has shape {array.shape}; expected {shape} for {B} requests with {N} drafts in all")
        if bonus is not None:
            target = np.insert(target, ends, bonus, axis=0)
        position = np.arange(num_draft.max(initial=0) + 1)
        is_draft, is_target = position[:-1] < num_draft[:, None], position <= num_draft[:, None]
        q = None if drafter is None else _padded(drafter, is_draft)
        result = self.function(_padded(ids, is_draft), q, _padded(target, is_target), num_draft, generator)
        tokens, n_out = check_result(result, num_draft, len(position) - 1, V)
        return np.where(position < n_out[:, None], tokens, -1)


def _integers(name: str, values: ArrayLike) -> Ints:
    array = np.asarray(values)
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{name} has dtype {array.dtype}; expected integers")
    return array.astype(np.int64, copy=False)


def _lengths(ends: Ints) -> Ints:
    if ends.ndim != 1:
        raise ValueError(f"cu_num_draft has shape {ends.shape}; expected (B,): a running total for each request")
    lengths = np.diff(ends, prepend=0)
    if (lengths < 0).any():
        raise ValueError(f"cu_num_draft is {ends.tolist()}; expected running totals, which never fall")
    return lengths


def _padded(rows: Array, is_row: Mask) -> Array:
    """The rows, each at its place of a batch [B, length, ...], with zeros for padding."""
    batch = np.zeros((*is_row.shape, *rows.shape[1:]), rows.dtype)
    batch[is_row] = rows
    return batch
