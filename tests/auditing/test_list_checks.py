from specviz.__main__ import main
from specviz.auditing.checks import CHECKS


def test_every_check_is_listed_with_its_question(capsys):
    assert main(["checks"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for check, line in zip(CHECKS, lines, strict=False):
        assert line.startswith(check.name)
        assert check.kind in line
        assert line.endswith(check.question)
