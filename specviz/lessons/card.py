"""A question with options, answered on choice; without a kernel the same question with its answer folded up."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import ipywidgets as widgets

FRAME = "border-left: 4px solid #0173B2; padding: 2px 0 2px 12px"


class Prediction(widgets.VBox):  # type: ignore[misc]
    """What `predict` returns; see there."""

    def __init__(self, question: str, options: Sequence[str], answer: int, why: str) -> None:
        self.question, self.options, self.answer, self.why = question, tuple(options), answer, why
        self.choice = widgets.RadioButtons(options=self.options, value=None, layout=widgets.Layout(width="max-content"))
        self.reply = widgets.HTML()
        super().__init__([widgets.HTML(f"<b>Predict.</b> {escape(question)}"), self.choice, self.reply])
        self.layout.border_left = "4px solid #0173B2"
        self.layout.padding = "2px 0 2px 12px"
        self.choice.observe(self._reveal, names="value")

    def _reveal(self, change: Any) -> None:
        right = self.options[self.answer]
        verdict = "Right." if change["new"] == right else f"No: {escape(right)}."
        self.reply.value = f'<p role="status" aria-live="polite"><b>{verdict}</b> {escape(self.why)}</p>'

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The widget for a live front end; question, options and a folded answer wherever there is no kernel."""
        bundle: dict[str, Any] = dict(super()._repr_mimebundle_(**kwargs) or {})
        options = "".join(f"<li>{escape(option)}</li>" for option in self.options)
        answer = f"<b>{escape(self.options[self.answer])}.</b> {escape(self.why)}"
        bundle["text/html"] = (
            f'<div style="{FRAME}"><p><b>Predict.</b> {escape(self.question)}</p><ul>{options}</ul>'
            f"<details><summary>Answer</summary><p>{answer}</p></details></div>"
        )
        bundle["text/plain"] = f"Predict. {self.question}"
        return bundle


def predict(question: str, options: Sequence[str], answer: int | str, why: str) -> Prediction:
    """Ask a question before the reveal: radio buttons, and the answer with its reason as soon as one is chosen.

    Parameters
    ----------
    question : str
    options : sequence of str
        At least two, all different.
    answer : int or str
        The right option, or its place among them.
    why : str
        Shown with the verdict.

    Returns
    -------
    Prediction
        A widget. In a saved notebook, on GitHub, in an export and in print it is the question with a folded answer.

    Raises
    ------
    ValueError
        If the options are too few or not different, or the answer is none of them.
    """
    choices = [str(option) for option in options]
    if len(choices) < 2 or len(set(choices)) < len(choices):
        raise ValueError(f"options are {choices}; expected at least two different ones")
    if isinstance(answer, str):
        if answer not in choices:
            raise ValueError(f"answer is {answer!r}; expected one of {choices}")
        answer = choices.index(answer)
    if not 0 <= answer < len(choices):
        raise ValueError(f"answer is {answer}; expected a place from 0 to {len(choices) - 1}")
    return Prediction(question, choices, answer, why)
