from specviz.__main__ import main
from specviz.dev import false_alarms


def test_the_rates_are_printed(monkeypatch, capsys):
    monkeypatch.setattr(false_alarms, "false_alarms", lambda seeds: f"of {seeds}")
    assert main(["false-alarms"]) == 0
    assert main(["false-alarms", "--seeds", "3"]) == 0
    assert capsys.readouterr().out == "of 2000\nof 3\n"
