"""A screenshot of every explorer in a real JupyterLab, light and dark, wide and narrow: to be looked at."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from ..explorers import EXPLORERS
from . import ROOT
from .browser import Lab, status, write_notebook

WIDTHS = (1400, 800)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("--to", type=Path, default=ROOT / "screenshots", help="folder to write to")


def run(chosen: argparse.Namespace) -> int:
    """Take them all: 2 if there is no browser."""
    return status(lambda: take(chosen.to))


def take(folder: Path, names: list[str] | None = None) -> list[Path]:
    """Write ``NAME_WIDTH_light.png`` and ``NAME_WIDTH_dark.png`` for every explorer.

    Parameters
    ----------
    folder : Path
        Made if it is not there.
    names : list of str, optional
        Some explorers only.

    Returns
    -------
    list of Path

    Raises
    ------
    NoBrowserError
        If there is no browser to use.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    with tempfile.TemporaryDirectory() as scratch, Lab(Path(scratch)) as lab:
        for name in names or EXPLORERS:
            cell = f"from specviz.explorers import EXPLORERS\nEXPLORERS[{name!r}].make()"
            write_notebook(Path(scratch, f"{name}.ipynb"), cell)
            notebook = lab.open(f"{name}.ipynb")
            notebook.run_all()
            for width in WIDTHS:
                for dark in (False, True):
                    lab.look(width=width, dark=dark)
                    path = folder / f"{name}_{width}_{'dark' if dark else 'light'}.png"
                    notebook.page.wait_for_timeout(200)
                    notebook.page.locator(".specviz-view").screenshot(path=path)
                    written.append(path)
            notebook.close()
    return written
