"""Siblings, tested one after the other: what the target still owes when each of them is rejected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..probability import residual
from ..rules.tree.draft import Drawing
from ..types import Floats


@dataclass(frozen=True, eq=False)
class Stage:
    """The test of one sibling, or the last draw.

    Attributes
    ----------
    owed : ndarray, shape (V,)
        What the target still owes, as a law.
    law : ndarray, shape (V,), or None
        What this sibling was drawn from; None for the last draw.
    token : int
        The sibling, -1 for the last draw.
    kept : float
        Probability that it is kept, once it is tested: min(1, owed / law).
    """

    owed: Floats
    law: Floats | None
    token: int
    kept: float


def sibling_stages(
    p: ArrayLike, q: ArrayLike, siblings: Sequence[int], drawing: Drawing, names: Sequence[str] | None = None
) -> list[Stage]:
    """What happens as one sibling after another is rejected.

    Parameters
    ----------
    p, q : array_like, shape (V,)
        Target and draft law.
    siblings : sequence of int
        In the order in which they were drawn. For "top k" only their number counts: q says which they are.
    drawing : {"iid", "without replacement", "top k"}
    names : sequence of str, optional
        What the tokens are called in an error; their ids unless given.

    Returns
    -------
    list of Stage
        One for each sibling, then one for the last draw; it ends early where a sibling is kept for sure.

    Raises
    ------
    ValueError
        If a sibling cannot be drawn: q gives it nothing, or it was drawn before and may not be again.
    """
    owed, law = np.asarray(p, np.float64), np.asarray(q, np.float64)
    likeliest = np.argsort(-law, kind="stable")
    stages = []
    for number, x in enumerate(siblings):
        if drawing == "top k":
            x = int(likeliest[number])
        if law[x] <= 0:
            raise ValueError(f"siblings[{number}] is {x if names is None else names[x]}, which cannot be drawn there")
        tested = np.eye(len(owed))[x] if drawing == "top k" else law
        kept = min(1.0, float(owed[x] / tested[x]))
        stages.append(Stage(owed, tested, x, kept))
        if kept > 1 - 1e-12:  # what rounding leaves is not owed
            return stages
        owed = residual(owed, tested)
        if drawing == "without replacement":
            law = np.where(np.arange(len(law)) == x, 0, law)
            law = law / law.sum() if law.any() else law
    return [*stages, Stage(owed, None, -1, 1.0)]
