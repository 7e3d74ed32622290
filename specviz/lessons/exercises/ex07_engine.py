"""Exercise 07b: wrap an engine's own function. In a file of its own, since its answer has the name of the one to 07a."""

from __future__ import annotations

import numpy as np

from specviz.lessons import engine_verify

from ..checking.exercise import Exercise
from .ex07_batch import CHECKED, check_batch


def verify(draft, q, p, num_draft, rng):
    """The common signature around the engine's: tokens [B, K + 1], padded with -1, and n_out [B]. See help(engine_verify)."""
    B, K = draft.shape
    is_draft = np.arange(K) < num_draft[:, None]
    is_target = np.arange(K + 1) <= num_draft[:, None]
    out = engine_verify(p[is_target], q[is_draft], draft[is_draft], np.cumsum(num_draft), rng)
    tokens = np.full((B, K + 1), -1)
    tokens[:, : out.shape[1]] = out
    return tokens, (tokens >= 0).sum(axis=1)


EXERCISES = (
    Exercise(
        id="07b",
        title="wrap an engine",
        task="Write verify(draft, q, p, num_draft, rng) around specviz.lessons.engine_verify.",
        hints=(
            "The engine wants the valid rows of all requests one after the other. A mask picks them in that order.",
            "is_draft = np.arange(K) < num_draft[:, None]; then q[is_draft] and draft[is_draft]. p has one row more.",
            "p[np.arange(K + 1) <= num_draft[:, None]], np.cumsum(num_draft); pad the result to K + 1 columns; n_out "
            "counts the tokens >= 0.",
        ),
        answer=verify,
        given=(engine_verify,),
        check=check_batch,
        checked=CHECKED + "Not checked: whether the engine's function is called at all; a verifier of your own passes too.",
    ),
)
