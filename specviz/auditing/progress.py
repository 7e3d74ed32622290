"""A progress bar, where there is a terminal or a notebook to show it in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from .options import Progress


@contextmanager
def shown(progress: bool | Progress) -> Iterator[Progress]:
    """The callback that a run of tasks tells how many of how many are done.

    Parameters
    ----------
    progress : bool or callable
        True shows a bar, if tqdm is there and so is a terminal or a notebook. A callable is called itself.
    """
    if callable(progress):
        yield progress
        return
    notebook = "ipykernel" in sys.modules
    if progress and (notebook or sys.stderr.isatty()):
        try:
            from tqdm.auto import tqdm
        except ImportError:
            pass
        else:
            with tqdm(desc="audit", unit="task", leave=False, delay=2 if notebook else 0) as bar:

                def move(done: int, total: int) -> None:
                    bar.total = total
                    bar.update(done - bar.n)

                yield move
            return
    yield lambda done, total: None
