"""python -m specviz audit | bench | catalogue | false-alarms | figures | notebooks | screenshots."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: list[str] | None = None) -> None:
    """Run one command; each imports only what it needs."""
    parser = argparse.ArgumentParser(prog="python -m specviz", description="Speculative sampling, shown, proved and audited.")
    commands = parser.add_subparsers(dest="command", required=True)
    if (arguments or sys.argv[1:])[:1] == ["audit"]:  # the only one that needs scipy to know its options
        from .auditing import command

        command.add_arguments(commands.add_parser("audit", help="is a verifier lossless? exit status 0, 1 or 2"))
        sys.exit(command.run(parser.parse_args(arguments)))
    commands.add_parser("audit", help="is a verifier lossless? audit --help says more")
    catalogue = commands.add_parser("catalogue", help="audit every catalogued verifier and write the table")
    catalogue.add_argument("--seeds", type=int, default=5, help="seeds (default 5)")
    catalogue.add_argument(
        "--budget", default="standard", choices=["quick", "standard"], help="how much is drawn (default standard)"
    )
    catalogue.add_argument("--to", type=Path, default=ROOT / "figures" / "catalogue.md", help="file to write")
    alarms = commands.add_parser("false-alarms", help="measure the audit's false-alarm rate")
    alarms.add_argument("--seeds", type=int, default=2000, help="seeds (default 2000)")
    bench = commands.add_parser("bench", help="time verify against the textbook way, as ratios")
    bench.add_argument("--rounds", type=int, default=15, help="interleaved repetitions (default 15)")
    bench.add_argument("--browser", action="store_true", help="time key press to picture in a real browser instead")
    bench.add_argument("--presses", type=int, default=60, help="key presses an explorer with --browser (default 60)")
    figures = commands.add_parser("figures", help="make every picture in figures/")
    figures.add_argument("--to", type=Path, default=ROOT / "figures", help="folder to write to")
    notebooks = commands.add_parser("notebooks", help="run every notebook and write its outputs")
    notebooks.add_argument("files", nargs="*", type=Path, help="notebooks to run (default: all)")
    screenshots = commands.add_parser("screenshots", help="take a picture of every explorer in JupyterLab, light and dark")
    screenshots.add_argument("--to", type=Path, default=ROOT / "screenshots", help="folder to write to")
    chosen = parser.parse_args(arguments)
    if chosen.command == "false-alarms":
        from .dev.survey import false_alarms

        print(false_alarms(chosen.seeds))
        return
    if not (ROOT / "notebooks").is_dir():
        parser.exit(2, f"{chosen.command} works in the project's own folder: clone it, and install it with requirements.txt\n")
    if chosen.command == "catalogue":
        from .dev.survey import write_catalogue

        sys.exit(not write_catalogue(chosen.to, chosen.seeds, chosen.budget))
    if chosen.command == "screenshots" or (chosen.command == "bench" and chosen.browser):
        from .dev.browser import NoBrowserError

        try:
            if chosen.command == "bench":
                from .dev.latency import run as measure

                measure(chosen.presses)
            else:
                from .dev.screenshots import take

                take(chosen.to)
        except NoBrowserError as error:
            parser.exit(2, f"{error}\n")
    elif chosen.command == "bench":
        from .dev.bench import run

        run(chosen.rounds)
    elif chosen.command == "figures":
        from .dev.figures import make

        make(chosen.to)
    else:
        from .dev.notebooks import execute

        for path in chosen.files or sorted((ROOT / "notebooks").glob("*.ipynb")):
            execute(path)


if __name__ == "__main__":
    main()
