"""Fresh numbers at every call, and no memory: equal seeds give equal results, also with another call between."""

from __future__ import annotations

from ..check import Found, Probe
from ..options import Options
from ..subject.answers import repeatable, same
from ..subject.batches import ragged
from ..subject.contract import Adapted
from ..subject.generators import generator


class Stream(Probe):
    """The same rows, called again."""

    name = "stream"
    question = "Does every call draw fresh numbers from the generator it is given, and remember nothing of other calls?"
    kind = "certain"
    part = "randomness"

    def ask(self, verifier: Adapted, asked: Options, rate: float) -> Found:
        """Two calls with one generator; equal seeds twice; and once more behind a call on other rows."""
        seed = asked.seed
        case, other = ragged(seed), ragged(seed + 1)
        rng = generator(seed)
        if same(verifier(*case.copy(), rng), verifier(*case.copy(), rng)):
            finding = "frozen: two calls with one generator give the same 64 rows"
            return self.found("FAIL", finding, ran="two calls of 64 rows")
        if not repeatable(verifier, seed):
            finding = (
                "equal seeds give other results: a stream of its own. Memory between calls and padding are judged by law only"
            )
            return self.found("n/a", finding, ran="four calls of 64 rows")
        verifier(*case.copy(), generator(seed))
        one = verifier(*case.copy(), generator(seed))
        verifier(*other.copy(), generator(seed + 1))
        two = verifier(*case.copy(), generator(seed))
        if not same(one, two):
            finding = "keeps state: a call gives another result when a call on other rows came before it"
            return self.found("FAIL", finding, ran="eight calls of 64 rows")
        finding = "fresh at every call, repeatable by seed, no memory of other calls"
        return self.found("pass", finding, ran="eight calls of 64 rows")
