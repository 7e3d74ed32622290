import numpy as np
import pytest
from cases import cases, random_case, with_padding
from hypothesis import given
from hypothesis import strategies as st

from specviz import verify, verify_greedy
from specviz.inverse_cdf import LONG
from specviz.rules.greedy import verify_greedy_row

seeds = st.integers(0, 2**32 - 1)


def tied_chain(rng, V):
    """Logits after each token, and at the start, with few distinct values, so that there are ties; -inf among them."""
    return rng.choice([-np.inf, 0.0, 1.0, 2.0], size=(V + 1, V), p=[0.1, 0.3, 0.3, 0.3])


def plain_greedy(logits, length):
    tokens = [-1]
    for _ in range(length):
        row = logits[tokens[-1]]
        tokens.append(next(i for i, value in enumerate(row) if value == max(row)))
    return tokens[1:]


def drafters(V):
    """How a draft is made from the right continuation: always wrong, always right, right now and then, ragged or not."""
    return {
        "wrong": lambda right, rng: [(x + 1) % V for x in right],
        "right": lambda right, rng: list(right),
        "random": lambda right, rng: [x if rng.random() < 0.7 else int(rng.integers(V)) for x in right],
    }


@pytest.mark.parametrize("drafter", ["wrong", "right", "random"])
@pytest.mark.parametrize("ragged", [False, True])
def test_generation_equals_plain_greedy_decoding(drafter, ragged):
    rng = np.random.default_rng(0)
    for _ in range(40):
        V, K, B, length = int(rng.integers(2, 7)), 3, 4, 12
        chains = [tied_chain(rng, V) for _ in range(B)]
        for logits in chains:
            logits[:, 0] = np.where(np.isneginf(logits.max(axis=1)), 0, logits[:, 0])
        expected = [plain_greedy(logits, length + K + 1) for logits in chains]
        made = [[] for _ in range(B)]
        rounds = 0
        while min(map(len, made)) < length:
            num_draft = rng.integers(0, K + 1, B) if ragged else np.full(B, K)
            draft, p = np.full((B, K), -1), np.full((B, K + 1, V), np.nan)
            for b, logits in enumerate(chains):
                state = made[b][-1] if made[b] else -1
                right, s = [], state
                for _ in range(num_draft[b]):
                    s = int(logits[s].argmax())
                    right.append(s)
                draft[b, : num_draft[b]] = drafters(V)[drafter](right, rng)
                for i, x in enumerate([state, *draft[b, : num_draft[b]]]):
                    p[b, i] = logits[x]
            tokens, n_out = verify_greedy(draft, p, num_draft)
            for b in range(B):
                made[b] += tokens[b, : n_out[b]].tolist()
                made[b] = made[b][: length + K]
            rounds += 1
            if drafter == "right":
                assert (n_out == num_draft + 1).all()
            if drafter == "wrong":
                assert (n_out == 1).all()
        for b in range(B):
            assert made[b] == expected[b][: len(made[b])]


@given(cases(), seeds)
def test_a_one_hot_target_gives_the_token_rule(case, seed):
    best = case.p.argmax(axis=2)
    one_hot = np.eye(case.p.shape[2])[best]
    by_token_rule = verify(case.draft, case.q, one_hot, case.num_draft, np.random.default_rng(seed))
    for p in (one_hot, case.p):
        out = verify_greedy(case.draft, p, case.num_draft)
        assert np.array_equal(out.tokens, by_token_rule.tokens)
        assert np.array_equal(out.n_out, by_token_rule.n_out)


@given(cases(), st.sampled_from([np.nan, np.inf, -np.inf, 0.0, 7.0]))
def test_padding_changes_nothing_and_the_rule_is_its_definition(case, fill):
    plain, padded = (verify_greedy(c.draft, c.p, c.num_draft) for c in (case, with_padding(case, fill)))
    assert np.array_equal(plain.tokens, padded.tokens)
    for b, n in enumerate(case.num_draft):
        tokens = verify_greedy_row(case.draft[b, :n].tolist(), case.p[b, : n + 1].tolist())
        assert tuple(plain.tokens[b, : plain.n_out[b]].tolist()) == tokens
        assert (plain.tokens[b, plain.n_out[b] :] == -1).all()


@pytest.mark.parametrize("V", [LONG, LONG + 1, 40_000])
def test_wide_rows_strided_or_not(V):
    logits = np.random.default_rng(V).integers(0, 50, (6, 4, V)).astype(np.float32)
    draft = logits[:, :3].argmax(axis=2)
    draft[::2, 1] += 1
    out = verify_greedy(draft, logits, np.full(6, 3))
    assert out.n_out.tolist() == [2, 4] * 3
    assert np.array_equal(out.tokens[1], logits[1].argmax(axis=1))
    assert np.array_equal(verify_greedy(draft, np.asfortranarray(logits), np.full(6, 3)).tokens, out.tokens)


@pytest.mark.parametrize("V", [3, LONG + 5])
@pytest.mark.parametrize(
    ("fill", "message"),
    [
        (np.nan, r"p_or_logits\[1, 1, 2\] is nan, the largest of its row; expected a finite number"),
        (np.inf, r"p_or_logits\[1, 1, 2\] is inf"),
    ],
)
def test_what_is_no_number_is_refused_where_it_is_read(V, fill, message):
    logits = np.zeros((2, 3, V))
    logits[1, 1, 2] = fill
    with pytest.raises(ValueError, match=message):
        verify_greedy([[0, 0], [0, 0]], logits, [2, 2])
    verify_greedy([[0, 0], [1, 0]], logits, [2, 2])  # the second row is not read


def test_rows_without_a_token_and_other_bad_input():
    with pytest.raises(ValueError, match=r"p_or_logits\[0, 0, 0\] is -inf"):
        verify_greedy([[0]], np.full((1, 2, 3), -np.inf), [1])
    with pytest.raises(ValueError, match=r"p_or_logits has shape \(2, 2\)"):
        verify_greedy([[0]], np.zeros((2, 2)), [1])
    with pytest.raises(ValueError, match=r"draft\[0, 0\] is 3"):
        verify_greedy([[3]], np.zeros((1, 2, 3)), [1])


def test_rows_beyond_a_chunk_are_numbered_in_the_callers_batch():
    case = random_case(np.random.default_rng(0), 40, 2, 3)
    draft, p, n = (np.concatenate([a] * 500) for a in (case.draft, case.p, case.num_draft))
    few, many = verify_greedy(case.draft, case.p, case.num_draft), verify_greedy(draft, p, n)
    assert np.array_equal(np.tile(few.tokens, (500, 1)), many.tokens)
    p[19_999, 0, 1] = np.nan
    with pytest.raises(ValueError, match=r"p_or_logits\[19999, 0, 1\] is nan"):
        verify_greedy(draft, p, n)
