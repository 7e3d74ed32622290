"""Faces: what the packages name for others is there, is written down, and is not hidden by a module."""

import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules, walk_packages

import pytest

import specviz
from specviz.later import later

PACKAGES = ["specviz"] + [found.name for found in walk_packages(specviz.__path__, "specviz.") if found.ispkg]
FACES = [name for name in PACKAGES if hasattr(import_module(name), "__all__")]
OFFERED = [(face, name) for face in FACES for name in import_module(face).__all__]


@pytest.mark.parametrize(("face", "name"), OFFERED)
def test_what_a_face_names_is_there_listed_and_no_module(face, name):
    package = import_module(face)
    assert getattr(package, name) is not None
    assert name in dir(package)
    assert name not in [found.name for found in iter_modules(package.__path__)], "the module would hide it"


@pytest.mark.parametrize("name", PACKAGES)
def test_every_package_says_what_it_is_for(name):
    assert import_module(name).__doc__


def test_a_name_that_nobody_gives():
    get, listed = later("specviz", {"theory.speed": ["speedup"]})
    assert get("speedup") is specviz.speedup
    assert "speedup" in listed()
    with pytest.raises(AttributeError, match="module 'specviz' has no attribute 'nonsense'"):
        get("nonsense")


@pytest.mark.parametrize("module", ["specviz.models.designed", "specviz.models.recorded", "specviz.theory.misreport"])
def test_what_comes_later_is_not_imported_at_once(module):
    code = f"import sys, specviz; sys.exit({module!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
