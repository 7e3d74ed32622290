"""The tool that breaks the code, on a toy project of one module and one test."""

import pytest

from specviz.dev import breaks
from specviz.dev.breaks import choose, find_breaks, main, suite_of

MODULE = '''"""A toy."""


def largest(values):
    """Return the largest value above 0, or 0."""
    best = 0
    for value in values:
        if value > best:
            best = value
    return best


def count(n):
    """Count down."""
    while n > 0:
        n -= 1
    return n
'''

TEST = """
from specviz.toy import count, largest

def test_largest():
    assert largest([1, 3, 2]) == 3
    assert largest([]) == 0

def test_count():
    assert count(3) == 0
"""

ACCEPTED = """
[[accepted]]
module = "specviz/toy.py"
function = "largest"
reason = "an equal value is the same"
changes = ["if value ⟨> → >=⟩ best:"]
"""


@pytest.fixture
def toy(tmp_path):
    for path, text in {
        "specviz/__init__.py": "",
        "specviz/toy.py": MODULE,
        "tests/test_toy.py": TEST,
        "tests/test_other.py": "import specviz.toy",
        "pyproject.toml": "",
        "breaks.toml": ACCEPTED,
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def run(toy, *arguments):
    return main(["--under", "specviz", "--jobs", "1", *arguments], root=toy, settings=toy / "breaks.toml")


def test_each_break_is_caught_in_a_copy(toy, capsys, monkeypatch):
    monkeypatch.setattr(breaks, "GRACE", 0.2)
    before = contents(toy)
    assert run(toy, "--places", "all") == 0
    assert contents(toy) == before
    lines = capsys.readouterr().out.splitlines()
    assert "specviz/toy.py:6  best = ⟨0 → 1⟩  caught by tests/test_toy.py::test_largest" in lines
    assert "specviz/toy.py:16  n ⟨- → +⟩= 1  caught by the time limit" in lines
    assert lines[-2:] == ["5 of 5 breaks tried, 5 caught, 0 SURVIVED", "1 more are accepted, with reasons, in breaks.toml"]


def test_a_break_that_no_test_notices_survives(toy, capsys):
    """Without the accepted one; and the test of an empty list is gone, so that nobody asks for the 0."""
    (toy / "breaks.toml").write_text("")
    few = TEST.replace("    assert largest([]) == 0\n", "").replace("count, ", "").partition("def test_count")[0]
    (toy / "tests/test_toy.py").write_text(few)
    (toy / "specviz/toy.py").write_text(MODULE.partition("def count")[0])
    assert run(toy) == 1
    survived = [line for line in capsys.readouterr().out.splitlines() if line.endswith("SURVIVED")]
    assert survived == [
        "specviz/toy.py:6  best = ⟨0 → 1⟩  SURVIVED",
        "specviz/toy.py:8  if value ⟨> → >=⟩ best:  SURVIVED",
        "2 of 2 breaks tried, 0 caught, 2 SURVIVED",
    ]


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        ("tests/test_toy.py", TEST.replace("3, 2]) == 3", "3, 2]) == 4"), "tests/test_toy.py::test_largest stops the tests"),
        ("tests/test_toy.py", None, "specviz/toy.py has no tests; expected some in tests/ at the same path"),
        ("specviz/toy.py", None, "nothing in specviz can be broken"),
    ],
)
def test_what_cannot_be_tried_is_said_in_a_line(toy, path, text, message, capsys):
    (toy / path).write_text(text) if text else (toy / path).unlink()
    (toy / "tests/test_other.py").unlink()
    assert run(toy) == 2
    said = capsys.readouterr()
    assert message in said.err
    assert len(said.err.splitlines()) == 1


def test_a_path_that_is_not_there_is_named(toy, capsys):
    assert run(toy, "--under", "specviz/nowhere") == 2
    assert "there is no specviz/nowhere" in capsys.readouterr().err


def test_accepted_breaks_that_are_gone_are_named(toy, capsys):
    (toy / "breaks.toml").write_text(ACCEPTED.replace("best:", "worst:"))
    assert run(toy, "--places", "1") == 0
    assert "accepted, but no longer there: specviz/toy.py  largest  if value ⟨> → >=⟩ worst:" in capsys.readouterr().out


def test_a_draw_is_spread_over_the_modules_and_repeats(toy):
    (toy / "specviz/long.py").write_text("x = 0\n" * 50)
    found = find_breaks(toy, ["specviz"])
    drawn = choose(found, 10, seed=3)
    assert drawn == choose(found, 10, seed=3) != choose(found, 10, seed=4)
    assert [one.module for one in drawn] == ["specviz/long.py"] * 5 + ["specviz/toy.py"] * 5
    assert choose(found, 1000, seed=0) == found


def test_the_nearest_tests_come_first(toy):
    assert suite_of(toy, "specviz/toy.py", {}) == ("tests/test_toy.py", "tests/test_other.py")
    (toy / "tests/test_toy_exact.py").write_text("")
    (toy / "tests/test_toys.py").write_text("")
    more = {"specviz/toy.py": ["tests/test_other.py"]}
    assert suite_of(toy, "specviz/toy.py", more) == ("tests/test_toy.py", "tests/test_toy_exact.py", "tests/test_other.py")
    (toy / "specviz/toy.py").write_text('"""\n>>> 1\n1\n"""')
    assert suite_of(toy, "specviz/toy.py", more)[2] == "specviz/toy.py", "its examples are tests as well"
