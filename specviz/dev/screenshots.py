"""A screenshot of every explorer in a real JupyterLab, light and dark, wide and narrow: to be looked at."""

from __future__ import annotations

import tempfile
from pathlib import Path

from ..explorers import EXPLORERS
from .browser import Lab, write_notebook

WIDTHS = (1400, 800)


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
