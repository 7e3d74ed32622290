"""A figure that follows its controls at once: one persistent canvas, moving artists blitted, a PNG and a sentence."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any, Protocol

import anywidget
import ipywidgets as widgets
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from .canvas import Canvas
from .frame import Frames

DPI = 110


class Scene(Protocol):
    """What a `FigView` shows."""

    figure: Figure
    """An Agg figure whose static parts are drawn."""
    moving: list[Artist]
    """The artists that `update` changes, in the order in which they are drawn."""

    @property
    def update(self) -> Callable[..., str]:
        """Brings the moving artists to a state, given by keywords, and says in a sentence what is seen."""
        ...


class Keys(anywidget.AnyWidget):
    """Nothing to see: gives the arrow keys to the controls of the view in which it stands."""

    _esm = Path(__file__).parent / "keys.js"


class FigView(widgets.VBox):  # type: ignore[misc]
    """Controls, a picture that follows them, and a sentence that says what it shows.

    The figure is drawn once; its static parts are kept as a bitmap, and a change redraws only the moving artists. An error in a
    callback is shown in the view, in place of the sentence, and raised again.

    Parameters
    ----------
    scene : Scene
    controls : mapping of str to widget
        Each widget's ``value`` is passed to ``scene.update`` under its name.
    title : str
        Names the figure for screen readers, and stands for it where widgets are not shown.
    layout_of_controls : widget, optional
        How the controls are arranged; in a row unless given.
    """

    def __init__(
        self,
        scene: Scene,
        controls: Mapping[str, Any],
        *,
        title: str,
        layout_of_controls: widgets.Widget | None = None,
    ) -> None:
        self.scene = scene
        self.controls = dict(controls)
        self.title = title
        self.picture = Canvas()
        self.sentence = widgets.HTML()
        self.says = ""
        self._held = False
        scene.figure.set_dpi(DPI)
        self._frames = Frames(scene.figure, scene.moving)
        row = layout_of_controls or widgets.HBox(list(self.controls.values()), layout=widgets.Layout(flex_flow="row wrap"))
        super().__init__([row, self.picture, self.sentence, Keys()])
        self.add_class("specviz-view")
        self.layout.max_width = "1150px"
        for control in self.controls.values():
            control.observe(self._changed, names="value")
        self.refresh()

    def state(self) -> dict[str, Any]:
        """The values of all controls by name."""
        return {name: control.value for name, control in self.controls.items()}

    def refresh(self) -> None:
        """Bring picture and sentence to the controls' values."""
        try:
            says = self.scene.update(**self.state())
            with self.picture.hold_sync():
                self.picture.value, self.picture.alt = self._frames.png(), f"{self.title}. {says}"
        except Exception as error:
            self.alarm(error)
            raise
        self.says = says
        self.sentence.value = f'<p role="status" aria-live="polite" aria-label="{escape(self.title)}">{escape(says)}</p>'

    def run(self) -> str:
        """Do what takes longer than a control may wait, if the view has a button for it, and return the sentence."""
        return self.says

    def alarm(self, error: Exception) -> None:
        """Show an error in place of the sentence."""
        self.sentence.value = f'<p role="alert"><b>{escape(type(error).__name__)}:</b> {escape(str(error))}</p>'

    def set(self, **values: Any) -> str:
        """Set several controls at once, redraw once, and return the sentence."""
        before = self.state()
        self._held = True
        try:
            for name, value in values.items():
                self.controls[name].value = value
        except Exception:
            for name in values:
                self.controls[name].value = before[name]
            raise
        finally:
            self._held = False
        self.refresh()
        return self.says

    def sweep(self, control: str, values: Iterable[Any]) -> list[str]:
        """Set one control to each value in turn and return what the view says at each; the control then goes back."""
        before = self.controls[control].value
        try:
            return [self.set(**{control: value}) for value in values]
        finally:
            self.set(**{control: before})

    def _changed(self, change: Any) -> None:
        if not self._held:
            self.refresh()

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The widget for a live front end; picture, title and words for a saved notebook, GitHub, an export or print."""
        bundle: dict[str, Any] = dict(super()._repr_mimebundle_(**kwargs) or {})
        bundle["text/plain"] = f"{self.title} (interactive figure)"
        bundle["image/png"] = b64encode(self.picture.value).decode()
        return bundle, {"image/png": {"alt": self.picture.alt}}
