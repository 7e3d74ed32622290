import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from specviz import bench, figures
from specviz.__main__ import main

ROOT = Path(__file__).resolve().parents[1]


def test_figures_are_byte_identical_when_made_again(tmp_path, capsys):
    for path in figures.make(tmp_path):
        committed = ROOT / "figures" / path.name
        assert committed.exists(), f"run: python -m specviz figures ({path.name} is missing)"
    again = {path: path.read_bytes() for path in figures.make(tmp_path)}
    assert {path.name: data for path, data in again.items()} == {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    assert {p.name for p in (ROOT / "figures").glob("*.png")} == {p.name for p in tmp_path.iterdir()}
    assert "law_1.png: The token rule" in capsys.readouterr().out


def test_bench_prints_ratios(capsys, monkeypatch):
    monkeypatch.setattr(bench, "SHAPES", ((200, 3, 4, np.float64, 3), (4, 2, 9000, np.float32, 6)))
    monkeypatch.setattr(bench, "_read_speed", lambda: 1.0)
    bench.run(rounds=2)
    out = capsys.readouterr().out
    assert "x the time" in out
    assert "joint-law test" in out


def test_command_line(capsys):
    with pytest.raises(SystemExit):
        main(["nonsense"])
    assert "invalid choice" in capsys.readouterr().err
    done = subprocess.run([sys.executable, "-m", "specviz", "--help"], capture_output=True, text=True, check=True, cwd="/")
    assert "figures" in done.stdout
