import json
import os
import subprocess
import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz import RoundRecorder, audit_records
from specviz.auditing.records import file as module
from specviz.auditing.records.file import LONGEST, RecordFile, from_line, to_line
from specviz.auditing.records.sums import Round, summarise

ONE = summarise([1, 0], [[0.25, 0.75], [0.5, 0.5]], [[0.5, 0.5], [0.25, 0.75], [0.5, 0.5]], [1, 1])
LINE = (
    b'{"specviz_round":1,"draft":[1,0],"tokens":[1,1],"p_draft":[0.5,0.25],"q_draft":[0.75,0.5],"overlap":[0.75,0.75],'
    b'"accept_square":[0.5833333333333333,0.625],"q2":[0.625,0.5],"q3":[0.4375,0.25],"p_token":[0.5,0.75],"p2":[0.5,0.625],'
    b'"p3":[0.25,0.4375],"q_token":[0.75,0.5],"output_square":[0.625,0.5833333333333333]}\n'
)
FIELDS = json.loads(LINE)


def changed(**fields):
    return json.dumps({**FIELDS, **fields}).encode() + b"\n"


# The format.


def test_a_round_is_this_line():
    assert to_line(ONE) == LINE


@pytest.mark.parametrize("name", ["specviz_round", *Round._fields])
def test_each_field_is_documented(name):
    assert f"``{name}``" in module.__doc__


@pytest.mark.parametrize(
    "line",
    [
        LINE,
        LINE[:-1],
        LINE.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + LINE,
        json.dumps(dict(reversed(FIELDS.items()))).encode(),
        changed(request=7, note="naïve"),
        changed(specviz_round=1.0),
    ],
    ids=["as written", "no newline", "CRLF", "byte order mark", "other order", "further fields", "1.0"],
)
def test_other_engines_may_write_it_so(line):
    assert from_line(line) == ONE


def test_whole_numbers_are_numbers():
    one = summarise([0], [[1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]], [0, 1])
    assert from_line(to_line(one).replace(b".0", b"")) == one


@st.composite
def rounds(draw):
    V, k = draw(st.integers(1, 5)), draw(st.integers(0, 4))
    weight = st.floats(0, 1) | st.sampled_from([0.0, 1e-300, 5e-324])
    row = st.lists(weight, min_size=V, max_size=V).filter(lambda row: sum(row) > 1e-9).map(lambda row: np.array(row) / sum(row))
    token = st.integers(0, V - 1)
    q, p = draw(st.lists(row, min_size=k, max_size=k)), draw(st.lists(row, min_size=k + 1, max_size=k + 1))
    draft = draw(st.lists(token, min_size=k, max_size=k))
    return summarise(draft, q, p, [*draft[: draw(st.integers(0, k))], draw(token)])


@given(one=rounds())
def test_every_round_is_read_back_to_the_last_bit(one):
    line = to_line(one)
    assert from_line(line) == one
    assert line.count(b"\n") == 1
    json.loads(line, parse_constant=pytest.fail)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (LINE[:200], "^is cut off, damaged, or no JSON$"),
        (b"\xff" + LINE, "^is cut off, damaged, or no JSON$"),
        (LINE[:-1] + LINE, "^is cut off, damaged, or no JSON$"),
        (b"[" * 100_000, "^is cut off, damaged, or no JSON$"),
        (b'{"specviz_round": ' + b"9" * 5000 + b"}", "^is cut off, damaged, or no JSON$"),
        (b"[1, 2]", "^has no field specviz_round$"),
        (b'{"draft": []}', "^has no field specviz_round$"),
        (changed(specviz_round=2), "^has version 2 of the format; expected 1, so a newer specviz is needed$"),
        (changed(specviz_round=0), "^has version 0 of the format; expected 1$"),
        (changed(specviz_round="1"), "^has version '1' of the format; expected 1$"),
        *[(json.dumps({k: v for k, v in FIELDS.items() if k != n}).encode(), f"^has no list {n}$") for n in Round._fields],
        (changed(p2=None), "^has no list p2$"),
        (changed(tokens=[0, 1]), "^tokens is "),
        (changed(q3=[0.5, float("nan")]), r"^q3\[1\] is nan; expected a number from 0 to 1"),
        (changed(q3=[0.5, None]), r"^q3\[1\] is None; expected a number from 0 to 1"),
        (changed(q3=[0.5, [[[[[[[[[[]]]]]]]]]]]), r"^q3\[1\] is \[\[\[\[\[\[\[...\]\]\]\]\]\]\]; expected"),
        (changed(p2=[10**400, 0.5]), r"^p2\[0\] is 1000"),
        (changed(note="x" * LONGEST), "^is longer than 1,048,576 bytes$"),
    ],
)
def test_a_line_that_is_no_round_says_why(line, message):
    with pytest.raises(ValueError, match=message):
        from_line(line)


