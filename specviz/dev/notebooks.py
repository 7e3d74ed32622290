"""Run a notebook and write its outputs in the one form that is committed: text and pictures, no widget state."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbconvert.preprocessors import CoalesceStreamsPreprocessor

from . import ROOT

WIDGET = "application/vnd.jupyter.widget-view+json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("files", nargs="*", type=Path, help="notebooks to run (default: all)")


def run(chosen: argparse.Namespace) -> int:
    """Run the notebooks that are named, or all."""
    for path in chosen.files or sorted((ROOT / "notebooks").glob("*.ipynb")):
        execute(path)
    return 0


def execute(path: Path, *, write: bool = True, folder: Path | None = None) -> Any:
    """Run all cells of a notebook in a new kernel.

    Parameters
    ----------
    path : Path
    write : bool
        Put the outputs into the file; nothing is touched if they would not change.
    folder : Path, optional
        The kernel's working folder; the notebook's own unless given.

    Returns
    -------
    NotebookNode
        The notebook with its outputs.
    """
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(folder or path.parent)}}
    NotebookClient(notebook, timeout=120, resources=resources, extra_arguments=["--log-level=ERROR"]).execute()
    tidy(notebook)
    text = to_text(notebook)
    if write and path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
        print(f"{path.name}: written")
    elif write:
        print(f"{path.name}: unchanged")
    return notebook


def tidy(notebook: Any) -> None:
    """Drop what changes from run to run, and what only a live kernel can use: widget views, their state, versions and times."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata = {key: value for key, value in cell.metadata.items() if key == "tags"}
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET, None)
            if output.output_type == "error":  # a traceback names the folders of the machine that it was made on
                output.traceback = [f"{output.ename}: {output.evalue}"]
    # Printed text comes from the kernel in pieces, and where it is cut depends on the machine's speed. nbclient's own
    # `coalesce_streams` would also join what stands before a picture with what stands behind it.
    CoalesceStreamsPreprocessor().preprocess(notebook, {})


def to_text(notebook: Any) -> str:
    """What the file holds."""
    return str(nbformat.writes(notebook)) + "\n"
