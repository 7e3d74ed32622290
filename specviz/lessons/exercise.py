"""What an exercise is: a task, a stub, hints, a solution that is tested, and what decides about an answer."""

from __future__ import annotations

import ast
import copy
import inspect
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np


class NotAttempted(Exception):
    """The answer is still the stub."""


class Wrong(Exception):
    """The answer is wrong; the message is the smallest counter-example that was found."""


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    Attributes
    ----------
    id : str
        Number of the notebook and a letter.
    task : str
    stub : str
        Source that the reader completes.
    hints : tuple of str
        Three, each saying more than the one before.
    solution : str
        Source of an answer that is right.
    judge : callable
        Raises `Wrong` or `NotAttempted` for an answer that is not right.
    covers : str
        What a right answer was checked for, and what not.
    seconds : float
        Time limit of a check.
    """

    id: str
    task: str
    stub: str
    hints: tuple[str, str, str]
    solution: str
    judge: Callable[[Any], None]
    covers: str
    seconds: float = 5


def from_function(
    id: str,
    task: str,
    solution: Callable[..., Any],
    hints: tuple[str, str, str],
    covers: str,
    *,
    cases: Callable[[], Iterable[tuple[Any, ...]]] | None = None,
    judge: Callable[[Any], None] | None = None,
    seconds: float = 5,
) -> Exercise:
    """Make an exercise whose answer is a function: the stub is the solution without its body.

    Parameters
    ----------
    id, task, hints, covers, seconds
        See `Exercise`.
    solution : callable
        A right answer, with a docstring.
    cases : callable, optional
        Returns tuples of arguments, the smallest first; the answer must return what the solution returns on each.
    judge : callable, optional
        Decides in another way.
    """
    if judge is None:
        assert cases is not None
        judge = _compares(solution, cases)
    return Exercise(id, task, stub_of(solution), hints, source_of(solution), judge, covers, seconds)


def source_of(function: Callable[..., Any]) -> str:
    """The source of a function."""
    return textwrap.dedent(inspect.getsource(function)).strip()


def stub_of(function: Callable[..., Any]) -> str:
    """Signature and docstring of a function, with a body that raises."""
    source = source_of(function)
    node = ast.parse(source).body[0]
    assert isinstance(node, ast.FunctionDef)
    head = source.splitlines()[: node.body[0].end_lineno]
    return "\n".join([*head, "    raise NotImplementedError"])


def _compares(solution: Callable[..., Any], cases: Callable[[], Iterable[tuple[Any, ...]]]) -> Callable[[Any], None]:
    def judge(answer: Any) -> None:
        for arguments in cases():
            expected = solution(*copy.deepcopy(arguments))
            given = copy.deepcopy(arguments)
            got = call(answer, *given)
            example = example_of(answer, arguments)
            if not same(given, arguments):
                raise Wrong(f"{example}\n  changed its arguments; expected them to be left alone")
            if not same(got, expected):
                raise Wrong(f"{example}\n  expected {show(expected)}\n  got      {show(got)}")

    return judge


def call(answer: Any, *arguments: Any) -> Any:
    """Call a reader's function; one that raises NotImplementedError, as the stub does, has not been attempted."""
    if not callable(answer):
        raise Wrong(f"{show(answer)} is no function; hand in the function itself, without calling it")
    try:
        got = answer(*arguments)
    except NotImplementedError:
        raise NotAttempted from None
    except (Exception, SystemExit) as error:
        raise Wrong(f"{example_of(answer, arguments)}\n  raised {type(error).__name__}: {error}") from error
    if got is ...:
        raise NotAttempted
    if got is None:
        raise Wrong(f"{example_of(answer, arguments)}\n  returned nothing; is there a return?")
    return got


def example_of(answer: Any, arguments: tuple[Any, ...]) -> str:
    """A call as the reader would type it."""
    return f"{name_of(answer)}({', '.join(show(a) for a in arguments)})"


def same(a: Any, b: Any) -> bool:
    """Equal, numbers to nine digits, arrays and sequences entry by entry, whatever their types."""
    if isinstance(a, str) or isinstance(b, str):
        return bool(a == b)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    try:
        x, y = np.asarray(a, np.float64), np.asarray(b, np.float64)
    except (TypeError, ValueError):
        return False
    return x.shape == y.shape and bool(np.allclose(x, y, rtol=1e-9, atol=1e-12, equal_nan=True))


def name_of(answer: Any) -> str:
    """What a counter-example calls the answer."""
    return str(getattr(answer, "__name__", "your function"))


def show(value: Any) -> str:
    """A value as the reader would type it, short."""
    if isinstance(value, np.random.Generator):
        return "rng"
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, float):
        return f"{value:.6g}" if 1e-3 < abs(value) < 1 - 1e-9 or value == 0 else repr(value)
    if isinstance(value, (list, tuple)):
        inner = ", ".join(show(v) for v in value)
        text = f"[{inner}]" if isinstance(value, list) else f"({inner})"
        return text if len(text) <= 300 else f"{text[:297]}..."
    text = repr(value)
    return text if len(text) <= 300 else f"{text[:297]}..."
