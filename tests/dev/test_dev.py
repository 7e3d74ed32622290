import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from specviz.__main__ import main
from specviz.dev import bench, browser, figures

ROOT = Path(__file__).resolve().parents[2]


def test_figures_are_byte_identical_when_made_again(tmp_path, capsys):
    first = {path.name: path.read_bytes() for path in figures.make(tmp_path / "first")}
    second = {path.name: path.read_bytes() for path in figures.make(tmp_path / "second")}
    assert first == second
    assert set(first) == {path.name for path in (ROOT / "figures").glob("*.png")}, "run: python -m specviz figures"
    assert "law_1.png: The token rule" in capsys.readouterr().out


@pytest.mark.skipif(sys.platform != "linux", reason="fonts are hinted differently elsewhere")
def test_committed_figures_are_what_is_made_now(tmp_path):
    for path in figures.make(tmp_path):
        made, committed = (np.asarray(Image.open(p).convert("RGB"), int) for p in (path, ROOT / "figures" / path.name))
        assert made.shape == committed.shape
        assert np.abs(made - committed).mean() < 0.5, f"{path.name}: run python -m specviz figures"


def test_bench_prints_ratios(capsys, monkeypatch):
    monkeypatch.setattr(bench, "SHAPES", ((200, 3, 4, np.float64, 3), (4, 2, 9000, np.float32, 6)))
    monkeypatch.setattr(bench, "_read_speed", lambda: 1.0)
    monkeypatch.setattr(bench, "RULES", (4, 2, 9000))
    bench.run(rounds=2)
    out = capsys.readouterr().out
    assert "x the time" in out
    assert "joint-law test" in out
    for name in ("block", "tree, without replacement", "tree, iid", "greedy"):
        assert any(line.strip().startswith(name) and "goal" in line for line in out.splitlines())


def test_command_line(capsys):
    with pytest.raises(SystemExit):
        main(["nonsense"])
    assert "invalid choice" in capsys.readouterr().err
    done = subprocess.run([sys.executable, "-m", "specviz", "--help"], capture_output=True, text=True, check=True, cwd="/")
    assert "figures" in done.stdout


@pytest.mark.parametrize("command", [["bench", "--browser"], ["screenshots"]])
def test_without_a_browser_one_line_says_so(command, monkeypatch, capsys):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("SPECVIZ_CHROMIUM", raising=False)
    monkeypatch.setattr(browser, "PLACES", ())
    with pytest.raises(SystemExit) as stopped:
        main(command)
    assert stopped.value.code == 2
    assert capsys.readouterr().err == "no Chromium or Chrome is found: install one, or name its path in SPECVIZ_CHROMIUM\n"


def test_a_browser_is_found_by_name_or_by_variable(monkeypatch, tmp_path):
    chrome = tmp_path / "google-chrome"
    chrome.write_text("#!/bin/sh\n")
    chrome.chmod(0o755)
    monkeypatch.delenv("SPECVIZ_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    if sys.platform == "linux":
        assert browser.find_chromium() == str(chrome)
    monkeypatch.setenv("SPECVIZ_CHROMIUM", "/named/one")
    assert browser.find_chromium() == "/named/one"
