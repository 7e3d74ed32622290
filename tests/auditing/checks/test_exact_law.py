import numpy as np
import pytest
from asking import ask, built, own_stream

from specviz import match_target, verify, verify_block
from specviz.auditing.checks.exact_law import BONUS, Measured, P, Q, measured_deviation
from specviz.auditing.subject.contract import Adapted


@pytest.mark.parametrize("verifier", [verify, match_target, verify_block])
def test_right_rules_pass(verifier):
    found = ask("edges", verifier)
    assert found.verdict == "pass"
    assert found.kind == "exact"
    assert np.isnan(found.p_value)
    assert found.statistic < 1e-9


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("lenience_0.999", "acceptance"),
        ("half_precision", "acceptance"),
        ("coarse_uniforms", "acceptance"),
        ("replacement_from_p", "residual"),
        ("keeping_uniform_reused", "bonus"),
        ("bonus_from_drafter", "bonus"),
        ("residual_abs", "residual"),
        ("ratio_inverted", "acceptance"),
    ],
)
def test_wrong_ones_are_seen_and_the_part_is_told(name, part):
    found = ask("edges", built(name))
    assert found.verdict == "FAIL"
    assert found.part == part


def test_measured_laws_are_those_of_the_definition():
    """Draft 3: accepted with probability .19 / .37; else token 0 or 1, owed .14 and .06. Behind it comes its bonus row."""
    law = Measured(Adapted(verify), 3, 1).law()
    kept = 0.19 / 0.37
    assert law[(0,)] == pytest.approx(0.7 * (1 - kept), abs=1e-10)
    assert law[(1,)] == pytest.approx(0.3 * (1 - kept), abs=1e-10)
    assert [law[(3, y)] for y in range(4)] == pytest.approx(kept * BONUS[3], abs=1e-10)
    assert sum(law.values()) == pytest.approx(1, abs=1e-12)


def test_a_measured_bias_has_the_size_of_the_definition():
    """Replacement drawn from p: law(x) = min(p, q) + (1 - alpha) p; alpha = .17 + .21 + .23 + .19."""
    off, where, _ = measured_deviation(Adapted(built("replacement_from_p")))
    alpha = np.minimum(P, Q).sum()
    bias = np.abs(np.minimum(P, Q) + (1 - alpha) * P - P)
    assert off == pytest.approx(bias.max(), abs=1e-9)
    assert where == f"token {bias.argmax()} at the first position"


def test_float32_moves_the_law_by_a_rounding_and_that_is_no_fault():
    def in_float32(draft, q, p, num_draft, rng):
        return verify(draft, q.astype(np.float32), p.astype(np.float32), num_draft, rng)

    assert 1e-9 < measured_deviation(Adapted(in_float32)).off < 1e-6
    assert ask("edges", in_float32).verdict == "pass"


def test_a_function_of_one_row_is_measured():
    def row(draft, q, p, num_draft, rng):
        tokens, n_out = verify(draft[None], q[None], p[None], [num_draft], rng)
        return tokens[0], n_out[0]

    assert ask("edges", row, one_row=True).verdict == "pass"


@pytest.mark.parametrize("verifier", [own_stream(), built("exponential_clocks")], ids=["own stream", "other methods"])
def test_uniforms_that_cannot_be_set_are_not_a_fault(verifier):
    found = ask("edges", verifier)
    assert found.verdict == "n/a"
    assert "cannot be set" in found.finding
