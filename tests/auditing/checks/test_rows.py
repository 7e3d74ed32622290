import numpy as np
import pytest
from asking import ask

from specviz import match_target, verify, verify_block
from specviz.auditing.checks.rows import LAGS, ROWS, Rows, echoes
from specviz.auditing.subject.contract import Adapted


@pytest.mark.parametrize("verifier", [verify, match_target, verify_block])
def test_right_rules_pass(verifier):
    assert ask("rows", verifier).verdict == "pass"


class Tied:
    """A generator that gives some rows the uniforms of others, which leaves each row's law right."""

    def __init__(self, rng, tie):
        self.rng, self.tie = rng, tie

    def random(self, size=None):
        u = self.rng.random(size)
        if u.ndim == 2:
            self.tie(u)
        return u


def every_second(u):
    u[1::2] = u[: 2 * len(u[1::2]) : 2]


def every_seventh(u):
    u[7::7] = u[6::7][: len(u[7::7])]


def antithetic(u):
    u[1::2] = np.minimum(1 - u[: 2 * len(u[1::2]) : 2], np.nextafter(1, 0))


def from_the_row_five_before(u):
    u[10::10] = u[5::10][: len(u[10::10])]


@pytest.mark.parametrize("tie", [every_second, every_seventh, antithetic, from_the_row_five_before])
def test_rows_that_depend_on_others_are_seen(tie):
    def tied(draft, q, p, num_draft, rng):
        return verify(draft, q, p, num_draft, Tied(rng, tie))

    found = ask("rows", tied, budget="standard")
    assert found.verdict == "FAIL"
    assert found.part == "randomness"


def test_the_distance_is_named():
    def tied(draft, q, p, num_draft, rng):
        return verify(draft, q, p, num_draft, Tied(rng, from_the_row_five_before))

    assert "some rows depend on the row 5 before" in ask("rows", tied, budget="standard").finding


def test_independent_rows_have_no_echo():
    """Skewed luck of 100 calls: 6,400 p-values; with one row in seven tied to the row before, all of 20 are seen."""
    rng = np.random.default_rng(0)
    luck = [rng.binomial(3, 0.8, (100, 64)) - 2.4 for _ in range(200)]
    found = np.concatenate([echoes(each) for each in luck])
    for level in (0.1, 0.01, 0.001):
        assert np.mean(found < level) < level + 3.3 * np.sqrt(level / len(found))
        assert np.mean(found < level) > level / 20, "nor are they too shy to ever see something"
    for each in luck[:20]:
        each[:, 7::7] = each[:, 6::7][:, : each[:, 7::7].shape[1]]
        assert echoes(each).min() == echoes(each)[0] < 1e-9
    assert echoes(luck[0]).shape == (LAGS,)
    assert (echoes(np.zeros((5, 64))) == 1).all(), "one outcome shows nothing"


def test_counts_add_up():
    one, two = (Rows().count(Adapted(verify), np.random.SeedSequence(seed), n, None) for seed, n in ((0, 20), (1, 10)))
    both = one + two
    assert both.excess.shape == (30, ROWS)
    assert (both.excess == np.concatenate([one.excess, two.excess])).all()
    assert (both.pairs == one.pairs + two.pairs).all()
    assert both.pairs.sum() == 30 * ROWS / 2
    assert both.each.statistic == pytest.approx(one.each.statistic + two.each.statistic)


def test_luck_is_what_the_uniforms_have_done():
    """The mean excess of the token rule is 0; sample-and-match accepts fewer than the token rule of the same drafts."""
    for verifier, low, high in ((verify, -0.03, 0.03), (match_target, -2, -0.3)):
        excess = Rows().count(Adapted(verifier), np.random.SeedSequence(0), 200, None).excess
        assert low < excess.mean() < high
