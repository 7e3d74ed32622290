import numpy as np
from asking import CHECK, ask, built

from specviz import verify
from specviz.auditing.options import Options


def test_a_rule_that_refuses_passes():
    assert ask("bad input", verify).verdict == "pass"


def test_a_token_from_a_nan_is_noted_and_decides_nothing():
    found = ask("bad input", built("nan_becomes_a_token"))
    assert found.verdict == "note"
    assert "NaN in p" in found.finding
    assert not CHECK["bad input"].decides(Options())


def test_each_kind_that_gets_through_is_named():
    def lenient(draft, q, p, num_draft, rng):
        return verify(draft, np.clip(q, 0, None), np.where(p < 0, 0.25, p), num_draft, rng)

    assert ask("bad input", lenient).finding == "no error, but a token from a row with -1 in q, -1 in p"
