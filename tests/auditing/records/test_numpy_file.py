import contextlib

import numpy as np
import pytest

from specviz import audit_records, verify
from specviz.auditing.records.numpy_file import numpy_rounds
from specviz.auditing.subject.batches import with_drafts


@pytest.fixture(scope="module")
def arrays():
    rng = np.random.default_rng(0)
    n, V, K = 100, 30, 4
    q, p = rng.dirichlet(np.ones(V), (n, K)), rng.dirichlet(np.ones(V), (n, K + 1))
    case = with_drafts(q, p, rng.integers(0, K + 1, n), rng)
    tokens, n_out = verify(*case, rng)
    return {"draft": case.draft, "q": q, "p": p, "num_draft": case.num_draft, "tokens": tokens, "n_out": n_out}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "rounds.npz"


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_a_batch_gives_its_rounds_without_their_padding(path, arrays, save):
    save(path, **arrays)
    draft, q, p, num_draft, tokens, n_out = arrays.values()
    rounds = list(numpy_rounds(path, 1 << 30))
    assert len(rounds) == len(draft)
    for b, (k, n) in enumerate(zip(num_draft, n_out, strict=True)):
        for found, expected in zip(rounds[b], (draft[b, :k], q[b, :k], p[b, : k + 1], tokens[b, :n]), strict=True):
            np.testing.assert_array_equal(found, expected)


def test_a_numpy_file_is_audited(path, arrays):
    np.savez(path, **arrays)
    report = audit_records(path)
    assert report.passed
    assert report.verifier == "rounds.npz"
    assert "100 rounds" in str(report)


def test_a_numpy_file_larger_than_the_limit_is_not_loaded(path, arrays):
    np.savez_compressed(path, **arrays)
    with pytest.raises(ValueError, match=r"promises .* bytes; expected at most limit = 1,000"):
        audit_records(path, limit=1000)


def beyond(array, row, value):
    array = array.copy()
    array[row] = value
    return array


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda a: {"draft": np.array([{}], object)}, "dtype object; expected numbers"),
        (lambda a: {"n_out": a["n_out"][:5]}, r"n_out has shape \(5,\) and dtype int64; expected \(100,\) and integers"),
        (lambda a: {"n_out": a["n_out"] / 1}, r"n_out has shape \(100,\) and dtype float64; expected \(100,\) and integers"),
        (lambda a: {"n_out": beyond(a["n_out"], 7, 0)}, r"n_out\[7\] is 0; expected 1 to num_draft\[7\] \+ 1"),
        (lambda a: {"n_out": beyond(a["n_out"], 7, 9)}, r"n_out\[7\] is 9; expected 1 to num_draft\[7\] \+ 1"),
        (lambda a: {"tokens": a["tokens"][:, :2]}, r"tokens has shape \(100, 2\) and dtype int64; expected \(100, 5\)"),
        (lambda a: {"num_draft": beyond(a["num_draft"], 3, 5)}, r"num_draft\[3\] is 5; expected a length from 0 to K = 4"),
        (lambda a: {"q": a["q"][:, :2]}, r"q has shape \(100, 2, 30\); expected"),
        (lambda a: {"p": beyond(a["p"], (0, 0), 0.5)}, r"record 0: p\[0\] sums to 15"),
    ],
)
def test_arrays_that_are_no_rounds_are_named(path, arrays, change, message):
    np.savez(path, **{**arrays, **change(arrays)})
    with pytest.raises(ValueError, match=message):
        audit_records(path)


def test_an_array_that_is_missing_is_named(path, arrays):
    np.savez(path, draft=arrays["draft"])
    with pytest.raises(ValueError, match="has no array 'q'; expected draft, q, p, num_draft, tokens, n_out"):
        audit_records(path)


@pytest.mark.parametrize("cut", [100, 5000])
def test_a_numpy_file_cut_off_is_refused(path, arrays, cut):
    np.savez(path, **arrays)
    path.write_bytes(path.read_bytes()[:-cut])
    with pytest.raises(ValueError, match="is damaged: "):
        audit_records(path)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_a_damaged_numpy_file_is_refused_whatever_was_damaged(path, arrays, save):
    save(path, **{name: array[:3] for name, array in arrays.items()})
    data, rng = path.read_bytes(), np.random.default_rng(0)
    for _ in range(100):
        harmed = bytearray(data)
        for at in rng.integers(4, len(data), 3):
            harmed[at] = rng.integers(256)
        path.write_bytes(harmed)
        with contextlib.suppress(ValueError):
            audit_records(path)
