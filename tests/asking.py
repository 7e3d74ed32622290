"""One check of the audit, asked alone: what the tests of the checks share."""

from specviz import verify
from specviz.auditing.checks import CHECKS
from specviz.auditing.options import Options
from specviz.auditing.run import run_checks
from specviz.catalogue.index import mutant
from specviz.models.markov import MarkovPair

CHECK = {check.name: check for check in CHECKS}


def ask(name, verifier, **options):
    """What a check finds when it is the only one that is asked."""
    (found,) = run_checks(verifier, Options(**{"budget": "quick", "progress": False, **options}), [CHECK[name]]).checks
    return found


def built(name):
    """A catalogued verifier on the teaching chain."""
    return mutant(name).build(MarkovPair.teaching())


def own_stream(seed=5):
    """The token rule that ignores the generator it is given."""
    import numpy as np

    own = np.random.default_rng(seed)

    def verifier(draft, q, p, num_draft, rng):
        return verify(draft, q, p, num_draft, own)

    return verifier


def result_changed(change):
    """The token rule whose result is changed afterwards."""

    def verifier(draft, q, p, num_draft, rng):
        return change(*verify(draft, q, p, num_draft, rng), p.shape[2])

    return verifier
