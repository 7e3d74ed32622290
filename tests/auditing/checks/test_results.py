import numpy as np
import pytest
from asking import ask, built, result_changed

from specviz import match_target, verify, verify_block
from specviz.auditing.options import Options
from specviz.auditing.subject.batches import ragged


@pytest.mark.parametrize("verifier", [verify, match_target, verify_block, lambda *a: tuple(r.tolist() for r in verify(*a))])
def test_right_rules_pass(verifier):
    found = ask("results", verifier)
    assert found.verdict == "pass"
    assert found.kind == "certain"


def test_an_argument_that_is_written_to_is_named():
    found = ask("results", built("writes_to_p"))
    assert found.verdict == "FAIL"
    assert found.finding == "writes to its argument p"


def test_garbage_behind_n_out_is_seen():
    found = ask("results", result_changed(lambda t, n, V: (np.where(t < 0, 0, t), n)))
    assert "expected -1" in found.finding
    row = int(found.finding.split("[")[1].split(",")[0])
    assert ragged(0).num_draft[row] < 3


def test_tokens_before_the_last_that_are_no_drafts_are_seen():
    def swapped(t, n, V):
        t = t.copy()
        t[n > 1, 0] = (t[n > 1, 0] + 1) % V
        return t, n

    found = ask("results", result_changed(swapped))
    assert "is not the draft" in found.finding
    assert found.example.startswith("draft = [")
    assert f"seed = {Options().seed}" in found.example


def test_a_last_token_that_differs_from_the_draft_is_no_fault():
    """The recovered token always does; the bonus stands where no draft is."""
    assert ask("results", built("nothing_accepted")).verdict == "pass"
