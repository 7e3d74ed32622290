"""The audit: certain checks first, then what needs statistics, at one false-alarm rate for the whole report."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..models.designed import CHAINS
from .check import Check
from .checks.calls import certain_checks, plain_call
from .checks.conformance import judge_conformance
from .checks.drawing import Drafter, pair_of
from .checks.prefixes import count_prefixes, judge_prefixes
from .checks.rounds import judge_rounds
from .checks.rows import Rows, count_rows, judge_rows
from .checks.sequences import Sequences, count_sequences, first_rounds, judge_sequences, sequence_sensitivity
from .checks.tokens import judge_tokens, pace
from .checks.wide import count_wide, judge_wide
from .report import AuditReport
from .subject.contract import Adapted, VerifierError
from .tasks import Task, by_name, run_all


@dataclass(frozen=True)
class Budget:
    """How much is drawn: sequences a chain, rounds with whole prefixes, rounds at V = 4,200, calls of 64 rows; and seconds."""

    sequences: int
    prefixes: int
    wide: int
    calls: int
    parts: int = 1
    seconds: float = 60.0


BUDGETS = {
    "quick": Budget(4000, 4000, 1000, 100, seconds=60),
    "standard": Budget(20_000, 20_000, 5000, 600, seconds=180),
    "deep": Budget(400_000, 400_000, 60_000, 3000, parts=20, seconds=1200),
}


class LosslessnessError(AssertionError):
    """A verifier is not lossless; `report` is the AuditReport."""

    def __init__(self, message: str, report: AuditReport) -> None:
        super().__init__(message)
        self.report = report


def audit(
    verifier: Callable[..., Any],
    *,
    seed: int = 0,
    budget: str = "standard",
    alpha: float = 0.001,
    claims: str | None = None,
    executor: Executor | None = None,
    progress: bool = True,
    one_row: bool = False,
    drafter: Drafter | None = None,
    name: str | None = None,
    stop_early: bool = False,
    call_seconds: float = 20.0,
) -> AuditReport:
    """Is a verifier lossless: do the tokens that it lets through have exactly the target's distribution?

    Parameters
    ----------
    verifier : callable
        Of the common signature (draft, q, p, num_draft, rng): see `specviz.verify`. Arrays, lists or tensors may come back.
    seed : int
        Seeds every stream; fixed before looking.
    budget : str
        "quick", "standard" or "deep": under 2 s, 10 s and 2 minutes for `verify` on two cores. "anytime" stops as soon as the
        evidence suffices, by an e-process; see `specviz.auditing.checks.anytime`.
    alpha : float
        False-alarm rate of the whole report.
    claims : str, optional
        "token rule": the verifier must be that very rule, not just a lossless one.
    executor : concurrent.futures.Executor, optional
        Where the sampling runs; results are equal for every executor. "deep" takes a process pool unless one is given.
    progress : bool
        Show a bar in a terminal or a notebook.
    one_row : bool
        The verifier takes one row at a time: draft [K], q [K, V], p [K + 1, V], an int and rng.
    drafter : callable, optional
        Maps a MarkovPair to the one that drafts really come from, to audit a fault of the drafter's side.
    name : str, optional
        What to call the verifier; its `__name__` unless given.
    stop_early : bool
        Ask no further once a check has failed.
    call_seconds : float
        A call that takes longer is stopped: in the main thread, on a system with SIGALRM. The whole audit has a limit as well.

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
    The certain checks have no false alarms. The rest share `alpha` evenly: two for each designed chain, one each for laws of the
    whole prefix, a large vocabulary, the independence of rows and the bound on accepted drafts, and one for the token rule if it
    is claimed. By the union bound a lossless verifier fails the report with probability `alpha` at most, as far as the tests keep
    theirs: `python -m specviz false-alarms` measures it.
    """
    _check_arguments(verifier, budget, alpha, claims)
    called = name or str(getattr(verifier, "__name__", type(verifier).__name__))
    limits = BUDGETS.get(budget, BUDGETS["standard"])
    begun = time.monotonic()
    adapted = Adapted(verifier, one_row, call_seconds, begun + limits.seconds)
    try:
        plain_call(adapted, seed)
    except VerifierError as error:
        if error.part != "values":
            raise VerifierError(f"{called} could not be audited: it {error}", error.part) from error
    checks: list[Check] = []
    for _, ask in certain_checks(adapted, seed):
        checks.append(ask())
        if stop_early and checks[-1].verdict == "FAIL":
            return AuditReport(called, tuple(checks), alpha, float("nan"))
    adapted.deadline = begun + limits.seconds - time.monotonic()
    if budget == "anytime":
        from .checks.anytime import check_anytime

        adapted.deadline = begun + limits.seconds
        checks.append(check_anytime(adapted, seed, alpha, drafter))
        return AuditReport(called, tuple(checks), alpha, float("nan"))
    tasks = plan(adapted, seed, limits, drafter)
    try:
        with ExitStack() as stack:
            if executor is None and budget == "deep":
                executor = stack.enter_context(ProcessPoolExecutor(2))
            results, remark = run_all(tasks, executor, progress)
    except VerifierError as error:
        if error.part == "time":
            raise VerifierError(f"{called} could not be audited: it {error}", error.part) from error
        finding = f"the verifier {error}" if error.part != "values" else f"the verifier's {error}"
        checks.append(Check("sampling", "FAIL", finding, ran="ragged rounds on the designed chains"))
        return AuditReport(called, tuple(checks), alpha, float("nan"))
    found = {key: merge(parts) for key, parts in by_name(tasks, results).items()}
    return conclude(called, checks, found, limits, alpha, claims, drafter, remark)


def plan(adapted: Adapted, seed: int, limits: Budget, drafter: Drafter | None) -> list[Task]:
    """The tasks of a budget: fixed by it and the seed alone."""
    jobs: list[tuple[str, Callable[..., Any], tuple[Any, ...]]] = []
    share = limits.parts
    for _ in range(share):
        for chain in CHAINS:
            jobs.append((chain, count_sequences, (limits.sequences // share, chain, drafter)))
        jobs.append(("prefix", count_prefixes, (limits.prefixes // share, drafter)))
        jobs.append(("rows", count_rows, (limits.calls // share, 64, drafter)))
        if drafter is None:  # a drafter is a map of chains, and the large vocabulary is none
            jobs.append(("wide", count_wide, (limits.wide // share,)))
    seeds = np.random.SeedSequence(seed).spawn(len(jobs))
    return [Task(key, job, adapted, own, arguments) for (key, job, arguments), own in zip(jobs, seeds, strict=True)]


def conclude(
    called: str,
    checks: list[Check],
    found: dict[str, Any],
    limits: Budget,
    alpha: float,
    claims: str | None,
    drafter: Drafter | None,
    remark: str = "",
) -> AuditReport:
    """Judge what was counted."""
    counted = {chain: found[chain] for chain in CHAINS}
    pairs = {chain: pair_of(chain, drafter) for chain in CHAINS}
    claimed = claims is not None
    each = alpha / (2 * len(CHAINS) + 2 + (drafter is None) + 1 + claimed)
    for chain, one in counted.items():
        checks.append(judge_sequences(one, chain, each))
        ran = f"all rounds of {limits.sequences:,} sequences on chain {chain}"
        checks.append(judge_rounds(one.groups, CHAINS[chain].target, f"rounds, chain {chain}", ran, each))
    checks.append(judge_prefixes(found["prefix"], each))
    if "wide" in found:
        checks.append(judge_wide(found["wide"], each))
    checks.append(judge_rows(found["rows"], limits.calls, 64, each))
    checks.append(judge_tokens(counted, pairs, each))
    checks.append(judge_conformance(counted, pairs, each, deciding=claimed))
    sensitivity = max(sequence_sensitivity(chain, limits.sequences, each) for chain in CHAINS)
    law_failed = any(c.verdict == "FAIL" and c.name.startswith(("sequences", "rounds", "acceptance")) for c in checks)
    diagnosis = None
    if law_failed:
        from .diagnosis.diagnose import diagnose

        diagnosis = diagnose(first_rounds(counted), alpha=alpha)
    remarks = (remark,) if remark else ()
    speed = pace(counted["A"], pairs["A"])
    return AuditReport(called, tuple(checks), alpha, sensitivity, diagnosis, speed, remarks)


def merge(results: list[Any]) -> Any:
    """Join what the tasks of one check counted."""
    first = results[0]
    if isinstance(first, Sequences):
        added = [sum(parts) for parts in zip(*(r[:4] for r in results), strict=True)]
        return Sequences(*added, *(np.concatenate(parts) for parts in zip(*(r[4:] for r in results), strict=True)))
    if isinstance(first, Rows):
        each, pairs, excess = zip(*results, strict=True)
        return Rows(_sum(each), _sum(pairs), np.concatenate(excess))
    return _sum(results)


def _sum(results: Any) -> Any:
    total, *rest = results
    for more in rest:
        total = total + more
    return total


def _check_arguments(verifier: Any, budget: str, alpha: float, claims: str | None) -> None:
    if not callable(verifier):
        raise ValueError(f"verifier is {verifier!r}; expected a callable (draft, q, p, num_draft, rng)")
    if budget != "anytime" and budget not in BUDGETS:
        raise ValueError(f"budget is {budget!r}; expected one of {', '.join([*BUDGETS, 'anytime'])}")
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is {alpha}; expected a rate between 0 and 1")
    if claims not in (None, "token rule"):
        raise ValueError(f"claims is {claims!r}; expected 'token rule' or nothing")


def assert_lossless(verifier: Callable[..., Any], **options: Any) -> None:
    """Raise unless an audit passes: for test suites.

    Parameters
    ----------
    verifier : callable
    **options
        As for `audit`; no progress bar unless asked for.

    Raises
    ------
    LosslessnessError
        An AssertionError. Its message is a sentence that names the fault, and a reproducer of at most three lines.
    ValueError
        As for `audit`.
    """
    report = audit(verifier, **{"progress": False, **options})
    if report.passed:
        return
    check = report.failed[0]
    fault = report.diagnosis.sentence if report.diagnosis is not None and report.diagnosis.known else check.finding
    line = f"{report.verifier} is not lossless ({check.name}): {fault}"
    with_example = next((c.example for c in report.failed if c.example), "")
    again = with_example or f"specviz.audit({report.verifier}, seed={options.get('seed', 0)})"
    raise LosslessnessError(f"{line}\n{again}", report)
