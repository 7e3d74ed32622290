import json
import subprocess
import sys

import pytest

MODULE = """
import numpy as np, time
from specviz import verify

def good(draft, q, p, num_draft, rng):
    return verify(draft, q, p, num_draft, rng)

def everything(draft, q, p, num_draft, rng):
    tokens, n_out = verify(draft, q, np.where(np.arange(p.shape[1])[:, None] < draft.shape[1], 1 / p.shape[2], p), num_draft, rng)
    return tokens, n_out

def boom(draft, q, p, num_draft, rng):
    raise RuntimeError("out of\\nmemory")

def shape(draft, q, p, num_draft, rng):
    return np.zeros(3, int), np.zeros(3, int)

def four(draft, q, p, num_draft):
    pass

def hang(draft, q, p, num_draft, rng):
    while True:
        time.sleep(0.01)

def row(draft, q, p, num_draft, rng):
    tokens, n_out = verify(draft[None], q[None], p[None], [num_draft], rng)
    return tokens[0], n_out[0]

number = 7
"""


def audit(folder, *arguments):
    (folder / "mine.py").write_text(MODULE, encoding="utf-8")
    command = [sys.executable, "-m", "specviz", "audit", *arguments, "--budget", "quick"]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)


def test_exit_0_and_files(tmp_path):
    done = audit(tmp_path, "mine:good", "--json", "report.json", "--html", "report.html")
    assert done.returncode == 0, done.stderr
    assert "mine:good: no bias seen" in done.stdout
    assert done.stderr == ""
    assert json.loads((tmp_path / "report.json").read_text())["passed"] is True
    assert "<table>" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_exit_1(tmp_path):
    done = audit(tmp_path, "mine:everything")
    assert done.returncode == 1
    assert "NOT lossless" in done.stdout


def test_one_row(tmp_path):
    assert audit(tmp_path, "mine:row", "--one-row").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["mine:boom"], "it raised RuntimeError: out of memory"),
        (["mine:shape"], "it returned shapes (3,) and (3,); expected tokens (8, 4) and n_out (8,)"),
        (["mine:four"], "takes (draft, q, p, num_draft); expected (draft, q, p, num_draft, rng)"),
        (["mine:hang", "--call-seconds", "0.3"], "took more than 0.3 s on a batch of 8 rows, K = 3, V = 4 and was stopped"),
        (["mine:nope"], "mine has no 'nope'; it has"),
        (["mine:number"], "mine:number is no function but of type int; expected (draft, q, p, num_draft, rng)"),
        (["nowhere:good"], "cannot import nowhere: ModuleNotFoundError"),
        (["mine"], "expected package.module:function"),
        (["folder/mine.py:good"], "names a file; expected its module: folder.mine:good"),
        (["../folder/mine:good"], "names a file; expected its module: folder.mine:good"),
    ],
)
def test_exit_2_with_one_line(tmp_path, arguments, line):
    done = audit(tmp_path, *arguments)
    assert done.returncode == 2
    assert line in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def test_traceback_when_asked(tmp_path):
    assert "Traceback" in audit(tmp_path, "mine:boom", "--traceback").stderr
