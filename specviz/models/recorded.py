"""Recorded rounds of a real language model, as typed records. specviz/models/README.md says how they were made."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from ..types import Floats, Ints


@dataclass(frozen=True, eq=False)
class RecordedRow:
    """Target and drafter at one position: the likeliest tokens one by one, all others together.

    Attributes
    ----------
    ids : ndarray of int64, shape (m,)
        The union of the 48 likeliest tokens under p and under q, the drafted and the emitted one among them, by falling p.
    tokens : tuple of str, length m
        Their texts.
    p, q : ndarray, shape (m,)
        Probabilities; q is None in a round's bonus row.
    p_rest, q_rest : float
        All other tokens of the vocabulary together.
    alpha : float
        sum_x min(p(x), q(x)) over the whole vocabulary; None in the bonus row.
    """

    ids: Ints
    tokens: tuple[str, ...]
    p: Floats
    q: Floats | None
    p_rest: float
    q_rest: float | None
    alpha: float | None

    def top(self, m: int) -> tuple[list[str], Floats, Floats, Floats]:
        """The m tokens that matter most, by the larger of p and q, then "all other tokens" together.

        Returns
        -------
        texts : list of str, length m + 1
        p, q : ndarray, shape (m + 1,)
            Both sum to 1.
        kept : ndarray, shape (m + 1,)
            min(p, q); for all other tokens what `alpha` leaves for them, since inside that group p may be owed here and q
            rejected there. It sums to `alpha`.
        """
        if self.q is None or self.q_rest is None or self.alpha is None:
            raise ValueError("this is a round's bonus row; expected a row with a drafter's law q")
        order = np.argsort(-np.maximum(self.p, self.q), kind="stable")[:m]
        order.sort()
        sides = (self.p, self.p_rest), (self.q, self.q_rest)
        p, q = (np.append(listed[order], rest + listed.sum() - listed[order].sum()) for listed, rest in sides)
        p, q = p / p.sum(), q / q.sum()
        kept = np.minimum(p, q)
        kept[-1] = np.clip(self.alpha - kept[:-1].sum(), 0, kept[-1])
        return [self.tokens[i] for i in order] + ["all other tokens"], p, q, kept


@dataclass(frozen=True, eq=False)
class RecordedRound:
    """One round: K drafts, how many were accepted, the recovered or bonus token, and K + 1 rows of probabilities.

    `prompt` numbers the prompt, `round` the round within it; `context` is the text before the round.
    """

    prompt: int
    round: int
    context: str
    draft: tuple[int, ...]
    accepted: int
    final: int
    rows: tuple[RecordedRow, ...]


@dataclass(frozen=True, eq=False)
class Recording:
    """All rounds, and what they were recorded from."""

    target: str
    drafter: str
    licence: str
    vocabulary: int
    K: int
    prompts: tuple[str, ...]
    rounds: tuple[RecordedRound, ...]


@cache
def load_rounds() -> Recording:
    """Load the recorded rounds that come with the package.

    Returns
    -------
    Recording
        72 rounds: 12 prompts, 6 rounds each, K = 4.
    """
    raw = json.loads(files(__package__).joinpath("smollm2_rounds.json").read_text(encoding="utf-8"))
    rounds = tuple(_round(item) for item in raw.pop("rounds"))
    return Recording(**{**raw, "prompts": tuple(raw["prompts"])}, rounds=rounds)


def _round(item: dict[str, Any]) -> RecordedRound:
    rows = tuple(_row(row) for row in item.pop("rows"))
    return RecordedRound(**{**item, "draft": tuple(item["draft"])}, rows=rows)


def _row(row: dict[str, Any]) -> RecordedRow:
    q = None if row["q"] is None else np.array(row["q"])
    return RecordedRow(**{**row, "ids": np.array(row["ids"]), "tokens": tuple(row["tokens"]), "p": np.array(row["p"]), "q": q})
