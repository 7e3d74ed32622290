"""Verify your own: the report card of any catalogued verifier, or of the reader's own."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import ipywidgets as widgets
from matplotlib.artist import Artist

from ...auditing.options import Progress
from ...auditing.report import AuditReport
from ...auditing.run import audit
from ...catalogue.index import CATALOGUE, mutant
from ...models.markov import MarkovPair
from ...plots.report import ReportCard, read_report
from ...plots.style import new_figure
from ..widgets.explorer import Explorer
from ..widgets.figview import FigView

ROWS, MOST = 20, 40
"""Lines of the card at their full height, and lines that it can hold."""


class ReportScene:
    """A report card; one that was not asked for yet is empty."""

    def __init__(self, own: dict[str, Callable[..., Any]]) -> None:
        self.own = own
        self.reports: dict[tuple[str, int], AuditReport] = {}
        self.figure, (ax,) = new_figure(11, 5.9)
        self.card = ReportCard(ax, ROWS, MOST)
        self.moving: list[Artist] = self.card.artists

    def update(self, verifier: str, seed: int) -> str:
        """Show the report of one verifier at one seed, if it has been run."""
        report = self.reports.get((verifier, seed))
        if report is None:
            empty = f"{verifier}, seed {seed}: not audited yet. Press the button; it takes about two seconds."
            self.card.set(None, empty)
            return empty
        card = read_report(report)
        self.card.set(card)
        return card.says

    def run(self, verifier: str, seed: int, progress: Progress) -> None:
        """Audit one verifier at the quick budget."""
        if (verifier, seed) not in self.reports:
            if verifier in self.own:
                build, drafter = self.own[verifier], None
            else:
                build, drafter = _built(verifier), mutant(verifier).drafter
            self.reports[verifier, seed] = audit(
                build, seed=seed, budget="quick", progress=progress, drafter=drafter, name=verifier
            )


class ReportView(FigView):
    """A `FigView` with a button, since an audit takes longer than a slider may wait."""

    scene: ReportScene

    def __init__(self, scene: ReportScene, controls: dict[str, Any], *, title: str) -> None:
        self.bar = widgets.IntProgress(min=0, max=1, layout=widgets.Layout(width="220px", visibility="hidden"))
        self.button = widgets.Button(description="run the audit", icon="play", button_style="primary")
        self.button.on_click(lambda _: self.run())
        row = widgets.HBox([*controls.values(), self.button, self.bar], layout=widgets.Layout(flex_flow="row wrap"))
        super().__init__(scene, controls, title=title, layout_of_controls=row)

    def run(self) -> str:
        """Audit the chosen verifier and return the sentence."""
        self.bar.value, self.bar.layout.visibility = 0, "visible"
        try:
            self.scene.run(**self.state(), progress=self._moved)
        except Exception as error:
            self.alarm(error)
            raise
        finally:
            self.bar.layout.visibility = "hidden"
        self.refresh()
        return self.says

    def _moved(self, done: int, total: int) -> None:
        self.bar.max, self.bar.value = total, done


def report_explorer(own: dict[str, Callable[..., Any]] | None = None) -> ReportView:
    """A picker of verifiers, a seed, and a button that runs the audit.

    Parameters
    ----------
    own : dict of str to callable, optional
        Verifiers of the reader's, by name; they come first in the picker.

    Returns
    -------
    ReportView
        Its controls are ``verifier`` and ``seed``; `run` does what the button does.

    Raises
    ------
    ValueError
        If a name of `own` is one of the catalogue's.
    """
    own = dict(own or {})
    if taken := sorted({m.name for m in CATALOGUE} & set(own)):
        raise ValueError(f"own names a verifier {taken[0]!r}, as the catalogue does; choose another name")
    names = [(name, name) for name in own] + [(f"{m.family}: {m.name.replace('_', ' ')}", m.name) for m in CATALOGUE]
    controls = {
        "verifier": widgets.Dropdown(options=names, description="verifier", layout={"width": "380px"}),
        "seed": widgets.BoundedIntText(value=0, min=0, max=10**6, description="seed", layout=widgets.Layout(width="180px")),
    }
    scene = ReportScene(own)
    scene.run(controls["verifier"].value, 0, lambda done, total: None)
    return ReportView(scene, controls, title="The report card of a verifier")


REPORT = Explorer(
    report_explorer,
    ({"verifier": "uniform_reused"}, {"verifier": "bonus_of_longest_row"}, {"verifier": "match_target"}),
)


@cache
def _built(name: str) -> Callable[..., Any]:
    return mutant(name).build(MarkovPair.teaching())
