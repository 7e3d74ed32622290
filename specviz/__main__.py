"""python -m specviz bench | figures | notebooks."""

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
    figures = commands.add_parser("figures", help="make every picture in figures/")
    figures.add_argument("--to", type=Path, default=ROOT / "figures", help="folder to write to")
    notebooks = commands.add_parser("notebooks", help="run every notebook and write its outputs")
    notebooks.add_argument("files", nargs="*", type=Path, help="notebooks to run (default: all)")
    chosen = parser.parse_args(arguments)
    if not (ROOT / "notebooks").is_dir():
        parser.exit(2, f"{chosen.command} works in the project's own folder: clone it, and install it with requirements.txt\n")
    if chosen.command == "bench":
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