# Reading a file.


@pytest.fixture(scope="session")
def lines(engine):
    return [to_line(summarise(*one)) for one in engine(20, V=6)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "rounds.jsonl"


def test_blank_lines_are_skipped(path):
    path.write_bytes(b"\n\r\n" + LINE + b"\n\n" + LINE)
    file = RecordFile(path)
    assert list(file) == [ONE, ONE]
    assert (file.lost, file.reason) == (0, "")


def test_a_file_can_be_read_twice(path):
    path.write_bytes(LINE + b"x\n")
    file = RecordFile(path)
    assert list(file) == list(file) == [ONE]
    assert file.lost == 1


@pytest.mark.parametrize("other", [b"{}\n", changed(specviz_round=2), changed(tokens=[7]), LINE[:9] + b"\n", b"\0" * 99 + b"\n"])
def test_what_is_no_round_is_counted_and_the_first_is_told(path, other):
    path.write_bytes(LINE + b"\n" + other + LINE + other)
    file = RecordFile(path)
    assert list(file) == [ONE, ONE]
    assert file.lost == 2
    assert file.reason.startswith("line 3 ")
    assert (
        f"Left out: 2 line(s) of the file that hold no recorded round. The first, {file.reason}." in audit_records(path).remarks
    )


def damaged(lines, start, stop, junk):
    """The file with bytes from start to stop replaced by junk, and the lines that this does not touch."""
    whole = b"".join(lines)
    before = whole[:start] + junk
    own_line = before == b"" or before.endswith(b"\n")  # a line that begins at `stop` still begins a line
    ends = np.cumsum([len(line) for line in lines])
    left = [line for line, end in zip(lines, ends, strict=True) if end <= start or end - len(line) >= stop + (not own_line)]
    return before + whole[stop:], left


@given(at=st.integers(0, 20_000))
def test_a_file_cut_off_loses_only_what_was_cut(tmp_path_factory, lines, at):
    path = tmp_path_factory.mktemp("cut") / "rounds.jsonl"
    whole = b"".join(lines)
    at = len(lines[0]) + at % (len(whole) - len(lines[0]))
    path.write_bytes(whole[:at])
    file = RecordFile(path)
    ends = np.cumsum([len(line) for line in lines])
    complete = int((ends <= at + 1).sum())  # a line without its newline is whole
    assert list(file) == [from_line(line) for line in lines[:complete]]
    assert file.lost == (at not in ends and at + 1 not in ends)


@given(
    at=st.integers(0, 20_000), cut=st.integers(0, 2000), junk=st.binary(max_size=40) | st.text('0123456789.{}[]",\n', max_size=9)
)
def test_damage_loses_only_the_lines_it_touches(tmp_path_factory, lines, at, cut, junk):
    path = tmp_path_factory.mktemp("damage") / "rounds.jsonl"
    junk = junk if isinstance(junk, bytes) else junk.encode()
    start = at % sum(map(len, lines))
    data, left = damaged(lines, start, start + cut, junk)
    path.write_bytes(data)
    file = RecordFile(path)
    read = list(file)
    whole = [from_line(line) for line in left]
    assert [one for one in read if one in whole] == whole
    assert len(read) - len(whole) + file.lost <= 2 + cut // 500 + junk.count(b"\n")
    assert ("Left out" in str(audit_records(path))) == (file.lost > 0)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"hello, this is no record", "line 1 is cut off, damaged, or no JSON"),
        (b'\n{"temperature": 1}', "line 2 has no field specviz_round"),
        (changed(specviz_round=2) * 3, "line 1 has version 2 of the format; expected 1, so a newer specviz is needed"),
        (LINE.decode().encode("utf-16"), "line 1 is cut off, damaged, or no JSON"),
    ],
    ids=["text", "other JSON", "newer version", "UTF-16"],
)
def test_a_file_without_any_round_is_refused_in_one_line(path, data, reason):
    path.write_bytes(data)
    with pytest.raises(ValueError, match="holds no recorded round") as caught:
        audit_records(path)
    assert str(caught.value) == f"{path} holds no recorded round: {reason}"


