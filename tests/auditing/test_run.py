import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

import specviz
from specviz import LosslessnessError, assert_lossless, match_target, verify, verify_block
from specviz.auditing.checks.rows import echoes
from specviz.auditing.subject.contract import VerifierError
from specviz.catalogue.index import CATALOGUE, mutant
from specviz.dev.survey import Verdict, law_alarm, right, survey_one, table
from specviz.models.designed import CHAINS

pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


def quick(verifier, **options):
    return specviz.audit(verifier, **{"budget": "quick", "progress": False, **options})


@pytest.fixture(scope="module")
def passed():
    return quick(verify)


@pytest.fixture(scope="module")
def failed():
    return quick(mutant("replacement_from_p").build(CHAINS["A"]), name="<fault>")


def numbers(report):
    return [(check.name, check.verdict, check.statistic, check.p_value) for check in report.checks]


def test_a_right_verifier_passes(passed):
    assert passed.passed
    assert {check.verdict for check in passed.checks} == {"pass", "note"}
    assert passed.tokens_per_round.word == "as the token rule"
    assert passed.tokens_per_round.token_rule == pytest.approx(2.6816, abs=1e-4)
    assert "no proof" in str(passed)
    assert max(map(len, str(passed).splitlines())) <= 80
    assert passed.sensitivity < 0.2


def test_slower_and_faster_rules_pass_and_are_called_so():
    assert "slower than the token rule" in quick(match_target).summary
    assert "faster than the token rule" in specviz.audit(verify_block, progress=False).summary


def test_a_wrong_one_fails_is_named_and_written_down(failed):
    assert not failed.passed
    assert failed.diagnosis.candidates[0].names[0] == "replacement_from_p"
    assert "replacement_from_p" in failed.caution
    assert max(map(len, str(failed).splitlines())) <= 80
    html = failed._repr_html_()
    assert "&lt;fault&gt;" in html
    assert "<fault>" not in html
    whole = json.loads(failed.to_json())
    assert whole["passed"] is False
    assert whole["diagnosis"]["candidates"][0]["names"] == ["replacement_from_p"]
    assert whole["checks"][0]["p_value"] is None


def test_the_rate_is_split_over_the_statistical_checks(passed):
    assert passed.checks[7].test.alpha == pytest.approx(0.001 / 12)


def test_pictures(failed):
    ax = failed.plot()
    written = [text.get_text() for text in ax.texts]
    assert any("NOT lossless" in text for text in written)
    assert written.count("FAIL") == len(failed.failed)
    assert all(check.name in written for check in failed.checks)


def test_assert_lossless():
    assert assert_lossless(verify, budget="quick") is None
    with pytest.raises(LosslessnessError) as caught:
        assert_lossless(mutant("residual_abs").build(CHAINS["A"]), budget="quick", name="mine")
    sentence, *reproducer = str(caught.value).splitlines()
    assert sentence.startswith("mine is not lossless")
    assert 1 <= len(reproducer) <= 3
    assert isinstance(caught.value, AssertionError)
    assert not caught.value.report.passed


def test_claims_make_conformance_decide(passed):
    assert quick(verify, claims="token rule").passed
    report = quick(match_target, claims="token rule")
    assert [check.name for check in report.failed] == ["token rule"]


def test_faults_of_the_drafters_side():
    entry = mutant("drafts_at_temperature")
    assert not quick(verify, drafter=entry.pair).passed
    assert quick(verify, drafter=lambda pair: pair).passed


def test_wrong_arguments():
    for options, message in [
        ({"budget": "huge"}, "budget is 'huge'"),
        ({"alpha": 0}, "alpha is 0"),
        ({"claims": "all"}, "claims is 'all'"),
    ]:
        with pytest.raises(ValueError, match=message):
            quick(verify, **options)
    with pytest.raises(ValueError, match="expected a callable"):
        quick(7)


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


def test_what_breaks_later_is_a_fault():
    def only_full_rows(draft, q, p, num_draft, rng):
        if (num_draft < draft.shape[1]).any():
            raise IndexError("row is short")
        return verify(draft, q, p, num_draft, rng)

    report = quick(only_full_rows)
    assert not report.passed
    assert "IndexError: row is short" in str(report)


def test_global_streams_are_judged_by_their_law():
    def own(draft, q, p, num_draft, rng):
        return verify(draft, q, p, num_draft, np.random.default_rng())

    report = quick(own, alpha=1e-6)
    assert report.passed
    assert {check.name for check in report.checks if check.verdict == "n/a"} == {"stream", "padding", "neighbours", "edges"}


