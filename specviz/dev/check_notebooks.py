"""Are notebooks as `python -m specviz notebooks` writes them? python -m specviz.dev.check_notebooks FILE ..., before a commit."""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat

from .notebooks import tidy, to_text


def fault(path: Path) -> str:
    """What is in a notebook that is not committed, in a few words; an empty text if there is nothing.

    Nothing is run: whether the outputs are what the cells print is compared by nbval.
    """
    text = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(text, as_version=4)
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    if counts != list(range(1, len(counts) + 1)):
        return "its cells were not run once each, from top to bottom"
    tidy(notebook)
    return "" if text == to_text(notebook) else "it holds widget state, metadata or pieces of output as JupyterLab saves them"


def main(paths: list[str]) -> int:
    """Print a line for each notebook that is not as it should be; 1 if there is one, else 0."""
    faults = {path: said for path in paths if (said := fault(Path(path)))}
    for path, said in faults.items():
        print(f"{path}: {said}; `python -m specviz notebooks {path}` writes it anew")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
