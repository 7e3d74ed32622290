"""Pictures are read through their artists; each says in words what it shows."""

import numpy as np
import pytest

from specviz.plots.bars import Bars
from specviz.plots.split import describe_outcome, describe_split, plot_outcome, plot_split

P, Q = np.array([0.5, 0.3, 0.15, 0.05]), np.full(4, 0.25)


def bars(ax, container):
    found = [patch for patch in ax.patches if isinstance(patch, Bars)][container]
    return list(zip(found.bottoms, found.heights, strict=True))


def test_split_bars_are_kept_owed_and_rejected():
    ax = plot_split(P, Q)
    assert [h for _, h in bars(ax, 0)] == pytest.approx([0.25, 0.25, 0.15, 0.05])
    assert bars(ax, 1)[0] == pytest.approx((0.25, 0.25))
    assert bars(ax, 2)[3] == pytest.approx((0.05, 0.20))
    assert len(ax.patches[2].get_path()) == 10, "nothing of A and B is rejected, and no bar drawn for it"


def test_split_sentences():
    assert describe_split(P, Q) == (
        "Kept 0.700, the overlap; rejected and owed 0.300 each, the total variation. Owed to A (0.25), B (0.05)."
    )
    assert "Nothing is owed" in describe_split(P, P)
    assert "exactly p" in describe_outcome(P, Q)


def test_an_outcome_names_its_source_and_its_distance():
    assert describe_outcome([0.6, 0.3, 0.1], [0.2, 0.5, 0.3], replacement="p") == (
        "Replacement from p itself: what comes out has the law (0.440, 0.420, 0.140), not p, off by a total variation of 0.160."
    )
    assert describe_outcome(P, Q).endswith("(0.500, 0.300, 0.150, 0.050), exactly p.")


def test_outcome_marks_stand_at_p():
    ax = plot_outcome(P, Q, replacement="p")
    marks = ax.collections[0].get_segments()
    assert [segment[0][1] for segment in marks] == pytest.approx(P.tolist())
    assert "off by TV = 0.100" in ax.texts[0].get_text()


def test_grouped_tokens_owe_and_reject_at_once():
    kept = np.array([0.2, 0.3])
    assert "Owed to A (0.30), B (0.20)" in describe_split([0.5, 0.5], [0.2, 0.8], kept=kept)
    ax = plot_split([0.5, 0.5], [0.2, 0.8], kept=kept)
    assert bars(ax, 1) == [pytest.approx((0.2, 0.3)), pytest.approx((0.3, 0.2))]
    assert bars(ax, 2)[1] == pytest.approx((0.5, 0.5))


def test_tokens_may_be_named():
    assert plot_split(P, Q, np.array(list("wxyz"))).get_xticklabels()[0].get_text() == "w"
    assert "Owed to w (0.25), x (0.05)" in describe_split(P, Q, list("wxyz"))
