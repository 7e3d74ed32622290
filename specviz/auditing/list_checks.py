"""The command `checks`: the questions that an audit asks."""

from __future__ import annotations

import argparse
import textwrap

from .checks import describe_checks


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """It has no options."""


def run(chosen: argparse.Namespace) -> int:
    """Print name, kind and question of every check."""
    print(describe_checks())
    print()
    print(textwrap.fill(KINDS, 100))
    return 0


KINDS = (
    "A certain check shows a counter-example or none; an exact one measures a law without chance; neither has false alarms. The "
    "statistical ones share the report's false-alarm rate evenly, but for those that only make a note."
)
