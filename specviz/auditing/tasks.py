"""Tasks with seeds of their own, run here or by any executor: what comes out does not depend on who runs them."""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from .subject.contract import Adapted


class Task(NamedTuple):
    """One call function(verifier, seed, *arguments), part of the check `name`."""

    name: str
    function: Callable[..., Any]
    verifier: Adapted
    seed: np.random.SeedSequence
    arguments: tuple[Any, ...]


def run(task: Task) -> Any:
    """Run a task: at the top of a module, so that a worker process can find it."""
    left = task.verifier.deadline  # seconds, since the clocks of two machines have nothing in common
    verifier = replace(task.verifier, deadline=time.monotonic() + left)
    return task.function(verifier, task.seed, *task.arguments)


def run_all(tasks: list[Task], executor: Executor | None, progress: bool) -> tuple[list[Any], str]:
    """Run tasks in order.

    Parameters
    ----------
    tasks : list of Task
        The deadline of each one's verifier is in seconds from now.
    executor : concurrent.futures.Executor or None
        None runs them here.
    progress : bool
        Show a bar, if there is a terminal or a notebook to show it in.

    Returns
    -------
    results : list
    remark : str
        What did not go as asked for, or nothing.
    """
    start, remark = time.monotonic(), ""
    if executor is not None and not isinstance(executor, ThreadPoolExecutor) and not _travels(tasks):
        executor, remark = None, "Run in this process: the verifier cannot be pickled, so no other process can run it."
    with _bar(len(tasks), progress) as bar:

        def here(task: Task) -> Any:
            left = task.verifier.deadline - (time.monotonic() - start)
            result = run(task._replace(verifier=replace(task.verifier, deadline=left)))
            bar.update()
            return result

        if executor is None:
            return [here(task) for task in tasks], remark
        futures: list[Future[Any]] = []
        try:
            for task in tasks:
                futures.append(executor.submit(run, task))
        except BrokenExecutor:
            remark = _broken()
        results = []
        try:
            for i, task in enumerate(tasks):
                try:
                    if i >= len(futures):
                        raise BrokenExecutor
                    result = futures[i].result()
                    bar.update()
                except BrokenExecutor:
                    remark = _broken()
                    result = here(task)
                results.append(result)
        finally:
            for future in futures:
                future.cancel()
        return results, remark


def _broken() -> str:
    return "A worker was lost: what it had not finished was run in this process, with the same seeds."


def _travels(tasks: list[Task]) -> bool:
    try:
        pickle.dumps(tasks)
    except Exception:  # what a pickle raises is up to the object
        return False
    return True


class _NoBar:
    """Stands in for a progress bar."""

    def __enter__(self) -> _NoBar:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def update(self, n: int = 1) -> None:
        """Nothing to show."""


def _bar(total: int, progress: bool) -> Any:
    notebook = "ipykernel" in sys.modules
    if not progress or not (notebook or sys.stderr.isatty()):
        return _NoBar()
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _NoBar()
    return tqdm(total=total, desc="audit", unit="task", leave=False, delay=0 if not notebook else 2)


def by_name(tasks: Iterable[Task], results: Iterable[Any]) -> dict[str, list[Any]]:
    """Results of each check's tasks."""
    found: dict[str, list[Any]] = {}
    for task, result in zip(tasks, results, strict=True):
        found.setdefault(task.name, []).append(result)
    return found
