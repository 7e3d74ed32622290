import numpy as np
import pytest
from cases import Scripted, assert_round_is_lossless, cases, extreme_uniforms, random_case, random_contexts, with_padding
from hypothesis import given
from hypothesis import strategies as st

from specviz import match_target, verify_block
from specviz.inverse_cdf import LONG
from specviz.rules.block import verify_block_row
from specviz.rules.match import match_row
from specviz.uniforms import GivenUniforms

RULES = {"match": (match_target, match_row), "block": (verify_block, verify_block_row)}
seeds = st.integers(0, 2**32 - 1)
both = pytest.mark.parametrize("rule", RULES)


@both
@given(case=cases(), seed=seeds, fill=st.sampled_from([np.nan, 0.0, -1.0, 7.0]))
def test_shapes_zeros_and_padding(rule, case, seed, fill):
    verifier = RULES[rule][0]
    plain, padded = (verifier(*c, np.random.default_rng(seed)) for c in (case, with_padding(case, fill)))
    assert np.array_equal(plain.tokens, padded.tokens)
    for b, n in enumerate(plain.n_out):
        assert 1 <= n <= case.num_draft[b] + 1
        assert (plain.tokens[b, n:] == -1).all()
        assert all(case.p[b, i, x] > 0 for i, x in enumerate(plain.tokens[b, :n]))


class Thresholds:
    """Notes the threshold of every question, and answers as the uniforms at hand do."""

    def __init__(self, u):
        self.u, self.seen = u, {}

    def less(self, name, scale, bound):
        self.seen.setdefault(name, []).append(bound / scale if scale else 1)
        return self.u.less(name, scale, bound)

    def choose(self, name, weights):
        self.seen.setdefault(name, []).extend(np.cumsum(weights) / sum(weights))
        return self.u.choose(name, weights)


def at_thresholds(rule, case, rng):
    """Uniforms of which most lie at a threshold of their own program, or a billionth beside it; the others are extreme or any."""
    B, K = case.draft.shape
    u, final = extreme_uniforms(rng, (B, K)), extreme_uniforms(rng, B)
    for b, n in enumerate(case.num_draft):
        for name in [*range(K), "final"]:  # in the order of the questions: an answer decides what is asked next
            notes = Thresholds(GivenUniforms(uniforms_by_name(u[b], final[b])))
            RULES[rule][1](case.draft[b, :n].tolist(), case.q[b, :n].tolist(), case.p[b, : n + 1].tolist(), notes)
            cuts = [cut for question in ((kind, name) for kind in ("accept", "target")) for cut in notes.seen.get(question, [])]
            cuts += [cut for question in ("final", ("target", K)) for cut in notes.seen.get(question, []) if name == "final"]
            if cuts and rng.random() < 0.7:
                value = np.clip(rng.choice(cuts) + rng.choice([-1e-9, 0, 1e-9]), 0, np.nextafter(1, 0))
                if name == "final":
                    final[b] = value
                else:
                    u[b, name] = value
    return u, final


def uniforms_by_name(u, final):
    named = {("accept", i): x for i, x in enumerate(u)} | {"final": final}
    return named | {("target", i): x for i, x in enumerate([*u, final])}


@both
def test_the_vectorised_rule_is_the_scalar_program(rule):
    verifier, program = RULES[rule]
    """10,000 ragged rows with uniforms at and beside every threshold: the same tokens."""
    rng = np.random.default_rng(0)
    B, K, V = 10_000, 3, 4
    case = random_case(rng, B, K, V)
    u, final = at_thresholds(rule, case, rng)
    out = verifier(*case, Scripted(np.column_stack([u, final])) if rule == "match" else Scripted(u, final))
    for b in range(B):
        n = case.num_draft[b]
        named = GivenUniforms(uniforms_by_name(u[b], final[b]))
        tokens = program(case.draft[b, :n].tolist(), case.q[b, :n].tolist(), case.p[b, : n + 1].tolist(), named)
        assert tuple(out.tokens[b, : out.n_out[b]].tolist()) == tokens


@both
def test_lossless_by_exact_integration(rule):
    for seed in range(8):
        assert_round_is_lossless(RULES[rule][1], *random_contexts(np.random.default_rng(seed), V=2, K=2), V=2, K=2)
    assert_round_is_lossless(RULES[rule][1], *random_contexts(np.random.default_rng(9), V=3, K=2), V=3, K=2)


def test_block_needs_q():
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
def test_block_refuses_a_bad_entry_in_any_row_it_reads(name, value, message):
    p, q = block_case()
    (p if name == "p" else q)[0, 1, 2] = value
    for u in np.random.default_rng(0).uniform([0, 0.25], 1, (20, 2)):  # the whole block is rejected: its weight is .25
        with pytest.raises(ValueError, match=message):
            verify_block([[0, 0]], q, p, [2], Scripted(u, [0.5]))


def test_block_checks_before_it_weighs():
    p = [[[0.3, 0.7, 0], [0.1, 1.15, -0.25], [0.5, 0.5, 0]]]
    with pytest.raises(ValueError, match=r"p\[0, 1, 2\] is -0.25"):
        verify_block([[0, 0]], [[[0.6, 0.4, 0], [0.9, 0.1, 0]]], p, [2], Scripted([0.25, 0.75], [0.5]))


def test_block_with_a_subnormal_draft_probability():
    out = verify_block([[0]], [[[5e-324, 1.0]]], np.full((1, 2, 2), 0.5), [1], np.random.default_rng(0))
    assert out.n_out.tolist() == [2]


def test_block_always_keeps_what_its_weight_allows():
    """w = 1 keeps the sub-block whatever u is: m + (1 - w) does not cancel."""
    p, q = [[[0.5, 0.5], [0.8, 0.2], [0.5, 0.5]]], [[[0.5, 0.5], [0.5, 0.5]]]
    u = np.nextafter(1, 0)
    assert verify_block([[0, 1]], q, p, [2], Scripted([u, u], [0.5])).n_out[0] == 2


@pytest.mark.parametrize("V", [LONG, LONG + 100])
def test_block_in_a_wide_vocabulary(V):
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
