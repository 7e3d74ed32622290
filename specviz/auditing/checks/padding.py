"""Whatever lies beyond a row's drafts, the result is the same."""

from __future__ import annotations

from ..check import Found, Probe
from ..options import Options
from ..subject.answers import one_row, repeatable, same
from ..subject.batches import PADDINGS, padded, ragged
from ..subject.contract import Adapted, VerifierError
from ..subject.generators import generator, show


class Padding(Probe):
    """The same ragged rows with four kinds of padding."""

    name = "padding"
    question = "Is what lies beyond a row's drafts never read into its result?"
    kind = "certain"
    part = "rows"

    def ask(self, verifier: Adapted, asked: Options, rate: float) -> Found:
        """Four calls with equal seeds."""
        seed = asked.seed
        if not repeatable(verifier, seed):
            return self.found("n/a", "needs equal results from equal seeds; the ragged law below is judged in its place")
        case = ragged(seed)
        plain = verifier(*padded(case, PADDINGS[0]), generator(seed))
        for how in PADDINGS[1:]:
            try:
                other = verifier(*padded(case, how), generator(seed))
            except VerifierError as error:
                if error.part == "time":
                    raise
                return self.found("FAIL", f"with {how} in the padding: {error}", ran="one call of 64 rows")
            if not same(plain, other):
                b = next(b for b in range(len(case.draft)) if not same(one_row(plain, b), one_row(other, b)))
                finding = f"row {b}, with {case.num_draft[b]} of 3 drafts, changes with the padding ({how})"
                return self.found("FAIL", finding, ran="two calls of 64 rows", example=show(case, b, f"seed = {seed}"))
        return self.found("pass", "four kinds of padding give the same 64 rows", ran="four calls of 64 rows")
