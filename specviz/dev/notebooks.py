"""Run a notebook and write its outputs in the one form that is committed: text and pictures, no widget state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

WIDGET = "application/vnd.jupyter.widget-view+json"


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
    text = nbformat.writes(notebook) + "\n"
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
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET, None)
            if output.output_type == "error":  # a traceback names the folders of the machine that it was made on
                output.traceback = [f"{output.ename}: {output.evalue}"]
        _join_streams(cell)


def _join_streams(cell: Any) -> None:
    """Put printed text that the kernel sent in several pieces into one: where it was cut depends on the machine's speed."""
    joined: list[Any] = []
    for output in cell.get("outputs", []):
        if joined and output.output_type == joined[-1].output_type == "stream" and output.name == joined[-1].name:
            joined[-1].text += output.text
        else:
            joined.append(output)
    if "outputs" in cell:
        cell.outputs = joined
