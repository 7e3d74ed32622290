import numpy as np
import pytest

from specviz import match_target, verify, verify_block
from specviz.auditing.checks.calls import check_neighbours, check_padding, check_results, check_stream, guarded
from specviz.auditing.checks.corners import check_bad_input, check_corners
from specviz.auditing.checks.exact_law import Measured, check_edges, measured_deviation
from specviz.auditing.subject.contract import Adapted, VerifierError
from specviz.auditing.subject.scripted import NotScripted, Stub
from specviz.catalogue.index import mutant
from specviz.models.markov import MarkovPair

CHECKS = {
    "results": check_results,
    "stream": check_stream,
    "padding": check_padding,
    "neighbours": check_neighbours,
    "corners": check_corners,
    "edges": check_edges,
}


def ask(check, verifier):
    return guarded(check, lambda: CHECKS[check](Adapted(verifier), 0))


def built(name):
    return mutant(name).build(MarkovPair.teaching())


@pytest.mark.parametrize("verifier", [verify, match_target, verify_block])
@pytest.mark.parametrize("check", CHECKS)
def test_right_rules_pass(check, verifier):
    assert ask(check, verifier).verdict == "pass", ask(check, verifier).finding


@pytest.mark.parametrize(
    ("check", "name"),
    [
        ("results", "writes_to_p"),
        ("stream", "stale_q"),
        ("stream", "frozen_seed"),
        ("padding", "bonus_of_longest_row"),
        ("padding", "short_row_is_a_rejection"),
        ("neighbours", "q_of_another_request"),
        ("neighbours", "bonus_at_neighbours_length"),
        ("corners", "accepts_at_equality"),
        ("corners", "zero_weight_emitted"),
        ("corners", "cumulative_ends_short"),
        ("edges", "lenience_0.999"),
        ("edges", "half_precision"),
        ("edges", "coarse_uniforms"),
        ("edges", "replacement_from_p"),
        ("edges", "keeping_uniform_reused"),
    ],
)
def test_wrong_ones_are_seen(check, name):
    assert ask(check, built(name)).verdict == "FAIL"


def test_a_stream_of_its_own_is_not_a_fault_and_what_is_lost_is_said():
    own = np.random.default_rng(5)

    def verifier(draft, q, p, num_draft, rng):
        return verify(draft, q, p, num_draft, own)

    for check in ("stream", "padding", "neighbours", "edges"):
        found = ask(check, verifier)
        assert found.verdict == "n/a"
        assert len(found.finding) > 40
    assert ask("corners", verifier).verdict == "pass"


def test_drawing_by_other_methods_is_not_a_fault():
    assert ask("edges", built("exponential_clocks")).verdict == "n/a"
    assert ask("neighbours", built("exponential_clocks")).verdict == "n/a"


def test_bad_input_is_noted():
    assert check_bad_input(Adapted(verify), 0).verdict == "pass"
    assert check_bad_input(Adapted(built("nan_becomes_a_token")), 0).verdict == "note"


def result_changed(change):
    def verifier(draft, q, p, num_draft, rng):
        return change(*verify(draft, q, p, num_draft, rng), p.shape[2])

    return verifier


@pytest.mark.parametrize(
    ("change", "part", "message"),
    [
        (lambda t, n, V: t, "shape", "expected two arrays"),
        (lambda t, n, V: (t[:, :-1], n), "shape", "returned shapes"),
        (lambda t, n, V: (t.astype(float), n), "shape", "dtype float64"),
        (lambda t, n, V: (t * np.nan, n), "shape", "dtype float64"),
        (lambda t, n, V: (t, n - 1), "values", "expected 1 to num_draft"),
        (lambda t, n, V: (t, n + 1), "values", "expected 1 to num_draft"),
        (lambda t, n, V: (np.where(t == V - 1, V, t), n), "values", "expected a token id from 0 to"),
        (lambda t, n, V: (np.where(t == 0, -1, t), n), "values", "expected a token id from 0 to"),
        (lambda t, n, V: ([[1], [1, 2]], n), "shape", "different lengths"),
    ],
)
def test_broken_contracts_are_named(change, part, message):
    from specviz.auditing.subject.batches import ragged

    with pytest.raises(VerifierError, match=message) as caught:
        Adapted(result_changed(change))(*ragged(0), np.random.default_rng(0))
    assert caught.value.part == part


def test_garbage_behind_n_out_and_tokens_that_are_no_draft_are_seen():
    assert "expected -1" in ask("results", result_changed(lambda t, n, V: (np.where(t < 0, 0, t), n))).finding

    def swapped(t, n, V):
        t = t.copy()
        t[n > 1, 0] = (t[n > 1, 0] + 1) % V
        return t, n

    assert "is not the draft" in ask("results", result_changed(swapped)).finding


def test_lists_and_float32_and_one_row_are_taken():
    assert ask("results", lambda *a: tuple(r.tolist() for r in verify(*a))).verdict == "pass"

    def in_float32(draft, q, p, num_draft, rng):
        return verify(draft, q.astype(np.float32), p.astype(np.float32), num_draft, rng)

    off, _ = measured_deviation(Adapted(in_float32))
    assert 1e-9 < off < 1e-6, "float32 moves the law by a rounding, and that is no fault"
    assert ask("edges", in_float32).verdict == "pass"

    def row(draft, q, p, num_draft, rng):
        tokens, n_out = verify(draft[None], q[None], p[None], [num_draft], rng)
        return tokens[0], n_out[0]

    assert guarded("edges", lambda: check_edges(Adapted(row, one_row=True), 0)).verdict == "pass"


def test_measured_laws_are_those_of_the_definition():
    """Draft 3: accepted with probability .19 / .37; else token 0 or 1, owed .14 and .06."""
    law = Measured(Adapted(verify), 3, 1).law()
    rejected = 1 - 0.19 / 0.37
    assert law[(0,)] == pytest.approx(0.7 * rejected, abs=1e-10)
    assert law[(1,)] == pytest.approx(0.3 * rejected, abs=1e-10)
    assert sum(law.values()) == pytest.approx(1, abs=1e-12)


def test_the_stub_answers_as_a_generator_does():
    script = np.arange(6).reshape(2, 3) / 10
    stub = Stub(script)
    assert stub.random((2, 2)).tolist() == [[0, 0.1], [0.3, 0.4]]
    assert stub.random(2).tolist() == [0.2, 0.5]
    with pytest.raises(NotScripted):
        stub.random(2)
    assert Stub(1 - 1e-17).random(3, dtype=np.float32).max() < 1
    assert isinstance(float(Stub(0.5).random()), float)


def test_torch_tensors_are_taken():
    torch = pytest.importorskip("torch")

    def wrapped(draft, q, p, num_draft, rng):
        tokens, n_out = verify(draft, q, p, num_draft, rng)
        return torch.from_numpy(tokens), torch.from_numpy(n_out)

    assert ask("results", wrapped).verdict == "pass"
