from fractions import Fraction
from functools import cache, partial
from itertools import product

import numpy as np
import pytest
from cases import (
    Scripted,
    assert_round_is_lossless,
    at_thresholds,
    cases,
    emitted,
    random_case,
    random_contexts,
    uniforms_by_name,
    with_padding,
)
from hypothesis import given
from hypothesis import strategies as st

from specviz import verify_block
from specviz.inverse_cdf import LONG
from specviz.models.designed import CHAIN_A, RAGGED
from specviz.rules.block import verify_block_row
from specviz.theory.misreport import sequence_law
from specviz.uniforms import GivenUniforms, integrate

seeds = st.integers(0, 2**32 - 1)


@given(case=cases(), seed=seeds, fill=st.sampled_from([np.nan, 0.0, -1.0, 7.0]))
def test_shapes_zeros_and_padding(case, seed, fill):
    plain, padded = (verify_block(*c, np.random.default_rng(seed)) for c in (case, with_padding(case, fill)))
    assert np.array_equal(plain.tokens, padded.tokens)
    for b, tokens in enumerate(emitted(plain)):
        assert 1 <= len(tokens) <= case.num_draft[b] + 1
        assert all(case.p[b, i, x] > 0 for i, x in enumerate(tokens))


def test_the_vectorised_rule_is_the_scalar_program():
    """10,000 ragged rows with uniforms at and beside every threshold: the same tokens."""
    rng = np.random.default_rng(0)
    B, K, V = 10_000, 3, 4
    case = random_case(rng, B, K, V)
    u, final = at_thresholds(verify_block_row, case, rng)
    out = verify_block(*case, Scripted(u, final))
    for b, tokens in enumerate(emitted(out)):
        n = case.num_draft[b]
        named = GivenUniforms(uniforms_by_name(u[b], final[b]))
        assert tokens == verify_block_row(case.draft[b, :n].tolist(), case.q[b, :n].tolist(), case.p[b, : n + 1].tolist(), named)


@pytest.mark.parametrize(("V", "seed"), [*((2, seed) for seed in range(8)), (3, 9)])
def test_lossless_by_exact_integration(V, seed):
    assert_round_is_lossless(verify_block_row, *random_contexts(np.random.default_rng(seed), V=V, K=2), V=V, K=2)


# ---- whole sequences, exactly ----------------------------------------------------------------------------------------


def rows_of(side):
    return [[Fraction(round(20 * x), 20) for x in row] for row in side]


A_TARGET, A_DRAFTER = rows_of(CHAIN_A.target), rows_of(CHAIN_A.drafter)


@cache
def round_law(program, lengths, start):
    """Law of a round on chain A, drafts integrated; the program is told the drafter's law at the bonus position as well."""
    law = {}
    for n, share in enumerate(lengths):
        for draft in product(range(4), repeat=n):
            states = (start, *draft)
            mass = Fraction(share).limit_denominator(100)
            for state, x in zip(states, draft, strict=False):
                mass *= A_DRAFTER[state][x]
            p, q = [A_TARGET[s] for s in states], [A_DRAFTER[s] for s in states]
            for tokens, probability in integrate(partial(program, draft, q, p)).items() if mass else ():
                law[tokens] = law.get(tokens, 0) + mass * probability
    return law


def right(draft, q, p, u):
    return verify_block_row(draft, q[: len(draft)], p, u)


def inner_formula_at_the_end(draft, q, p, u, K=3):
    """In a row that holds fewer than K drafts the last sub-block is judged as if another draft came behind it."""
    n = len(draft)
    if n == K:
        return right(draft, q, p, u)
    w, kept = [Fraction(1)], 0
    for i, x in enumerate(draft):
        w.append(min(1, w[i] * p[i][x] / q[i][x]))
        m = sum(max(0, w[-1] * p_y - q_y) for p_y, q_y in zip(p[i + 1], q[i + 1], strict=True))
        kept = i + 1 if w[-1] == 1 or u.less(i, m + 1 - w[-1], m) else kept
    weights = [max(0, w[kept] * p_y - q_y) for p_y, q_y in zip(p[kept], q[kept], strict=True)] if kept < n else p[n]
    return (*draft[:kept], u.choose("final", weights if any(weights) else p[kept]))


def token_residual(draft, q, p, u):
    """Sub-blocks are judged rightly; the replacement comes from the token rule's residual."""

    class Watched:
        less = staticmethod(u.less)

        @staticmethod
        def choose(name, weights):
            return ("owed", weights)

    *kept, (_, weights) = verify_block_row(draft, q[: len(draft)], p, Watched)
    i = len(kept)
    if i < len(draft):
        weights = [max(0, p_y - q_y) for p_y, q_y in zip(p[i], q[i], strict=True)]
    return (*kept, u.choose("final", weights if any(weights) else p[i]))


