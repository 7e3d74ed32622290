"""Break the code in many small ways and see whether a test notices: a test that no break makes fail tests nothing.

    python -m specviz.dev.breaks --under specviz/rules --places 60 --seed 0

Each break is one edit of one module (see `specviz.dev.edits`), made in a copy of the project; the tests that mirror the module
run there until the first one fails. A break that no test notices has to be listed in breaks.toml with the reason why it changes
nothing that could be seen; any other is a hole in the tests, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import cache_from_source
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from .edits import Edit, edits

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = Path(__file__).with_suffix(".toml")

NEEDED = ("specviz", "tests", "pyproject.toml")
"""What is copied for the tests to run in."""

DEFAULT = ("specviz/rules", "specviz/auditing/statistics", "specviz/auditing/checks", "specviz/auditing/records")

PYTEST = ["-m", "pytest", "-x", "-q", "--tb=no", "--no-header", "-p", "no:cacheprovider", "-o"]
"""Stop at the first failure; plugins are not loaded, which takes three times as long as many a test file."""


GRACE = 10.0
"""Seconds that a run may take beyond three times those of the unbroken code: a break may loop for ever."""


class Break(NamedTuple):
    """One edit of one module.

    Attributes
    ----------
    module : str
        Path of the module in the project.
    edit : Edit
    """

    module: str
    edit: Edit

    @property
    def key(self) -> tuple[str, str, str]:
        """Module, function and change: what a break is known by when line numbers have moved."""
        return self.module, self.edit.function, self.edit.change

    def __str__(self) -> str:
        return f"{self.module}:{self.edit.line}  {self.edit.change}"


class Settings(NamedTuple):
    """What breaks.toml says.

    Attributes
    ----------
    accepted : dict
        Reason by `Break.key`, for breaks that change nothing that could be seen.
    tests : dict
        Test files by module, where those that mirror the module are not enough.
    """

    accepted: dict[tuple[str, str, str], str]
    tests: dict[str, list[str]]

    @classmethod
    def read(cls, path: Path) -> Settings:
        """Read the file; one that is not there says nothing."""
        content = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        accepted = {
            (group["module"], group["function"], change): group["reason"]
            for group in content.get("accepted", [])
            for change in group["changes"]
        }
        return cls(accepted, content.get("tests", {}))


def find_breaks(root: Path, under: Iterable[str]) -> list[Break]:
    """List every break of the modules in these files and folders.

    Raises
    ------
    ValueError
        If a path is neither a file nor a folder of the project.
    """
    modules = set[str]()
    for name in under:
        path = root / name
        if not path.exists():
            raise ValueError(f"there is no {name} in {root}; expected a module or a folder of modules")
        modules |= {file.relative_to(root).as_posix() for file in (path.rglob("*.py") if path.is_dir() else [path])}
    return [Break(module, edit) for module in sorted(modules) for edit in edits((root / module).read_bytes())]


def choose(breaks: Sequence[Break], places: int, seed: int) -> list[Break]:
    """Draw so many breaks, spread evenly over the modules, in the order of the text."""
    rng = random.Random(seed)
    by_module: dict[str, list[Break]] = {}
    for one in rng.sample(breaks, len(breaks)):
        by_module.setdefault(one.module, []).append(one)
    ranked = sorted((rank, one) for mine in by_module.values() for rank, one in enumerate(mine))
    return sorted(one for _, one in ranked[:places])


def suite_of(root: Path, module: str, more: dict[str, list[str]]) -> tuple[str, ...]:
    """Test files of a module, the nearest first: those of its name, then those that `more` names or all in the same folder."""
    path = Path(module)
    folder = root / "tests" / Path(*path.parts[1:-1])
    mirror = sorted(folder.glob(f"test_{path.stem}.py")) + sorted(folder.glob(f"test_{path.stem}_*.py"))
    others = [root / name for name in more[module]] if module in more else sorted(folder.rglob("test_*.py"))
    doctests = [root / module] if ">>>" in (root / module).read_text(encoding="utf-8") else []
    return tuple(dict.fromkeys(file.relative_to(root).as_posix() for file in [*mirror, *doctests, *others]))


class Copy:
    """A copy of the project, in which one break at a time is made and tested."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.folder = folder
        for name in NEEDED:
            if (root / name).is_dir():
                shutil.copytree(root / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
            elif (root / name).exists():
                shutil.copy(root / name, folder / name)

    def test(self, tests: Sequence[str], seconds: float | None = None) -> str:
        """Run the tests; return the first that fails, or "" if all pass."""
        single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD"), "1")
        command = [sys.executable, *PYTEST, "addopts=--doctest-modules --import-mode=importlib", *tests]
        environment = os.environ | single | {"PYTHONPATH": str(self.folder)}
        try:
            done = subprocess.run(
                command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=seconds, check=False
            )
        except subprocess.TimeoutExpired:
            return "the time limit"
        if done.returncode == 0:
            return ""
        failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
        return failed[0].split(" ", 1)[1].split(" - ")[0] if failed else f"pytest itself, exit status {done.returncode}"

    def test_broken(self, one: Break, tests: Sequence[str], seconds: float) -> str:
        """Run the tests with this break, then mend it."""
        file = self.folder / one.module
        source = file.read_bytes()
        try:
            self._write(file, one.edit.apply(source))
            return self.test(tests, seconds)
        finally:
            self._write(file, source)

    @staticmethod
    def _write(file: Path, source: bytes) -> None:
        """Bytecode goes too: it counts as fresh if the source has the same length and the same second."""
        file.write_bytes(source)
        Path(cache_from_source(str(file))).unlink(missing_ok=True)


def run(root: Path, breaks: Sequence[Break], settings: Settings, jobs: int = 2) -> list[Break]:
    """Make each break in a copy of the project, print what noticed it, and return those that nothing did.

    Raises
    ------
    RuntimeError
        If a module has no tests, or they fail before anything is broken.
    """
    with TemporaryDirectory(prefix="breaks-") as folder, ThreadPoolExecutor(jobs) as pool:
        copies = SimpleQueue[Copy]()
        for job in range(jobs):
            copies.put(Copy(root, Path(folder) / str(job)))
        suites, seconds = (
            {one.module: suite_of(root, one.module, settings.tests) for one in breaks},
            dict[tuple[str, ...], float](),
        )
        copy = copies.get()
        for module, tests in suites.items():
            if not tests:
                raise RuntimeError(f"{module} has no tests; expected some in tests/ at the same path, or a line in breaks.toml")
            if tests not in seconds:
                start = perf_counter()
                if failed := copy.test(tests):
                    raise RuntimeError(f"{failed} stops the tests of {module} before anything is broken")
                seconds[tests] = perf_counter() - start
        copies.put(copy)

        def noticed(one: Break) -> str:
            copy, tests = copies.get(), suites[one.module]
            try:
                return copy.test_broken(one, tests, GRACE + 3 * seconds[tests])
            finally:
                copies.put(copy)

        survivors = []
        for one, by in zip(breaks, pool.map(noticed, breaks), strict=True):
            print(f"{one}  caught by {by}" if by else f"{one}  SURVIVED", flush=True)
            if not by:
                survivors.append(one)
        return survivors


def main(arguments: list[str] | None = None, root: Path = ROOT, settings: Path = SETTINGS) -> int:
    """Run the command; return its exit status: 0 if every break was noticed, 1 if not, 2 if there was nothing to try."""
    parser = argparse.ArgumentParser(prog="python -m specviz.dev.breaks", description="Break the code; does a test notice?")
    parser.add_argument("--under", action="append", metavar="PATH", help=f"module or folder (default {', '.join(DEFAULT)})")
    parser.add_argument("--places", default="60", help="how many breaks to try, or all (default 60)")
    parser.add_argument("--seed", type=int, default=0, help="which ones are drawn (default 0)")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once (default 2)")
    chosen = parser.parse_args(arguments)
    read = Settings.read(settings)
    try:
        found = find_breaks(root, chosen.under or DEFAULT)
        if not found:
            raise ValueError(f"nothing in {', '.join(chosen.under or DEFAULT)} can be broken; expected code that computes")
        open_ = [one for one in found if one.key not in read.accepted]
        breaks = open_ if chosen.places == "all" else choose(open_, int(chosen.places), chosen.seed)
        survivors = run(root, breaks, read, chosen.jobs)
    except (ValueError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 2
    modules, keys = {one.module for one in found}, {one.key for one in found}
    for module, function, change in read.accepted:
        if module in modules and (module, function, change) not in keys:
            print(f"accepted, but no longer there: {module}  {function}  {change}")
    print(f"{len(breaks)} of {len(open_)} breaks tried, {len(breaks) - len(survivors)} caught, {len(survivors)} SURVIVED")
    print(f"{len(found) - len(open_)} more are accepted, with reasons, in {settings.name}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
