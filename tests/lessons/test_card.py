import pytest

from specviz.dev.notebooks import WIDGET
from specviz.lessons import predict

QUESTION, OPTIONS, WHY = "Is 1 < 2?", ["yes", "no & never"], "Because <1> is smaller."


def test_nothing_is_chosen_at_first_and_a_choice_reveals():
    card = predict(QUESTION, OPTIONS, "yes", WHY)
    assert card.radio.value is None
    assert card.says == card.reveal.value == ""
    card.radio.value = "no & never"
    assert card.says == f"Not so: yes. {WHY}"
    card.radio.value = "yes"
    assert card.says == f"Right. {WHY}"
    assert "&lt;1&gt;" in card.reveal.value
    card.radio.index = None
    assert card.says == card.reveal.value == ""


def test_without_a_kernel_the_question_the_options_and_an_answer_to_unfold():
    card = predict(QUESTION, OPTIONS, 1, WHY)
    bundle = card._repr_mimebundle_()
    assert WIDGET in bundle
    html = bundle["text/html"]
    assert "<details><summary>Answer</summary>" in html
    for text in ("Is 1 &lt; 2?", "<li>yes</li>", "<b>no &amp; never.</b>", "&lt;1&gt;"):
        assert text in html
    assert "<script" not in html
    assert html.index("yes") < html.index("<details>")
    assert WHY not in bundle["text/plain"]
    assert "( ) yes" in bundle["text/plain"]


def test_the_saved_card_is_the_same_for_every_card_and_choice():
    first, second = (predict(QUESTION, OPTIONS, 0, WHY) for _ in range(2))
    second.radio.index = 1
    for mime in ("text/plain", "text/html"):
        assert first._repr_mimebundle_()[mime] == second._repr_mimebundle_()[mime]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"answer": "maybe"}, "answer is 'maybe'; expected one of"),
        ({"answer": 2}, "an index from 0 to 1"),
        ({"answer": -1}, "answer is -1"),
        ({"answer": True}, "answer is True"),
        ({"options": ["yes"]}, "at least two"),
        ({"options": ["yes", "yes"]}, "all different"),
        ({"options": "yes"}, "expected a list of texts"),
        ({"options": ["yes", 3]}, "expected a list of texts"),
        ({"question": " "}, "question is ' '"),
        ({"why": ""}, "why is ''"),
    ],
)
def test_bad_input(changes, said):
    with pytest.raises(ValueError, match=said):
        predict(**({"question": QUESTION, "options": OPTIONS, "answer": "yes", "why": WHY} | changes))
