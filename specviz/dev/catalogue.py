"""The command `catalogue`: audit every catalogued verifier and write what was said of it as a table."""

from __future__ import annotations

import argparse
from pathlib import Path

from . import ROOT
from .survey import write_catalogue


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("--seeds", type=int, default=5, help="seeds (default 5)")
    parser.add_argument(
        "--budget", default="standard", choices=["quick", "standard"], help="how much is drawn (default standard)"
    )
    parser.add_argument("--to", type=Path, default=ROOT / "figures" / "catalogue.md", help="file to write")


def run(chosen: argparse.Namespace) -> int:
    """0 if every verdict is right, else 1."""
    return 0 if write_catalogue(chosen.to, chosen.seeds, chosen.budget) else 1
