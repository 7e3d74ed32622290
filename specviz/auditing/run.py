"""The audit: every check that applies, at one false-alarm rate for the whole report."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from .check import Check, Counted, Draw, Found, Probe
from .checks import CHECKS
from .options import BUDGETS, Budget, Options
from .progress import shown
from .report import AuditReport
from .subject.batches import ragged
from .subject.contract import Adapted, VerifierError
from .subject.generators import generator
from .tasks import Task, run_all

SCOPE = (
    "it covers these instances, up to three drafts a row, and biases of that size. Other shapes, "
    "devices and number formats, and how the engine makes p, q and the drafts, were not run."
)


class LosslessnessError(AssertionError):
    """A verifier is not lossless; `report` is the AuditReport."""

    def __init__(self, message: str, report: AuditReport) -> None:
        super().__init__(message)
        self.report = report


def audit(verifier: Callable[..., Any], budget: str = "standard", seed: int = 0, **options: Any) -> AuditReport:
    """Is a verifier lossless: do the tokens that it lets through have exactly the target's distribution?

    Parameters
    ----------
    verifier : callable
        Of the common signature (draft, q, p, num_draft, rng): see `specviz.verify`. Arrays, lists or tensors may come back.
    budget : str
        "quick", "standard" or "deep": under 2 s, 10 s and 2 minutes for `verify` on two cores; or "anytime".
    seed : int
        Seeds every stream; fixed before looking.
    **options
        alpha, claims, executor, progress, one_row, drafter, name, stop_early, call_seconds: see
        `specviz.auditing.options.Options`.

    Returns
    -------
    AuditReport

    Raises
    ------
    ValueError
        For arguments out of range.
    VerifierError
        A ValueError: the verifier could not be run at all, since an ordinary call raises, takes too long or returns something
        else than tokens [B, K + 1] and n_out [B].

    Notes
    -----
    Certain and exact checks have no false alarms. The statistical ones that decide share `alpha` evenly; `python -m specviz
    checks` lists them all. By the union bound a lossless verifier fails the report with probability `alpha` at most, as far as
    the tests keep theirs: `python -m specviz false-alarms` measures it.
    """
    if not callable(verifier):
        raise ValueError(f"verifier is {verifier!r}; expected a callable (draft, q, p, num_draft, rng)")
    return run_checks(verifier, Options.of(budget, seed, options))


def run_checks(verifier: Callable[..., Any], asked: Options, checks: Sequence[Check] = CHECKS) -> AuditReport:
    """Ask those of the checks that apply.

    Parameters
    ----------
    verifier : callable
    asked : Options
    checks : sequence of Check
        In the order of the report: those that ask by themselves, then those that judge what was drawn.

    Returns
    -------
    AuditReport
    """
    called = asked.name or str(getattr(verifier, "__name__", type(verifier).__name__))
    limits = BUDGETS[asked.budget]
    deadline = time.monotonic() + limits.seconds
    adapted = Adapted(verifier, asked.one_row, asked.call_seconds, deadline)
    active = [check for check in checks if check.applies(asked)]
    rate = asked.alpha / max(1, sum(check.kind == "statistical" and check.decides(asked) for check in active))
    found: list[Found] = []
    try:
        _plain_call(adapted, asked.seed)
        for probe in (check for check in active if isinstance(check, Probe)):
            found.append(_asked(probe, adapted, asked, rate))
            if asked.stop_early and found[-1].verdict == "FAIL":
                return AuditReport(called, tuple(found), asked.alpha, SCOPE)
        counted = [check for check in active if isinstance(check, Counted)]
        counts, remark = _draw(counted, adapted, asked, limits, deadline)
    except VerifierError as error:
        raise VerifierError(f"{called} could not be audited: it {error}", error.part) from error
    judged = [_judged(check, counts, asked, rate) for check in counted]
    diagnosis = _named(counted, judged, counts, asked.alpha)
    return AuditReport(called, (*found, *judged), asked.alpha, SCOPE, diagnosis, (remark,) if remark else ())


def _plain_call(verifier: Adapted, seed: int) -> None:
    """The most ordinary call there is: full rows. A verifier that fails here could not be run at all."""
    case = ragged(seed, B=8)
    try:
        verifier(*case._replace(num_draft=np.full(8, 3)), generator(seed))
    except VerifierError as error:
        if error.part != "values":  # impossible values are a finding, which a check will make
            raise


def _asked(check: Probe, verifier: Adapted, asked: Options, rate: float) -> Found:
    try:
        return check.ask(verifier, asked, rate)
    except VerifierError as error:
        if error.part == "time":
            raise
        return check.broken(error)


def _draw(
    checks: Sequence[Counted], verifier: Adapted, asked: Options, limits: Budget, deadline: float
) -> tuple[dict[Draw, Any], str]:
    """The sum of each draw's counts, or the error that one of its tasks met; and a remark on how they ran."""
    draws = list(dict.fromkeys(draw for check in checks for draw in check.draws))
    tasks = plan(draws, verifier, asked, limits)
    executor = asked.executor
    with ExitStack() as stack:
        if executor is None and limits.parts > 1:
            executor = stack.enter_context(ProcessPoolExecutor(2))
        results, remark = run_all(tasks, executor, deadline, stack.enter_context(shown(asked.progress)))
    of_draw: dict[Draw, list[Any]] = {draw: [] for draw in draws}
    for task, result in zip(tasks, results, strict=True):
        of_draw[task.draw].append(result)
    return {draw: _sum(parts) for draw, parts in of_draw.items()}, remark


