"""Naming the fault: which catalogued law explains best what a verifier that was rejected has emitted.

To be asked after a rejection only: among laws that are all wrong the nearest is of interest, beside the right one it is noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
from scipy.special import logsumexp

from ...catalogue.index import mutant
from ...types import Floats, Ints
from ..statistics.chi_square import ChiSquare, chi_square
from .fingerprints import ROUNDS, fingerprints
from .first_rounds import FirstRounds

__all__ = ["Candidate", "Diagnosis", "FirstRounds", "diagnose"]

EQUAL = 1e-5
"""Two laws closer than this in total variation, for every number of drafts, are one candidate."""

UNLIKE = 1e-6
"""Share of a uniform law in every candidate, so that one stray token does not rule a fault out for ever."""


@dataclass(frozen=True)
class Candidate:
    """A catalogued fault, or several with equal laws on the chains at hand.

    Attributes
    ----------
    names : tuple of str
    odds : float
        Likelihood against the sum of all other candidates'.
    what : str
        What the first of them does.
    """

    names: tuple[str, ...]
    odds: float
    what: str


Fit = Literal["is", "nearest", "unknown"]
"""Is: the counts fit the best candidate. Nearest: they do not, but it takes away most of what the token rule leaves unexplained.
Unknown: it does not even do that."""

NEAR = 0.25
"""Share of the token rule's excess chi-square that a candidate may leave and still be near: half the distance."""


@dataclass(frozen=True)
class Diagnosis:
    """The likeliest faults.

    Attributes
    ----------
    candidates : tuple of Candidate
        The best three, best first.
    fit : {"is", "nearest", "unknown"}
        How well the best one explains the counts.
    p_value : float
        Of the counts under the best one: the smallest of the tests, times their number.
    """

    candidates: tuple[Candidate, ...]
    fit: Fit
    p_value: float

    @property
    def known(self) -> bool:
        """Do the counts fit a catalogued verifier?"""
        return self.fit == "is"

    @property
    def lossless(self) -> bool:
        """Is the best candidate a right rule? Then it explains no fault."""
        return mutant(self.candidates[0].names[0]).lossless

    @property
    def sentence(self) -> str:
        """The best candidate in words, and whether it is it."""
        first = self.candidates[0]
        name = " or ".join(first.names)
        if self.fit != "is":
            near = f"nearest, but not it, is {name}" if self.fit == "nearest" else "none is near"
            return f"A fault that is not in the catalogue; {near} (p = {self.p_value:.1g})."
        if self.lossless:
            return f"The counts fit {name}, which is lossless ({_odds(first.odds)} against all others)."
        return f"Probably {name} ({_odds(first.odds)} against all others): {first.what}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        candidates = [{"names": list(c.names), "odds": c.odds, "what": c.what} for c in self.candidates]
        return {"sentence": self.sentence, "fit": self.fit, "p_value": self.p_value, "candidates": candidates}


def diagnose(observed: Sequence[FirstRounds], *, alpha: float = 0.001) -> Diagnosis:
    """Find the catalogued law with the largest likelihood of the first round's drafts, its tokens emitted and the sequence.

    Parameters
    ----------
    observed : sequence of FirstRounds
        One or more for each chain that the verifier was run on.
    alpha : float
        The probability of calling a catalogued fault unknown is at most this.

    Returns
    -------
    Diagnosis

    Raises
    ------
    ValueError
        If there is no sequence.
    """
    counts: dict[str, Ints] = {}
    for rounds in observed:
        counts[rounds.chain] = counts.get(rounds.chain, 0) + rounds.counts()
    if not sum(int(c.sum()) for c in counts.values()):
        raise ValueError("observed holds no sequence; expected at least one")
    laws = {chain: fingerprints(chain) for chain in counts}
    groups = _equal(tuple((chain, tuple(_shares(table) > 0)) for chain, table in counts.items()))
    scores = np.array([sum(_log_likelihood(counts[chain], laws[chain][group[0]]) for chain in counts) for group in groups])
    best = np.argsort(-scores, kind="stable")[:3]
    candidates = []
    for i in best:
        log_odds = scores[i] - logsumexp(np.delete(scores, i)) if len(scores) > 1 else np.inf
        candidates.append(Candidate(groups[i], float(np.exp(min(log_odds, 700.0))), mutant(groups[i][0]).what))

    def misfits_of(name: str) -> list[ChiSquare]:
        return [test for chain in counts for test in _misfit(counts[chain], laws[chain][name])]

    misfits, of_right = misfits_of(candidates[0].names[0]), misfits_of("verify")
    p_value = min(1.0, min(test.p_value for test in misfits) * len(misfits))
    fit: Fit = "is" if p_value > alpha else "nearest" if _excess(misfits) < NEAR * _excess(of_right) else "unknown"
    return Diagnosis(tuple(candidates), fit, p_value)


def _log_likelihood(counts: Ints, law: Floats) -> float:
    """Of the counts, given how many drafts each sequence's first round held."""
    seen = counts > 0
    return float(counts[seen] @ np.log((1 - UNLIKE) * law[seen] + UNLIKE / law.shape[1]))


@cache
def _equal(seen: tuple[tuple[str, tuple[bool, ...]], ...]) -> list[tuple[str, ...]]:
    """Names whose laws are equal on the chains at hand, in the rows of their tables that were seen."""
    groups: list[list[str]] = []
    laws = [(fingerprints(chain), np.array(rows)) for chain, rows in seen]
    for name in laws[0][0]:
        for group in groups:
            if all(np.abs(of[name] - of[group[0]])[rows].sum() < 2 * EQUAL for of, rows in laws):
                group.append(name)
                break
        else:
            groups.append([name])
    return [tuple(group) for group in groups]


def _shares(counts: Ints) -> Floats:
    """Share of the sequences whose first round held as many drafts as that of each row of the table."""
    drafts = np.array([n for n, _ in ROUNDS])
    of_drafts = np.bincount(drafts, counts.sum(axis=1))
    share: Floats = (of_drafts / of_drafts.sum())[drafts]
    return share


def _misfit(counts: Ints, law: Floats) -> list[ChiSquare]:
    """Two tables against a law: drafts, tokens emitted and first token together; and the whole sequence.

    How many drafts the first rounds held is taken as given, for which the tests are a little shy.
    """
    expected = law * _shares(counts)[:, None]
    V = round(law.shape[1] ** 0.25)
    tables = [(t.reshape(len(ROUNDS), V, -1).sum(axis=2), t.sum(axis=0)) for t in (counts, expected / expected.sum())]
    return [chi_square(observed, of_law) for observed, of_law in zip(*tables, strict=True)]


def _excess(misfits: Sequence[ChiSquare]) -> float:
    """By how much the statistics exceed what chance makes: grows with the square of the distance from the law."""
    return sum(max(0.0, test.statistic - test.dof) for test in misfits)


def _odds(odds: float) -> str:
    if odds > 1e6:
        return "odds above a million to 1"
    return f"odds {odds:,.0f} to 1" if odds >= 10 else f"odds {odds:.1f} to 1"
