"""Small edits of a Python source, each of which changes what it computes: a flipped comparison, a dropped term, a shifted index.

What computes nothing is left alone: docstrings, annotations, decorators, f-strings, errors that are raised, assertions,
`__repr__`, and what only a type checker reads.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

SYMBOLS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
"""How each operator is written, and what it is edited to."""

EITHER_SIDE = (ast.And, ast.Or, ast.Add, ast.Mult, ast.BitAnd, ast.BitOr)
"""Operators of which any operand may be dropped; of a - b, a / b and the like only b."""

OPPOSITES = {"min": "max", "minimum": "maximum", "argmin": "argmax", "any": "all", "floor": "ceil", "less": "less_equal"}
OPPOSITES |= {opposite: name for name, opposite in OPPOSITES.items()}

NO_VALUE = ("strict", "copy")
"""Keyword arguments that change no value: what they are set to is not edited."""


class Edit(NamedTuple):
    """One edit of a source.

    Attributes
    ----------
    start, end : int
        The bytes that are replaced.
    new : str
        What stands there instead.
    line : int
        Number of the first line that it touches.
    function : str
        Dotted name of the function or class around it; empty at the top of the module.
    change : str
        The line with ⟨old → new⟩ in place of what is edited.
    """

    start: int
    end: int
    new: str
    line: int
    function: str
    change: str

    def apply(self, source: bytes) -> bytes:
        """Return the edited source."""
        return source[: self.start] + self.new.encode() + source[self.end :]


def edits(source: bytes) -> list[Edit]:
    """List every edit of a source, in the order of the text.

    Parameters
    ----------
    source : bytes
        A Python module in UTF-8.

    Returns
    -------
    list of Edit

    Examples
    --------
    >>> [edit.change for edit in edits(b"x = a < 3")]
    ['x = a ⟨< → <=⟩ 3', 'x = a < ⟨3 → 4⟩']
    """
    finder = _Finder(source)
    finder.visit(ast.parse(source))
    return sorted(set(finder.found))


class _Finder(ast.NodeVisitor):
    def __init__(self, source: bytes) -> None:
        self.source, self.found = source, list[Edit]()
        self._lines, self._names = source.splitlines(keepends=True), list[str]()
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    # ---- what is left alone ------------------------------------------------------------------------------------------

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name != "__repr__":
            self._inside(node.name, [*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body])

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._inside(node.name, node.body)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pass

    def visit_Raise(self, node: ast.Raise) -> None:
        pass

    def visit_Assert(self, node: ast.Assert) -> None:
        pass

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg not in NO_VALUE:
            self.visit(node.value)

    # ---- what is edited ----------------------------------------------------------------------------------------------

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if not any(isinstance(side, ast.JoinedStr) or _constant(side, str) for side in (node.left, node.right)):
            self._operators(node, [node.left, node.right], [node.op])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self._operators(node, node.values, [node.op] * (len(node.values) - 1))
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        self._operators(node, [node.left, *node.comparators], node.ops)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if type(node.op) in SYMBOLS:
            start, end = self._symbol(node.target, node.value, node.op)
            self._edit(start, end, SYMBOLS[type(node.op)][1])
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        start, end = self._span(node)
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            self._edit(start, end, repr(1 - node.operand.value))  # type: ignore[operator]
            return
        self._edit(start, self._skip_space(start + (3 if isinstance(node.op, ast.Not) else 1)), "")
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        for index in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
            for part in [index.lower, index.upper] if isinstance(index, ast.Slice) else [index]:
                if isinstance(part, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.BinOp)):
                    self._edit(self._span(part)[1], self._span(part)[1], " + 1")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in OPPOSITES:
            end = self._span(node.func)[1]
            self._edit(end - len(name), end, OPPOSITES[name])
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._edit(*self._span(node), str(not node.value))
        elif isinstance(node.value, (int, float)):
            self._edit(*self._span(node), repr(node.value + 1))

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) != "TYPE_CHECKING":
            self._condition(node.test)
            self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._condition(test)
        self.generic_visit(node)

    # ---- how ---------------------------------------------------------------------------------------------------------

    def _inside(self, name: str, nodes: Sequence[ast.AST]) -> None:
        self._names.append(name)
        for node in nodes:
            self.visit(node)
        self._names.pop()

    def _condition(self, test: ast.expr) -> None:
        """Negate a condition that has no operator of its own."""
        if isinstance(test, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
            self._edit(self._span(test)[0], self._span(test)[0], "not ")

    def _operators(self, node: ast.expr, operands: Sequence[ast.expr], operators: Sequence[ast.AST]) -> None:
        """Replace each operator between the operands, and drop each operand that the others can do without."""
        if any(type(operator) not in SYMBOLS for operator in operators):
            return
        spans = [self._symbol(a, b, op) for a, b, op in zip(operands, operands[1:], operators, strict=False)]
        for (start, end), operator in zip(spans, operators, strict=True):
            self._edit(start, end, SYMBOLS[type(operator)][1])
        if isinstance(node, ast.Compare):
            return
        starts = [self._span(node)[0], *(self._skip_space(end) for _, end in spans)]
        for i, start in enumerate(starts[:-1]):
            if isinstance(operators[0], EITHER_SIDE):
                self._edit(start, starts[i + 1], "")
        self._edit(spans[-1][0], self._span(node)[1], "")

    def _symbol(self, left: ast.expr, right: ast.expr, operator: ast.AST) -> tuple[int, int]:
        """Where the operator between two operands is written; parentheses may stand there too."""
        symbol = SYMBOLS[type(operator)][0]
        start = self.source.index(symbol.encode(), self._span(left)[1], self._span(right)[0])
        return start, start + len(symbol)

    def _span(self, node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._starts[node.lineno - 1] + node.col_offset, self._starts[node.end_lineno - 1] + node.end_col_offset

    def _skip_space(self, at: int) -> int:
        while self.source[at : at + 1].isspace():
            at += 1
        return at

    def _edit(self, start: int, end: int, new: str) -> None:
        line = self.source.count(b"\n", 0, start)
        last = self.source.count(b"\n", 0, end)
        before, after = self.source[self._starts[line] : start], self.source[end : self._starts[last + 1]].partition(b"  # ")[0]
        texts = [text.decode() for text in (before, self.source[start:end], after)]
        change = " ".join(f"{texts[0]}⟨{texts[1].rstrip()} → {new}⟩{texts[2]}".split())
        self.found.append(Edit(start, end, new, line + 1, ".".join(self._names), change))


def _constant(node: ast.AST, kind: type) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, kind)
