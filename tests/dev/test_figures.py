import sys

import numpy as np
import pytest
from PIL import Image

from specviz.__main__ import main
from specviz.dev import ROOT, figures

COMMITTED = sorted((ROOT / "figures").glob("*.png"))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Every picture made now, by name."""
    return {path.name: path for path in figures.make(tmp_path_factory.mktemp("figures"))}


def test_the_committed_pictures_are_those_that_are_made(made):
    assert set(made) == {path.name for path in COMMITTED}, "run: python -m specviz figures"


def test_figures_are_byte_identical_when_made_again(made, tmp_path, capsys):
    for path in figures.make(tmp_path):
        assert path.read_bytes() == made[path.name].read_bytes(), path.name
    assert "law_1.png: The token rule" in capsys.readouterr().out


@pytest.mark.skipif(sys.platform != "linux", reason="fonts are hinted differently elsewhere")
@pytest.mark.parametrize("committed", COMMITTED, ids=lambda path: path.name)
def test_a_committed_figure_is_what_is_made_now(made, committed):
    now, before = (np.asarray(Image.open(path).convert("RGB"), int) for path in (made[committed.name], committed))
    assert now.shape == before.shape
    assert np.abs(now - before).mean() < 0.5, "run: python -m specviz figures"


def test_the_command_makes_them(tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "EXPLORERS", {})
    assert main(["figures", "--to", str(tmp_path / "new")]) == 0
    assert [path.name for path in (tmp_path / "new").iterdir()] == [f"{name}.png" for name in figures.PICTURES]
