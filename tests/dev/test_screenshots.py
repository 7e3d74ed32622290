import pytest

from specviz.__main__ import main
from specviz.dev import ROOT, screenshots


@pytest.mark.parametrize("named", [True, False])
def test_they_are_taken_into_the_folder_that_is_named(monkeypatch, tmp_path, named):
    asked = []
    monkeypatch.setattr(screenshots, "take", asked.append)
    assert main(["screenshots", *(["--to", str(tmp_path)] if named else [])]) == 0
    assert asked == [tmp_path if named else ROOT / "screenshots"]
