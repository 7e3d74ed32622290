import numpy as np
import pytest
from cases import Scripted

from specviz import MarkovPair, verify
from specviz.plots.round import KEPT, STOPPED, UNUSED, WAITING, describe_round, play_round, plot_round, read_round

P, Q = np.array([0.5, 0.3, 0.15, 0.05]), np.full(4, 0.25)


def test_a_round_is_told_as_it_was_verified():
    pair = MarkovPair.constant(P, Q)
    for seed in range(30):
        played = play_round(pair, 3, seed)
        u = np.random.default_rng(seed).random(7)[3:]  # three went into the drafts
        out = verify([played.draft], [played.q], [played.p], [3], Scripted(u[:3], u[3:]))
        assert tuple(out.tokens[0, : out.n_out[0]].tolist()) == played.tokens
        for i in range(played.accepted):
            x = played.draft[i]
            assert played.u[i] * played.q[i][x] < played.p[i][x]
        states = [played.state(i, played.steps) for i in range(3)]
        assert states.count(KEPT) == played.accepted
        assert states.count(STOPPED) == (played.accepted < 3)
        told = [describe_round(played, step=step) for step in range(played.steps + 1)]
        assert told[0].startswith("Before the round")
        assert f"emits {len(played.tokens)} token" in told[-1]
        letters = [text.get_text() for text in plot_round(played).texts[1::3]]
        assert letters[: len(played.tokens)] == ["ABCD"[x] for x in played.tokens]


@pytest.mark.parametrize("K", [0, 1, 5])
def test_rounds_of_any_length(K):
    played = play_round(MarkovPair.teaching(), K, 1)
    assert len(played.draft) == K
    assert describe_round(played).startswith("Drafted " if K else "Drafted nothing, kept 0; with the bonus token")
    assert describe_round(played, step=1).startswith("The drafter proposes" if K else "Nothing is drafted.")


def test_a_round_step_by_step():
    """Seed 4: the first draft is kept, the second rejected, the third never looked at."""
    played = play_round(MarkovPair.constant(P, Q), 3, 4)
    states = [read_round(played, step=step).states for step in range(played.steps + 1)]
    assert states == [
        (WAITING, WAITING, WAITING),
        (WAITING, WAITING, WAITING),
        (KEPT, WAITING, WAITING),
        (KEPT, STOPPED, UNUSED),
        (KEPT, STOPPED, UNUSED),
    ]
    for step, word in ((2, "kept"), (3, "rejected")):
        left, right = played.test(step - 2)
        assert (left < right) == (word == "kept")
        assert describe_round(played, step=step).endswith(
            f"u q = {left:.3f} {'<' if left < right else '>='} p = {right:.3f}, {word}."
        )
