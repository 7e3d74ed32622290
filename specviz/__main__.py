"""The command line: a table of commands, nothing else. `python -m specviz`, and the console script `specviz`."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple


class Command(NamedTuple):
    """One command.

    Attributes
    ----------
    help : str
        What it does, in a line.
    module : str
        Has `add_arguments(parser)`, which declares its options, and `run(chosen)`, which does it and returns the exit status.
        Only the module of the command that is chosen is imported.
    """

    help: str
    module: str

    @property
    def needs_project(self) -> bool:
        """Is it a tool of the developers? Their folder is not in the wheel."""
        return self.module.startswith("dev.")

    def load(self) -> Any:
        """Import the module."""
        return import_module(f"specviz.{self.module}")


COMMANDS = {
    "audit": Command("is a verifier lossless? exit status 0, 1 or 2", "auditing.command"),
    "checks": Command("list the questions that an audit asks", "auditing.list_checks"),
    "catalogue": Command("write the fingerprints, audit every catalogued verifier and write the table", "dev.catalogue"),
    "false-alarms": Command("measure the audit's false-alarm rate", "dev.false_alarms"),
    "bench": Command("time verify against the textbook way, as ratios", "dev.bench"),
    "figures": Command("make every picture in figures/", "dev.figures"),
    "notebooks": Command("run every notebook and write its outputs", "dev.notebooks"),
    "screenshots": Command("take a picture of every explorer in JupyterLab, light and dark", "dev.screenshots"),
}


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    arguments : list of str, optional
        The command and its options; those of the process unless given.

    Returns
    -------
    int
        The exit status: 0, 1 where the answer is no, 2 where the command could not run.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    as_module = Path(sys.argv[0]).name == "__main__.py"
    parser = argparse.ArgumentParser(
        prog="python -m specviz" if as_module else "specviz", description="Speculative sampling, shown, proved and audited."
    )
    parsers = parser.add_subparsers(dest="command", required=True)
    for name, command in COMMANDS.items():
        options = parsers.add_parser(name, help=command.help)
        if arguments[:1] == [name]:
            if command.needs_project and not Path(__file__).with_name("dev").is_dir():
                parser.exit(2, f"{name} needs the project's own folder: clone it, and install it with requirements.txt\n")
            command.load().add_arguments(options)
    chosen = parser.parse_args(arguments)
    return int(COMMANDS[chosen.command].load().run(chosen))


if __name__ == "__main__":
    sys.exit(main())
