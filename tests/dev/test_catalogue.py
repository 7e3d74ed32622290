import pytest

from specviz.__main__ import main
from specviz.dev import ROOT, catalogue


@pytest.mark.parametrize(("every_verdict_is_right", "status"), [(True, 0), (False, 1)])
def test_the_exit_status_says_whether_every_verdict_is_right(monkeypatch, every_verdict_is_right, status):
    asked = []
    monkeypatch.setattr(catalogue, "write_catalogue", lambda *how: asked.append(how) or every_verdict_is_right)
    assert main(["catalogue"]) == status
    assert asked == [(ROOT / "figures" / "catalogue.md", 5, "standard")]


def test_options(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(catalogue, "write_catalogue", lambda *how: asked.append(how) or True)
    main(["catalogue", "--seeds", "1", "--budget", "quick", "--to", str(tmp_path)])
    assert asked == [(tmp_path, 1, "quick")]
