"""The command `false-alarms`: how often the audit's tests of the law refute a right verifier."""

from __future__ import annotations

import argparse

from .survey import false_alarms


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("--seeds", type=int, default=2000, help="seeds (default 2000)")


def run(chosen: argparse.Namespace) -> int:
    """Print how many there were, at three rates."""
    print(false_alarms(chosen.seeds))
    return 0
