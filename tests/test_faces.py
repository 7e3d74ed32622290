"""Notebooks and README import from `specviz` and one level below it, and only what is named there for others."""

import ast
import json
import re
import subprocess
import sys
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


@pytest.mark.parametrize("name", FACES)
def test_a_face_names_what_is_there(name):
    face = import_module(f"specviz.{name}")
    assert face.__doc__
    assert len(face.__all__) == len(set(face.__all__)) > 0
    for each in face.__all__:
        assert getattr(face, each) is not None
        assert not (Path(face.__file__).parent / f"{each}.py").exists(), f"the name {each} hides a module"


def test_imports_are_seen():
    assert set(imports("from specviz.a.b import c as d\nimport specviz.x\nimport numpy")) == {
        ("specviz.a.b", "c"),
        ("specviz.x", ""),
    }
    assert len([source for path in PAGES for source in code(path)]) > 200


@pytest.mark.parametrize("heavy", ["scipy.stats", "matplotlib", "ipywidgets", "IPython"])
def test_a_plain_import_is_light(heavy):
    code = f"import sys, specviz; sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
