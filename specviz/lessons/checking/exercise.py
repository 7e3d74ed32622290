"""An exercise, the verdict on an answer to it, and the answer while it is being checked."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ...auditing.subject.timeout import TimeIsUp, run_limited
from .printed import Head, kept_back
from .source import solution_of, stub_of

State = Literal["not attempted yet", "needs work", "correct"]

TOTAL = 10
"""All calls of one check together may take this many times the timeout of a single call."""


@dataclass(frozen=True)
class Verdict:
    """What a check says of an answer. It prints as text, the same in a terminal, a saved notebook and an export.

    Attributes
    ----------
    id : str
    title : str
    state : str
        "not attempted yet", "needs work" or "correct".
    message : str
        The smallest counter-example that was found, or what was and was not checked.
    """

    id: str
    title: str
    state: State
    message: str

    def __str__(self) -> str:
        lines = self.message.splitlines() or [""]
        return "\n".join([f"{self.id} {self.title}: {self.state}", *(f"  {line}" for line in lines)])

    __repr__ = __str__


@dataclass(frozen=True)
class Exercise:
    """An exercise of a notebook.

    Attributes
    ----------
    id : str
        Notebook and letter, such as "01a".
    title, task : str
    hints : tuple of three str
        From a nudge to nearly the answer.
    answer : callable
        A right answer, whose docstring is what the student is told: a function at the top level of the exercise's module.
    check : callable
        Takes the `Answer`; raises `NeedsWork` where it is wrong.
    checked : str
        What a "correct" means: what was and what was not checked.
    value : bool
        The answer may be a value in place of a function.
    given : tuple of functions
        Functions that the task is about, imported in the stub.
    """

    id: str
    title: str
    task: str
    hints: tuple[str, str, str]
    answer: Callable[..., Any]
    check: Callable[[Answer], None]
    checked: str
    value: bool = False
    given: tuple[Callable[..., Any], ...] = ()

    @property
    def stub(self) -> str:
        """Source that the student starts from."""
        return stub_of(self.answer, self.given)

    @property
    def solution(self) -> str:
        """Source of an answer that the check accepts."""
        return solution_of(self.answer)


class NeedsWork(Exception):
    """The answer is wrong; the message is the counter-example."""


class NotAttempted(Exception):
    """The answer is still the stub."""


class Answer:
    """A student's function while it is checked: each call gets copies, a timeout, and is watched.

    Parameters
    ----------
    student : Any
        The function, or a value where the exercise allows one.
    timeout : float
        Seconds that one call may take; all calls together may take `TOTAL` times as long.
    """

    def __init__(self, student: Any, timeout: float) -> None:
        self.student = student
        self.timeout = timeout
        self.left = TOTAL * timeout
        self.calls = 0
        self.names: tuple[str, ...] = ()

    def __call__(self, *args: Any) -> Any:
        """Call the student's function.

        Raises
        ------
        NotAttempted
            If it raises NotImplementedError, or the first call returns None or an ellipsis.
        NeedsWork
            If it raises anything else, runs too long, changes what it was given or returns nothing.
        """
        if not callable(self.student):
            return self._attempted(self.student)
        own = tuple(_copy(value) for value in args)
        printed = Head()
        started = time.monotonic()
        timeout = min(self.timeout, self.left)

        def call() -> Any:
            with kept_back(printed):
                return self.student(*own)

        try:
            result = run_limited(call, timeout)
        except NotImplementedError:
            raise NotAttempted from None
        except TimeIsUp:
            alone = timeout == self.timeout
            why = f"ran longer than {timeout:.3g} s: an endless loop?" if alone else "is too slow over all cases"
            raise NeedsWork(self.tell(args, note=f"your function {why}", printed=printed)) from None
        except (Exception, SystemExit, GeneratorExit) as error:
            raise NeedsWork(self.tell(args, note=_raised(error), printed=printed)) from None
        self.left -= time.monotonic() - started
        result = self._attempted(result, args)
        for i, (given, now) in enumerate(zip(args, own, strict=True)):
            if not isinstance(given, np.random.Generator) and not _same(given, now):
                name = self.names[i] if i < len(self.names) else f"argument {i + 1}"
                raise NeedsWork(self.tell(args, note=f"your function changed its input {name}; work on a copy"))
        return result

    def _attempted(self, result: Any, args: tuple[Any, ...] = ()) -> Any:
        self.calls += 1
        if result is None or result is ...:
            if self.calls == 1:
                raise NotAttempted
            raise NeedsWork(self.tell(args, note="your function returned nothing here; is a `return` missing?"))
        return result

    def tell(
        self, args: tuple[Any, ...], expected: Any = None, got: Any = None, note: str = "", printed: Head | None = None
    ) -> str:
        """The counter-example in lines: input, expected, got, and a remark."""
        names = [*self.names, *(f"argument {i + 1}" for i in range(len(self.names), len(args)))]
        lines: list[str] = []
        given = [(name, v) for name, v in zip(names, args, strict=False) if not isinstance(v, np.random.Generator)]
        for i, (name, value) in enumerate(given):
            lines.append(("input     " if i == 0 else "          ") + f"{name} = {show(value)}")
        if expected is not None:
            lines += [f"expected  {show(expected)}", f"got       {show(got)}"]
        if note:
            lines.append(note)
        if printed and printed.text.strip():
            lines.append(f"it printed: {printed.text.strip()}")
        return "\n".join(lines)


def show(value: Any) -> str:
    """A value in a few characters: arrays as lists, numbers to six digits."""
    if isinstance(value, str):
        return value
    text = _show(value)
    return text if len(text) < 300 else text[:297] + "..."


def _show(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return _show(value.tolist())
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return repr(number) if 0.99999 < abs(number) < 1 else f"{number:.6g}"  # just below 1 is not 1
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (list, tuple)):
        inner = ", ".join(_show(v) for v in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    return repr(value)


def _raised(error: BaseException) -> str:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "specviz" not in f.filename.replace("\\", "/").split("/")]
    where = f" in line {frames[-1].lineno} of {frames[-1].name}" if frames else ""
    return f"your function raised {type(error).__name__}: {error}{where}"


def _copy(value: Any) -> Any:
    """A copy down to the numbers; a generator is shared, since its state must go on from call to call."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, (list, tuple)):
        return type(value)(_copy(item) for item in value)
    return value


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.shape == b.shape and bool(np.array_equal(a, b, equal_nan=a.dtype.kind == "f"))
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b, strict=True))
    return bool(a is b or a == b or a != a)
