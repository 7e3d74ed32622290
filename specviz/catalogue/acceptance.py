"""Wrong acceptance tests: the draft is kept with another probability than min(1, p(x) / q(x)), or judged another way."""

from __future__ import annotations

import numpy as np

from .build.parts import Parts, at, match_rule, owed
from .entry import LAW, PACE, entry

ENTRIES = (
    entry(
        "ratio_inverted",
        "acceptance",
        "Accepts with probability min(1, q / p).",
        LAW | PACE,
        Parts(accept=lambda p, q, x, i: (at(p, x), at(q, x))).rule,
    ),
    entry("everything_accepted", "acceptance", "Accepts every draft.", LAW | PACE, Parts(accept=lambda p, q, x, i: (0, 1)).rule),
    entry(
        "nothing_accepted",
        "acceptance",
        "Accepts no draft, and draws from the residual.",
        LAW | PACE,
        Parts(accept=lambda p, q, x, i: (1, 0)).rule,
    ),
    entry(
        "accept_if_likelier",
        "acceptance",
        "Accepts when p(x) >= q(x), without a uniform.",
        LAW | PACE,
        Parts(accept=lambda p, q, x, i: (0, at(p, x) >= at(q, x))).rule,
    ),
    entry(
        "accept_if_argmax",
        "acceptance",
        "Accepts when x is the target's likeliest token, as if temperature were 0.",
        LAW | PACE,
        Parts(accept=lambda p, q, x, i: (0, p.argmax(axis=-1) == x)).rule,
    ),
    entry(
        "accept_typical",
        "acceptance",
        "Accepts when p(x) is above 0.2: typical acceptance.",
        LAW | PACE,
        Parts(accept=lambda p, q, x, i: (0, at(p, x) > 0.2)).rule,
    ),
    entry(
        "accept_with_p",
        "acceptance",
        "Accepts with probability p(x), as a one-hot q asks for, and keeps the residual of q.",
        LAW | PACE,
        Parts(accept=lambda p, q, x, i: (1, at(p, x))).rule,
    ),
    entry(
        "accept_with_overlap",
        "acceptance",
        "Accepts every draft with the position's mean rate sum min(p, q).",
        LAW,
        Parts(accept=lambda p, q, x, i: (1, np.minimum(p, q).sum(axis=-1))).rule,
    ),
    entry(
        "accept_with_difference",
        "acceptance",
        "Accepts with probability 1 - max(0, q - p): a difference in place of the ratio.",
        LAW | PACE,
        Parts(accept=lambda p, q, x, i: (1, 1 - np.maximum(at(q, x) - at(p, x), 0))).rule,
    ),
    entry(
        "ratio_squared",
        "acceptance",
        "Accepts with probability min(1, p / q) squared: every draft is tested twice.",
        LAW | PACE,
        Parts(accept=lambda p, q, x, i: (at(q, x) ** 2, at(p, x) ** 2)).rule,
    ),
    entry(
        "lenience_0.8",
        "acceptance",
        "Accepts with probability min(1, p / (0.8 q)).",
        LAW | PACE,
        Parts(accept=lambda p, q, x, i: (4 * at(q, x), 5 * at(p, x))).rule,
    ),
    entry(
        "lenience_0.5",
        "acceptance",
        "Accepts with probability min(1, p / (0.5 q)).",
        LAW | PACE,
        Parts(accept=lambda p, q, x, i: (at(q, x), 2 * at(p, x))).rule,
    ),
    entry(
        "first_untested",
        "acceptance",
        "Accepts the first draft without a test.",
        LAW | PACE,
        Parts(accept=lambda p, q, x, i: (at(q, x), at(p, x) + (i == 0))).rule,
    ),
    entry(
        "match_then_fresh",
        "acceptance",
        "Sample-and-match that emits a fresh draw from p after a mismatch.",
        LAW | PACE,
        match_rule(lambda p, q: p),
        in_step=False,
    ),
    entry(
        "match_then_residual",
        "acceptance",
        "Sample-and-match that emits a draw from the residual after a mismatch.",
        LAW | PACE,
        match_rule(owed),
        in_step=False,
    ),
)