def plan(draws: Sequence[Draw], verifier: Adapted, asked: Options, limits: Budget) -> list[Task]:
    """The tasks of a budget, in turn: fixed by the draws, the budget and the seed alone."""
    tasks = []
    for draw in draws:
        own = np.random.SeedSequence(asked.seed, spawn_key=(draw.stream,))
        seeds = own.spawn(limits.parts) if limits.parts > 1 else [own]
        tasks.append(
            [Task(draw, verifier, seed, (draw.sizes.at(asked.budget) or 0) // limits.parts, asked.drafter) for seed in seeds]
        )
    return [task for turn in zip(*tasks, strict=True) for task in turn]


def _sum(parts: Sequence[Any]) -> Any:
    broken = next((part for part in parts if isinstance(part, VerifierError)), None)
    return reduce(add, parts) if broken is None else broken


def _judged(check: Counted, counts: Mapping[Draw, Any], asked: Options, rate: float) -> Found:
    own = [counts[draw] for draw in check.draws]
    broken = next((each for each in own if isinstance(each, VerifierError)), None)
    return check.judge(own, asked, rate) if broken is None else check.broken(broken)


def _named(checks: Sequence[Counted], judged: Sequence[Found], counts: Mapping[Draw, Any], alpha: float) -> Any:
    """The likeliest fault, if a check failed whose counts hold first rounds, by which faults are recognised."""
    failed = {draw for check, found in zip(checks, judged, strict=True) if found.verdict == "FAIL" for draw in check.draws}
    whole = {draw: each for draw, each in counts.items() if not isinstance(each, VerifierError)}
    observed = {draw: rounds for draw, each in whole.items() if (rounds := draw.first_rounds(each)) is not None}
    if not failed & observed.keys():
        return None
    from .diagnosis.diagnose import diagnose

    return diagnose(list(observed.values()), alpha=alpha)


def assert_lossless(verifier: Callable[..., Any], budget: str = "standard", seed: int = 0, **options: Any) -> None:
    """Raise unless an audit passes: for test suites.

    Parameters
    ----------
    verifier : callable
    budget, seed, **options
        As for `audit`; no progress bar unless asked for.

    Raises
    ------
    LosslessnessError
        An AssertionError. Its message is a sentence that names the fault, and a reproducer of at most three lines.
    ValueError
        As for `audit`.
    """
    report = audit(verifier, budget, seed, **{"progress": False, **options})
    if report.passed:
        return
    with_example = next((found.example for found in report.failed if found.example), "")
    again = with_example or f"specviz.audit({report.verifier}, budget={budget!r}, seed={seed})"
    raise LosslessnessError(f"{report.accusation}\n{again}", report)
