"""What holds for every committed notebook; that its outputs are what a run prints is compared by nbval."""

import json
import re
from pathlib import Path

import nbformat
import pytest

from specviz.notebooks import execute

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
every = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def test_there_are_notebooks():
    assert [path.name[:2] for path in NOTEBOOKS] == ["00", "01", "05"]


@every
def test_hygiene(path):
    text = path.read_text(encoding="utf-8")
    notebook = json.loads(text)
    nbformat.validate(notebook)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1)), "run top to bottom"
    tidied = (
        "saved from JupyterLab; `python -m specviz notebooks` writes it as it is committed, `git restore notebooks` resets it"
    )
    assert "widgets" not in notebook["metadata"], tidied
    assert "widget-view" not in text
    assert len(text) < 400_000
    assert not re.search(r"/home/|/root/|/tmp/|/work/|[A-Z]:\\\\", text)
    for cell in code:
        source = "".join(cell["source"])
        assert len(source.splitlines()) <= 20
        assert not source.rstrip().endswith(";")
        for output in cell["outputs"]:
            assert output["output_type"] != "error"
            assert output.get("name") != "stderr"
            if "image/png" in output.get("data", {}):
                assert "nbval-ignore-output" in cell["metadata"]["tags"]
                assert output["data"]["text/plain"]


@every
def test_links_and_pictures(path):
    text = "".join("".join(cell["source"]) for cell in nbformat.read(path, 4).cells if cell.cell_type == "markdown")
    for alternative, target in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", text):
        assert len(alternative) > 20
        assert (path.parent / target).exists(), target
    for target in re.findall(r"(?<!!)\[[^\]]+\]\(([^)#]+)\)", text):
        assert (path.parent / target).exists(), target


@every
def test_runs_from_the_root_as_well(path):
    """nbval runs each notebook in its own folder; what it prints must not depend on that."""
    made = execute(path, write=False, folder=ROOT)
    printed = [[o.get("text") for o in cell.get("outputs", [])] for cell in made.cells]
    committed = [[o.get("text") for o in cell.get("outputs", [])] for cell in nbformat.read(path, 4).cells]
    assert printed == committed


def test_readme_links():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert (ROOT / target).exists(), target
