"""Every picture in figures/: each explorer at three settings, byte-identical when made again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from .explorers.figview import FigView
from .explorers.grid import grid_explorer
from .explorers.law import law_explorer
from .explorers.needles import needles_explorer
from .explorers.round import round_explorer
from .explorers.speed import speed_explorer
from .explorers.split import PRESETS, context_explorer, split_explorer
from .explorers.square import PRESETS as SQUARES
from .explorers.square import square_explorer


def _preset(name: str, **more: Any) -> dict[str, Any]:
    p, q = PRESETS[name]
    return {"p": tuple(p), "q": tuple(q), **more}


SETTINGS: dict[str, tuple[Callable[[], FigView], list[dict[str, Any]]]] = {
    "round": (round_explorer, [{"seed": 3, "step": 1}, {"seed": 3, "step": 5}, {"seed": 0, "step": 5}]),
    "split": (
        split_explorer,
        [
            _preset("the chapter's pair", replacement="residual"),
            _preset("the chapter's pair", replacement="p"),
            _preset("mirrored", replacement="residual"),
        ],
    ),
    "context": (context_explorer, [{"round": 10, "position": 1}, {"round": 24, "position": 2}, {"round": 0, "position": 1}]),
    "square": (
        square_explorer,
        [
            SQUARES["the chapter's pair"],
            {**SQUARES["the target never says D"], "comparison": "weak"},
            {**SQUARES["the chapter's pair"], "comparison": "strict", "darts": 300},
        ],
    ),
    "grid": (grid_explorer, [{}, {"count": "sum"}, {"count": "run", "bonus_row": "K"}]),
    "speed": (
        speed_explorer,
        [
            {},
            {"alpha": 0.77, "K": 4, "beside": "recorded"},
            {"alpha": 0.5, "cost": 0.4, "K": 3, "beside": "formula"},
        ],
    ),
    "needles": (
        needles_explorer,
        [{"verifier": "replacement_from_p"}, {"verifier": "one_uniform_per_row"}, {"verifier": "match_target"}],
    ),
    "law": (
        law_explorer,
        [{"verifier": "verify"}, {"verifier": "replacement_from_p"}, {"verifier": "one_uniform_per_row", "n": 2_000}],
    ),
}
"""Explorers by the name of their pictures, each with the settings that are shown."""


def make(folder: Path) -> list[Path]:
    """Write each explorer's picture at each of its settings.

    Parameters
    ----------
    folder : Path
        Made if it is not there.

    Returns
    -------
    list of Path
        ``round_1.png``, ``round_2.png``, ... A file whose bytes would not change is not touched.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, (explorer, settings) in SETTINGS.items():
        view = explorer()
        for number, setting in enumerate(settings, 1):
            says = view.set(**setting)
            path = folder / f"{name}_{number}.png"
            if not path.exists() or path.read_bytes() != view.picture.value:
                path.write_bytes(view.picture.value)
            written.append(path)
            print(f"{path.name}: {says}")
    return written
