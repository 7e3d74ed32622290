"""The joint law of sequences on the designed chains, looked at after every hundred: stops as soon as the evidence suffices."""

from __future__ import annotations

from functools import cache

import numpy as np

from ...catalogue.index import mutant
from ...models.designed import CHAINS, RAGGED
from ...models.generate import generate
from ...types import Floats
from ..check import Found, Probe, Verdict
from ..diagnosis.fingerprints import catalogued_laws
from ..options import Drafter, Options
from ..statistics.e_process import EProcess
from ..subject.contract import Adapted
from .drawing import LENGTH, pair_of

NULL_SHARE = 0.01
MOST = 20_000
"""Sequences a chain, at which it ends: as many as the standard budget."""

BATCH = 100


class AnytimeLaw(Probe):
    """An e-process on sequences of the chains in turn, in place of all checks of fixed size."""

    name = "anytime law"
    question = "Do whole sequences have the target's joint law, asked after every hundred of them?"
    kind = "statistical"

    def applies(self, asked: Options) -> bool:
        """A budget of its own."""
        return asked.budget == "anytime"

    def ask(self, verifier: Adapted, asked: Options, rate: float) -> Found:
        """Until the evidence reaches 1 / rate, or there is no more to draw."""
        process = run_anytime(verifier, asked.seed, rate, asked.drafter)
        e = "infinite" if process.log_e == float("inf") else f"10^{process.log_e / np.log(10):.1f}"
        finding = f"evidence {e} after {process.n:,} sequences; it fails at {1 / rate:,.0f}"
        ran = "ragged sequences of 4 tokens on the designed chains, in turn, looked at after every hundred"
        verdict: Verdict = "FAIL" if process.log_e >= np.log(1 / rate) else "pass"
        p_value = float(min(1.0, np.exp(-process.log_e)))
        return self.found(verdict, finding, p_value=p_value, statistic=process.log_e, ran=ran)


def run_anytime(verifier: Adapted, seed: int, rate: float, drafter: Drafter | None, most: int = MOST) -> EProcess:
    """Generate sequences, the chains in turn, until the evidence reaches 1 / rate or there are `most` for each chain."""
    process = new_process(tuple(CHAINS))
    rng = np.random.default_rng(np.random.SeedSequence(seed).spawn(1)[0])
    while process.n < most * len(CHAINS) and process.log_e < np.log(1 / rate):
        for chain in CHAINS:
            pair = pair_of(chain, drafter)
            made = generate(pair, verifier, length=LENGTH, K=RAGGED, n=BATCH, rng=rng)
            process.update(chain, np.ravel_multi_index(tuple(made.sequences.T), (pair.V,) * LENGTH))
            if process.log_e >= np.log(1 / rate):
                break
    return process


def new_process(chains: tuple[str, ...]) -> EProcess:
    """Evidence against the target's law on these chains, the catalogued faults being the alternatives."""
    laws = {chain: CHAINS[chain].joint_law(LENGTH).ravel() for chain in chains}
    return EProcess(laws, {chain: catalogue_ratios(chain) for chain in chains})


@cache
def catalogue_ratios(chain: str) -> Floats:
    """log(law / null) of every catalogued law that is wrong, mixed with 1% of the null: shape (faults, V ** 4)."""
    null = CHAINS[chain].joint_law(LENGTH).ravel()
    laws = [law.ravel() for name, law in catalogued_laws(chain).items() if not mutant(name).lossless]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(null > 0, np.array(laws) / null, 1)
    return np.asarray(np.log((1 - NULL_SHARE) * ratio + NULL_SHARE))
