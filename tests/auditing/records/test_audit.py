import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz import RoundRecorder, audit_records, verify
from specviz.auditing.records.file import RecordFile
from specviz.auditing.records.sums import summarise
from specviz.auditing.subject.batches import with_drafts
from specviz.catalogue.build.parts import Parts, at
from specviz.models.recorded import load_rounds


def engine(n=400, V=2000, K=4, verifier=verify, sampled=lambda q: q, seed=0):
    """Rounds of K drafts at vocabulary V; `sampled` maps q to the law that drafts really come from."""
    rng = np.random.default_rng(seed)
    for _ in range(n // 20):
        logits = 2 * rng.standard_normal((20, K + 1, V))
        p, q = np.exp(logits), np.exp(logits[:, :K] + rng.standard_normal((20, K, V)))
        p, q = (rows / rows.sum(axis=-1, keepdims=True) for rows in (p, q))
        draft = with_drafts(sampled(q), p, np.full(20, K), rng).draft
        tokens, n_out = verifier(draft, q, p, np.full(20, K), rng)
        for b in range(20):
            yield draft[b], q[b], p[b], tokens[b, : n_out[b]]


def z(report):
    return [round(check.statistic, 2) for check in report.checks]


def test_a_right_engine_passes_all_three():
    report = audit_records(engine())
    assert report.passed
    assert all("No sign against it" in check.finding for check in report.checks), str(report)
    assert max(map(len, str(report).splitlines())) <= 80


def test_the_rate_is_kept():
    """100 runs of 60 rounds at rate .05: 5 alarms expected at most; 14 or more has probability .0005."""
    alarms = sum(not audit_records(engine(60, V=50, seed=seed), alpha=0.05).passed for seed in range(100))
    assert alarms < 14


@pytest.mark.parametrize("weights", [lambda p, q, x: p, lambda p, q, x: np.abs(p - q)], ids=["from p", "abs(p - q)"])
def test_outputs_that_are_not_from_p(weights):
    wrong = audit_records(engine(verifier=Parts(replacement=weights).verifier))
    assert [check.name for check in wrong.failed] == ["outputs from p?"]
    assert "No sign" in wrong.checks[0].finding
    assert "No sign" in wrong.checks[1].finding
    assert "biased" in wrong.checks[2].finding


def test_drafts_that_are_not_from_q():
    def cold(q):
        powered = q**2
        return powered / powered.sum(axis=-1, keepdims=True)

    report = audit_records(engine(sampled=cold))
    assert "not from the q" in report.checks[0].finding
    assert "No sign" in report.checks[1].finding


def test_acceptance_by_another_rule():
    report = audit_records(engine(verifier=Parts(accept=lambda p, q, x, i: (0.7 * at(q, x), at(p, x))).verifier))
    assert "Drafts are not accepted" in report.checks[1].finding
    assert "No sign" in report.checks[0].finding


def test_the_rounds_of_a_real_model():
    report = audit_records(load_rounds().rounds)
    assert report.passed
    assert "72 rounds" in str(report)


@pytest.fixture
def recorded(tmp_path):
    path = tmp_path / "rounds.bin"
    with RoundRecorder(path) as recorder:
        for one in engine(20, V=30):
            recorder.record(*one)
    return path


def test_a_file_gives_what_was_recorded_and_grows(recorded):
    made = [summarise(*one) for one in engine(20, V=30)]
    read = list(RecordFile(recorded))
    assert [r[:2] for r in read] == [m[:2] for m in made]
    assert all(np.array_equal(r.sums, m.sums, equal_nan=True) for r, m in zip(read, made, strict=True))
    assert z(audit_records(recorded)) == z(audit_records(engine(20, V=30)))
    with RoundRecorder(recorded) as recorder:
        recorder.append(made[0])
    assert len(list(RecordFile(recorded))) == 21


@given(cut=st.integers(1, 500))
def test_a_file_cut_off_loses_only_what_was_cut(tmp_path_factory, cut):
    path = tmp_path_factory.mktemp("cut") / "rounds.bin"
    with RoundRecorder(path) as recorder:
        for one in engine(20, V=6):
            recorder.record(*one)
    whole = path.read_bytes()
    ends = [*[i for i in range(len(whole)) if whole[i : i + 4] == b"RND\n"][1:], len(whole)]
    path.write_bytes(whole[: len(whole) - cut])
    file = RecordFile(path)
    complete = sum(end <= len(whole) - cut for end in ends)
    assert len(list(file)) == complete
    assert file.lost == (len(whole) - cut not in ends)


@given(at=st.integers(16, 5000), value=st.integers(0, 255))
def test_one_damaged_byte_loses_at_most_one_record(tmp_path_factory, at, value):
    path = tmp_path_factory.mktemp("damage") / "rounds.bin"
    with RoundRecorder(path) as recorder:
        for one in engine(20, V=6):
            recorder.record(*one)
    data = bytearray(path.read_bytes())
    at = min(at, len(data) - 1)
    changed = data[at] != value
    data[at] = value
    path.write_bytes(data)
    file = RecordFile(path)
    assert len(list(file)) == 20 - changed
    assert file.lost == changed
    report = audit_records(path)
    assert ("damaged" in str(report)) == changed


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "x.bin"
    path.write_bytes(b"hello, this is no record")
    with pytest.raises(ValueError, match="no file of recorded rounds"):
        audit_records(path)
    with pytest.raises(ValueError, match="no file of recorded rounds"):
        RoundRecorder(path)
    path.write_bytes(b"SPECVIZR" + bytes([9, 0, 0, 0, 0, 0, 0, 0]))
    with pytest.raises(ValueError, match="version 9; expected 1"):
        audit_records(path)


def test_a_length_that_promises_too_much_is_not_allocated(recorded):
    data = bytearray(recorded.read_bytes())
    data[20:24] = b"\xff\xff\xff\xff"
    recorded.write_bytes(data)
    file = RecordFile(recorded)
    assert len(list(file)) == 19
    assert file.lost == 1


def numpy_arrays(n=100, V=30, K=4):
    rng = np.random.default_rng(0)
    q, p = rng.dirichlet(np.ones(V), (n, K)), rng.dirichlet(np.ones(V), (n, K + 1))
    case = with_drafts(q, p, rng.integers(0, K + 1, n), rng)
    tokens, n_out = verify(*case, rng)
    return {"draft": case.draft, "q": q, "p": p, "num_draft": case.num_draft, "tokens": tokens, "n_out": n_out}


def test_numpy_files(tmp_path):
    path, arrays = tmp_path / "rounds.npz", numpy_arrays()
    np.savez_compressed(path, **arrays)
    assert audit_records(path).passed
    with pytest.raises(ValueError, match=r"promises .* bytes; expected at most limit = 1,000"):
        audit_records(path, limit=1000)
    np.savez(path, **{**arrays, "draft": np.array([{}], object)})
    with pytest.raises(ValueError, match="dtype object; expected numbers"):
        audit_records(path)
    np.savez(path, **{**arrays, "n_out": arrays["n_out"][:5]})
    with pytest.raises(ValueError, match="expected one length for all"):
        audit_records(path)
    np.savez(path, draft=arrays["draft"])
    with pytest.raises(ValueError, match="has no array 'q'"):
        audit_records(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokens": [1, 1]}, "record 0: tokens is"),
        ({"p": np.full((2, 3), np.nan)}, r"record 0: p\[0, 0\] is nan"),
        ({"q": np.full((1, 3), 0.2)}, r"record 0: q\[0\] sums to 0.6"),
        ({"draft": [7], "tokens": [1]}, r"record 0: draft\[0\] is 7"),
        ({"p": np.full((1, 3), 1 / 3)}, "record 0: p has 1 rows"),
    ],
)
def test_bad_records_are_named(change, message):
    good = {"draft": [2], "q": np.full((1, 3), 1 / 3), "p": np.full((2, 3), 1 / 3), "tokens": [2, 0]}
    assert audit_records([tuple(good.values())]).passed
    with pytest.raises(ValueError, match=message):
        audit_records([tuple({**good, **change}.values())])


def test_nothing_recorded():
    with pytest.raises(ValueError, match="holds no round"):
        audit_records([])
