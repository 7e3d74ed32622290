"""A question to answer before the answer is shown; without a kernel, the same question with an answer to unfold."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import ipywidgets as widgets


class Predict(widgets.VBox):  # type: ignore[misc]
    """The card that `predict` makes; `says` is what it shows, empty until an option is chosen."""

    def __init__(self, question: str, options: Sequence[str], answer: int, why: str) -> None:
        self.question, self.answer, self.why = question, answer, why
        self.choices = tuple(options)
        self.says = ""
        self.radio = widgets.RadioButtons(options=self.choices, value=None, layout=widgets.Layout(width="auto"))
        self.reveal = widgets.HTML()
        title = widgets.HTML(f'<p style="color:{INK}"><b>Predict.</b> {escape(question)}</p>')
        super().__init__([title, self.radio, self.reveal])
        self.layout.max_width = "800px"
        self.add_class("specviz-predict")
        self.radio.observe(self._chosen, names="index")

    def _chosen(self, change: Any) -> None:
        if change["new"] is None:
            self.says = self.reveal.value = ""
            return
        right = change["new"] == self.answer
        verdict = "Right" if right else f"Not so: {self.choices[self.answer]}"
        self.says = f"{verdict}. {self.why}"
        mark = "✓" if right else "✗"
        self.reveal.value = (
            f'<p role="status" aria-live="polite" style="color:{INK}">{mark} <b>{escape(verdict)}.</b> {escape(self.why)}</p>'
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The widget for a live front end, which prefers it; the readable card for a saved notebook, an export or print."""
        bundle: dict[str, Any] = dict(super()._repr_mimebundle_(**kwargs) or {})
        bundle["text/plain"] = "\n".join([f"Predict. {self.question}", *(f"  ( ) {option}" for option in self.choices)])
        items = "".join(f"<li>{escape(option)}</li>" for option in self.choices)
        answer = f"<b>{escape(self.choices[self.answer])}.</b> {escape(self.why)}"
        bundle["text/html"] = (
            f"<div><p><b>Predict.</b> {escape(self.question)}</p><ul>{items}</ul>"
            f"<details><summary>Answer</summary><p>{answer}</p></details></div>"
        )
        return bundle


INK = "var(--jp-content-font-color1, inherit)"


def predict(question: str, options: Sequence[str], answer: str | int, why: str) -> Predict:
    """Ask for a prediction: radio buttons, nothing chosen at first, and the answer with its reason on choice.

    Parameters
    ----------
    question : str
    options : sequence of str
        At least two, all different.
    answer : str or int
        The right option, or its index.
    why : str
        The reason, shown whatever was chosen.

    Returns
    -------
    Predict
        A widget. In a saved notebook, on GitHub, in an export and in print it is the question, the options and a
        ``<details>`` with the answer.

    Raises
    ------
    ValueError
        If a text is empty, there are fewer than two different options, or the answer is none of them.
    """
    for name, text in (("question", question), ("why", why)):
        if not isinstance(text, str) or not text.strip():
            raise ValueError(f"{name} is {text!r}; expected a sentence")
    if isinstance(options, str) or not all(isinstance(option, str) and option.strip() for option in options):
        raise ValueError(f"options is {options!r}; expected a list of texts")
    choices = list(options)
    if len(choices) < 2 or len(set(choices)) < len(choices):
        raise ValueError(f"options is {choices!r}; expected at least two, all different")
    if isinstance(answer, str) and answer in choices:
        return Predict(question, choices, choices.index(answer), why)
    if isinstance(answer, int) and not isinstance(answer, bool) and 0 <= answer < len(choices):
        return Predict(question, choices, answer, why)
    raise ValueError(f"answer is {answer!r}; expected one of the options {choices!r} or an index from 0 to {len(choices) - 1}")
