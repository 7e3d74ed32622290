from dataclasses import replace

import numpy as np
import pytest

from specviz import MarkovPair, generate, verify
from specviz.auditing.statistics.chi_square import chi_square
from specviz.catalogue.index import mutant
from specviz.plots.needles import describe_gauge, describe_needles, plot_gauge, read_gauge, read_needles

PAIR = MarkovPair.teaching()


def runs(verifier):
    return {K: generate(PAIR, verifier, length=3, K=K, n=20_000, rng=np.random.default_rng(K)) for K in (2, 3)}


@pytest.mark.parametrize(("times", "at"), [(0.01, 0), (0.1, 0), (1, 1 / 3), (10, 2 / 3), (100, 1), (1e4, 1)])
def test_a_gauge_counts_in_powers_of_ten_of_its_cut(times, at):
    test = chi_square([50, 50], [0.5, 0.5])
    test = replace(test, statistic=times * test.cut)
    assert read_gauge(test).at == pytest.approx(at)
    assert read_gauge(test).moved == (times > 1)


def test_a_gauge_is_drawn_and_told():
    test = chi_square([1000, 0], [0.5, 0.5])
    ax = plot_gauge(test, title="first")
    assert ax.get_title() == "first"
    assert [text.get_text() for text in ax.texts[:2]] == ["1,000", "cut 11"]
    x, y = ax.lines[1].get_data()
    assert np.arctan2(y[1], x[1]) == pytest.approx(np.pi * (1 - read_gauge(test).at))
    assert describe_gauge(test) == "1,000 (cut 11): moves"


def test_needles_are_still_for_the_token_rule():
    reading = read_needles(PAIR, runs(verify), 3)
    assert not any(needle.moved for needle in (reading.first, reading.joint, reading.tokens, reading.verdict))
    assert reading.expected == pytest.approx((2.533 - 1) / 3)
    assert reading.tokens.note == "token rule 2.533"
    says = describe_needles(PAIR, runs(verify), 3)
    assert says.startswith("First token ")
    assert says.endswith("Verdict: no bias seen.")


def test_the_verdict_takes_in_every_number_of_drafts():
    """A bonus drawn from the drafter is not seen at K = 3, where sequences of three tokens never hold one."""
    reading = read_needles(PAIR, runs(mutant("bonus_from_drafter").build(PAIR)), 3)
    assert not reading.joint.moved
    assert reading.verdict.value == "NOT lossless"
    assert reading.verdict.note == "law at K = 2 and 3"
