"""Evidence that may be looked at after every sequence: an e-process, which stops early and never raises the false-alarm rate.

Under the null, the target's law, an e-value is at most 1 on average, whatever has been seen before; so it reaches 1 / alpha at
any time with probability alpha at most (Ville's inequality). This one is the average of two kinds of likelihood ratio against
the null: of the catalogued faults, each mixed with 1% of the null, and of Dirichlet laws around the null, which learn from what
they have seen and so need no catalogue.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from scipy.special import logsumexp

from ...catalogue.index import mutant
from ...models.designed import CHAINS, RAGGED
from ...models.generate import generate
from ...models.markov import MarkovPair
from ...types import Floats, Ints
from ..check import Check
from ..subject.contract import Adapted, VerifierError
from .drawing import LENGTH, pair_of

STRENGTHS = (100.0, 1000.0, 10_000.0, 100_000.0)
"""Concentrations of the Dirichlet laws: how many sequences the null counts for beside those that were seen."""

NULL_SHARE = 0.01
MOST = 20_000
"""Sequences a chain, at which it ends: as many as the standard budget."""

BATCH = 100


@cache
def catalogue_ratios(chain: str) -> Floats:
    """log(law / null) of every catalogued law that is wrong, mixed with 1% of the null: shape (faults, V ** 4)."""
    from ..diagnosis.fingerprints import catalogued_laws

    null = CHAINS[chain].joint_law(LENGTH).ravel()
    laws = [law.ravel() for name, law in catalogued_laws(chain).items() if not mutant(name).lossless]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(null > 0, np.array(laws) / null, 1)
    return np.asarray(np.log((1 - NULL_SHARE) * ratio + NULL_SHARE))


class EProcess:
    """Evidence against the target's law on several chains, updated by whole sequences.

    Attributes
    ----------
    log_e : float
        Logarithm of the e-value at this time.
    n : int
        Sequences seen.
    """

    def __init__(self, chains: tuple[str, ...] = tuple(CHAINS)) -> None:
        self.laws = {chain: CHAINS[chain].joint_law(LENGTH).ravel() for chain in chains}
        self.counts = {chain: np.zeros(len(law)) for chain, law in self.laws.items()}
        self.faults = np.zeros(len(catalogue_ratios(chains[0])))
        self.learned = np.zeros((len(chains) + 1, len(STRENGTHS)))  # each chain alone, and all together
        self.impossible = False
        self.n = 0

    @property
    def log_e(self) -> float:
        """Half the mean over the faults, and half the mean over the Dirichlet laws."""
        if self.impossible:
            return float("inf")
        halves = [logsumexp(log) - np.log(2 * log.size) for log in (self.faults, self.learned)]
        return float(np.logaddexp(*halves))

    def update(self, chain: str, sequences: Ints) -> None:
        """Add sequences, shape (n, 4).

        Each is predicted from those before it: by c null(x) + (its count), over c + (all counts).
        """
        law, counts = self.laws[chain], self.counts[chain]
        V = round(len(law) ** (1 / LENGTH))
        cells = np.ravel_multi_index(tuple(sequences.T), (V,) * LENGTH)
        self.impossible |= bool((law[cells] == 0).any())
        if self.impossible:
            return
        self.faults += catalogue_ratios(chain)[:, cells].sum(axis=1)
        before = counts[cells] + _earlier_equals(cells)
        total = counts.sum() + np.arange(len(cells))
        where = [list(self.laws).index(chain), -1]
        for k, c in enumerate(STRENGTHS):
            self.learned[where, k] += np.log((c + before / law[cells]) / (c + total)).sum()
        counts += np.bincount(cells, minlength=len(law))
        self.n += len(cells)


def _earlier_equals(cells: Ints) -> Ints:
    """How many entries before each one are equal to it."""
    order = np.argsort(cells, kind="stable")
    ordered = cells[order]
    first = np.searchsorted(ordered, ordered, side="left")
    earlier = np.empty(len(cells), np.int64)
    earlier[order] = np.arange(len(cells)) - first
    return earlier


def run_anytime(
    verifier: Adapted, seed: int, alpha: float, drafter: Callable[[MarkovPair], MarkovPair] | None, most: int = MOST
) -> EProcess:
    """Generate sequences, the chains in turn, until the evidence reaches 1 / alpha or there are `most` for each chain."""
    process = EProcess()
    rng = np.random.default_rng(np.random.SeedSequence(seed).spawn(1)[0])
    while process.n < most * len(CHAINS) and process.log_e < np.log(1 / alpha):
        for chain in CHAINS:
            made = generate(pair_of(chain, drafter), verifier, length=LENGTH, K=RAGGED, n=BATCH, rng=rng)
            process.update(chain, made.sequences)
            if process.log_e >= np.log(1 / alpha):
                break
    return process


def check_anytime(verifier: Adapted, seed: int, alpha: float, drafter: Callable[[MarkovPair], MarkovPair] | None) -> Check:
    """The joint law of sequences on the designed chains, looked at after every hundred."""
    try:
        process = run_anytime(verifier, seed, alpha, drafter)
    except VerifierError as error:
        if error.part == "time":
            raise
        return Check("anytime law", "FAIL", f"the verifier {error}")
    failed = process.log_e >= np.log(1 / alpha)
    e = "infinite" if process.log_e == float("inf") else f"10^{process.log_e / np.log(10):.1f}"
    finding = f"evidence {e} after {process.n:,} sequences; it fails at {1 / alpha:,.0f}"
    p_value = float(min(1.0, np.exp(-process.log_e)))
    ran = "ragged sequences of 4 tokens on the designed chains, in turn, looked at after every hundred"
    return Check("anytime law", "FAIL" if failed else "pass", finding, p_value, None, process.log_e, ran)
