"""Every picture in figures/: each explorer as its view says, and pictures without controls; byte-identical when made again."""

from __future__ import annotations

import argparse
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ..explorers import EXPLORERS
from ..models.recorded import load_rounds
from ..plots.style import Picture
from ..plots.treatments import describe_treatments, plot_treatments, recorded_laws
from . import ROOT


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

    for name, explorer in EXPLORERS.items():
        for number, (png, says) in enumerate(explorer.shown(), 1):
            write(f"{name}_{number}.png", png, says)
    for name, picture in PICTURES.items():
        bundle, _ = picture()._repr_mimebundle_()
        write(f"{name}.png", b64decode(bundle["image/png"]), bundle["text/plain"])
    return written
