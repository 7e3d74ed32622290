import ast
import subprocess
import sys
from pathlib import Path

import specviz

ROOT = Path(__file__).resolve().parents[1]
ORDER = [
    "later",
    "types",
    "inverse_cdf",
    "probability",
    "logits",
    "uniforms",
    "rules",
    "models",
    "theory",
    "exact",
    "catalogue",
    "auditing",
]
ORDER += ["plots", "lessons", "explorers"]
ORDER += ["dev", "__main__"]


def test_import_is_light():
    heavy = "{'matplotlib', 'ipywidgets', 'IPython', 'scipy.stats'}"
    code = f"import sys, specviz; sys.exit(str({heavy} & set(sys.modules) or 0))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() in ("", "0"), done.stderr


def test_public_names_exist_and_are_documented():
    assert specviz.__all__ == sorted(specviz.__all__)
    for name in specviz.__all__:
        assert getattr(specviz, name).__doc__


def test_imports_run_one_way():
    for path in (ROOT / "specviz").rglob("*.py"):
        parts = path.relative_to(ROOT / "specviz").with_suffix("").parts
        if parts == ("__init__",):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level:
                base = ("specviz", *parts)[: len(parts) + 1 - node.level]
                full = (*base, *(node.module.split(".") if node.module else []))
                for head in [full[1]] if len(full) > 1 else [name.name for name in node.names]:
                    if head in ORDER:
                        assert ORDER.index(head) <= ORDER.index(parts[0]), f"{path.name} imports {head}, which comes later"
