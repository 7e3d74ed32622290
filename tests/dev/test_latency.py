from specviz.dev import latency


def test_the_table_has_a_row_for_every_explorer_and_the_goals(monkeypatch, capsys):
    measured = {name: ([10.0, 20.0, 30.0], [80.0]) for name in latency.EXPLORERS}
    monkeypatch.setattr(latency, "measure", lambda presses: {**measured, "floor": [5.0, 6.0], "bars": ([12.0], 40.0)})
    latency.print_latency(3)
    title, _, *rows = capsys.readouterr().out.splitlines()
    assert "3 presses an explorer" in title
    assert [row.split()[0] for row in rows[: len(measured)]] == list(latency.EXPLORERS)
    assert all(row.split()[1::3] == ["20", "4.0x"] for row in rows[: len(measured)])
    assert "a picture of one pixel takes a median of 6 ms" in rows[-2]
    assert rows[-1].startswith("a dragged bar follows the pointer in a median of 12 ms")
    assert "settles 40 ms" in rows[-1]
