"""Every picture in figures/: each explorer at three settings, and pictures without controls; byte-identical when made again."""

from __future__ import annotations

import argparse
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..explorers.registry import EXPLORERS
from ..explorers.views.report import ReportView
from ..explorers.views.square import PRESETS as SQUARES
from ..explorers.widgets.distribution import PRESETS
from ..models.recorded import load_rounds
from ..plots.style import Picture
from ..plots.treatments import describe_treatments, plot_treatments, recorded_laws
from . import ROOT


def _preset(name: str, **more: Any) -> dict[str, Any]:
    p, q = PRESETS[name]
    return {"p": tuple(p), "q": tuple(q), **more}


SETTINGS: dict[str, list[dict[str, Any]]] = {
    "round": [{"seed": 3, "step": 1}, {"seed": 3, "step": 5}, {"seed": 0, "step": 5}],
    "split": [
        _preset("the chapter's pair", replacement="residual"),
        _preset("the chapter's pair", replacement="p"),
        _preset("mirrored", replacement="residual"),
    ],
    "context": [{"round": 10, "position": 1}, {"round": 24, "position": 2}, {"round": 0, "position": 1}],
    "square": [
        {"darts": 300},
        {**SQUARES["p = q"], "darts": 300},
        {**SQUARES["the target never says D"], "comparison": "weak", "darts": 0},
    ],
    "grid": [
        {"count": "sum"},
        {"count": "run", "bonus_row": "K"},
        {"marks": ((1,) * 4,) * 5, "num_draft": (4, 3, 2, 1, 0), "bonus_row": "num_draft"},
    ],
    "speed": [
        {"alpha": 0.9, "cost": 0.05, "K": 8},
        {"alpha": 0.5, "cost": 0.4, "K": 3},
        {"alpha": 0.77, "cost": 0.1, "K": 4, "beside": "recorded"},
    ],
    "law": [{"verifier": "verify"}, {"verifier": "replacement_from_p"}, {"verifier": "one_uniform_per_row", "n": 2_000}],
    "needles": [{"verifier": "replacement_from_p"}, {"verifier": "one_uniform_per_row"}, {"verifier": "match_target"}],
    "report": [{"verifier": "uniform_reused"}, {"verifier": "bonus_of_longest_row"}, {"verifier": "match_target"}],
    "process": [
        {},
        {"told": "q raw"},
        {"context": (10, 1), "temperature": 0.7, "top_k": 0, "top_p": 0.8, "told": "q raw"},
    ],
    "power": [{}, {"n": 200_000, "tv": 0.01}, {"cells": 64, "n": 2_000, "tv": 0.05}],
    "siblings": [{"k": 2}, {"drawing": "without replacement", "k": 3}, {"drawing": "top k"}],
    "block": [{"K": 3}, {"K": 4, "x1": 0, "x2": 0, "x3": 1, "x4": 2}, {"K": 3, "x1": 1, "x2": 2, "x3": 0}],
}
"""Explorers by the name of their pictures, with the settings that are shown."""


def _treatments() -> Picture:
    p, q = recorded_laws(load_rounds())
    temperatures = np.linspace(0.25, 2, 29).tolist()
    return Picture(plot_treatments(p, q, temperatures).figure, describe_treatments(p, q, temperatures))  # type: ignore[arg-type]


PICTURES: dict[str, Callable[[], Picture]] = {"treatments": _treatments}
"""Pictures without controls."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("--to", type=Path, default=ROOT / "figures", help="folder to write to")


def run(chosen: argparse.Namespace) -> int:
    """Make them all."""
    make(chosen.to)
    return 0


def make(folder: Path) -> list[Path]:
    """Write each explorer's picture at each of its settings, and the pictures without controls.

    Parameters
    ----------
    folder : Path
        Made if it is not there.

    Returns
    -------
    list of Path
        ``round_1.png``, ``round_2.png``, ..., ``treatments.png``. A file whose bytes would not change is not touched.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []

    def write(name: str, png: bytes, says: str) -> None:
        path = folder / name
        if not path.exists() or path.read_bytes() != png:
            path.write_bytes(png)
        written.append(path)
        print(f"{name}: {says}")

    for name, settings in SETTINGS.items():
        view = EXPLORERS[name]()
        for number, setting in enumerate(settings, 1):
            says = view.set(**setting)
            if isinstance(view, ReportView):
                says = view.run()
            write(f"{name}_{number}.png", view.picture.value, says)
    for name, picture in PICTURES.items():
        bundle, _ = picture()._repr_mimebundle_()
        write(f"{name}.png", b64decode(bundle["image/png"]), bundle["text/plain"])
    return written
