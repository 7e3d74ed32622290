from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz.auditing.records.sums import Round, check_round, scores, summarise, summarise_listed
from specviz.models.recorded import load_rounds

P = np.array([[0.5, 0.25, 0.25, 0.0], [0.25, 0.25, 0.5, 0.0], [0.5, 0.0, 0.0, 0.5]])
Q = np.array([[0.25, 0.5, 0.0, 0.25], [0.125, 0.75, 0.125, 0.0]])

KEPT = {
    "draft": (1, 2),
    "tokens": (1, 2, 3),
    "p_draft": (0.25, 0.5),
    "q_draft": (0.5, 0.125),
    "overlap": (0.25 + 0.25, 0.125 + 0.25 + 0.125),
    "accept_square": (0.25**2 / 0.25 + 0.25**2 / 0.5, 0.125**2 / 0.125 * 2 + 0.25**2 / 0.75),
    "q2": (0.0625 + 0.25 + 0.0625, 2 * 0.015625 + 0.5625),
    "q3": (2 * 0.25**3 + 0.5**3, 2 * 0.125**3 + 0.75**3),
    "p_token": (0.25, 0.5, 0.5),
    "p2": (0.375, 0.375, 0.5),
    "p3": (0.5**3 + 2 * 0.25**3, 0.5**3 + 2 * 0.25**3, 2 * 0.5**3),
    "q_token": (0.5, 0.125),
    "output_square": (0.25**2 / 0.5 + 0.25**2 / 0.25, 0.125**2 / 0.25 + 0.25**2 / 0.25 + 0.125**2 / 0.5),
}
"""The round of drafts 1 and 2, both accepted, and the bonus token 3; written from the definitions, in numbers exact in binary."""


@pytest.mark.parametrize("name", Round._fields)
def test_what_is_kept_is_what_the_definition_says(name):
    assert getattr(summarise([1, 2], Q, P, [1, 2, 3]), name) == pytest.approx(KEPT[name], rel=1e-15)


def test_the_token_behind_a_rejection_is_looked_up_and_not_the_draft():
    kept = summarise([1, 2], Q, P, [1, 0])
    assert (kept.p_token, kept.q_token) == ((0.25, 0.25), (0.5, 0.125))
    assert (kept.p_draft, kept.q_draft) == ((0.25, 0.5), (0.5, 0.125))


@pytest.mark.parametrize("k", [0, 1, 2])
def test_lengths_follow_the_drafts_and_the_tokens(k):
    for n in range(1, k + 2):
        draft, tokens = [1, 2][:k], [1, 2, 3][:n]
        kept = summarise(draft, Q[:k], P[: k + 1], tokens)
        assert {len(getattr(kept, name)) for name in ("draft", "p_draft", "q_draft", "overlap", "accept_square", "q2", "q3")} == {
            k
        }
        assert {len(getattr(kept, name)) for name in ("tokens", "p_token", "p2", "p3")} == {n}
        assert {len(getattr(kept, name)) for name in ("q_token", "output_square")} == {min(k, n)}


def test_rows_are_divided_by_their_sums():
    """Half precision leaves sums that are off 1; such a row stands for the law that is drawn from, which is normalised."""
    assert summarise([1, 2], 0.9995 * Q, 1.0005 * P, [1, 2, 3])[2:] == tuple(
        pytest.approx(column, rel=1e-15) for column in summarise([1, 2], Q, P, [1, 2, 3])[2:]
    )


def test_float32_rows_are_summed_in_float64(engine):
    for draft, q, p, tokens in engine(20, V=3000):
        wide = summarise(draft, np.float64(np.float32(q)), np.float64(np.float32(p)), tokens)
        assert summarise(draft, np.float32(q), np.float32(p), tokens) == wide


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokens": [1, 1]}, r"^tokens is \[1, 1\] for draft \[2\]; expected accepted drafts"),
        ({"tokens": []}, r"^tokens is \[\] for draft \[2\]"),
        ({"tokens": [2, 0, 0]}, r"^tokens is \[2, 0, 0\] for draft \[2\]"),
        ({"tokens": [2, 3]}, r"^tokens\[1\] is 3; expected a token id from 0 to 2"),
        ({"tokens": [2, 0.5]}, r"^tokens has shape \(2,\) and dtype float64; expected a list of integers"),
        ({"draft": [[2]]}, r"^draft has shape \(1, 1\) and dtype int64; expected a list of integers"),
        ({"draft": [7], "tokens": [1]}, r"^draft\[0\] is 7; expected a token id from 0 to 2"),
        ({"draft": [-1], "tokens": [1]}, r"^draft\[0\] is -1"),
        ({"p": np.full((2, 3), np.nan)}, r"^p\[0, 0\] is nan"),
        ({"p": np.full((1, 3), 1 / 3)}, "^p has 1 rows and q has 1 for 1 drafts; expected 2 and 1"),
        ({"p": np.full((2, 3), 1 / 3, np.float16)}, r"^p\[0\] has dtype float16; expected float32 or float64"),
        ({"p": np.full((2, 1, 3), 1 / 3)}, r"^p\[0\] has shape \(1, 3\); expected \(V,\)"),
        ({"q": np.full((1, 3), 0.2)}, r"^q\[0\] sums to 0.6"),
        ({"q": np.full((2, 3), 1 / 3)}, "^p has 2 rows and q has 2"),
        ({"q": [[0.5, 0.5]]}, r"^q\[0\] has 2 entries and p\[0\] 3; expected the same"),
        ({"q": [[]]}, r"^q\[0\] sums to 0"),
    ],
)
def test_bad_rows_are_named(change, message):
    good = {"draft": [2], "q": np.full((1, 3), 1 / 3), "p": np.full((2, 3), 1 / 3), "tokens": [2, 0]}
    summarise(**good)
    with pytest.raises(ValueError, match=message):
        summarise(**{**good, **change})


