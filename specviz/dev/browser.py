"""A JupyterLab of our own in a headless Chromium, for the benchmark, the screenshots and the tests; the user's is left alone."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

import nbformat

TOKEN = "specviz"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
READY = """() => { const w = window.jupyterapp.shell.currentWidget; return w && w.context && w.context.isReady
    && w.sessionContext.isReady && w.sessionContext.session?.kernel?.status === 'idle' }"""
OUTPUTS = """() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells.filter(c => c.cell_type === 'code')
    .map(c => ({tags: c.metadata.tags ?? [], source: c.source, outputs: c.outputs}))"""


class NoBrowserError(RuntimeError):
    """No Chromium is installed, or Playwright is not."""


def status(work: Callable[[], object]) -> int:
    """Exit status of a command that needs a browser: 0, or 2 and a line on stderr where there is none."""
    try:
        work()
    except NoBrowserError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def find_chromium() -> str | None:
    """Path of an installed Chromium, Chrome or Edge; the environment variable SPECVIZ_CHROMIUM names another one."""
    named = os.environ.get("SPECVIZ_CHROMIUM")
    found = [named] if named else [shutil.which(name) for name in NAMES] + [place for place in PLACES if Path(place).exists()]
    return next((path for path in found if path), None)


class Lab:
    """A JupyterLab server and a browser, both stopped when the `with` block ends.

    Parameters
    ----------
    folder : Path
        Where the notebooks are; kernels run in the folder of their notebook.

    Raises
    ------
    NoBrowserError
        If there is no browser to use.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> Lab:
        try:
            from playwright.sync_api import sync_playwright
        except ImportError:
            raise NoBrowserError("Playwright is not installed: pip install playwright") from None
        chromium = find_chromium()
        if chromium is None:
            raise NoBrowserError("no Chromium or Chrome is found: install one, or name its path in SPECVIZ_CHROMIUM")
        self.private = tempfile.TemporaryDirectory(prefix="specviz-lab-", ignore_cleanup_errors=True)
        self.server = self._start_server()
        try:
            self._playwright = sync_playwright().start()
            self.browser = self._playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            self._wait_for_server()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        with ExitStack() as last_comes_first:
            last_comes_first.callback(self.private.cleanup)
            last_comes_first.callback(self.log.close)
            last_comes_first.callback(self._stop_server)
            for resource, stop in (("_playwright", "stop"), ("browser", "close")):
                if hasattr(self, resource):
                    last_comes_first.callback(getattr(getattr(self, resource), stop))

    def open(self, name: str) -> Notebook:
        """Open a notebook of the folder with a new kernel, and wait until it can run. All are opened in one window."""
        if not hasattr(self, "page"):
            self.page = self.browser.new_page(viewport={"width": 1400, "height": 1000})
            self.page.set_default_timeout(60_000)
            self.page.goto(f"{self.url}/lab?token={TOKEN}&reset")
            self.page.wait_for_function("window.jupyterapp && window.jupyterapp.restored")
            self.page.evaluate("async () => { await window.jupyterapp.restored; window.jupyterapp.shell.collapseLeft() }")
        self.page.evaluate("path => window.jupyterapp.commands.execute('docmanager:open', {path}).then(() => 0)", name)
        self.page.wait_for_function(READY)
        return Notebook(self.page)

    def look(self, *, width: int = 1400, height: int = 1000, dark: bool = False) -> None:
        """Give the window a size and JupyterLab a theme."""
        self.page.set_viewport_size({"width": width, "height": height})
        theme = f"JupyterLab {'Dark' if dark else 'Light'}"
        self.page.evaluate("t => window.jupyterapp.commands.execute('apputils:change-theme', {theme: t})", theme)
        self.page.wait_for_function("() => !document.getElementById('jupyterlab-splash')")

    def _start_server(self) -> subprocess.Popen[bytes]:
        private = Path(self.private.name)
        (private / "config" / "labconfig").mkdir(parents=True)
        no_news = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
        (private / "config" / "labconfig" / "page_config.json").write_text(json.dumps(no_news))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", f"--port={port}"]
        command += [f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={self.folder}", "--expose-app-in-browser"]
        command += ["--ServerApp.port_retries=0", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.append("--allow-root")
        folders = {
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "JUPYTER_RUNTIME_DIR": "run",
            "IPYTHONDIR": "ipython",
        }
        private_folders = {variable: str(private / name) for variable, name in folders.items()}
        self.log = (private / "server.log").open("wb")
        return subprocess.Popen(command, stdout=self.log, stderr=self.log, env=os.environ | private_folders)

    def _stop_server(self) -> None:
        self.server.terminate()
        try:
            self.server.wait(10)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()

    def _wait_for_server(self) -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until and self.server.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/api/status?token={TOKEN}", timeout=5):
                    return
            except (urllib.error.URLError, TimeoutError, ConnectionError):
                time.sleep(0.1)
        log = Path(self.private.name, "server.log").read_text(encoding="utf-8", errors="replace")
        raise RuntimeError(f"JupyterLab did not start:\n{log[-2000:]}")


class Notebook:
    """A notebook that is open in the browser.

    Attributes
    ----------
    page : playwright.sync_api.Page
    """

    def __init__(self, page: Any) -> None:
        self.page = page

    def run_all(self) -> None:
        """Run all cells and wait for the kernel; `faults` then tells what went wrong."""
        self.command("notebook:run-all-cells")
        self.wait()

    def command(self, name: str) -> None:
        """Execute a command of JupyterLab on this notebook, and wait for it."""
        self.page.evaluate("name => window.jupyterapp.commands.execute(name).then(() => 0, () => 0)", name)

    def wait(self) -> None:
        """Wait until the kernel has nothing to do."""
        self.page.wait_for_function(READY)

    def ask(self, code: str) -> str:
        """Run code in the notebook's kernel, silently, and return what it prints."""
        script = """async code => { const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
            const asked = kernel.requestExecute({code, store_history: false}); let out = '';
            asked.onIOPub = m => { if (m.header.msg_type === 'stream') out += m.content.text;
                if (m.header.msg_type === 'error') out += m.content.ename + ': ' + m.content.evalue };
            await asked.done; return out }"""
        return str(self.page.evaluate(script, code))

    def cells(self) -> list[dict[str, Any]]:
        """Tags, source and outputs of each code cell."""
        found: list[dict[str, Any]] = self.page.evaluate(OUTPUTS)
        return found

    def faults(self) -> list[str]:
        """Errors of cells that are not meant to raise, and whatever was written to stderr."""
        return [
            f"{output.get('ename', 'stderr')}: {output.get('evalue', output.get('text'))}"
            for cell in self.cells()
            for output in cell["outputs"]
            if output.get("name") == "stderr" or (output["output_type"] == "error" and "raises-exception" not in cell["tags"])
        ]

    def close(self) -> None:
        """Stop the kernel and close the notebook; it is not saved."""
        self.page.evaluate(
            """async () => { const w = window.jupyterapp.shell.currentWidget;
            await w.sessionContext.shutdown(); w.dispose() }"""
        )


def write_notebook(path: Path, *cells: str) -> Path:
    """Write a notebook of code cells."""
    notebook: Any = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell) for cell in cells],
        metadata={"kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}},
    )
    nbformat.write(notebook, path)
    return path
