"""python -m specviz audit package.module:function, with exit status 0, 1 or 2."""

from __future__ import annotations

import argparse
import importlib
import inspect
import sys
import traceback
from pathlib import Path
from typing import Any

from .options import BUDGETS
from .run import audit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("verifier", help="package.module:function, of the signature (draft, q, p, num_draft, rng)")
    parser.add_argument("--budget", default="standard", choices=list(BUDGETS), help="how much is drawn")
    parser.add_argument("--seed", type=int, default=0, help="seeds every stream (default 0)")
    parser.add_argument("--alpha", type=float, default=0.001, help="false-alarm rate of the whole report (default 0.001)")
    parser.add_argument("--claims", choices=["token rule"], help="it must be the token rule itself")
    parser.add_argument("--one-row", action="store_true", help="the function takes one row at a time")
    parser.add_argument("--call-seconds", type=float, default=20.0, help="a call that takes longer is stopped (default 20)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the report as JSON")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the report as HTML")
    parser.add_argument("--traceback", action="store_true", help="show where an exception came from")


def run(chosen: argparse.Namespace) -> int:
    """Audit and print.

    Returns
    -------
    int
        0: no fault found. 1: fault found. 2: could not run.
    """
    try:
        verifier = find(chosen.verifier)
        report = audit(
            verifier,
            seed=chosen.seed,
            budget=chosen.budget,
            alpha=chosen.alpha,
            claims=chosen.claims,
            one_row=chosen.one_row,
            call_seconds=chosen.call_seconds,
            name=chosen.verifier,
        )
        print(report)
        if chosen.json:
            chosen.json.write_text(report.to_json() + "\n", encoding="utf-8")
        if chosen.html:
            page = f'<!doctype html><meta charset="utf-8"><title>Audit</title>{report._repr_html_()}\n'
            chosen.html.write_text(page, encoding="utf-8")
    except (ValueError, OSError) as error:
        if chosen.traceback:
            traceback.print_exc()
        else:
            print(f"could not run: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    return 0 if report.passed else 1


def find(where: str) -> Any:
    """The function at package.module:function; the current folder is searched first.

    Raises
    ------
    ValueError
        In one line: a wrong name, an import that fails, something that cannot be called with five arguments.
    """
    module_name, colon, name = where.partition(":")
    if not colon or not module_name or not name:
        raise ValueError(f"{where!r} is no verifier's place; expected package.module:function")
    if module_name.endswith(".py") or "/" in module_name or "\\" in module_name:
        dotted = ".".join(part for part in Path(module_name).with_suffix("").parts if part.isidentifier())
        raise ValueError(f"{where!r} names a file; expected its module: {dotted}:{name}")
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        found: Any = importlib.import_module(module_name)
    except Exception as error:  # the module is the user's, and may raise anything
        raise ValueError(f"cannot import {module_name}: {type(error).__name__}: {error}") from error
    for part in name.split("."):
        if not hasattr(found, part):
            near = [n for n, value in vars(found).items() if callable(value) and not n.startswith("_")][:5]
            raise ValueError(f"{module_name} has no {name!r}; it has {', '.join(near) or 'no functions'}")
        found = getattr(found, part)
    if not callable(found):
        raise ValueError(f"{where} is no function but of type {type(found).__name__}; expected (draft, q, p, num_draft, rng)")
    try:
        inspect.signature(found).bind(*range(5))
    except TypeError:
        raise ValueError(f"{where} takes {inspect.signature(found)}; expected (draft, q, p, num_draft, rng)") from None
    except ValueError:
        pass  # a function of a compiled module does not tell its signature
    return found