def outcomes(p, q, drafted=None, replace=None):
    """Every round of K = 2 drafts with its probability, under the token rule; `drafted` and `replace` break it."""
    drafted = q if drafted is None else drafted
    for x in product(range(p.shape[1]), repeat=2):
        here = drafted[0, x[0]] * drafted[1, x[1]]
        for i in range(2):
            accept = min(1.0, p[i, x[i]] / q[i, x[i]]) if q[i, x[i]] else 1.0
            owed = np.maximum(p[i] - q[i], 0) if replace is None else replace(p[i], q[i])
            for y, share in enumerate(owed / owed.sum()):
                yield here * (1 - accept) * share, summarise(x, q, p, (*x[:i], y))
            here *= accept
        for y, share in enumerate(p[2]):
            yield here * share, summarise(x, q, p, (*x, y))


def means(rounds):
    """Exact mean of each score, mean of its square, and mean of its variance."""
    total = np.zeros((3, 5))
    for probability, one in rounds:
        value, variance = scores(one).T
        total += probability * np.array([value, value**2, variance])
    return total


SCORES = ["drafts, min(p, q) / q", "drafts, q", "accept flags", "outputs, min(p, q) / p", "outputs, p"]
LAWS = [(P, Q), tuple(np.split(np.random.default_rng(0).dirichlet(np.ones(4), 5), [3]))]


@pytest.mark.parametrize(("p", "q"), LAWS, ids=["with zeros", "random"])
@pytest.mark.parametrize("which", range(5), ids=SCORES)
def test_a_score_has_mean_zero_and_the_variance_it_states(p, q, which):
    """Over all outcomes of a right round, exactly."""
    mean, square, variance = means(outcomes(p, q))[:, which]
    assert mean == pytest.approx(0, abs=1e-14)
    assert square == pytest.approx(variance, rel=1e-12)
    assert variance > 0.01


def cooled(rows):
    return rows**2 / (rows**2).sum(axis=1, keepdims=True)


def test_drafts_colder_than_q_are_seen_as_drafts_of_larger_q():
    """The mean of q over the law drawn from less that over q, at both positions."""
    p, q = LAWS[1]
    mean = means(outcomes(p, q, drafted=cooled(q)))[0]
    assert mean[1] == pytest.approx(((cooled(q) - q) * q).sum(), rel=1e-12)
    assert mean[0] == pytest.approx(((cooled(q) - q) * np.minimum(1, p[:2] / q)).sum(), rel=1e-12)
    assert mean[1] > 0.1


@pytest.mark.parametrize("which", [3, 4], ids=SCORES[3:])
def test_a_recovered_token_from_p_is_seen_in_the_outputs_alone(which):
    """The mean of w over the law put out less that over p, at each position that is reached."""
    p, q = LAWS[1]
    mean = means(outcomes(p, q, replace=lambda p, q: p))[0]
    alpha = np.minimum(p[:2], q).sum(axis=1, keepdims=True)
    law = np.minimum(p[:2], q) + (1 - alpha) * p[:2]
    w = np.minimum(1, q / p[:2]) if which == 3 else p[:2]
    gaps = ((law - p[:2]) * w).sum(axis=1)
    assert mean[which] == pytest.approx(gaps[0] + alpha[0, 0] * gaps[1], rel=1e-12)
    assert mean[:3] == pytest.approx(0, abs=1e-14)
    assert mean[3] > 0.05


def test_more_accepted_than_the_ratio_allows_scores_above_zero():
    value, variance = scores(summarise([1, 2], Q, P, [1, 2, 3]))[2]
    assert value == 1 - 0.25 / 0.5 + 1 - 1
    assert variance == 0.25


def test_fewer_accepted_scores_below_zero():
    value, variance = scores(summarise([1, 2], Q, P, [0]))[2]
    assert value == -0.25 / 0.5
    assert variance == 0.25


@pytest.mark.parametrize(("p", "tokens"), [(0.5, [0, 1]), (0.0, [1])], ids=["p lets in", "p rules out"])
def test_a_draft_that_q_rules_out_speaks_of_the_drafter_and_not_of_the_test(p, tokens):
    """The token rule accepts it if p > 0 and rejects it if p is 0 too."""
    found = scores(summarise([0], [[0.0, 1.0]], [[p, 1 - p], [0.5, 0.5]], tokens))
    assert found[0].tolist() == [(p > 0) - (1 - p), (1 - p) ** 2 - (1 - p) ** 2]
    assert found[1].tolist() == [0 - 1, 0]
    assert found[2].tolist() == [0, 0]


