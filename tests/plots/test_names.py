import pytest

from specviz.plots.names import token_names, visible


def test_letters_as_long_as_they_last():
    assert token_names(3) == ["A", "B", "C"]
    assert token_names(26)[-1] == "Z"
    assert token_names(27)[-1] == "26"


@pytest.mark.parametrize(
    ("text", "shown"),
    [(" a\n", "\u2423a\u21b5"), ("\t$x$", "\u21e5\\$x\\$"), ("a" * 12, "a" * 12), ("a" * 13, "a" * 11 + "\u2026")],
)
def test_white_space_is_seen_and_mathtext_is_not_started(text, shown):
    assert visible(text) == shown
