"""Imports run one way: each module imports from its own floor and those below it, and in no circle."""

import ast
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "specviz"

FLOORS = (
    ("types", "later"),
    ("probability", "logits", "inverse_cdf", "uniforms"),
    ("rules.",),
    ("models.",),
    ("theory.",),
    ("exact.",),
    ("adapters.",),
    ("catalogue.",),
    ("auditing.statistics.",),
    ("auditing.subject.",),
    ("auditing.options",),
    ("auditing.check",),
    ("auditing.tasks", "auditing.progress", "auditing.diagnosis."),
    ("auditing.report",),
    ("auditing.checks.",),
    ("auditing.run", "auditing.joint_law", "auditing.records."),
    ("auditing.trees", "auditing.command", "auditing.list_checks"),
    ("auditing",),
    ("",),
    ("plots.",),
    ("lessons.",),
    ("explorers.",),
    ("dev.",),
    ("__main__",),
)
"""From the ground up. A name with a dot at its end is a folder and all that is in it; "" is the package's own face, below
all that is for the course: exercises import from it as students do."""

UP = {("auditing/report.py", "plots/report.py")}
"""The one arrow that runs up, late: a report draws itself, if there is matplotlib."""


@cache
def modules(root):
    """Dotted names below the package, with their files."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(name, path, known):
    """Modules of the package that a module imports, wherever in its code."""
    base = name.split(".") if name else []
    package = base if path.name == "__init__.py" else base[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            if node.level:
                above = package[: len(package) - node.level + 1]
            elif (node.module or "").split(".")[0] == "specviz":
                above = []
            else:
                continue
            tail = (node.module or "").split(".") if node.module else []
            where = ".".join([*above, *(tail if node.level else tail[1:])])
            for alias in node.names:
                inner = f"{where}.{alias.name}" if where else alias.name
                yield inner if inner in known else where
        elif isinstance(node, ast.Import):
            yield from (alias.name[8:] for alias in node.names if alias.name.startswith("specviz."))
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if called == "import_module" and str(node.args[0].value).startswith("specviz."):
                yield node.args[0].value[8:]


def floor(name):
    """Number of a module's floor, or None."""
    for number, names in enumerate(FLOORS):
        if any(name == each or (each.endswith(".") and (name + ".").startswith(each)) for each in names):
            return number
    return None


@cache
def arrows(root):
    """Pairs of a module and one that it imports."""
    known = modules(root)
    return {(a, b) for a, path in known.items() for b in imported(a, path, known) if b in known and a != b}


def file_of(name, root=PACKAGE):
    return modules(root)[name].relative_to(root).as_posix()


def faults(root):
    """What runs up, has no floor, or runs in a circle, in words that name the files."""
    known, pairs, found = modules(root), arrows(root), []
    found += [f"{file_of(name, root)} stands on no floor" for name in known if floor(name) is None]
    for a, b in sorted(pairs):
        if (floor(a) or 0) < (floor(b) or 0) and (file_of(a, root), file_of(b, root)) not in UP:
            found.append(f"{file_of(a, root)} imports {file_of(b, root)}, which stands above it")
    below = {name: {b for a, b in pairs if a == name} for name in known}
    for name in known:
        seen, todo = set(), [(name, b) for b in below[name]]
        while todo:
            last, at = todo.pop()
            if at == name and (file_of(last, root), file_of(name, root)) not in UP:
                found.append(f"{file_of(name, root)} and {file_of(last, root)} import each other, in a circle")
            if at not in seen and (file_of(last, root), file_of(at, root)) not in UP:
                seen.add(at)
                todo += [(at, b) for b in below[at]]
    return found


def test_imports_run_one_way():
    assert faults(PACKAGE) == []


def test_the_one_arrow_that_runs_up_is_there():
    seen = {(file_of(a), file_of(b)) for a, b in arrows(PACKAGE)}
    assert seen >= UP


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        (
            {"rules/token.py": "from ..auditing.run import audit", "auditing/run.py": ""},
            "rules/token.py imports auditing/run.py, which",
        ),
        (
            {"rules/a.py": "from .b import x", "rules/b.py": "def f():\n    from . import a"},
            "rules/a.py and rules/b.py import each other",
        ),
        ({"types.py": "import specviz.logits", "logits.py": ""}, "types.py imports logits.py, which stands above it"),
        ({"types.py": "from specviz import models", "models/__init__.py": ""}, "types.py imports models/__init__.py, which"),
        ({"attic.py": ""}, "attic.py stands on no floor"),
        ({"auditing/attic.py": ""}, "auditing/attic.py stands on no floor"),
    ],
)
def test_a_fault_names_both_files(files, fault, tmp_path):
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert any(each.startswith(fault) for each in faults(tmp_path)), faults(tmp_path)


def test_arrows_that_run_down_are_none(tmp_path):
    (tmp_path / "rules").mkdir()
    (tmp_path / "types.py").write_text("import numpy", encoding="utf-8")
    (tmp_path / "rules" / "token.py").write_text("from ..types import Array\nfrom specviz.types import Ints", encoding="utf-8")
    assert faults(tmp_path) == []
    assert arrows(tmp_path) == {("rules.token", "types")}
