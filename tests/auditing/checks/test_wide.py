import numpy as np
import pytest
from asking import ask, built

from specviz import match_target, verify, verify_block
from specviz.auditing.checks.wide import WIDE_V, WideLaw, wide_cells, wide_laws
from specviz.auditing.options import Options
from specviz.auditing.subject.contract import Adapted


@pytest.mark.parametrize("verifier", [verify, match_target, verify_block])
def test_right_rules_pass(verifier):
    assert ask("wide law", verifier).verdict == "pass"


@pytest.mark.parametrize("name", ["residual_floor", "q_floor", "tail_dropped"])
def test_wrong_ones_are_seen(name):
    found = ask("wide law", built(name), budget="standard")
    assert found.verdict == "FAIL"
    assert found.part == "processing"


def test_a_last_tile_that_never_comes_is_seen():
    def short(draft, q, p, num_draft, rng):
        cut = p.copy()
        if p.shape[-1] == WIDE_V:
            cut[..., WIDE_V // 128 * 128 :] = 0
        return verify(draft, q, cut / cut.sum(axis=-1, keepdims=True), num_draft, rng)

    assert ask("wide law", short).verdict == "FAIL"


def test_it_does_not_apply_to_a_drafters_fault():
    check = WideLaw()
    assert check.applies(Options(budget="quick"))
    assert not check.applies(Options(budget="quick", drafter=lambda pair: pair))
    assert not check.applies(Options(budget="anytime"))


def test_laws_have_a_tail_that_counts():
    p, q = wide_laws()
    assert p.sum(axis=1) == pytest.approx(np.ones(5))
    assert q.sum(axis=1) == pytest.approx(np.ones(3))
    assert p[:, WIDE_V // 128 * 128 :].sum(axis=1) == pytest.approx(np.full(5, 1 / 11)), "a tenth of what is before it"
    assert WIDE_V % 128


def test_every_token_has_a_cell_of_each_kind():
    for cells in wide_cells():
        assert cells.shape == (5, WIDE_V)
        assert (cells >= 0).all()
    _, place = wide_cells()
    assert (np.bincount(place[0])[[9, 10]] == 1).all(), "both ends stand alone"


def test_tokens_are_counted_at_their_context():
    """A verifier that keeps all drafts and adds token 7."""

    def keep(draft, q, p, num_draft, rng):
        tokens = np.where(np.arange(3) < num_draft[:, None], np.column_stack([draft, draft[:, :1]]), -1)
        tokens[np.arange(len(draft)), num_draft] = 7
        return tokens, num_draft + 1

    counts = WideLaw().count(Adapted(keep), np.random.SeedSequence(0), 600, None)
    assert counts[0].sum() == 600
    assert counts[1].sum() == counts[0, ::2].sum(), "behind an even draft; 7 is odd, so these are all drafts"
    assert counts[2].sum() <= counts[0, 1::2].sum()
    assert (counts[3:] > 0).sum() == 2, "the token behind two drafts is 7"
