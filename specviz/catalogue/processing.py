"""Wrong processing: the p or q of the rule is not the law that is asked for, or not the law that drafts come from."""

from __future__ import annotations

import numpy as np

from ..models.markov import MarkovPair
from ..types import Floats
from .build.wrap import powered, processed, shortened, top
from .entry import LAW, PACE, entry
from .right import PLAIN, TOKEN, until_unlikely


def _tempered(pair: MarkovPair) -> MarkovPair:
    return pair.with_drafter(powered(pair.drafter, 1 / 0.7))


def nucleus(rows: Floats, mass: float) -> Floats:
    """The likeliest tokens of each row that together reach this mass, normalised."""
    order = np.argsort(-rows, axis=-1, kind="stable")
    falling = np.take_along_axis(rows, order, axis=-1)
    before = np.cumsum(falling, axis=-1) - falling
    kept = np.zeros_like(falling)
    np.put_along_axis(kept, order, np.where(before < mass - 1e-12, falling, 0), axis=-1)
    likeliest: Floats = kept / kept.sum(axis=-1, keepdims=True)
    return likeliest


def _nucleus(pair: MarkovPair) -> MarkovPair:
    return pair.with_drafter(nucleus(pair.drafter, 0.8))


def _greedy(pair: MarkovPair) -> MarkovPair:
    return pair.with_drafter(np.eye(pair.V)[pair.drafter.argmax(axis=1)])


def _top_two(pair: MarkovPair) -> MarkovPair:
    return pair.with_drafter(top(pair.drafter, 2))


def _of_another_context(pair: MarkovPair) -> MarkovPair:
    return pair.with_drafter(np.roll(pair.drafter, 1, axis=0))


def _of_another_vocabulary(pair: MarkovPair) -> MarkovPair:
    return pair.with_drafter(np.roll(pair.drafter, 1, axis=1))


ENTRIES = (
    entry(
        "p_at_temperature",
        "processing",
        "Judges with p at temperature 0.7 while the target's own law is asked for.",
        LAW | PACE,
        processed(TOKEN, p=lambda rows: powered(rows, 1 / 0.7)),
    ),
    entry(
        "p_top_two",
        "processing",
        "Judges with the two likeliest tokens of p while the whole p is asked for.",
        LAW | PACE,
        processed(TOKEN, p=lambda rows: top(rows, 2)),
    ),
    entry(
        "q_at_temperature",
        "processing",
        "Judges with q at temperature 0.7 while drafts come from q itself.",
        LAW | PACE,
        processed(TOKEN, q=lambda rows: powered(rows, 1 / 0.7)),
    ),
    entry(
        "q_top_two",
        "processing",
        "Judges with the two likeliest tokens of q while drafts come from the whole q.",
        LAW | PACE,
        processed(PLAIN, q=lambda rows: top(rows, 2)),
    ),
    entry(
        "unlikely_draft_dropped",
        "processing",
        "Drops the first draft whose q is below 1/4 with all behind it, so that the length depends on what was thrown away.",
        LAW | PACE,
        shortened(TOKEN, lambda draft, q, n: until_unlikely(draft, q, n, with_it=False)),
    ),
    entry(
        "drafts_at_temperature",
        "drafter",
        "Drafts are sampled at temperature 0.7, q is reported at 1.",
        LAW | PACE,
        TOKEN,
        _tempered,
    ),
    entry(
        "drafts_from_nucleus", "drafter", "Drafts are sampled with top-p 0.8, the raw q is reported.", LAW | PACE, TOKEN, _nucleus
    ),
    entry(
        "drafts_from_top_two", "drafter", "Drafts are sampled with top-k 2, the raw q is reported.", LAW | PACE, TOKEN, _top_two
    ),
    entry("drafts_greedy", "drafter", "Drafts are the drafter's argmax, its softmax is reported.", LAW | PACE, TOKEN, _greedy),
    entry(
        "drafts_of_another_context",
        "drafter",
        "Drafts come from the drafter in another state than the one whose q is reported.",
        LAW | PACE,
        TOKEN,
        _of_another_context,
    ),
    entry(
        "drafts_of_another_vocabulary",
        "drafter",
        "Draft ids count in the drafter's vocabulary, q in the target's.",
        LAW | PACE,
        TOKEN,
        _of_another_vocabulary,
    ),
)