class Tied:
    """A generator that gives some rows the uniforms of others, which leaves each row's law right."""

    def __init__(self, rng, tie):
        self.rng, self.tie = rng, tie

    def random(self, size=None):
        u = self.rng.random(size)
        if u.ndim == 2:
            self.tie(u)
        return u


def every_second(u):
    u[1::2] = u[: 2 * len(u[1::2]) : 2]


def every_seventh(u):
    u[7::7] = u[6::7][: len(u[7::7])]


def antithetic(u):
    u[1::2] = np.minimum(1 - u[: 2 * len(u[1::2]) : 2], np.nextafter(1, 0))


def from_the_row_five_before(u):
    u[10::10] = u[5::10][: len(u[10::10])]


@pytest.mark.parametrize("tie", [every_second, every_seventh, antithetic, from_the_row_five_before])
def test_rows_that_depend_on_others_are_seen(tie):
    def tied(draft, q, p, num_draft, rng):
        return verify(draft, q, p, num_draft, Tied(rng, tie))

    assert "rows" in [check.name for check in specviz.audit(tied, progress=False).failed]


def test_independent_rows_have_no_echo():
    """Skewed luck of 100 calls: 6,400 p-values; with one row in seven tied to the row before, all of 20 are seen."""
    rng = np.random.default_rng(0)
    luck = [rng.binomial(3, 0.8, (100, 64)) - 2.4 for _ in range(200)]
    found = np.concatenate([echoes(each) for each in luck])
    for level in (0.1, 0.01, 0.001):
        assert np.mean(found < level) < level + 3.3 * np.sqrt(level / len(found))
    for each in luck[:20]:
        each[:, 7::7] = each[:, 6::7][:, : each[:, 7::7].shape[1]]
        assert echoes(each).min() == echoes(each)[0] < 1e-9
    assert (echoes(np.zeros((5, 64))) == 1).all(), "one outcome shows nothing"


def test_every_executor_gives_the_same(passed):
    with ThreadPoolExecutor(2) as pool:
        threads = numbers(quick(verify, executor=pool))
    with ProcessPoolExecutor(2) as pool:
        processes = quick(verify, executor=pool)
    assert str(threads) == str(numbers(passed)) == str(numbers(processes))
    assert processes.remarks == ()


def test_what_cannot_travel_runs_here(passed):
    with ProcessPoolExecutor(2) as pool:
        report = quick(lambda *a: verify(*a), executor=pool)
    assert str(numbers(report)) == str(numbers(passed))
    assert "cannot be pickled" in report.remarks[0]


PLAIN_QUICK_MISSES = 4
"""Faults smaller than what 4,000 sequences a chain can promise; the standard budget must see them."""


def test_every_verdict_of_the_catalogue():
    with ProcessPoolExecutor(2) as pool:
        names = [m.name for m in CATALOGUE]
        verdicts = list(pool.map(partial(survey_one, seed=0, budget="quick", stop_early=True), names))
    doubtful = [v.name for v in verdicts if not right(v)]
    assert len(doubtful) <= PLAIN_QUICK_MISSES, doubtful
    for name in doubtful:
        assert not mutant(name).lossless, f"a false alarm on {name}"
        assert right(survey_one(name, 0, "standard", True)), name


def test_the_table_says_what_was_found():
    verdicts = [
        Verdict("verify", 0, True, (), False, ()),
        Verdict("residual_abs", 0, False, ("edges",), False, ("residual_abs",)),
    ]
    page = table(verdicts, "quick")
    assert "0 verdict(s) wrong" in page
    assert "| `residual_abs` | Takes abs(p - q) as the residual. | refuted 1 of 1 | edges | residual_abs |" in page
    assert not right(Verdict("verify", 0, False, (), False, ()))
    assert not right(Verdict("residual_abs", 0, True, (), False, ()))


def test_false_alarms_of_the_quick_law_tests():
    """30 seeds at the rate .001: two alarms or more have probability .0004."""
    assert sum(law_alarm(seed)[0] for seed in range(30)) <= 1


def test_import_stays_light():
    assert callable(specviz.audit)
    assert specviz.AuditReport.__module__ == "specviz.auditing.report"
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        specviz.nonsense  # noqa: B018
    assert "specviz.auditing.run" in sys.modules
