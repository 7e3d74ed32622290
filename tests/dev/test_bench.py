import numpy as np

from specviz.__main__ import main
from specviz.dev import bench, latency


def test_bench_prints_ratios(capsys, monkeypatch):
    monkeypatch.setattr(bench, "SHAPES", ((200, 3, 4, np.float64, 3), (4, 2, 9000, np.float32, 6)))
    monkeypatch.setattr(bench, "_read_speed", lambda: 1.0)
    monkeypatch.setattr(bench, "RULES", (4, 2, 9000))
    assert main(["bench", "--rounds", "2"]) == 0
    out = capsys.readouterr().out
    assert "medians of 2 interleaved rounds" in out
    assert "x the time" in out
    assert "joint-law test" in out
    for name in ("block", "tree, without replacement", "tree, iid", "greedy"):
        assert any(line.strip().startswith(name) and "goal" in line for line in out.splitlines())


def test_in_a_browser_explorers_are_timed_instead(monkeypatch):
    asked = []
    monkeypatch.setattr(latency, "print_latency", asked.append)
    assert main(["bench", "--browser", "--presses", "7"]) == 0
    assert asked == [7]
