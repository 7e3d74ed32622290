import numpy as np
import pytest

from specviz.plots.process import describe_process, plot_process, read_process


def test_a_mismatch_is_drawn_and_told():
    target, drafter = np.log([0.4, 0.3, 0.2, 0.1]), np.log([0.3, 0.1, 0.2, 0.4])
    reading = read_process(target, drafter, "q raw", top_k=2)
    assert reading.out.law == pytest.approx([0.687, 0.313, 0, 0], abs=5e-4)
    assert reading.says == describe_process(target, drafter, "q raw", top_k=2)
    ax = plot_process(target, drafter, "q raw", top_k=2)
    assert ax.patches[0].heights == pytest.approx(reading.out.law)
    assert [segment[0][1] for segment in ax.collections[0].get_segments()] == pytest.approx([4 / 7, 3 / 7, 0, 0])
    assert "off by TV = 0.116" in ax.texts[0].get_text()
    assert "Told raw q: what comes out is off by a total variation of 0.116; 0.429" in reading.says
    assert "exactly" in plot_process(target, drafter, top_k=2).texts[0].get_text()
    with pytest.raises(ValueError, match="told is 'raw'; expected one of 'right', 'q raw', 'p raw'"):
        read_process(target, drafter, "raw")


def test_the_shown_tokens_and_all_others_are_the_whole_law():
    p, q = np.random.default_rng(0).dirichlet(np.ones(9), 2)
    reading = read_process(np.log(p), np.log(q), most=2)
    a, b = reading.order
    assert a < b
    assert min(np.maximum(p, q)[[a, b]]) == sorted(np.maximum(p, q))[-2], "those of the largest p or q"
    assert reading.bars(p) == pytest.approx([p[a], p[b], 1 - p[a] - p[b]])
    assert read_process(np.log(p), np.log(q)).bars(p) == pytest.approx(p)
    labels = [label.get_text() for label in plot_process(np.log(p), np.log(q), most=2).get_xticklabels()]
    assert labels == ["ABCDEFGHI"[a], "ABCDEFGHI"[b], "all others"]