@pytest.mark.parametrize(
    ("program", "lengths", "length", "bias"),
    [
        (right, RAGGED, 3, 0),
        (inner_formula_at_the_end, RAGGED, 3, 0.0869),
        (inner_formula_at_the_end, RAGGED, 4, 0.0991),
        (inner_formula_at_the_end, (0, 0, 0, 1), 3, 0),
        (token_residual, (0, 0, 0, 1), 3, 0.0016),
        (token_residual, (0, 0, 0, 1), 4, 0.0032),
    ],
)
def test_exact_bias_of_whole_sequences_on_chain_a(program, lengths, length, bias):
    law = sequence_law(lambda state: round_law(program, lengths, state), CHAIN_A.start, length, 4)
    assert np.abs(law - CHAIN_A.joint_law(length)).sum() / 2 == pytest.approx(bias, abs=5e-5 if bias else 1e-12)


def test_a_round_keeps_at_least_i_drafts_with_the_mean_weight():
    """Why it pays: P(kept >= i) is the mean of w_i, which no lossless rule can exceed; so the mean is 1 plus their sum."""
    law = round_law(right, (0, 0, 0, 1), 4)
    for i in (1, 2, 3):
        weights = Fraction(0)
        for draft in product(range(4), repeat=i):
            mass, w = Fraction(1), Fraction(1)
            for state, x in zip((4, *draft), draft, strict=False):
                mass *= A_DRAFTER[state][x]
                w = min(1, w * A_TARGET[state][x] / A_DRAFTER[state][x])
            weights += mass * w
        assert sum(mass for tokens, mass in law.items() if len(tokens) > i) == weights


# ---- numbers and bad input -------------------------------------------------------------------------------------------


def test_it_needs_q():
    with pytest.raises(ValueError, match="q is None"):
        verify_block([[0]], None, [[[1.0], [1.0]]], [1], np.random.default_rng(0))


def block_case():
    """The first sub-block is judged by a row that no draft was looked up in."""
    p, q = np.zeros((1, 3, 3)), np.zeros((1, 2, 3))
    p[0, :, :2] = [0.9, 0.1], [0.2, 0.8], [0.5, 0.5]
    q[0, :, :2] = [0.6, 0.4], [0.8, 0.2]
    return p, q


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("p", np.nan, r"p\[0, 1, 2\] is nan"),
        ("q", np.nan, r"q\[0, 1, 2\] is nan"),
        ("p", -0.25, r"p\[0, 1, 2\] is -0.25"),
        ("q", -0.25, r"q\[0, 1, 2\] is -0.25"),
        ("p", np.inf, "row 0, position 1"),
    ],
)
def test_it_refuses_a_bad_entry_in_any_row_it_reads(name, value, message):
    p, q = block_case()
    (p if name == "p" else q)[0, 1, 2] = value
    for u in np.random.default_rng(0).uniform([0, 0.25], 1, (20, 2)):  # the whole block is rejected: its weight is .25
        with pytest.raises(ValueError, match=message):
            verify_block([[0, 0]], q, p, [2], Scripted(u, [0.5]))


def test_it_checks_before_it_weighs():
    p = [[[0.3, 0.7, 0], [0.1, 1.15, -0.25], [0.5, 0.5, 0]]]
    with pytest.raises(ValueError, match=r"p\[0, 1, 2\] is -0.25"):
        verify_block([[0, 0]], [[[0.6, 0.4, 0], [0.9, 0.1, 0]]], p, [2], Scripted([0.25, 0.75], [0.5]))


def test_a_subnormal_draft_probability():
    out = verify_block([[0]], [[[5e-324, 1.0]]], np.full((1, 2, 2), 0.5), [1], np.random.default_rng(0))
    assert out.n_out.tolist() == [2]


def test_it_always_keeps_what_its_weight_allows():
    """w = 1 keeps the sub-block whatever u is: m + (1 - w) does not cancel."""
    p, q = [[[0.5, 0.5], [0.8, 0.2], [0.5, 0.5]]], [[[0.5, 0.5], [0.5, 0.5]]]
    u = np.nextafter(1, 0)
    assert verify_block([[0, 1]], q, p, [2], Scripted([u, u], [0.5])).n_out[0] == 2


@pytest.mark.parametrize("V", [LONG, LONG + 100])
def test_a_wide_vocabulary(V):
    """Beyond LONG a row is drawn from piece by piece: the same tokens as the scalar program gives."""
    rng = np.random.default_rng(V)
    a, b = rng.multinomial(2**12, rng.dirichlet(np.full(V, 0.01), (2, 40, 3))) / 2**12
    p, q = (a + b) / 2, (a + 3 * b)[:, :2] / 4  # a draft that only b proposes is kept with weight 2/3
    draft = np.array([[rng.choice(V, p=row) for row in rows] for rows in q])
    u, final = rng.random((40, 2)), rng.random(40)
    out = verify_block(draft, q, p, np.full(40, 2), Scripted(u, final))
    assert len(set(out.n_out.tolist())) == 3
    for b in range(40):
        named = {("accept", 0): u[b, 0], ("accept", 1): u[b, 1], "final": final[b]}
        tokens = verify_block_row(draft[b].tolist(), q[b].tolist(), p[b].tolist(), GivenUniforms(named))
        assert tuple(out.tokens[b, : out.n_out[b]].tolist()) == tokens
