import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz.logits import process_logits

INF = float("inf")
ROWS = np.array(
    [
        [2.0, 1.0, 0.5, 0.0, -1.0, -2.0],
        [1.0, 1.0, 0.0, 1.0, 0.0, -3.0],
        [0.0, 3.0, 3.0, -1.0, 2.0, -INF],
        [5.0, 4.9, 4.8, -3.0, 0.1, 0.2],
    ]
)
# softmax of what the warpers of transformers 5.24.0 (torch 2.14.1, CPU, float64) made of ROWS
RECORDED = [
    (
        {"temperature": 0.5},
        [
            [0.829014, 0.112195, 0.041274, 0.015184, 0.002055, 0.000278],
            [0.305716, 0.305716, 0.041374, 0.305716, 0.041374, 0.000103],
            [0.001159, 0.467694, 0.467694, 0.000157, 0.063296, 0],
            [0.40174, 0.328917, 0.269294, 0, 2.2e-05, 2.7e-05],
        ],
    ),
    (
        {"top_k": 2},
        [
            [0.731059, 0.268941, 0, 0, 0, 0],
            [0.333333, 0.333333, 0, 0.333333, 0, 0],
            [0, 0.5, 0.5, 0, 0, 0],
            [0.524979, 0.475021, 0, 0, 0, 0],
        ],
    ),
    (
        {"top_p": 0.8},
        [
            [0.628532, 0.231224, 0.140244, 0, 0, 0],
            [0.296923, 0.296923, 0, 0.296923, 0.109232, 0],
            [0, 0.5, 0.5, 0, 0, 0],
            [0.367165, 0.332225, 0.30061, 0, 0, 0],
        ],
    ),
    (
        {"min_p": 0.2},
        [
            [0.628532, 0.231224, 0.140244, 0, 0, 0],
            [0.267683, 0.267683, 0.098475, 0.267683, 0.098475, 0],
            [0, 0.422319, 0.422319, 0, 0.155362, 0],
            [0.367165, 0.332225, 0.30061, 0, 0, 0],
        ],
    ),
    (
        {"temperature": 0.7, "top_k": 4, "top_p": 0.9, "min_p": 0.1},
        [
            [0.736936, 0.176607, 0.086457, 0, 0, 0],
            [0.308675, 0.308675, 0, 0.308675, 0.073974, 0],
            [0, 0.446498, 0.446498, 0, 0.107004, 0],
            [0.381919, 0.331077, 0.287004, 0, 0, 0],
        ],
    ),
    (
        {"temperature": 1.5, "top_k": 3, "top_p": 0.6},
        [
            [0.660756, 0.339244, 0, 0, 0, 0],
            [0, 0.5, 0, 0.5, 0, 0],
            [0, 0.5, 0.5, 0, 0, 0],
            [0.51666, 0.48334, 0, 0, 0, 0],
        ],
    ),
]


@pytest.mark.parametrize(("settings", "expected"), RECORDED, ids=lambda value: str(value) if isinstance(value, dict) else "")
def test_recorded_numbers_of_hugging_face(settings, expected):
    assert process_logits(ROWS, **settings) == pytest.approx(np.array(expected), abs=1e-6)


def hugging_face(logits, temperature=1.0, top_k=None, top_p=None, min_p=None):
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    scores = torch.tensor(logits)
    chosen = [
        (transformers.TemperatureLogitsWarper, temperature if temperature != 1 else None),
        (transformers.TopKLogitsWarper, top_k),
        (transformers.TopPLogitsWarper, top_p),
        (transformers.MinPLogitsWarper, min_p),
    ]
    for warper, setting in chosen:
        if setting is not None:
            scores = warper(setting)(None, scores)
    return torch.softmax(scores, -1).numpy()


@pytest.mark.parametrize("V", [5, 50, 1000])
def test_against_hugging_face_where_it_is_installed(V):
    rng = np.random.default_rng(V)
    for _ in range(60):
        logits = rng.normal(size=(20, V)) * 3
        logits[:10] = logits[:10].round()  # ties
        logits[rng.random((20, V)) < 0.1] = -INF
        logits[:, 0] = 1.0
        settings = {
            "temperature": float(rng.choice([0.3, 1.0, 1.7])),
            "top_k": rng.choice([None, 1, 3, 40]),
            "top_p": rng.choice([None, 0.31, 0.62, 0.97]),
            "min_p": rng.choice([None, 0.013, 0.21]),
        }
        ours, theirs = process_logits(logits, **settings), hugging_face(logits, **settings)
        assert ours[10:] == pytest.approx(theirs[10:], abs=1e-9)
        assert np.sort(ours[:10]) == pytest.approx(np.sort(theirs[:10]), abs=1e-9), "which of equals go is up to torch.sort"


