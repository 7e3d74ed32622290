import subprocess
import sys

import pytest

import specviz


@pytest.mark.parametrize("heavy", ["scipy.stats", "matplotlib", "ipywidgets", "IPython"])
def test_a_plain_import_is_light(heavy):
    code = f"import sys, specviz; sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_public_names_exist_and_are_documented():
    assert specviz.__all__ == sorted(specviz.__all__)
    for name in specviz.__all__:
        assert getattr(specviz, name).__doc__
