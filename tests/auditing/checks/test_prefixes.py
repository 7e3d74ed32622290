import numpy as np
import pytest
from asking import ask

from specviz import match_target, verify, verify_block
from specviz.auditing.checks.prefixes import Prefixes, prefix_pair
from specviz.auditing.subject.contract import Adapted


@pytest.mark.parametrize("verifier", [verify, match_target, verify_block])
def test_right_rules_pass(verifier):
    assert ask("whole prefix", verifier).verdict == "pass"


def stale(draft, q, p, num_draft, rng):
    """Position 2 reads p of a row in which the first draft was another one: right on a chain, wrong where the prefix matters."""
    p = p.copy()
    order = np.lexsort((np.arange(len(p)), draft[:, 1])) if draft.shape[1] > 1 else np.arange(len(p))
    same = np.flatnonzero(draft[order[:-1], 1] == draft[order[1:], 1])
    long_enough = (num_draft[order[same]] >= 2) & (num_draft[order[same + 1]] >= 2)
    a, b = order[same[long_enough]], order[same[long_enough] + 1]
    p[a, 2] = p[b, 2]
    return verify(draft, q, p, num_draft, rng)


def test_a_context_that_is_stale_is_seen_here():
    found = ask("whole prefix", stale, budget="standard")
    assert found.verdict == "FAIL"
    assert found.part == "rows"
    assert "position 2" in found.finding


def test_every_prefix_has_a_row_of_its_own():
    pair = prefix_pair()
    assert pair.target.shape == (85, 4)
    assert len(np.unique(pair.target.round(9), axis=0)) == 85
    assert pair.target.min() > 0.04


def test_counts_stand_at_their_prefix():
    """A verifier that keeps all drafts and adds token 0 shows which node each token was counted at."""

    def keep(draft, q, p, num_draft, rng):
        tokens = np.where(np.arange(draft.shape[1] + 1) < num_draft[:, None], np.column_stack([draft, draft[:, :1]]), -1)
        tokens[np.arange(len(draft)), num_draft] = 0
        return tokens, num_draft + 1

    counts = Prefixes().count(Adapted(keep), np.random.SeedSequence(0), 2000, None)
    assert counts.shape == (4, 4, 85, 4)
    assert counts[:, 0].sum() == 2000
    assert counts[:, 0, 1:].sum() == 0, "position 0 is judged at the empty prefix"
    assert counts[:, 1, 5:].sum() == 0, "position 1 at one of four tokens"
    for x in range(4):
        assert counts[2:, 1, 1 + x].sum() == counts[2:, 0, 0, x].sum(), "as often as the token before it"
    assert (counts[1, 1, :, 1:] == 0).all(), "the token behind one draft is 0"
