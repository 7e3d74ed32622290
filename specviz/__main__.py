"""python -m specviz bench | figures | notebooks | screenshots."""

from __future__ import annotations

import argparse
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: list[str] | None = None) -> None:
    """Run one command; each imports only what it needs."""
    parser = argparse.ArgumentParser(prog="python -m specviz", description="Speculative sampling, shown, proved and audited.")
    commands = parser.add_subparsers(dest="command", required=True)
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
    if not (ROOT / "notebooks").is_dir():
        parser.exit(2, f"{chosen.command} works in the project's own folder: clone it, and install it with requirements.txt\n")
    if chosen.command == "screenshots" or (chosen.command == "bench" and chosen.browser):
        from .browser import NoBrowserError

        try:
            if chosen.command == "bench":
                from .latency import run as measure

                measure(chosen.presses)
            else:
                from .screenshots import take

                take(chosen.to)
        except NoBrowserError as error:
            parser.exit(2, f"{error}\n")
    elif chosen.command == "bench":
        from .bench import run

        run(chosen.rounds)
    elif chosen.command == "figures":
        from .figures import make

        make(chosen.to)
    else:
        from .notebooks import execute

        for path in chosen.files or sorted((ROOT / "notebooks").glob("*.ipynb")):
            execute(path)


if __name__ == "__main__":
    main()
