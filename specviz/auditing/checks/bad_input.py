"""A NaN or a negative number in a row that counts should be an error."""

from __future__ import annotations

import numpy as np

from ..check import Found, Probe
from ..options import Options
from ..subject.batches import ragged
from ..subject.contract import Adapted, VerifierError
from ..subject.generators import generator


class BadInput(Probe):
    """Rows that are no laws. Never a fail: on valid input nothing follows from it."""

    name = "bad input"
    question = "Is a row of p or q with a NaN or a negative number refused, and no token made of it?"
    kind = "certain"

    def decides(self, asked: Options) -> bool:
        """A note."""
        return False

    def ask(self, verifier: Adapted, asked: Options, rate: float) -> Found:
        """Four calls of four full rows, of which one is spoilt."""
        case = ragged(asked.seed, B=4)._replace(num_draft=np.full(4, 3))
        tokens = []
        for what, value in (("NaN", np.nan), ("-1", -1.0)):
            for name in ("q", "p"):
                bad = case.copy()
                getattr(bad, name)[2] = value
                try:
                    verifier(*bad, generator(asked.seed))
                except VerifierError as error:
                    if error.part == "time":
                        raise
                    if error.part == "values":
                        tokens.append(f"{what} in {name} (an id outside the vocabulary)")
                    continue
                tokens.append(f"{what} in {name}")
        if tokens:
            return self.found("note", f"no error, but a token from a row with {', '.join(tokens)}")
        return self.found("pass", "NaN and negative numbers are refused")
