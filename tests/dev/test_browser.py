import sys

import pytest

from specviz.__main__ import main
from specviz.dev import browser


@pytest.mark.parametrize("command", [["bench", "--browser"], ["screenshots"]])
def test_without_a_browser_one_line_says_so(command, monkeypatch, capsys):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("SPECVIZ_CHROMIUM", raising=False)
    monkeypatch.setattr(browser, "PLACES", ())
    assert main(command) == 2
    assert capsys.readouterr().err == "no Chromium or Chrome is found: install one, or name its path in SPECVIZ_CHROMIUM\n"


def test_a_browser_is_found_by_name_or_by_variable(monkeypatch, tmp_path):
    chrome = tmp_path / "google-chrome"
    chrome.write_text("#!/bin/sh\n")
    chrome.chmod(0o755)
    monkeypatch.delenv("SPECVIZ_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    if sys.platform == "linux":
        assert browser.find_chromium() == str(chrome)
    monkeypatch.setenv("SPECVIZ_CHROMIUM", "/named/one")
    assert browser.find_chromium() == "/named/one"
