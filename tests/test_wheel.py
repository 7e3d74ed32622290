"""The wheel is what users get: the package without the developers' tools, at work where NumPy and SciPy are all there is."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import numpy
import pytest

from specviz.dev import ROOT

SOURCES = ("pyproject.toml", "README.md", "LICENSE", "specviz", "tests")
"""Whatever could get into a wheel."""

SCRIPTS, EXE = ("Scripts", ".exe") if os.name == "nt" else ("bin", "")
VERIFIERS = """
import numpy as np
from specviz import verify

def good(draft, q, p, num_draft, rng):
    return verify(draft, q, p, num_draft, rng)

def wrong(draft, q, p, num_draft, rng):
    return verify(draft, np.ones_like(q) / q.shape[2], p, num_draft, rng)
"""


def pip(*arguments):
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, made from a copy of the project without a network."""
    project = tmp_path_factory.mktemp("project")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, project / name, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        else:
            shutil.copy(ROOT / name, project)
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", project / "dist", project)
    return next((project / "dist").glob("specviz-*.whl"))


@pytest.fixture(scope="module")
def names(wheel):
    """Paths of the files in the wheel."""
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


class Installed:
    """The wheel in an environment of its own, beside NumPy and SciPy and nothing else."""

    def __init__(self, folder, wheel):
        self.folder = folder
        venv.create(folder / "venv", symlinks=os.name != "nt")
        self.scripts = folder / "venv" / SCRIPTS
        self.python = self.scripts / f"python{EXE}"
        packages = Path(self.run(self.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip())
        for path in Path(numpy.__file__).parents[1].iterdir():
            if path.name.partition("-")[0].removesuffix(".libs") in ("numpy", "scipy"):
                lend(path, packages / path.name)
        pip("--python", self.python, "install", "--no-index", wheel)  # fails if the wheel asks for another package

    def run(self, program, *arguments):
        """Run a program in a folder that is not the project's, with an environment that does not lead to it."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        return subprocess.run(
            [program, *arguments], capture_output=True, text=True, check=False, cwd=self.folder, env=environment
        )


def lend(source, target):
    try:
        target.symlink_to(source, target_is_directory=True)
    except OSError:  # Windows asks for a right to do so
        shutil.copytree(source, target)


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    (folder / "tiny_module.py").write_text(VERIFIERS, encoding="utf-8")
    return Installed(folder, wheel)


def test_it_holds_the_package_without_the_tools_of_the_developers(names):
    files = [path.relative_to(ROOT) for path in (ROOT / "specviz").rglob("*") if path.is_file() and path.suffix != ".pyc"]
    expected = {path.as_posix() for path in files if path.parts[1] != "dev" and not path.name.startswith(".")}
    assert {name for name in names if ".dist-info/" not in name} == expected


@pytest.mark.parametrize("kind", [".npz", ".json", ".md", ".js", ".css", ".mplstyle", "py.typed"])
def test_it_holds_data(names, kind):
    assert [name for name in names if name.startswith("specviz/") and name.endswith(kind)]


def test_it_is_imported_beside_numpy_and_scipy_alone(installed):
    code = (
        "import importlib.metadata, specviz; print(*sorted(d.name for d in importlib.metadata.distributions()), specviz.__file__)"
    )
    *packages, file = installed.run(installed.python, "-c", code).stdout.split()
    assert packages == ["numpy", "scipy", "specviz"]
    assert installed.folder in Path(file).parents


@pytest.mark.parametrize("name", ["matplotlib", "ipywidgets", "specviz.dev"])
def test_what_is_not_there(installed, name):
    assert f"No module named {name!r}" in installed.run(installed.python, "-c", f"import {name}").stderr


@pytest.mark.parametrize(
    ("verifier", "status", "said"),
    [("good", 0, "tiny_module:good: no bias seen"), ("wrong", 1, "tiny_module:wrong: NOT lossless")],
)
def test_it_audits(installed, verifier, status, said):
    done = installed.run(installed.scripts / f"specviz{EXE}", "audit", f"tiny_module:{verifier}", "--budget", "quick")
    assert (done.returncode, done.stderr) == (status, "")
    assert said in done.stdout


def test_a_tool_of_the_developers_says_where_it_works(installed):
    done = installed.run(installed.python, "-m", "specviz", "bench")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "bench needs the project's own folder: clone it, and install it with requirements.txt\n"


def test_the_console_script_names_itself(installed):
    assert installed.run(installed.scripts / f"specviz{EXE}", "--help").stdout.startswith("usage: specviz [-h]")
