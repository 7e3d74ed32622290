import numpy as np
import pytest
from asking import ask, built, own_stream

from specviz import match_target, verify, verify_block


@pytest.mark.parametrize("verifier", [verify, match_target, verify_block, own_stream()])
def test_right_rules_pass(verifier):
    assert ask("corners", verifier).verdict == "pass"


@pytest.mark.parametrize(
    ("name", "part"),
    [("accepts_at_equality", "acceptance"), ("zero_weight_emitted", "residual"), ("cumulative_ends_short", "residual")],
)
def test_wrong_ones_are_seen(name, part):
    found = ask("corners", built(name))
    assert found.verdict == "FAIL"
    assert found.part == part
    assert found.example


def test_an_impossible_bonus_points_at_the_bonus():
    def zero_bonus(draft, q, p, num_draft, rng):
        tokens, n_out = verify(draft, q, p, num_draft, rng)
        complete = np.flatnonzero(n_out == num_draft + 1)
        tokens[complete, n_out[complete] - 1] = p[complete, num_draft[complete]].argmin(axis=1)
        return tokens, n_out

    found = ask("corners", zero_bonus)
    assert found.verdict == "FAIL"
    assert found.part == "bonus"
    assert "where its p is 0" in found.finding


def test_what_is_refused_is_said():
    def picky(draft, q, p, num_draft, rng):
        if not draft.size:
            raise ValueError("nothing to do")
        return verify(draft, q, p, num_draft, rng)

    assert ask("corners", picky).finding.endswith("; refuses B = 0 and K = 0")


def test_refusing_a_valid_corner_is_a_fault():
    def no_zeros(draft, q, p, num_draft, rng):
        if (p == 0).any():
            raise ZeroDivisionError("p is 0")
        return verify(draft, q, p, num_draft, rng)

    found = ask("corners", no_zeros)
    assert found.verdict == "FAIL"
    assert "ZeroDivisionError" in found.finding


def test_uniforms_that_cannot_be_set_are_said():
    found = ask("corners", built("exponential_clocks"))
    assert found.verdict == "pass"
    assert "could not be set" in found.finding
