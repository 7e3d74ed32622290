"""Notebooks and README import from `specviz` and one level below it, and only what is named there for others."""

import ast
import json
import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*sorted((ROOT / "notebooks").glob("*.ipynb")), *sorted((ROOT / "notebooks").glob("*.md")), *sorted(ROOT.glob("*.md"))]
FACES = ["adapters", "auditing", "catalogue", "exact", "explorers", "lessons", "models", "plots", "rules", "theory"]


def code(path):
    """Python on a page: the code cells of a notebook, or the fenced blocks of a text."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)


def imports(source):
    """Pairs of a module of specviz and a name taken from it; the name is "" for a plain import."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "specviz":
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.split(".")[0] == "specviz")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_import_from_faces(path):
    for module, name in (pair for source in code(path) for pair in imports(source)):
        assert module.count(".") <= 1, f"{module} is more than one level below specviz"
        face = import_module(module)
        if name and hasattr(face, "__path__"):
            assert name in face.__all__ or (module == "specviz" and name in FACES), f"{module} does not name {name}"


def test_imports_are_seen():
    assert set(imports("from specviz.a.b import c as d\nimport specviz.x\nimport numpy")) == {
        ("specviz.a.b", "c"),
        ("specviz.x", ""),
    }
    assert len([source for path in PAGES for source in code(path)]) > 200
