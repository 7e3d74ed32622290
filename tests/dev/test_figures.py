import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from specviz.__main__ import main
from specviz.dev import figures

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


def test_the_command_makes_them(tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "SETTINGS", {})
    assert main(["figures", "--to", str(tmp_path / "new")]) == 0
    assert [path.name for path in (tmp_path / "new").iterdir()] == [f"{name}.png" for name in figures.PICTURES]
