"""Every kind of edit, and what is never edited."""

import ast
from pathlib import Path

import pytest

from specviz.dev.edits import edits

ROOT = Path(__file__).resolve().parents[2]


def results(source):
    return [edit.apply(source.encode()).decode() for edit in edits(source.encode())]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a < b", ["a <= b"]),
        ("a <= b", ["a < b"]),
        ("a > b", ["a >= b"]),
        ("a == b", ["a != b"]),
        ("a is not b", ["a is b"]),
        ("a not in b", ["a in b"]),
        ("a < b <= c", ["a <= b <= c", "a < b < c"]),
        ("a + b", ["b", "a - b", "a "]),
        ("a - b", ["a + b", "a "]),
        ("(a + b) * (c)", ["(c)", "(b) * (c)", "(a - b) * (c)", "(a ) * (c)", "(a + b) + (c)", "(a + b) "]),
        ("a / b", ["a * b", "a "]),
        ("a | b", ["b", "a & b", "a "]),
        ("a and b and c", ["b and c", "a or b and c", "a and c", "a and b or c", "a and b "]),
        ("not a", ["a"]),
        ("~a", ["a"]),
        ("-a", ["a"]),
        ("a[i]", ["a[i + 1]"]),
        ("a[i, 0]", ["a[i + 1, 0]", "a[i, 1]"]),
        ("a[i:j]", ["a[i + 1:j]", "a[i:j + 1]"]),
        ("a[:-1]", ["a[:0]"]),
        ("a[None, ...]", []),
        ("min(a)", ["max(a)"]),
        ("np.maximum(a, b)", ["np.minimum(a, b)"]),
        ("a.any()", ["a.all()"]),
        ("0.5", ["1.5"]),
        ("True", ["False"]),
        ("a if b else c", ["a if not b else c"]),
        ("a += b", ["a -= b"]),
        ("def f(a=1): return False", ["def f(a=2): return False", "def f(a=1): return True"]),
        ("'é' < a", ["'é' <= a"]),
    ],
)
def test_edits(source, expected):
    assert results(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "'a docstring'",
        "f'{a + 1}'",
        "'text' + a",
        "raise ValueError(a + 1)",
        "assert a < b",
        "a: b[c] = d",
        "def f(a: b[c + 1]) -> d[1]: pass",
        "@d(1)\ndef f(): pass",
        "@d(1)\nclass C: pass",
        "def __repr__(self): return 1 + 1",
        "if TYPE_CHECKING:\n    a = 1",
        "zip(a, b, strict=True)",
        "a.astype(b, copy=False)",
    ],
)
def test_what_computes_nothing_is_left_alone(source):
    assert results(source) == []


def test_an_edit_says_where_it_is():
    first, second = edits(b"class C:\n    def f(self):\n        # a < b\n        return a < (  # why\n            b + c)\n")[:2]
    assert (first.line, first.function, first.change) == (4, "C.f", "return a ⟨< → <=⟩ (")
    assert (second.line, second.change) == (5, "⟨b + → ⟩c)")


def test_an_edit_over_lines_is_told_in_one():
    assert edits(b"x = (a\n     + b)\n")[0].change == "x = (⟨a + → ⟩b)"


def test_every_edit_of_a_real_module_is_another_program():
    source = (ROOT / "specviz" / "uniforms.py").read_bytes()
    plain, found = ast.dump(ast.parse(source)), edits(source)
    assert all(ast.dump(ast.parse(edit.apply(source))) != plain for edit in found)
    assert len({(edit.function, edit.change) for edit in found}) == len(found)
