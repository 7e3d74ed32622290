from fractions import Fraction as F
from functools import partial

import numpy as np
import pytest
from cases import random_rows
from hypothesis import given
from hypothesis import strategies as st

from specviz import MarkovPair, overlap
from specviz.models.designed import CHAIN_A
from specviz.rules.token import verify_row
from specviz.theory.misreport import mismatches, misreported, stopping_law
from specviz.uniforms import integrate

P, Q = [0.6, 0.3, 0.1], [0.2, 0.5, 0.3]


@pytest.mark.parametrize(
    ("sampled", "law"),
    [
        (Q, P),
        ([0, 1, 0], (0.4, 0.6, 0)),  # greedy drafts, softmax q reported
        ([0, 0.625, 0.375], (0.5, 0.375, 0.125)),  # drafts from the likeliest two, raw q reported
    ],
)
def test_published_laws(sampled, law):
    assert misreported(P, Q, sampled).law == pytest.approx(law)


@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_the_formula_is_the_rule_integrated(seed, V):
    p, q, sampled = (row[0] for row in np.split(random_rows(np.random.default_rng(seed), 3, V), 3))
    law, kept = [F(0)] * V, F(0)
    for x in np.flatnonzero(sampled).tolist():
        rows = [[F(float(m)) for m in row] for row in (q, p)]
        for tokens, mass in integrate(partial(verify_row, (x,), rows[:1], [rows[1], rows[1]])).items():
            law[tokens[0]] += F(float(sampled[x])) * mass
            kept += F(float(sampled[x])) * mass * (len(tokens) == 2)
    out = misreported(p, q, sampled)
    assert out.law == pytest.approx(np.array(law, float), abs=1e-12)
    assert out.acceptance == pytest.approx(float(kept), abs=1e-12)
    assert out.bias == pytest.approx(float(sum(abs(a - F(float(b))) for a, b in zip(law, p, strict=True))) / 2, abs=1e-12)


def test_both_mismatches_are_biased_and_acceptance_is_no_sign_of_it():
    """Numbers of the course: a raw p or a raw q biases the law, and acceptance rises in some cases and falls in others."""
    target, drafter = [2.0, 1.0, 0.0, -1.0], [1.0, 0.0, 1.5, -0.5]
    sharp, flat = mismatches(target, drafter, temperature=0.5), mismatches(target, drafter, temperature=2.0)
    for cases in (sharp, flat):
        assert cases["right"].bias == pytest.approx(0, abs=1e-15)
        assert all(cases[name].bias > 0.05 for name in ("p raw", "q raw", "both raw"))
    assert sharp["p raw"].bias == pytest.approx(0.221, abs=5e-4)
    assert sharp["q raw"].bias == pytest.approx(0.080, abs=5e-4)
    assert flat["p raw"].bias == pytest.approx(0.189, abs=5e-4)
    assert flat["q raw"].bias == pytest.approx(0.090, abs=5e-4)
    for name in ("p raw", "q raw"):
        assert sharp[name].acceptance > sharp["right"].acceptance
        assert flat[name].acceptance < flat["right"].acceptance


@given(st.integers(0, 2**32 - 1))
def test_a_raw_p_gives_the_raw_law_and_nothing_else(seed):
    rng = np.random.default_rng(seed)
    target, drafter = rng.normal(size=(2, 5)) * 2
    cases = mismatches(target, drafter, temperature=0.7, top_k=3)
    raw = np.exp(target) / np.exp(target).sum()
    assert cases["p raw"].law == pytest.approx(raw)
    assert cases["right"].bias == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("length", "bias"), [(3, 0.1700), (4, 0.1917)])
def test_a_draft_length_that_looks_at_a_token_it_throws_away(length, bias):
    """Chain A, K = 3, threshold 1/4: dropping the unlikely draft is biased, keeping it as the last one is exact."""
    exact = CHAIN_A.joint_law(length)
    dropped, kept = (stopping_law(CHAIN_A, 3, length, below=0.25, keep=keep) for keep in (False, True))
    assert np.abs(dropped - exact).sum() / 2 == pytest.approx(bias, abs=5e-5)
    assert kept == pytest.approx(exact, abs=1e-15)


def test_stopping_corners():
    pair = MarkovPair.teaching()
    for keep in (False, True):
        assert stopping_law(pair, 2, 3, below=0, keep=keep) == pytest.approx(pair.joint_law(3), abs=1e-15)
        assert stopping_law(pair, 2, 3, below=2, keep=keep) == pytest.approx(pair.joint_law(3), abs=1e-15), "none or one draft"
        assert stopping_law(pair, 0, 2, below=0.25, keep=keep) == pytest.approx(pair.joint_law(2), abs=1e-15)
    assert stopping_law(pair, 2, 3, below=0.25, keep=False).sum() == pytest.approx(1)


def test_acceptance_is_the_overlap_when_nothing_is_misreported():
    assert misreported(P, Q, Q).acceptance == pytest.approx(float(overlap(P, Q)))
    assert misreported([0.5, 0.5], [1, 0], [0, 1]).acceptance == 1, "q(x) = 0 and p(x) > 0: kept"
    with pytest.raises(ValueError, match="same vocabulary"):
        misreported(P, [0.5, 0.5], Q)


def test_no_rejected_mass_below_zero():
    """Sums of 60 numbers may exceed 1 by a rounding: a negative law must not come of it."""
    for seed in range(200):
        p = np.random.default_rng(seed).dirichlet(np.ones(60))
        out = misreported(p, p, sampled=p)
        assert (out.law >= 0).all()
        assert out.acceptance <= 1
