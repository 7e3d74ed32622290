from fractions import Fraction

import numpy as np
import pytest
from cases import (
    Scripted,
    assert_round_is_lossless,
    cases,
    emitted,
    extreme_uniforms,
    random_case,
    random_contexts,
    with_padding,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from specviz import match_target, overlap, verify, verify_block
from specviz.rules.token import verify_row
from specviz.uniforms import GivenUniforms, integrate

BELOW_ONE = np.nextafter(1, 0)
seeds = st.integers(0, 2**32 - 1)


def rng_for(seed):
    return np.random.default_rng(seed)


# ---- the rule and its scalar statement -------------------------------------------------------------------------------


def test_the_vectorised_rule_is_the_scalar_program():
    """10,000 ragged rows with uniforms at and beside every threshold: the same tokens."""
    rng = rng_for(0)
    B, K, V = 10_000, 4, 5
    case = random_case(rng, B, K, V)
    row, at = np.arange(B)[:, None], np.arange(K)
    p_x, q_x = case.p[row, at, case.draft], case.q[row, at, case.draft]
    threshold = np.minimum(np.where(q_x > 0, p_x / np.where(q_x > 0, q_x, 1), 1), 1)
    nudge = rng.choice([-1e-9, 0, 1e-9], (B, K))
    u = np.where(rng.random((B, K)) < 0.7, threshold + nudge, extreme_uniforms(rng, (B, K)))
    u = np.clip(u, 0, BELOW_ONE)
    final = np.clip(rng.integers(0, 65, B) / 64 + rng.choice([-1e-9, 0, 1e-9], B), 0, BELOW_ONE)
    chunks = [part for start in range(0, B, 16384) for part in (u[start : start + 16384], final[start : start + 16384])]
    out = verify(*case, Scripted(*chunks))
    for b, tokens in enumerate(emitted(out)):
        n = case.num_draft[b]
        given_u = {("accept", i): u[b, i] for i in range(K)} | {"final": final[b]}
        args = case.draft[b, :n].tolist(), case.q[b, :n].tolist(), case.p[b, : n + 1].tolist()
        assert tokens == verify_row(*args, GivenUniforms(given_u))


def test_the_scalar_program_is_lossless_by_exact_integration():
    """Given the emitted prefix, and that position i was emitted, the token there has law p_i: equal as fractions."""
    for seed in range(5):
        assert_round_is_lossless(verify_row, *random_contexts(rng_for(seed), V=3, K=2), V=3, K=2)
    assert_round_is_lossless(verify_row, *random_contexts(rng_for(9), V=2, K=3), V=2, K=3)


def test_exact_integration_refutes_a_shared_uniform():
    def one_uniform(draft, q, p, u):
        class Shared:
            def less(self, name, scale, bound):
                return u.less("row", scale, bound)

            choose = u.choose

        return verify_row(draft, q, p, Shared())

    with pytest.raises(AssertionError):
        assert_round_is_lossless(one_uniform, *random_contexts(rng_for(0), V=3, K=2), V=3, K=2)


def test_replacement_from_p_is_refuted_by_exact_integration():
    p, q = [Fraction(6, 10), Fraction(3, 10), Fraction(1, 10)], [Fraction(2, 10), Fraction(5, 10), Fraction(3, 10)]

    def wrong(u):
        x = u.choose("draft", q)
        return x if u.less("accept", q[x], p[x]) else u.choose("final", p)

    assert list(map(float, map(integrate(wrong).get, range(3)))) == pytest.approx([0.44, 0.42, 0.14])


# ---- laws that hold for all inputs -----------------------------------------------------------------------------------


@given(cases(), seeds)
def test_shapes_types_and_untouched_inputs(case, seed):
    before = [a.copy() for a in case]
    out = verify(*case, rng_for(seed))
    B, K = case.draft.shape
    assert out.tokens.shape == (B, K + 1)
    assert out.n_out.shape == (B,)
    assert out.tokens.dtype == out.n_out.dtype == np.int64
    assert ((out.n_out >= 1) & (out.n_out <= case.num_draft + 1)).all()
    for was, now in zip(before, case, strict=True):
        assert np.array_equal(was, now)


@given(cases(), seeds)
def test_no_impossible_token_whatever_the_uniforms(case, seed):
    B, K = case.draft.shape
    out = verify(*case, Scripted(extreme_uniforms(rng_for(seed), (B, K + 1))))
    for b, tokens in enumerate(emitted(out)):
        assert all(case.p[b, i, x] > 0 for i, x in enumerate(tokens))


@given(cases(), seeds, st.sampled_from([np.nan, 0.0, -1.0, 7.0, np.inf]))
def test_padding_changes_nothing(case, seed, fill):
    plain, padded = (verify(*c, rng_for(seed)) for c in (case, with_padding(case, fill)))
    assert np.array_equal(plain.tokens, padded.tokens)
    assert np.array_equal(plain.n_out, padded.n_out)


@given(cases(), seeds)
def test_p_equal_to_q_accepts_every_draft(case, seed):
    B, K = case.draft.shape
    p = np.concatenate([case.q, case.p[:, K:]], axis=1)
    out = verify(case.draft, case.q, p, case.num_draft, Scripted(extreme_uniforms(rng_for(seed), (B, K + 1))))
    assert np.array_equal(out.n_out, case.num_draft + 1)


@given(cases(), seeds)
def test_without_drafts_one_token_comes_from_p(case, seed):
    out = verify(case.draft, case.q, case.p, np.zeros_like(case.num_draft), rng_for(seed))
    assert (out.n_out == 1).all()
    assert (case.p[np.arange(len(case.p)), 0, out.tokens[:, 0]] > 0).all()


@given(cases(), seeds)
def test_one_hot_target_keeps_the_run_that_matches_its_argmax(case, seed):
    argmax = case.p.argmax(axis=2)
    p = np.eye(case.p.shape[2])[argmax]
    for b, tokens in enumerate(emitted(verify(case.draft, case.q, p, case.num_draft, rng_for(seed)))):
        n = case.num_draft[b]
        matches = case.draft[b, :n] == argmax[b, :n]
        run = n if matches.all() else int(matches.argmin())
        assert tokens == tuple(argmax[b, : run + 1].tolist())


@given(cases(), seeds)
def test_a_deterministic_drafter_is_a_one_hot_q(case, seed):
    one_hot = np.eye(case.p.shape[2])[case.draft]
    implied, spelled = (verify(case.draft, q, case.p, case.num_draft, rng_for(seed)) for q in (None, one_hot))
    assert np.array_equal(implied.tokens, spelled.tokens)


@given(cases(), seeds)
def test_no_row_depends_on_the_length_of_its_neighbours(case, seed):
    if len(case.draft) < 2:
        return
    changed = case.num_draft.copy()
    changed[-1] = case.draft.shape[1] - changed[-1]
    first, second = (verify(case.draft, case.q, case.p, n, rng_for(seed)) for n in (case.num_draft, changed))
    assert np.array_equal(first.tokens[:-1], second.tokens[:-1])


@given(cases(), seeds)
def test_validation_passes_good_input_and_strides_do_not_matter(case, seed):
    plain = verify(*case, rng_for(seed), validate=True)
    strided = verify(case.draft, np.repeat(case.q, 2, axis=2)[..., ::2], np.asfortranarray(case.p), case.num_draft, rng_for(seed))
    assert np.array_equal(plain.tokens, strided.tokens)


# ---- corners ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("K", [0, 3])
def test_empty_batch(K):
    out = verify(np.empty((0, K), int), np.empty((0, K, 4)), np.empty((0, K + 1, 4)), np.empty(0, int), rng_for(0))
    assert out.tokens.shape == (0, K + 1)
    assert out.n_out.shape == (0,)


def test_a_token_of_probability_zero_is_rejected_at_u_zero():
    p, q = np.array([[[0, 0.5, 0.5], [0, 1, 0]]]), np.array([[[0.5, 0.25, 0.25]]])
    out = verify([[0]], q, p, [1], Scripted([0.0], [0.0]))
    assert emitted(out) == [(1,)]


def test_acceptance_rate_is_the_overlap():
    p, q = np.array([0.5, 0.3, 0.15, 0.05]), np.full(4, 0.25)
    n, rng = 200_000, rng_for(7)
    draft = rng.integers(0, 4, (n, 1))
    out = verify(draft, np.broadcast_to(q, (n, 1, 4)), np.broadcast_to(p, (n, 2, 4)), np.ones(n, int), rng)
    rate = (out.n_out == 2).mean()
    assert abs(rate - overlap(p, q)) < 3.3 * np.sqrt(0.7 * 0.3 / n)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("fill", [np.inf, -np.inf, np.nan, "signalling"])
@pytest.mark.parametrize("verifier", [verify, match_target, verify_block], ids=lambda rule: rule.__name__)
def test_padding_does_not_even_warn(dtype, fill, verifier):
    """Warnings are errors here; u is 0, so that infinity times it has no value."""
    if fill == "signalling":
        bits = np.array([0x7FA00000], np.uint32) if dtype == np.float32 else np.array([0x7FF4000000000000], np.uint64)
        fill = bits.view(dtype)[0]
    q, p = np.full((2, 2, 3), fill, dtype), np.full((2, 3, 3), fill, dtype)
    q[0, 0], p[0, :2], p[1, 0] = [0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.5, 0.25]
    out = verifier([[1, -1], [-1, -1]], q, p, [1, 0], Scripted(np.zeros((2, 3))))
    assert (out.n_out >= 1).all()


# ---- bad input -------------------------------------------------------------------------------------------------------


def good():
    return {
        "draft": np.array([[0, 1], [1, 0]]),
        "q": np.full((2, 2, 2), 0.5),
        "p": np.full((2, 3, 2), 0.5),
        "num_draft": np.array([2, 1]),
        "rng": rng_for(0),
    }


def spoiled(name, index, value):
    arguments = good()
    arguments[name][index] = value
    return arguments


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (good() | {"p": np.full((2, 2, 2), 0.5)}, r"draft has shape \(2, 2\); expected \(B, K\) = \(2, 1\)"),
        (good() | {"p": np.full((2, 2), 0.5)}, r"p has shape \(2, 2\); expected \(B, K \+ 1, V\)"),
        (good() | {"q": np.full((2, 2, 3), 0.5)}, r"q has shape \(2, 2, 3\); expected \(B, K, V\) = \(2, 2, 2\)"),
        (good() | {"num_draft": np.array([2])}, "num_draft has shape"),
        (good() | {"draft": np.ones((2, 2))}, "draft has dtype float64"),
        (good() | {"num_draft": np.array([1.0, 2.0])}, "num_draft has dtype float64"),
        (good() | {"p": np.full((2, 3, 2), 0.5, np.float16)}, "p has dtype float16"),
        (good() | {"rng": 0}, "rng is 0"),
        (spoiled("num_draft", 1, 3), r"num_draft\[1\] is 3; expected a length from 0 to K = 2"),
        (spoiled("num_draft", 0, -1), r"num_draft\[0\] is -1"),
        (spoiled("draft", (1, 0), 2), r"draft\[1, 0\] is 2; expected a token id from 0 to 1"),
        (spoiled("draft", (0, 1), -1), r"draft\[0, 1\] is -1"),
        (spoiled("p", (1, 0), np.nan), r"p\[1, 0, 0\] is nan; expected a probability"),
        (spoiled("q", (0, 0), -0.5), r"q\[0, 0, 0\] is -0.5; expected a probability"),
        (spoiled("p", (1, 1), [1.5, -0.5]), r"p\[1, 1, 1\] is -0.5"),
        (spoiled("p", (1, 1), [0.5, 0.2]), r"p\[1, 1\] sums to 0.7; expected 1"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        verify(**arguments)


@pytest.mark.parametrize(
    ("name", "index", "value", "message"),
    [
        ("p", (0, 2), [0.7, 0.7], r"p\[0, 2\] sums to 1.4"),
        ("q", (0, 1), [0.2, 0.2], r"q\[0, 1\] sums to 0.4"),
        ("q", (0, 1), [1.0, 0.0], r"q\[0, 1, 1\] is 0 for draft\[0, 1\] = 1; expected a draft sampled from q"),
    ],
)
def test_validate_checks_every_valid_row(name, index, value, message):
    with pytest.raises(ValueError, match=message):
        verify(**spoiled(name, index, value), validate=True)
    verify(**spoiled("q", (1, 1), [9, 9]), validate=True)  # padding


@settings(deadline=None)
@given(seeds)
def test_textbook_agrees_in_law(seed):
    """The same accepted counts for the same uniforms; a second opinion written another way."""
    from textbook import verify_textbook

    case = random_case(rng_for(seed), 30, 3, 4)
    u, final = rng_for(seed).random((30, 3)), rng_for(seed + 1).random(30)
    ours, theirs = verify(*case, Scripted(u, final)), verify_textbook(*case, Scripted(u, final))
    assert np.array_equal(ours.n_out, theirs[1])
    assert (ours.tokens == theirs[0]).mean() > 0.99


@pytest.mark.parametrize("K", [126, 127, 300])
def test_long_drafts(K):
    p = np.full((3, K + 1, 2), 0.5)
    out = verify(np.zeros((3, K), int), p[:, :K], p, [K, K - 1, 0], rng_for(0))
    assert out.n_out.tolist() == [K + 1, K, 1]