def test_a_binary_file_of_before_is_refused_in_one_line(path):
    path.write_bytes(b"SPECVIZR" + bytes([1, 0, 0, 0, 0, 0, 0, 0]) + b"RND\n")
    for use in (audit_records, RoundRecorder):
        with pytest.raises(
            ValueError, match=r"is a binary file of specviz 0.1.0, which is no longer read; record the rounds again"
        ):
            use(path)


def test_an_empty_file_holds_no_round(path):
    path.write_bytes(b"")
    with pytest.raises(ValueError, match="holds no round; expected at least one"):
        audit_records(path)


def test_a_line_without_end_does_not_fill_the_memory(path):
    """64 MB of zeros, a hole on the disk, between two rounds."""
    path.write_bytes(LINE)
    os.truncate(path, 64 << 20)
    with path.open("ab") as file:
        file.write(b"\n" + LINE)
    file = RecordFile(path)
    tracemalloc.start()
    read = list(file)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert read == [ONE, ONE]
    assert (file.lost, file.reason) == (1, "line 2 is longer than 1,048,576 bytes")
    assert peak < 8 << 20


@pytest.mark.parametrize("behind", [-1, 0, 1])
def test_the_longest_line_is_read_and_no_longer_one(path, behind):
    spare = LONGEST - len(LINE) + behind
    path.write_bytes(LINE[:-1] + b" " * spare + b"\n" + LINE)
    file = RecordFile(path)
    assert len(list(file)) == 2 - (behind > 0)
    assert file.lost == (behind > 0)


# Writing a file.


def test_a_file_gives_what_was_recorded(path, engine):
    with RoundRecorder(path) as recorder:
        for one in engine(20, V=30):
            recorder.record(*one)
    assert list(RecordFile(path)) == [summarise(*one) for one in engine(20, V=30)]


def test_a_file_that_is_there_grows(path):
    for _ in range(3):
        with RoundRecorder(str(path)) as recorder:
            recorder.append(ONE)
    assert path.read_bytes() == 3 * LINE


def test_a_round_can_be_read_when_record_returns(path):
    with RoundRecorder(path) as recorder:
        for n in range(1, 4):
            recorder.append(ONE)
            assert path.read_bytes() == n * LINE


@pytest.mark.parametrize("part", [LINE[:100], LINE[:-1], b"{", LINE + LINE[:7]], ids=["cut", "no newline", "one byte", "second"])
def test_a_part_of_a_line_spoils_no_other(path, part):
    path.write_bytes(part)
    with RoundRecorder(path) as recorder:
        recorder.append(ONE)
        recorder.append(ONE)
    assert path.read_bytes() == part + b"\n" + LINE + LINE


def test_a_part_that_another_process_leaves_meanwhile_spoils_no_other(path):
    with RoundRecorder(path) as recorder:
        recorder.append(ONE)
        with path.open("ab") as other:
            other.write(LINE[:50])
        recorder.append(ONE)
        recorder.append(ONE)
    assert path.read_bytes() == LINE + LINE[:50] + b"\n" + LINE + LINE


def test_only_a_round_is_appended(path):
    with RoundRecorder(path) as recorder:
        with pytest.raises(ValueError, match=r"q2\[0\] is nan; expected a number"):
            recorder.append(ONE._replace(q2=(float("nan"), 0.5)))
        with pytest.raises(ValueError, match="tokens is"):
            recorder.record([1], [[0.5, 0.5]], [[0.5, 0.5]] * 2, [0, 0])
    assert path.read_bytes() == b""


def test_a_round_too_long_for_a_line_is_refused(path):
    many = 6000
    with (
        RoundRecorder(path) as recorder,
        pytest.raises(ValueError, match=r"a round of 6000 drafts takes .* expected at most 1,048,576"),
    ):
        recorder.record([0] * many, [[1 / 3] * 3] * many, [[0.1, 0.2, 0.7]] * (many + 1), [0] * many)
    assert path.read_bytes() == b""


