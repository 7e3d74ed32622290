import subprocess
import sys
from pathlib import Path

import specviz

ROOT = Path(__file__).resolve().parents[1]


def test_import_is_light():
    heavy = "{'matplotlib', 'ipywidgets', 'IPython', 'scipy.stats'}"
    code = f"import sys, specviz; sys.exit(str({heavy} & set(sys.modules) or 0))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() in ("", "0"), done.stderr


def test_public_names_exist_and_are_documented():
    assert specviz.__all__ == sorted(specviz.__all__)
    for name in specviz.__all__:
        assert getattr(specviz, name).__doc__
