"""How good the audit is: its verdict on every entry of the catalogue, and its rate of false alarms over many seeds."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from scipy import stats

from ..auditing.checks import CHECKS
from ..auditing.diagnosis.fingerprints import write as write_fingerprints
from ..auditing.options import Options
from ..auditing.run import audit, run_checks
from ..catalogue.index import CATALOGUE, mutant
from ..models.designed import CHAINS
from ..rules.token import verify


class Verdict(NamedTuple):
    """What one audit said of one entry."""

    name: str
    seed: int
    passed: bool
    seen_by: tuple[str, ...]
    noted: bool
    diagnosis: tuple[str, ...]


def survey_one(name: str, seed: int, budget: str, stop_early: bool = False) -> Verdict:
    """Audit one entry of the catalogue."""
    verifier, drafter = mutant(name).build(CHAINS["A"]), mutant(name).drafter
    report = audit(verifier, seed=seed, budget=budget, drafter=drafter, name=name, progress=False, stop_early=stop_early)
    seen = tuple(check.name for check in report.failed)
    noted = any(check.name == "bad input" and check.verdict == "note" and "in p" in check.finding for check in report.checks)
    known = report.diagnosis.candidates[0].names if report.diagnosis and report.diagnosis.known else ()
    return Verdict(name, seed, report.passed, seen, noted, tuple(known))


def right(verdict: Verdict) -> bool:
    """Is the verdict the catalogue's? A fault for bad input alone has to be noted: on valid input nothing is wrong with it."""
    entry = mutant(verdict.name)
    if entry.lossless:
        return verdict.passed
    return not verdict.passed or (entry.seen_by == {"bad input"} and verdict.noted)


def survey(seeds: Iterable[int] = range(5), budget: str = "standard", names: Iterable[str] | None = None) -> list[Verdict]:
    """Audit every entry with every seed, in two processes."""
    jobs = [(name, seed) for name in (names or [m.name for m in CATALOGUE]) for seed in seeds]
    with ProcessPoolExecutor(2) as pool:
        return list(pool.map(survey_one, *zip(*jobs, strict=True), [budget] * len(jobs)))


def table(verdicts: list[Verdict], budget: str) -> str:
    """Verdicts as a Markdown page: one row for each entry."""
    names = list(dict.fromkeys(v.name for v in verdicts))
    wrong = sum(not right(v) for v in verdicts)
    seeds = len({v.seed for v in verdicts})
    lossless = sum(mutant(name).lossless for name in names)
    lines = [
        "# What the audit says of every catalogued verifier",
        "",
        f"{len(names)} verifiers, {lossless} of them right; budget {budget}, {seeds} seed(s), rate 0.001;",
        f"{wrong} verdict(s) wrong.",
        "`python -m specviz catalogue` makes this page.",
        "",
        "| verifier | what it does | verdict | seen by | named as |",
        "|---|---|---|---|---|",
    ]
    for name in names:
        mine = [v for v in verdicts if v.name == name]
        failed = sum(not v.passed for v in mine)
        word = "passed" if failed == 0 else f"refuted {failed} of {len(mine)}"
        if failed == 0 and all(v.noted for v in mine) and not mutant(name).lossless:
            word = "passed, with a note on bad input"
        seen = list(dict.fromkeys(_short(check) for v in mine for check in v.seen_by))
        named = next((v.diagnosis for v in mine if v.diagnosis), ())
        lines.append(f"| `{name}` | {mutant(name).what} | {word} | {', '.join(seen)} | {', '.join(named)} |")
    return "\n".join(lines) + "\n"


def _short(check: str) -> str:
    return check.split(", chain")[0]


def write_catalogue(path: Path, seeds: int = 5, budget: str = "standard") -> bool:
    """Write what is made from the catalogue: the fingerprints, by which faults are named, and then the page of verdicts.

    Returns
    -------
    bool
        Is every verdict the catalogue's?
    """
    write_fingerprints()
    verdicts = survey(range(seeds), budget)
    path.write_text(table(verdicts, budget), encoding="utf-8")
    off = [f"{v.name} (seed {v.seed})" for v in verdicts if not right(v)]
    print(f"{len(verdicts)} audits, {len(off)} wrong verdict(s){': ' if off else ''}{', '.join(off)}; written to {path}")
    return not off


def law_alarm(seed: int, alpha: float = 0.001) -> tuple[bool, float]:
    """Does a report on `verify` fail in its quick tests of the law? And its smallest p-value, times the number of tests."""
    asked = Options(budget="quick", seed=seed, alpha=alpha, progress=False)
    report = run_checks(verify, asked, [check for check in CHECKS if check.kind == "statistical"])
    decided = [found.p_value for found in report.checks if found.verdict != "note"]
    return not report.passed, min(decided) * len(decided)


def false_alarms(seeds: int = 2000) -> str:
    """Measure the false-alarm rate of the quick tests of the law on `verify`, at three rates."""
    with ProcessPoolExecutor(2) as pool:
        smallest = [least for _, least in pool.map(law_alarm, range(seeds), chunksize=10)]
    lines = [f"{seeds:,} seeds of the quick tests of the law, verifier: verify"]
    for alpha in (0.001, 0.01, 0.05):
        alarms = sum(least < alpha for least in smallest)
        low = stats.beta.ppf(0.025, alarms, seeds - alarms + 1) if alarms else 0.0
        high = stats.beta.ppf(0.975, alarms + 1, seeds - alarms)
        lines.append(f"  rate {alpha:.3f}: {alarms:4d} false alarms, {alarms / seeds:.4f} (95% interval {low:.4f} to {high:.4f})")
    return "\n".join(lines)
