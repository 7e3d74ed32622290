"""Check, hint, solution and stub, by the exercise's id."""

import pytest

from specviz.lessons import check, exercise, hint, solution, stub


def overlap(p, q):
    return sum(map(min, p, q))


def test_a_right_answer_is_told_what_was_checked():
    verdict = check("00a", overlap)
    assert (verdict.id, verdict.title, verdict.state) == ("00a", "overlap", "correct")
    assert verdict.message == exercise("00a").checked


def test_an_answer_that_is_not_there_yet_is_told_the_task():
    verdict = check("00a", None)
    assert verdict.state == "not attempted yet"
    assert verdict.message == f"{exercise('00a').task}\n(If you have written something: it returns nothing yet.)"


def test_a_wrong_answer_is_told_the_counter_example():
    verdict = check("00a", lambda p, q: 7)
    assert verdict.state == "needs work"
    assert verdict.message == "input     p = [1]\n          q = [1]\nexpected  1\ngot       7"


def test_a_result_in_place_of_the_function_is_named():
    verdict = check("00a", 0.7)
    assert verdict.state == "needs work"
    assert verdict.message == "expected your function itself, not called; got float"


def test_a_value_is_allowed_where_the_exercise_says_so():
    assert check("01c", ([0.7, 0.1, 0.1, 0.1], [0.3, 0.3, 0.2, 0.2])).state == "correct"


def test_the_timeout_is_that_of_one_call():
    def endless(p, q):
        while True:
            pass

    assert "ran longer than 0.1 s" in check("00a", endless, timeout=0.1).message


@pytest.mark.parametrize("timeout", [0, -1, float("nan")])
def test_a_timeout_that_is_none_is_refused(timeout):
    with pytest.raises(ValueError, match=f"timeout is {timeout}; expected a time above 0"):
        check("00a", overlap, timeout=timeout)


def test_hints_come_one_after_the_other(capsys):
    for _ in range(4):
        hint("01a")
    first, second, third = exercise("01a").hints
    assert capsys.readouterr().out.splitlines() == [
        f"Hint 1 of 3: {first}",
        f"Hint 2 of 3: {second}",
        f"Hint 3 of 3: {third}",
        f"Hint 1 of 3: {first}",
    ]


@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_hint_can_be_chosen(capsys, step):
    hint("01a", step)
    assert capsys.readouterr().out == f"Hint {step} of 3: {exercise('01a').hints[step - 1]}\n"


@pytest.mark.parametrize("step", [0, 4, True, "1"])
def test_other_hints_are_refused(step):
    with pytest.raises(ValueError, match=f"step is {step!r}; expected 1, 2 or 3"):
        hint("01a", step)


def test_solution_and_stub_are_printed(capsys):
    solution("02a")
    stub("02a")
    solved, started = exercise("02a").solution, exercise("02a").stub
    assert capsys.readouterr().out == f"{solved}\n{started}\n"
    assert solved != started


@pytest.mark.parametrize("call", [exercise, lambda id: check(id, min), hint, solution, stub])
def test_unknown_ids_list_the_ids(call):
    with pytest.raises(ValueError, match=r"no exercise is called '99z'; expected one of 00a, 00b, 01a"):
        call("99z")
