"""The catalogue as its tests use it: entries by name, their ids, and what 20,000 sequences on chain A make of each."""

from __future__ import annotations

from functools import cache

import numpy as np

from specviz import MarkovPair
from specviz.auditing.diagnosis.fingerprints import ROUNDS, factors, law_from
from specviz.auditing.diagnosis.first_rounds import observe
from specviz.catalogue.index import CATALOGUE, mutant
from specviz.models.designed import CHAIN_A, RAGGED

PROGRAMS = [entry for entry in CATALOGUE if entry.program]
OTHERS = [entry for entry in CATALOGUE if not entry.program]
TEACHING = MarkovPair.teaching()
named = {"ids": lambda entry: entry.name}


def rng_for(seed=0):
    return np.random.default_rng(seed)


def build(name, pair=TEACHING):
    return mutant(name).build(pair)


def counts_on_chain_a(entry, n=20_000):
    """Counts of drafts, tokens emitted and four tokens, in ragged sequences."""
    return observe(entry.build(CHAIN_A), "A", n, rng_for(), drafts_from=entry.pair(CHAIN_A)).counts()


@cache
def fingerprint_on_chain_a(entry):
    """The exact law of the same, given the drafts: integrated now, not read from the file."""
    return law_from(*factors(entry, "A"), V=4)


def law_on_chain_a(entry):
    return fingerprint_on_chain_a(entry) * np.array([RAGGED[n] for n, _ in ROUNDS])[:, None]
