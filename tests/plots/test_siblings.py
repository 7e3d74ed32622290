import pytest

from specviz.plots.siblings import DRAWINGS, describe_acceptance, describe_stages, plot_acceptance, read_acceptance, read_stages

P, Q = (0.4, 0.3, 0.2, 0.1), (0.1, 0.3, 0.2, 0.4)


def test_acceptance_of_every_number_and_way():
    table = read_acceptance(P, Q).table
    assert table["iid", 2][0] == pytest.approx(0.73)
    assert table["without replacement", 2][0] == pytest.approx(0.75)
    assert all(kept <= best + 1e-9 for kept, best in table.values())
    assert ("top k", 2) not in read_acceptance(P, (1.0, 0, 0, 0)).table, "there is no second candidate"
    heights = [height for bars in plot_acceptance(P, Q).patches for height in bars.heights]
    assert heights == pytest.approx([table[d, k][0] for d in DRAWINGS for k in (1, 2, 3)])
    assert describe_acceptance(P, Q, k=2).startswith("One of 2 is kept: iid 0.730 of at most 0.790, without replacement 0.750")


def test_stages_are_told():
    says = describe_stages(P, Q, [3, 1], "without replacement", list("wxyz"))
    assert says.startswith("Sibling 1, z, against (0.400, 0.300, 0.200, 0.100): kept with 0.250; if not, sibling 2, x, against")
    assert says.endswith(f"last draw from ({', '.join(f'{mass:.3f}' for mass in last_owed())}).")


def last_owed():
    return read_stages(P, Q, [3, 1], "without replacement").stages[-1].owed


def test_a_sibling_that_cannot_be_drawn_is_named():
    with pytest.raises(ValueError, match=r"siblings\[1\] is D, which cannot be drawn there"):
        describe_stages(P, Q, [3, 3], "without replacement")
