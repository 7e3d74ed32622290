"""One JupyterLab and one browser for all tests of this folder; skipped where there is none, unless CI asks for them."""

import os
import shutil
import sys
from pathlib import Path

import nbformat
import pytest

from specviz.dev.browser import Lab, NoBrowserError, write_notebook
from specviz.explorers import EXPLORERS

ROOT = Path(__file__).resolve().parents[2]
REQUIRED = os.environ.get("SPECVIZ_BROWSER") == "required" or (os.environ.get("CI") == "true" and sys.platform == "linux")
missing = []


@pytest.fixture(scope="package")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    for name in ("notebooks", "figures"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(".*"))
    for path in (folder / "notebooks").glob("*.ipynb"):  # what a test then finds in a cell, its run has put there
        notebook = nbformat.read(path, 4)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        nbformat.write(notebook, path)
    first = "from specviz.explorers import EXPLORERS\nviews = {name: explorer.make() for name, explorer in EXPLORERS.items()}"
    write_notebook(folder / "explorers.ipynb", first, *(f"views[{name!r}]" for name in EXPLORERS))
    if missing:
        pytest.skip(missing[0])
    try:
        with Lab(folder) as running:
            yield running
    except NoBrowserError as error:
        if REQUIRED:
            raise
        missing.append(str(error))
        pytest.skip(missing[0])


@pytest.fixture(scope="module")
def explorers(lab):
    """A notebook that shows every explorer, run."""
    notebook = lab.open("explorers.ipynb")
    notebook.run_all()
    assert notebook.faults() == []
    yield notebook
    notebook.close()
