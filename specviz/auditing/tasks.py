"""Tasks with seeds of their own, run here or by any executor: what comes out does not depend on who runs them."""

from __future__ import annotations

import pickle
import time
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from .check import Draw
from .options import Drafter, Progress
from .subject.contract import Adapted, VerifierError


class Task(NamedTuple):
    """One part of a draw.

    Attributes
    ----------
    draw : Draw
    verifier : Adapted
    seed : numpy.random.SeedSequence
    n : int
        How much to draw.
    drafter : callable or None
    """

    draw: Draw
    verifier: Adapted
    seed: np.random.SeedSequence
    n: int
    drafter: Drafter | None


def run(task: Task, timeout: float) -> Any:
    """Run a task; a broken contract is its result, so that what other tasks have counted is not lost.

    At the top of a module, so that a worker process can find it.

    Parameters
    ----------
    task : Task
    timeout : float
        Seconds from now until the last call of the verifier must have ended; the clocks of two machines have nothing in common.

    Raises
    ------
    VerifierError
        If the verifier takes too long.
    """
    verifier = replace(task.verifier, deadline=time.monotonic() + timeout)
    try:
        return task.draw.count(verifier, task.seed, task.n, task.drafter)
    except VerifierError as error:
        if error.part == "time":
            raise
        return error


def run_all(
    tasks: Sequence[Task], executor: Executor | None, deadline: float, progress: Progress = lambda done, total: None
) -> tuple[list[Any], str]:
    """Run tasks in order.

    Parameters
    ----------
    tasks : sequence of Task
    executor : concurrent.futures.Executor or None
        None runs them here.
    deadline : float
        Value of `time.monotonic` at which all must be done.
    progress : callable
        Is told after each task how many of how many are done.

    Returns
    -------
    results : list
        Counts, or the VerifierError of a task.
    remark : str
        What did not go as asked for, or nothing.
    """
    remark = ""
    if executor is not None and not isinstance(executor, ThreadPoolExecutor) and not _travels(tasks):
        executor, remark = None, "Run in this process: the verifier cannot be pickled, so no other process can run it."
    futures: list[Future[Any]] = []
    if executor is not None:
        try:
            for task in tasks:
                futures.append(executor.submit(run, task, deadline - time.monotonic()))
        except BrokenExecutor:
            remark = _BROKEN
    results = []
    try:
        for i, task in enumerate(tasks):
            try:
                result = futures[i].result() if i < len(futures) else run(task, deadline - time.monotonic())
            except BrokenExecutor:
                remark = _BROKEN
                result = run(task, deadline - time.monotonic())
            results.append(result)
            progress(len(results), len(tasks))
    finally:
        for future in futures:
            future.cancel()
    return results, remark


_BROKEN = "A worker was lost: what it had not finished was run in this process, with the same seeds."


def _travels(tasks: Sequence[Task]) -> bool:
    try:
        pickle.dumps(list(tasks))
    except Exception:  # what a pickle raises is up to the object
        return False
    return True
