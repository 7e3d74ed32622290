import numpy as np
import pytest

from specviz.models.recorded import load_rounds


def test_what_is_recorded():
    recording = load_rounds()
    assert len(recording.rounds) == 72
    assert recording.K == 4
    assert recording.vocabulary == 49_152
    assert len(recording.prompts) == 12
    assert np.mean([r.accepted for r in recording.rounds]) == pytest.approx(2.43, abs=0.005)
    alphas = [row.alpha for r in recording.rounds for row in r.rows if row.alpha is not None]
    assert np.mean(alphas) == pytest.approx(0.768, abs=5e-4)


def test_rounds_are_whole():
    for recorded in load_rounds().rounds:
        assert len(recorded.draft) == 4
        assert len(recorded.rows) == 5
        assert 0 <= recorded.accepted <= 4
        assert [row.q is None for row in recorded.rows] == [False] * 4 + [True]
        assert recorded.final in recorded.rows[recorded.accepted].ids
        for x, row in zip(recorded.draft, recorded.rows, strict=False):
            assert x in row.ids


def test_rows_are_laws_and_alpha_agrees_within_the_unlisted_mass():
    for row in (row for recorded in load_rounds().rounds for row in recorded.rows):
        assert len(row.ids) == len(row.tokens) == len(row.p) == len(set(row.ids.tolist()))
        assert row.p.sum() + row.p_rest == pytest.approx(1, abs=1e-6)
        assert (np.diff(row.p) <= 0).all()
        if row.q is not None:
            assert row.q.sum() + row.q_rest == pytest.approx(1, abs=1e-6)
            listed = np.minimum(row.p, row.q).sum()
            assert listed - 1e-6 <= row.alpha <= listed + min(row.p_rest, row.q_rest) + 1e-6


def test_top_tokens_and_all_others():
    row = load_rounds().rounds[10].rows[0]
    texts, p, q, kept = row.top(7)
    assert len(texts) == 8
    assert texts[-1] == "all other tokens"
    assert p.sum() == pytest.approx(1)
    assert q.sum() == pytest.approx(1)
    assert kept.sum() == pytest.approx(row.alpha)
    assert (kept <= np.minimum(p, q)).all()
    with pytest.raises(ValueError, match="bonus row"):
        load_rounds().rounds[0].rows[-1].top(3)
