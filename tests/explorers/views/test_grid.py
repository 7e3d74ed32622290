import pytest

from specviz.explorers import grid_explorer
from specviz.explorers.views.grid import FIRST, LENGTHS, Lengths, MarkButtons


def test_clicking_a_mark():
    view = grid_explorer()
    marks, lengths = view.controls["marks"], view.controls["num_draft"]
    assert "Row 0: marks 1,0,1,1, 1 kept, recovered from p[1] - q[1]" in view.says
    marks.buttons[0][1].value = True
    assert marks.buttons[0][1].description == "1"
    assert "Row 0: marks 1,1,1,1, 4 kept, bonus from p[4]" in view.says
    lengths.choices[0].value = 2
    assert "Row 0: marks 1,1, 2 kept, bonus from p[2]" in view.says
    another, reset = view.children[0].children[2].children[2].children
    another.click()
    assert marks.value != FIRST
    reset.click()
    assert (marks.value, lengths.value) == (FIRST, LENGTHS)
    with pytest.raises(ValueError, match="expected 5 rows of 4 marks"):
        marks.value = ((1, 0),)


def test_lengths_and_marks_stay_in_step():
    lengths, marks = Lengths((1, 2), 3), MarkButtons(((1, 0), (0, 1)))
    lengths.value = (3, 0)
    assert [choice.value for choice in lengths.choices] == [3, 0]
    marks.value = ((0, 0), (1, 1))
    assert [[button.value for button in row] for row in marks.buttons] == [[False, False], [True, True]]