def test_a_whole_vocabulary_in_float32():
    """Against the same in float64; only tokens within float32 rounding of the cut may differ."""
    rng = np.random.default_rng(0)
    logits = (rng.gumbel(size=(6, 131_072)) * 2).astype(np.float32)
    single, double = (
        process_logits(x, temperature=0.9, top_k=50_000, top_p=0.95, min_p=1e-6) for x in (logits, logits.astype(float))
    )
    assert single.dtype == np.float32
    assert single.sum(axis=1, dtype=np.float64) == pytest.approx(np.ones(6), abs=1e-6)
    assert ((single > 0) != (double > 0)).sum(axis=1).max() <= 3
    assert np.abs(single - double).max() < 1e-6


def plainly(row, temperature, top_k, top_p, min_p):
    """The four steps for one row of small numbers, by sorting, in the words of the docstring."""
    ids = range(len(row))
    kept = [i for i in ids if sum(row[j] > row[i] for j in ids) < (top_k or len(row))]
    weight = {i: np.exp((row[i] - max(row)) / temperature) for i in kept}
    total, before = sum(weight.values()), 0.0
    for i in sorted(kept, key=lambda i: (row[i], i))[:-1]:
        before += weight[i] / total
        if before > 1 - (1 if top_p is None else top_p) + 1e-9:
            break
        del weight[i]
    weight = {i: w for i, w in weight.items() if w >= (min_p or 0) * (1 - 1e-9)}
    return [weight.get(i, 0) / sum(weight.values()) for i in ids]


settings = {
    "temperature": st.sampled_from([0.25, 1.0, 3.0]),
    "top_k": st.sampled_from([None, 1, 2, 5, 99]),
    "top_p": st.sampled_from([None, 0.0, 0.25, 0.5, 0.9, 1.0]),
    "min_p": st.sampled_from([None, 0.0, 0.3, 1.0]),
}


@given(st.lists(st.sampled_from([-INF, -1.0, 0.0, 0.5, 2.0]), min_size=1, max_size=8), st.fixed_dictionaries(settings))
def test_every_row_is_what_the_steps_say(row, chosen):
    if max(row) == -INF:
        return
    assert process_logits([row, row], **chosen)[1] == pytest.approx(plainly(row, **chosen), abs=1e-12)


def test_temperature_zero_is_the_lowest_argmax_and_its_limit():
    assert process_logits([[1.0, 3.0, 3.0], [2.0, 0.0, -INF]], temperature=0).tolist() == [[0, 1, 0], [1, 0, 0]]
    assert process_logits([1.0, 3.0, 2.0], temperature=1e-300).tolist() == [0, 1, 0]
    assert process_logits(np.float32([1, 3, 2]), temperature=1e-30).tolist() == [0, 1, 0]


def test_shapes_types_and_untouched_input():
    logits = np.random.default_rng(0).normal(size=(2, 3, 7)).astype(np.float32)
    before = logits.copy()
    out = process_logits(logits, top_k=3, top_p=0.9, min_p=0.1)
    assert out.shape == logits.shape
    assert out.dtype == np.float32
    assert np.array_equal(logits, before)
    assert out[1, 2] == pytest.approx(process_logits(logits[1, 2], top_k=3, top_p=0.9, min_p=0.1))
    assert process_logits(np.empty((0, 4))).shape == (0, 4)


@pytest.mark.parametrize(
    ("logits", "settings", "message"),
    [
        ([[0.0, 1.0], [0.0, np.nan]], {}, r"logits\[1, 1\] is nan; expected a finite number or -inf"),
        ([0.0, INF], {"temperature": 0}, r"logits\[1\] is inf"),
        ([[[0.0], [-INF]]], {}, r"logits\[0, 1\] is -inf for every token"),
        ([-INF, -INF], {}, "logits is -inf for every token"),
        (np.empty((2, 0)), {}, r"logits has shape \(2, 0\)"),
        ([0.0], {"temperature": -1}, "temperature is -1"),
        ([0.0], {"temperature": np.nan}, "temperature is nan"),
        ([0.0], {"temperature": INF}, "temperature is inf"),
        ([0.0], {"top_k": 0}, "top_k is 0"),
        ([0.0], {"top_k": 2.5}, "top_k is 2.5"),
        ([0.0], {"top_p": 1.1}, "top_p is 1.1"),
        ([0.0], {"min_p": -0.1}, "min_p is -0.1"),
        (np.zeros(3, np.float16), {}, "logits has dtype float16"),
    ],
)
def test_bad_input_is_named(logits, settings, message):
    with pytest.raises(ValueError, match=message):
        process_logits(logits, **settings)
