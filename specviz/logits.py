"""From logits to the law that is sampled from: temperature, top-k, top-p and min-p, in Hugging Face's order and with its ties."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .inverse_cdf import row_totals, tiles
from .probability import as_floats
from .types import Array, Floats

SLACK = 1e-9
"""Within this of a cut, a number counts as lying on it: otherwise the last bit of an exponential would decide."""


def process_logits(
    logits: ArrayLike,
    *,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    min_p: float | None = None,
) -> Array:
    """Turn logits into the probabilities that a sampler with these settings draws from.

    The steps, in this order, each on what the one before left over:

    1. temperature: divide the logits. 0 stands for the argmax, one-hot; of equal logits the lowest id.
    2. top-k: keep every token whose logit is at least the k-th largest. Ties at the k-th are all kept, so more than k may stay.
    3. top-p: in rising order, remove tokens while their cumulative probability is at most 1 - top_p. The last one always stays.
       Of equal probabilities the lower ids are removed first.
    4. min-p: keep every token with at least min_p times the largest probability.

    Parameters
    ----------
    logits : array_like of float32 or float64, shape (..., V)
        -inf bars a token.
    temperature : float
        At least 0.
    top_k : int, optional
        At least 1.
    top_p, min_p : float, optional
        From 0 to 1.

    Returns
    -------
    ndarray, shape (..., V)
        Rows of probabilities in the type of the logits; sums run in float64.

    Raises
    ------
    ValueError
        If a setting is out of range, or a row holds a NaN or +inf or nothing but -inf; the message names the row.

    Notes
    -----
    The order and the ties are those of transformers 5.24 (`TemperatureLogitsWarper`, `TopKLogitsWarper`, `TopPLogitsWarper`,
    `MinPLogitsWarper`), with three points made definite. Which of equal probabilities top-p removes is there left to an unstable
    sort: as many go here, and always the lower ids. Top-k compares the logits before they are divided, since a division may make
    equal what was not. And a cumulative probability within `SLACK` of the cut counts as on it, where a float32 cumulative sum
    over a whole vocabulary is off by a hundred times as much.

    The verifier is lossless relative to what it is given as p: give it the processed target, and as q the processed law that the
    drafts were really sampled from.

    References
    ----------
    Fan, Lewis, Dauphin, "Hierarchical Neural Story Generation", ACL 2018 (top-k).
    Holtzman et al., "The Curious Case of Neural Text Degeneration", ICLR 2020 (top-p).
    Nguyen et al., "Turning Up the Heat: Min-p Sampling", ICLR 2025.

    Examples
    --------
    >>> import numpy as np
    >>> print(process_logits(np.log([0.5, 0.3, 0.15, 0.05]), top_p=0.8).round(3))
    [0.625 0.375 0.    0.   ]
    """
    _check_settings(temperature, top_k, top_p, min_p)
    logits = as_floats("logits", logits)
    if logits.ndim == 0 or logits.shape[-1] == 0:
        raise ValueError(f"logits has shape {logits.shape}; expected (..., V) with at least one token")
    rows = logits.reshape(-1, logits.shape[-1])
    out = np.empty_like(rows)
    for tile in tiles(*rows.shape):
        largest = rows[tile].max(axis=1)
        if not np.isfinite(largest).all():  # the largest of anything and a NaN is a NaN
            _refuse(logits, tile.start + int(np.argmin(np.isfinite(largest))))
        out[tile] = _process(rows[tile], largest, temperature, top_k, top_p, min_p)
    return out.reshape(logits.shape)


def _process(
    logits: Array, largest: Array, temperature: float, top_k: int | None, top_p: float | None, min_p: float | None
) -> Array:
    """The steps for a tile of rows, shape [R, V]; weights are relative to the largest, which stays 1."""
    if temperature == 0:
        weights = np.zeros_like(logits)
        weights[np.arange(len(logits)), logits.argmax(axis=1)] = 1
        return weights
    with np.errstate(over="ignore"):  # a tiny temperature sends all but the largest to -inf, as it should
        weights = np.exp((logits - largest[:, None]) / logits.dtype.type(temperature))
    if top_k is not None and top_k < logits.shape[1]:
        kth = np.partition(logits, -top_k, axis=1)[:, -top_k]
        weights[logits < kth[:, None]] = 0
    if top_p is not None and top_p < 1:
        _drop_tail(weights, 1 - top_p)
    if min_p is not None:
        weights[weights < min_p * (1 - SLACK)] = 0
    return np.asarray(weights / row_totals(weights)[:, None], logits.dtype)


def _drop_tail(weights: Array, tail: float) -> None:
    """Set to 0, in rising order, the weights whose cumulative share is at most `tail`; the last one stays."""
    rising = np.sort(weights, axis=1)
    share: Floats = rising.cumsum(axis=1, dtype=np.float64)
    share /= share[:, -1:]
    dropped = np.minimum((share <= tail + SLACK).sum(axis=1), weights.shape[1] - 1)
    cut = rising[np.arange(len(rising)), dropped][:, None]
    below, tied = weights < cut, weights == cut
    of_tied = dropped - below.sum(axis=1)  # those of the lowest ids go
    weights[below | (tied & (tied.cumsum(axis=1) <= of_tied[:, None]))] = 0


def _check_settings(temperature: float, top_k: int | None, top_p: float | None, min_p: float | None) -> None:
    if not 0 <= temperature < np.inf:
        raise ValueError(f"temperature is {temperature}; expected a finite number, at least 0")
    if top_k is not None and (isinstance(top_k, bool) or not isinstance(top_k, (int, np.integer)) or top_k < 1):
        raise ValueError(f"top_k is {top_k!r}; expected a whole number of tokens, at least 1, or None")
    for name, share in (("top_p", top_p), ("min_p", min_p)):
        if share is not None and not 0 <= share <= 1:
            raise ValueError(f"{name} is {share}; expected a probability from 0 to 1, or None")


def _refuse(logits: Array, row: int) -> None:
    at = np.unravel_index(row, logits.shape[:-1])
    values = logits[at]
    bad = np.isnan(values) | (values == np.inf)
    if bad.any():
        v = int(bad.argmax())
        raise ValueError(f"logits[{', '.join(map(str, (*at, v)))}] is {values[v]}; expected a finite number or -inf")
    where = f"logits[{', '.join(map(str, at))}]" if at else "logits"
    raise ValueError(f"{where} is -inf for every token; expected at least one that may be sampled")
