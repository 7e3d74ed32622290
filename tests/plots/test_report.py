"""A report card holds any number of checks: nothing overlaps, nothing is cut off, nothing is left out unsaid."""

import pytest

from specviz.auditing.check import Found
from specviz.auditing.report import AuditReport
from specviz.plots.report import BAR, ReportCard, describe_report, plot_report, read_report
from specviz.plots.style import new_figure

FINDINGS = ("as it should be", "chi-square 1,586, 150 expected; TV 0.236; " + "rows of 3 drafts, position 2, token 4: " * 3)
VERDICTS = ("pass", "FAIL", "note", "n/a")


def report(n):
    """Checks of every verdict, with and without a p-value, with short and with long names and findings."""
    checks = [
        Found(
            f"check {i + 1}" + " of whole sequences, ragged rows" * (i % 5 == 4),
            VERDICTS[i % 4],
            FINDINGS[i % 3 == 1],
            "certain" if i % 3 == 0 else "statistical",
            float("nan") if i % 3 == 0 else 10.0**-i,
        )
        for i in range(n)
    ]
    return AuditReport("verify", tuple(checks), 0.001, "it covers this.")


def explorer_card(n):
    """The card of the explorer: of one size, with room for 20 lines at full height."""
    figure, (ax,) = new_figure(11, 5.9)
    card = ReportCard(ax, 20, 40)
    card.set(read_report(report(n)))
    return figure, card


def boxes(figure, texts):
    figure.canvas.draw()
    return [text.get_window_extent() for text in texts if text.get_text()]


@pytest.mark.parametrize("n", [1, 16, 20, 21, 40, 57])
@pytest.mark.parametrize("make", ["explorer", "new figure"])
def test_nothing_is_cut_off_and_nothing_overlaps(make, n):
    if make == "explorer":
        figure, _ = explorer_card(n)
    else:
        figure = plot_report(report(n)).figure
    texts = figure.axes[0].texts
    found = boxes(figure, texts)
    for box in found:
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= figure.bbox.width
        assert box.y1 <= figure.bbox.height
    for i, box in enumerate(found):
        for other in found[:i]:
            across = min(box.x1, other.x1) - max(box.x0, other.x0)
            upwards = min(box.y1, other.y1) - max(box.y0, other.y0)
            assert across <= 0 or upwards <= 0.5, "half a pixel may be shared"
    left = figure.axes[0].transData.transform((BAR[0], 0))[0]
    names = [text for text in texts if text.get_text().startswith("check ")]
    assert all(text.get_window_extent().x1 < left for text in names)
    assert len(names) == min(n, 39 if make == "explorer" and n > 40 else n)


def test_the_type_shrinks_only_where_lines_stand_close():
    for n, points in ((20, 10), (21, 10), (40, 7.1)):
        _, card = explorer_card(n)
        assert card.findings[0].get_fontsize() == pytest.approx(points, abs=0.1)


def test_what_has_no_room_is_counted():
    _, card = explorer_card(57)
    assert card.names[-1].get_text() == "and 18 more"
    assert card.verdicts[-1].get_text() == "FAIL", "a failure is never hidden"
    assert card.findings[-1].get_text() == "5 n/a, 5 pass, 4 FAIL, 4 note"


def test_a_full_card_becomes_a_short_one_again():
    _, card = explorer_card(40)
    card.set(read_report(report(3)))
    _, fresh = explorer_card(3)
    for mine, other in zip(
        (*card.verdicts, *card.names, *card.findings), (*fresh.verdicts, *fresh.names, *fresh.findings), strict=True
    ):
        assert mine.get_text() == other.get_text()
        if mine.get_text():
            assert (mine.get_position(), mine.get_fontsize()) == (other.get_position(), other.get_fontsize())
    assert len(card.bars.get_segments()) == len(card.boxes.get_paths()) == 3
    card.set(None, "not yet")
    assert [text.get_text() for text in (card.summary, card.verdicts[0], card.names[0])] == ["not yet", "", ""]


def test_evidence_is_in_decades_and_a_certain_failure_fills_the_bar():
    lines = read_report(report(12)).lines
    assert lines[1].evidence == pytest.approx(1 / 20)
    assert lines[9].verdict == "FAIL"
    assert lines[9].evidence == 1, "no p-value and FAIL: certain"
    assert lines[0].evidence == 0, "no p-value and a pass: no evidence"
    assert read_report(report(1)).limit == pytest.approx(3 / 20)
    ends = [segment[1][0] for segment in plot_report(report(12)).collections[1].get_segments()]
    assert ends == pytest.approx([3.15 + 2.5 * line.evidence for line in lines])


def test_failures_are_told():
    assert "5 of 10 checks failed: check 2; check 6; check 10 of whole" in describe_report(report(20))
    assert "1 checks, none failed." in describe_report(report(1))
