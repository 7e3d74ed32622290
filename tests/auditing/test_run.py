import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from asking import built, own_stream

import specviz
from specviz import LosslessnessError, assert_lossless, match_target, verify, verify_block
from specviz.auditing.check import Counted, Draw, Sizes
from specviz.auditing.checks import CHECKS
from specviz.auditing.options import Options
from specviz.auditing.run import run_checks
from specviz.auditing.subject.contract import VerifierError
from specviz.catalogue.index import mutant

pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


def quick(verifier, **options):
    return specviz.audit(verifier, **{"budget": "quick", "progress": False, **options})


@pytest.fixture(scope="module")
def passed():
    return quick(verify)


def numbers(report):
    return str([(found.name, found.verdict, found.statistic, found.p_value) for found in report.checks])


def test_a_right_verifier_passes(passed):
    assert passed.passed
    assert {found.verdict for found in passed.checks} == {"pass", "note"}
    assert [found.name for found in passed.checks] == [check.name for check in CHECKS if check.applies(Options("quick"))]
    assert passed.tokens_per_round.word == "as the token rule"
    assert 0 < passed.sensitivity < 0.2


def test_slower_and_faster_rules_pass_and_are_called_so():
    assert "slower than the token rule" in quick(match_target).summary
    assert "faster than the token rule" in specviz.audit(verify_block, progress=False).summary


class EvenTokens(Counted, Draw):
    """A toy: are even tokens half of all where p says so?"""

    name, question, stream, sizes = "even tokens", "Are even tokens half of all?", 99, Sizes(50, 100, 200)

    def count(self, verifier, seed, n, drafter):
        p = np.full((n, 1, 4), 0.25)
        tokens, _ = verifier(np.zeros((n, 0), int), p[:, :0], p, np.zeros(n, int), np.random.default_rng(seed))
        return np.bincount(tokens[:, 0] % 2, minlength=2)

    def judge(self, counts, asked, rate):
        return self.tested(0.5 if 0 not in counts[0] else 0.0, rate, f"{counts[0][0]} of {counts[0].sum()} are even", ran="rows")


def test_a_check_is_a_class_and_a_place_in_the_tuple(passed):
    """It runs, shares the rate, and appears in text, JSON, HTML and the report card."""
    report = run_checks(verify, Options("quick", progress=False), (*CHECKS, EvenTokens()))
    found = report.checks[-1]
    assert (found.name, found.verdict, found.kind) == ("even tokens", "pass", "statistical")
    assert "of 50 are even" in found.finding
    statistical = sum(each.kind == "statistical" and each.verdict != "note" for each in report.checks)
    assert report.checks[7].test.alpha == pytest.approx(0.001 / statistical)
    assert passed.checks[7].test.alpha == pytest.approx(0.001 / (statistical - 1))
    assert numbers(report).startswith(numbers(passed)[:-1]), "and moves no other's stream"
    card = "".join(text.get_text() for text in report.plot().texts)
    assert all("even tokens" in shown for shown in (str(report), report.to_json(), report._repr_html_(), card))


def test_it_fails_too():
    def odd(draft, q, p, num_draft, rng):
        return np.where(np.arange(draft.shape[1] + 1) < 1, 1, -1) * np.ones((len(p), 1), int), np.ones(len(p), int)

    report = run_checks(odd, Options("quick", progress=False), [EvenTokens()])
    assert [found.name for found in report.failed] == ["even tokens"]


def test_forty_checks_fit_on_the_card():
    toys = []
    for i in range(40):
        toy = EvenTokens()
        toy.name, toy.stream = f"toy {i}", 100 + i
        toys.append(toy)
    report = run_checks(verify, Options("quick", progress=False), toys)
    written = [text.get_text() for text in report.plot().texts]
    assert all(f"toy {i}" in written for i in range(40))


def test_streams_and_names_are_all_different():
    draws = {id(draw): draw for check in CHECKS if isinstance(check, Counted) for draw in check.draws}
    kinds = {(type(draw), draw.stream) for draw in draws.values()}
    assert len({stream for _, stream in kinds}) == len(kinds)
    assert len({check.name for check in CHECKS}) == len(CHECKS)


