import pytest

from specviz.plots.grid import describe_grid, plot_grid, read_grid

MARKS, LENGTHS = ((1, 0, 1), (1, 1, 1), (1, 1, 1), (0, 1, 1)), (3, 3, 2, 0)


@pytest.mark.parametrize(
    ("mistake", "kept", "source"),
    [
        ({}, [1, 3, 2, 0], [1, 3, 2, 0]),
        ({"count": "sum"}, [2, 3, 2, 0], [2, 3, 2, 0]),
        ({"bonus_row": "K"}, [1, 3, 2, 0], [1, 3, 3, 3]),
    ],
)
def test_what_becomes_of_each_row(mistake, kept, source):
    grid = read_grid(MARKS, LENGTHS, **mistake)
    assert grid.kept.tolist() == kept
    assert grid.bonus.tolist() == [False, True, True, True]
    assert grid.source.tolist() == source


def test_marks_are_drawn_and_padding_is_not_looked_at():
    signs = [text.get_text() for text in plot_grid(MARKS, LENGTHS).texts]
    assert signs == ["1", "0", "1", "1", "1", "1", "1", "1", "pad", "pad", "pad", "pad"]
    other = [list(row) for row in MARKS]
    other[2][2] = other[3][0] = 0
    assert read_grid(other, LENGTHS).kept.tolist() == [1, 3, 2, 0]


def test_rows_are_told():
    says = describe_grid(MARKS, LENGTHS, bonus_row="K")
    assert says.startswith("Row 0: marks 1,0,1, 1 kept, recovered from p[1] - q[1]; row 1: marks 1,1,1, 3 kept, bonus from p[3];")
    assert says.endswith("row 3: marks none, 0 kept, bonus from p[3], which is padding.")


@pytest.mark.parametrize(("name", "choices"), [("count", "'run' or 'sum'"), ("bonus_row", "'num_draft' or 'K'")])
def test_another_mistake_is_refused(name, choices):
    with pytest.raises(ValueError, match=f"{name} is 'none'; expected {choices}"):
        read_grid(MARKS, LENGTHS, **{name: "none"})
