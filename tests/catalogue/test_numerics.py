"""Faults of rounding and of limits: wide vocabularies, uniforms beside a threshold, and corners."""

import numpy as np
import pytest
from cases import Scripted, random_case
from catalogued import build, rng_for

from specviz import overlap

NO_DRAFT = np.empty((1, 0), int)


def wide_pair(V=2**15, B=150):
    """Heavy tails, so that most tokens are rarer than any floor; p and q share half of their mass."""
    rng = rng_for()
    p, other = (w / w.sum() for w in 1 / (np.array([rng.permutation(V), rng.permutation(V)]) + 1))
    q = (p + other) / 2
    draft = rng.choice(V, size=(B, 1), p=q)
    return draft, np.broadcast_to(q, (B, 1, V)), np.broadcast_to(p, (B, 2, V)), np.ones(B, int)


def rejected_in_a_wide_vocabulary(name):
    """Share of drafts that are rejected, and share of the replacements to which nothing is owed; with what is expected."""
    draft, q, p, num_draft = wide_pair()
    tokens, n_out = build(name)(draft, q, p, num_draft, rng_for(1))
    stopped = n_out == 1
    owed = p[0, 0, tokens[stopped, 0]] > q[0, 0, tokens[stopped, 0]]
    return stopped.mean(), (~owed).mean(), 1 - overlap(p[0, 0], q[0, 0]), np.sqrt(0.25 / len(draft))


def test_the_token_rule_in_a_wide_vocabulary():
    rejected, not_owed, rate, error = rejected_in_a_wide_vocabulary("verify")
    assert rejected == pytest.approx(rate, abs=4 * error)
    assert not_owed == 0


def test_a_floor_under_the_residual_emits_what_is_not_owed():
    assert rejected_in_a_wide_vocabulary("residual_floor")[1] > 0.05


def test_a_floor_under_q_rejects_more():
    rejected, _, rate, error = rejected_in_a_wide_vocabulary("q_floor")
    assert rejected > rate + 6 * error


@pytest.mark.parametrize(("name", "reached"), [("verify", True), ("tail_dropped", False)])
def test_a_dropped_tail_is_never_emitted(name, reached):
    flat = np.full((500, 1, 200), 1 / 200)
    tokens, _ = build(name)(np.empty((500, 0), int), flat[:, :0], flat, np.zeros(500, int), rng_for(2))
    assert (tokens >= 128).any() == reached


def emitted_beside_the_threshold(name, nudge):
    """Tokens per row when every uniform lies a billionth of its threshold off it."""
    case = random_case(rng_for(), 400, 3, 4)
    row, at = np.arange(400)[:, None], np.arange(3)
    p_x, q_x = case.p[row, at, case.draft], case.q[row, at, case.draft]
    threshold = np.minimum(p_x / np.maximum(q_x, 1 / 64), 1 - 1e-6)
    return build(name)(*case, Scripted(threshold * nudge, rng_for(1).random(400)))[1]


@pytest.mark.parametrize("nudge", [1 - 1e-9, 1 + 1e-9])
def test_the_rule_from_parts_does_not_round(nudge):
    assert np.array_equal(*(emitted_beside_the_threshold(name, nudge) for name in ("verify", "token_rule")))


@pytest.mark.parametrize("name", ["lenience_0.999", "half_precision", "coarse_uniforms"])
def test_uniforms_beside_the_threshold_see_rounding(name):
    assert not np.array_equal(*(emitted_beside_the_threshold(name, 1 + 1e-9) for name in ("verify", name)))


@pytest.mark.parametrize(("name", "token"), [("token_rule", 1), ("accepts_at_equality", 0)])
def test_a_draft_of_probability_zero_at_u_zero(name, token):
    p, q = np.array([[[0, 0.5, 0.5], [0, 1, 0]]]), np.array([[[0.5, 0.25, 0.25]]])
    assert build(name)(np.zeros((1, 1), int), q, p, np.array([1]), Scripted([0.0], [0.0]))[0][0, 0] == token


@pytest.mark.parametrize(("name", "token"), [("token_rule", 1), ("zero_weight_emitted", 0)])
def test_a_bonus_of_probability_zero_at_u_zero(name, token):
    p = np.array([[[0, 0.5, 0.5]]])
    assert build(name)(NO_DRAFT, p[:, :0], p, np.array([0]), Scripted([], [0.0]))[0][0, 0] == token


@pytest.mark.parametrize(("name", "impossible"), [("token_rule", False), ("cumulative_ends_short", True)])
def test_a_sum_that_ends_short_of_u(name, impossible):
    """The last token has probability zero; 50 sizes of vocabulary, in some of which float32 sums end below the largest u."""
    rows = [np.append(np.full(V, 1 / V), 0)[None, None] for V in range(10, 60)]
    largest = np.nextafter(1, 0)
    last_tokens = [build(name)(NO_DRAFT, row[:, :0], row, np.array([0]), Scripted([], [largest]))[0][0, 0] for row in rows]
    assert any(x == row.shape[2] - 1 for x, row in zip(last_tokens, rows, strict=True)) == impossible


def test_nan_becomes_a_token():
    bad = np.array([[[np.nan, 0.5, 0.5]]])
    assert build("nan_becomes_a_token")(NO_DRAFT, bad[:, :0], bad, np.array([0]), rng_for())[0][0, 0] in (1, 2)