def test_deep_audits_split_each_draw_and_add_up():
    """The deep budget's twenty tasks of a draw have the size of the draw, and seeds of their own."""
    from specviz.auditing.options import BUDGETS
    from specviz.auditing.run import plan

    tasks = plan([EvenTokens()], None, Options("deep"), BUDGETS["deep"])
    assert sum(task.n for task in tasks) == 200
    assert len({tuple(task.seed.generate_state(2)) for task in tasks}) == len(tasks) == 20


def test_assert_lossless():
    assert assert_lossless(verify, budget="quick") is None
    with pytest.raises(LosslessnessError) as caught:
        assert_lossless(built("residual_abs"), budget="quick", name="mine")
    sentence, *reproducer = str(caught.value).splitlines()
    assert sentence.startswith("mine is not lossless")
    assert 1 <= len(reproducer) <= 3
    assert isinstance(caught.value, AssertionError)
    assert not caught.value.report.passed


def test_claims_make_conformance_decide():
    assert quick(verify, claims="token rule").passed
    report = quick(match_target, claims="token rule")
    assert [found.name for found in report.failed] == ["token rule"]


def test_faults_of_the_drafters_side():
    entry = mutant("drafts_at_temperature")
    assert not quick(verify, drafter=entry.pair).passed
    assert quick(verify, drafter=lambda pair: pair).passed


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"budget": "huge"}, "budget is 'huge'; expected one of quick, standard, deep, anytime"),
        ({"alpha": 0}, "alpha is 0"),
        ({"claims": "all"}, "claims is 'all'"),
        ({"call_seconds": 0}, "call_seconds is 0"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        quick(verify, **options)


def test_what_is_no_verifier_or_no_option_is_named():
    with pytest.raises(ValueError, match="expected a callable"):
        quick(7)
    with pytest.raises(TypeError, match="no option 'budgets'; expected one of budget, seed, alpha"):
        quick(verify, budgets="quick")


def test_what_cannot_be_run_says_so_in_a_line():
    def boom(draft, q, p, num_draft, rng):
        raise RuntimeError("out of\nmemory")

    def hang(draft, q, p, num_draft, rng):
        while True:
            time.sleep(0.01)

    with pytest.raises(VerifierError, match="boom could not be audited: it raised RuntimeError: out of memory"):
        quick(boom)
    start = time.monotonic()
    with pytest.raises(VerifierError, match=r"took more than 0\.3 s on a batch of 8 rows, K = 3, V = 4 and was stopped"):
        quick(hang, call_seconds=0.3)
    assert time.monotonic() - start < 10


def test_what_breaks_later_is_a_fault_and_loses_nothing():
    """Of the draws only the wide one raises: all others are judged."""

    def small_only(draft, q, p, num_draft, rng):
        if p.shape[2] == 4200:
            raise MemoryError("too wide")
        return verify(draft, q, p, num_draft, rng)

    report = quick(small_only)
    assert [found.name for found in report.failed] == ["wide law"]
    assert "MemoryError: too wide" in str(report)
    assert len(report.checks) == len([check for check in CHECKS if check.applies(Options("quick"))])


def test_stop_early_asks_no_further():
    report = quick(built("writes_to_p"), stop_early=True)
    assert [found.name for found in report.checks] == ["results"]
    assert not report.passed


def test_global_streams_are_judged_by_their_law():
    report = quick(own_stream(), alpha=1e-6)
    assert report.passed
    assert {found.name for found in report.checks if found.verdict == "n/a"} == {"stream", "padding", "neighbours", "edges"}


def test_every_executor_gives_the_same(passed):
    with ThreadPoolExecutor(2) as pool:
        threads = numbers(quick(verify, executor=pool))
    with ProcessPoolExecutor(2) as pool:
        processes = quick(verify, executor=pool)
    assert threads == numbers(passed) == numbers(processes)
    assert processes.remarks == ()


def test_what_cannot_travel_runs_here(passed):
    with ProcessPoolExecutor(2) as pool:
        report = quick(lambda *a: verify(*a), executor=pool)
    assert numbers(report) == numbers(passed)
    assert "cannot be pickled" in report.remarks[0]


def test_progress_is_a_callback():
    seen = []
    quick(verify, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(i, 7) for i in range(1, 8)], "four chains, whole prefixes, rows, and the large vocabulary"


def test_the_first_call_of_audit_brings_what_a_plain_import_does_not():
    code = "import sys, specviz; before = 'specviz.auditing' in sys.modules; f = specviz.audit; print(before, f.__module__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "specviz.auditing.run"]
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        specviz.nonsense  # noqa: B018
