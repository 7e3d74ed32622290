import importlib.util
import re
import types
from pathlib import Path

import numpy as np
import pytest

from specviz.lessons import check, hint, solution, stub
from specviz.lessons.checking.hand_in import EXERCISES

_spec = importlib.util.spec_from_file_location("wrong_answers", Path(__file__).with_name("wrong.py"))
assert _spec is not None
assert _spec.loader is not None
_module = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_module)
WRONG = _module.WRONG
CASES = [(id, old, new) for id, changes in WRONG.items() for old, new in changes]


def function(source):
    names = {"np": np}
    exec(compile(source, "<student>", "exec"), names)
    return [v for v in names.values() if isinstance(v, types.FunctionType) and v.__code__.co_filename == "<student>"][-1]


@pytest.mark.parametrize("id", EXERCISES)
def test_solution_is_accepted_and_the_verdict_says_what_was_not_checked(id):
    verdict = check(id, function(EXERCISES[id].solution))
    assert verdict.state == "correct", verdict
    assert "Not checked: " in verdict.message


@pytest.mark.parametrize("id", EXERCISES)
def test_stub_is_not_attempted(id):
    for answer in (function(EXERCISES[id].stub), None, ..., lambda *args: None, lambda *args: ...):
        assert check(id, answer).state == "not attempted yet"


@pytest.mark.parametrize(("id", "old", "new"), CASES)
def test_wrong_answers_are_rejected_with_a_counter_example(id, old, new):
    source = EXERCISES[id].solution
    assert old in source, "the planted mistake changes nothing"
    verdict = check(id, function(source.replace(old, new)))
    assert verdict.state == "needs work"
    assert len(verdict.message.splitlines()) >= 2 or "expected" in verdict.message, verdict


def test_every_exercise_has_three_wrong_answers():
    assert WRONG.keys() == EXERCISES.keys()
    assert min(len(set(changes)) for changes in WRONG.values()) >= 3


@pytest.mark.parametrize("id", EXERCISES)
def test_texts(id):
    entry = EXERCISES[id]
    assert entry.id == id
    assert len(set(entry.hints)) == 3
    assert all(entry.hints)
    body = [line.strip() for line in entry.solution.split("\n") if not re.match(r"\s*(def |import |from |$)", line)]
    assert body
    assert not [line for line in body if line in entry.stub], "solution text in the stub"
    assert entry.stub.rstrip().endswith("raise NotImplementedError")
    head = re.search(r"^def .*:$", entry.stub, re.M)
    assert head is not None
    assert head.group() in entry.solution, "stub and solution have different signatures"


def test_hints_come_one_after_the_other(capsys):
    for _ in range(4):
        hint("01a")
    said = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in said] == ["Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3", "Hint 1 of 3"]
    hint("01a", 2)
    assert EXERCISES["01a"].hints[1] in capsys.readouterr().out
    for step in (0, 4, True, "1"):
        with pytest.raises(ValueError, match="expected 1, 2 or 3"):
            hint("01a", step)


def test_solution_and_stub_print_the_tested_source(capsys):
    solution("02a")
    assert capsys.readouterr().out.strip() == EXERCISES["02a"].solution
    stub("02a")
    assert capsys.readouterr().out.strip() == EXERCISES["02a"].stub


@pytest.mark.parametrize("call", [lambda id: check(id, min), hint, solution, stub])
def test_unknown_ids_list_the_ids(call):
    with pytest.raises(ValueError, match=r"'99z'; expected one of 00a, 00b, 01a"):
        call("99z")


def test_the_counter_example_is_the_smallest_and_prints_as_text():
    verdict = check("00a", lambda p, q: max(map(min, p, q)))  # right for one token, and wherever only one token overlaps
    assert str(verdict) == repr(verdict)
    assert str(verdict).splitlines() == [
        "00a overlap: needs work",
        "  input     p = [0.5, 0.5]",
        "            q = [0.8, 0.2]",
        "  expected  0.7",
        "  got       0.5",
    ]


def test_values_are_allowed_where_the_exercise_says_so():
    assert check("01c", ([0.7, 0.1, 0.1, 0.1], [0.3, 0.3, 0.2, 0.2])).state == "correct"
    assert "5 of 5" not in str(check("06a", ["no_bonus"] * 5))
    assert "1 of 5 are right" in str(check("06a", ["no_bonus"] * 5))
    assert "itself, not called" in str(check("00a", 0.7))