@pytest.mark.parametrize("data", [b"hello, this is no record", b"PK\x03\x04", b"[1, 2]\n", b"\x00"])
def test_another_file_is_not_appended_to(path, data):
    path.write_bytes(data)
    with pytest.raises(ValueError, match="is no file of recorded rounds; expected JSON Lines"):
        RoundRecorder(path)
    assert path.read_bytes() == data


def test_a_closed_recorder_writes_nothing(path):
    recorder = RoundRecorder(path)
    recorder.close()
    recorder.close()
    with pytest.raises(ValueError, match="closed file"):
        recorder.append(ONE)


def numbered(writer, number):
    return ONE._replace(draft=(writer, number), tokens=(writer, 1))


def test_threads_share_a_recorder(path):
    with RoundRecorder(path) as recorder, ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda w: [recorder.append(numbered(w, i)) for i in range(100)], range(8)))
    file = RecordFile(path)
    assert sorted(one.draft for one in file) == [(w, i) for w in range(8) for i in range(100)]
    assert file.lost == 0


WRITER = """
import sys
from itertools import count
from specviz import RoundRecorder
from specviz.auditing.records.sums import summarise

path, writer, rounds, drafts = sys.argv[1], *map(int, sys.argv[2:])
row = [1 / 3, 2 / 3]
one = summarise([0] * drafts, [row] * drafts, [row] * (drafts + 1), [0])
with RoundRecorder(path) as recorder:
    for i in range(rounds) if rounds else count():
        recorder.append(one._replace(draft=(writer, i, *one.draft[2:])))
        print(i, flush=True)
"""


@pytest.fixture
def start(path):
    """Start a process that appends rounds of so many drafts, endlessly for 0 rounds, and tells the number of each afterwards."""
    if os.name == "nt":
        pytest.skip("processes cannot share a file there, as RoundRecorder says")
    with ExitStack() as stack:

        def started(number, rounds, drafts=2):
            command = [sys.executable, "-c", WRITER, path, *map(str, (number, rounds, drafts))]
            process = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE))
            stack.callback(process.kill)
            return process

        yield started


def test_processes_share_a_file(path, start):
    for process in [start(number, 500) for number in range(4)]:
        process.communicate()
        assert process.returncode == 0
    file = RecordFile(path)
    assert sorted(one.draft for one in file) == [(w, i) for w in range(4) for i in range(500)]
    assert file.lost == 0
    assert path.read_bytes().count(b"\n") == 2000


@pytest.mark.parametrize("rounds", [3, 7, 20])
def test_a_killed_process_spoils_no_other(path, start, rounds):
    """Lines of 130 kB: a kill in the middle of one can leave a part of it."""
    victim, other = start(0, 0, 900), start(1, 0, 900)
    for _ in range(rounds):
        victim.stdout.readline()
    victim.kill()
    written = rounds + len(victim.stdout.read().splitlines())
    for _ in range(10):
        other.stdout.readline()
    other.terminate()
    also = 10 + len(other.stdout.read().splitlines())
    file = RecordFile(path)
    found = [one.draft[:2] for one in file]
    assert [i for w, i in found if w == 0][:written] == list(range(written))
    assert [i for w, i in found if w == 1][:also] == list(range(also))
    assert file.lost <= 2


def test_a_full_disk_is_told_and_spoils_no_other(path):
    resource = pytest.importorskip("resource")
    code = """
import resource, signal, sys
from specviz import RoundRecorder
from specviz.auditing.records.file import from_line
line = sys.stdin.buffer.read()
with RoundRecorder(sys.argv[1]) as recorder:
    recorder.append(from_line(line))
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(line) + 100, resource.RLIM_INFINITY))
    try:
        recorder.append(from_line(line))
    except OSError as error:
        print(error)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    recorder.append(from_line(line))
"""
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    done = subprocess.run([sys.executable, "-c", code, path], input=LINE, capture_output=True, check=True)
    assert f"{path} took 100 of the {len(LINE)} bytes of a round; is the disk full?" in done.stdout.decode()
    assert path.read_bytes() == LINE + LINE[:100] + b"\n" + LINE