def test_a_round_without_drafts_speaks_of_outputs_alone():
    found = scores(summarise([], [], [[0.5, 0.25, 0.25]], [0]))
    assert not found[:4].any()
    assert found[4].tolist() == [0.5 - 0.375, (0.5**3 + 2 * 0.25**3) - 0.375**2]


GOOD = summarise([1, 2], Q, P, [1, 0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"draft": (1, "2")}, r"^draft\[1\] is '2'; expected a token id"),
        ({"draft": (1, -2)}, r"^draft\[1\] is -2; expected a token id"),
        ({"draft": (True, 2)}, r"^draft\[0\] is True; expected a token id"),
        ({"tokens": (1, 0.0)}, r"^tokens\[1\] is 0.0; expected a token id"),
        ({"tokens": (2, 0)}, r"^tokens is \[2, 0\] for draft \[1, 2\]; expected accepted drafts"),
        ({"tokens": ()}, r"^tokens is \[\] for draft"),
        ({"tokens": (1, 2, 0, 0)}, r"^tokens is \[1, 2, 0, 0\] for draft"),
        *[({name: (*getattr(GOOD, name), 0.5)}, f"^{name} has 3 numbers; expected 2") for name in Round._fields[2:]],
        ({"q2": ()}, "^q2 has 0 numbers; expected 2"),
        ({"p_draft": (0.5, float("nan"))}, r"^p_draft\[1\] is nan; expected a number from 0 to 1"),
        ({"p_draft": (0.5, None)}, r"^p_draft\[1\] is None; expected a number"),
        ({"q3": (-0.1, 0.5)}, r"^q3\[0\] is -0.1; expected a number from 0 to 1"),
        ({"p2": (1.01, 0.5)}, r"^p2\[0\] is 1.01; expected a number from 0 to 1"),
        ({"q_token": ("0.5", 0.5)}, r"^q_token\[0\] is '0.5'; expected a number"),
        ({"q_token": (True, 0.5)}, r"^q_token\[0\] is True; expected a number"),
        ({"accept_square": (0.1, 0.5)}, r"^accept_square\[0\] is 0.1 and overlap\[0\] is 0.5; expected at least its square"),
        ({"output_square": (0.5, 0.1)}, r"^output_square\[1\] is 0.1 and overlap\[1\] is 0.5"),
        ({"q3": (0.5, 0.1)}, r"^q3\[1\] is 0.1 and q2\[1\] is"),
        ({"p3": (0.1, 0.5)}, r"^p3\[0\] is 0.1 and p2\[0\] is"),
    ],
)
def test_a_round_that_cannot_be_is_refused_by_name(change, message):
    check_round(GOOD)
    with pytest.raises(ValueError, match=message):
        check_round(GOOD._replace(**change))


def test_sums_made_in_float32_are_taken():
    check_round(GOOD._replace(overlap=(0.5, 1.0004), accept_square=(0.2499, 1.0), output_square=(0.375, 1.0004)))


weights = st.lists(st.sampled_from([0.0, 1e-30, 1e-3, 1.0, 7.0]), min_size=3, max_size=3).filter(lambda row: sum(row) > 1e-4)
laws = weights.map(lambda row: np.array(row) / sum(row))


@given(p=st.lists(laws, min_size=3, max_size=3), q=st.lists(laws, min_size=2, max_size=2), n=st.integers(1, 3))
def test_whatever_the_laws_their_round_is_a_round(p, q, n):
    one = summarise([0, 1], q, p, [0, 1, 2][:n])
    check_round(one)
    assert np.isfinite(scores(one)).all()
    assert (scores(one)[:, 1] > -1e-12).all()


def test_tokens_that_a_list_leaves_out_are_one_token_more():
    one = load_rounds().rounds[0]
    row = one.rows[0]
    listed = summarise_listed(one)
    total = row.p.sum() + row.p_rest
    assert listed.draft[0] == int(np.flatnonzero(row.ids == one.draft[0])[0])
    assert listed.p_draft[0] == pytest.approx(row.p[listed.draft[0]] / total)
    assert listed.p2[0] == pytest.approx(((row.p / total) ** 2).sum() + (row.p_rest / total) ** 2)
    assert len(listed.tokens) == one.accepted + 1


def test_a_token_that_is_not_listed_is_found_among_the_rest():
    one = load_rounds().rounds[0]
    row = one.rows[0]
    few = type(row)(**{**vars(row), "ids": -row.ids})
    listed = summarise_listed(type(one)(**{**vars(one), "rows": (few, *one.rows[1:])}))
    assert listed.draft[0] == len(row.ids)
    assert listed.p_draft[0] == pytest.approx(row.p_rest / (row.p.sum() + row.p_rest))
