"""The source of a right answer, taken apart: what a student starts from, and what is printed as the solution."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable
from typing import Any


def solution_of(answer: Callable[..., Any]) -> str:
    """The answer as it is printed: the imports that it uses, its signature and its body, without the docstring.

    Parameters
    ----------
    answer : callable
        A function at the top level of a module, whose docstring is what a student is told.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If it is not at the top level of its file, or has no docstring or no body.
    """
    source = _Source(answer)
    used = {node.id for node in ast.walk(source.function) if isinstance(node, ast.Name)}
    return source.imports(used) + source.signature + source.body


def stub_of(answer: Callable[..., Any], given: Iterable[Callable[..., Any]] = ()) -> str:
    """What a student starts from: the answer's signature, its docstring, and ``raise NotImplementedError``.

    Parameters
    ----------
    answer : callable
        As in `solution_of`.
    given : iterable of functions
        Functions that the task is about; they are imported on top.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        As in `solution_of`.
    """
    source = _Source(answer)
    return source.imports({function.__name__ for function in given}) + source.signature + source.docstring + STOP


STOP = "    raise NotImplementedError"


class _Source:
    """The lines of a function, as they stand in its file, and the imports of that file."""

    def __init__(self, answer: Callable[..., Any]) -> None:
        name = answer.__qualname__
        lines, _ = inspect.findsource(answer)
        self.file = ast.parse("".join(lines))
        found = [node for node in self.file.body if isinstance(node, ast.FunctionDef) and node.name == name]
        if len(found) != 1:
            raise ValueError(f"answer is {name}; expected a function of which the top level of its file has one")
        self.function = found[0]
        if ast.get_docstring(self.function) is None or len(self.function.body) == 1:
            raise ValueError(f"answer is {name}; expected a docstring, which is what a student is told, and a body")
        docstring = self.function.body[0]
        start, end = docstring.lineno - 1, docstring.end_lineno
        self.signature = "".join(lines[self.function.lineno - 1 : start])
        self.docstring = "".join(lines[start:end])
        self.body = "".join(lines[end : self.function.end_lineno]).rstrip("\n")

    def imports(self, names: set[str]) -> str:
        """The file's import lines, cut down to these names; an empty line behind them if there are any."""
        kept = []
        for node in self.file.body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                node.names = [alias for alias in node.names if (alias.asname or alias.name) in names]
                kept += [ast.unparse(node)] if node.names else []
        return "\n".join([*kept, "", ""]) if kept else ""
