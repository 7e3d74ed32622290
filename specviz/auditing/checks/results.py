"""What a verifier returns: ids, counts, the drafts themselves before the last token, -1 behind it; and what it writes to."""

from __future__ import annotations

import numpy as np

from ..check import Found, Probe
from ..options import Options
from ..subject.batches import Case, ragged
from ..subject.contract import Adapted
from ..subject.generators import generator, show


class Results(Probe):
    """One ordinary call, looked at."""

    name = "results"
    question = "Are shapes, ids and counts right, is -1 behind n_out, and are the inputs left alone?"
    kind = "certain"

    def ask(self, verifier: Adapted, asked: Options, rate: float) -> Found:
        """One call of 64 ragged rows."""
        ran = "one call of 64 rows"
        case = ragged(asked.seed)
        given = case.copy()
        tokens, n_out = verifier(*given, generator(asked.seed))
        for name, before, after in zip(Case._fields, case, given, strict=True):
            if not np.array_equal(before, after):
                return self.found("FAIL", f"writes to its argument {name}", ran=ran)
        K = case.draft.shape[1]
        accepted = np.arange(K) < n_out[:, None] - 1
        off = np.argwhere(accepted & (tokens[:, :K] != case.draft))
        if len(off):
            b, i = (int(j) for j in off[0])
            finding = f"tokens[{b}, {i}] is not the draft, and still row {b} goes on: p behind it belongs to the draft"
            return self.found("FAIL", finding, ran=ran, example=show(case, b, f"seed = {asked.seed}"))
        off = np.argwhere((np.arange(K + 1) >= n_out[:, None]) & (tokens != -1))
        if len(off):
            b, i = (int(j) for j in off[0])
            finding = f"tokens[{b}, {i}] is {tokens[b, i]}, behind n_out[{b}] = {n_out[b]}; expected -1"
            return self.found("FAIL", finding, ran=ran)
        return self.found("pass", "shapes, ids, counts, -1 behind n_out; inputs unchanged", ran=ran)
