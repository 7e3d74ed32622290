"""With one number for all uniforms, a row alone must give what it gives in a batch."""

from __future__ import annotations

from ..check import Found, Probe
from ..options import Options
from ..subject.answers import one_row, same
from ..subject.batches import ragged
from ..subject.contract import Adapted, VerifierError
from ..subject.generators import show
from ..subject.scripted import Stub

CONSTANTS = (0.137, 0.382, 0.618, 0.863)
"""Uniforms that stand for all of a call's: with them a row's tokens can only depend on the row."""


class Neighbours(Probe):
    """64 rows together, and one by one."""

    name = "neighbours"
    question = "Does a row give alone what it gives in a batch, all uniforms being one number?"
    kind = "certain"
    part = "rows"

    def ask(self, verifier: Adapted, asked: Options, rate: float) -> Found:
        """Four batches of 64 rows, and every third row alone."""
        case = ragged(asked.seed)
        try:
            for u in CONSTANTS:
                for b in range(4):
                    tokens, n_out = verifier(*case.rows([b] * 5), Stub(u))
                    if len({(*t, n) for t, n in zip(tokens.tolist(), n_out.tolist(), strict=True)}) > 1:
                        return self._left("equal rows with equal uniforms differ, so its uniforms are not from rng.random")
        except VerifierError as error:
            if error.part == "time":
                raise
            return self._left("needs a verifier that draws by rng.random only")
        ran = "four batches of 64 rows, 22 of them alone"
        for u in CONSTANTS:
            together = verifier(*case.copy(), Stub(u))
            for b in range(0, 64, 3):
                alone = verifier(*case.rows([b]), Stub(u))
                if not same(alone, one_row(together, b)):
                    finding = f"row {b} of 64 gives other tokens than alone, all uniforms being {u}: it reads its neighbours"
                    example = show(case, b, f"64 rows, seed {asked.seed}, every u = {u}")
                    return self.found("FAIL", finding, ran=ran, example=example)
        return self.found("pass", "rows of a batch of 64 give what each gives alone", ran=ran)

    def _left(self, why: str) -> Found:
        return self.found("n/a", f"{why}; mixed-up rows are left to the law")
