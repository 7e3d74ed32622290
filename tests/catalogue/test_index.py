"""Every catalogued verifier: simulation against exact law, vectorised code against program, and what sees which fault."""

from collections import Counter
from functools import cache

import numpy as np
import pytest
from cases import Scripted, extreme_uniforms, random_case, with_padding

from specviz import MarkovPair, generate, overlap, verify
from specviz.auditing.diagnosis.fingerprints import ROUNDS, factors, fingerprints, law_from
from specviz.auditing.diagnosis.first_rounds import observe
from specviz.auditing.statistics.chi_square import chi_square, count_cells
from specviz.catalogue.index import CATALOGUE, mutant
from specviz.exact.chain import ExactLaws
from specviz.models.designed import CHAIN_A, RAGGED
from specviz.uniforms import GivenUniforms

PROGRAMS = [entry for entry in CATALOGUE if entry.program]
OTHERS = [entry for entry in CATALOGUE if not entry.program]
TEACHING = MarkovPair.teaching()
named = {"ids": lambda entry: entry.name}


def rng_for(seed=0):
    return np.random.default_rng(seed)


def build(name, pair=TEACHING):
    return mutant(name).build(pair)


# ---- the catalogue ---------------------------------------------------------------------------------------------------


def test_how_many_there_are():
    assert len({entry.name for entry in CATALOGUE}) == len(CATALOGUE)
    families = Counter(entry.family for entry in CATALOGUE)
    assert len(CATALOGUE) - families["right"] >= 45
    assert families["right"] - 2 >= 6
    assert {"acceptance", "residual", "bonus", "count", "ragged", "randomness", "rows", "processing", "numerics"} <= set(families)
    for entry in CATALOGUE:
        assert entry.lossless == (entry.family == "right")
        assert (entry.program is None) == bool(entry.no_program)
        assert entry.what.endswith(".")


def test_unknown_names():
    with pytest.raises(ValueError, match="expected one of verify, token_rule"):
        mutant("nonsense")


# ---- programs: exact law, simulation, gauges -------------------------------------------------------------------------


def counts_on_chain_a(entry, n=20_000):
    return observe(entry.build(CHAIN_A), "A", n, rng_for(), drafts_from=entry.pair(CHAIN_A)).counts()


@cache
def law_on_chain_a(entry):
    law = law_from(*factors(entry, "A"), V=4)
    return law * np.array([RAGGED[n] for n, _ in ROUNDS])[:, None]


@pytest.mark.parametrize("entry", PROGRAMS, **named)
def test_simulation_agrees_with_the_exact_law(entry):
    """20,000 ragged sequences: drafts, tokens emitted and four tokens. The false-alarm rate of all entries together is .001."""
    counts, law = counts_on_chain_a(entry), law_on_chain_a(entry)
    assert chi_square(counts, law, alpha=0.001 / len(PROGRAMS)).passed
    if not entry.lossless and entry.family != "numerics" and entry.name != "block_with_token_residual":
        right = law_on_chain_a(mutant("verify"))
        assert not chi_square(counts, right, alpha=0.001 / len(PROGRAMS)).passed, "the test can fail"


@pytest.mark.parametrize("entry", PROGRAMS, **named)
def test_the_gauges_see_what_the_catalogue_says(entry):
    """On the teaching chain, by exact laws: more than .001 of total variation, more than .005 tokens per round."""
    laws = ExactLaws(entry.program, entry.pair(TEACHING), float)

    def seen(K, length):
        return np.abs(laws.sequence_law(K, length) - TEACHING.joint_law(length)).sum() / 2 > 1e-3

    gauges = {"first token"} if seen(2, 1) else set()
    gauges |= (
        {"joint law"} if seen(3, 3) else {"joint law past K"} if seen(2, 3) else {"ragged law"} if seen(RAGGED, 4) else set()
    )
    gauges |= {"tokens per round"} if abs(laws.tokens_per_round(3) - 2.533) > 0.005 else set()
    beyond = {"wide law", "edges"} if entry.family == "numerics" else set()
    assert gauges == entry.seen_by - beyond
    assert gauges or entry.seen_by & beyond or entry.lossless


# Programs whose vectorised form asks for its uniforms in another order, or, the last, needs the chain.
OTHER_ORDER = {"match_target", "match_then_fresh", "match_then_residual", "all_or_nothing", "block_with_token_residual"}
OTHER_ORDER |= {"one_uniform_per_row", "mirrored", "alternating_uniforms", "bonus_from_drafter"}


@pytest.mark.parametrize("entry", [e for e in PROGRAMS if e.name not in OTHER_ORDER], **named)
def test_the_vectorised_code_is_the_program(entry):
    """500 ragged rows, many with uniforms at their limits: the same tokens for the same uniforms."""
    rng = rng_for()
    B, K, V = 500, 3, 4
    case = random_case(rng, B, K, V)
    u, final = rng.random((B, K)), rng.random(B)
    if entry.family != "processing":  # powers are rounded, sums of sixty-fourths are not
        u, final = extreme_uniforms(rng, (B, K)), extreme_uniforms(rng, B)
    tokens, n_out = entry.build(TEACHING)(*case, Scripted(u, final))
    for b, n in enumerate(case.num_draft):
        given = {("accept", i): u[b, i] for i in range(K)} | {"final": final[b]}
        expected = entry.program(tuple(case.draft[b, :n].tolist()), case.q[b, : n + 1], case.p[b, : n + 1], GivenUniforms(given))
        assert tuple(tokens[b, : n_out[b]].tolist()) == expected
        assert (tokens[b, n_out[b] :] == -1).all()


# ---- without a program: right rules ----------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", [e for e in OTHERS if e.lossless], **named)
def test_right_rules_without_a_program(entry):
    assert chi_square(counts_on_chain_a(entry), law_on_chain_a(mutant("verify")), alpha=0.001 / 3).passed


# ---- without a program: faults of other rows and of the padding ------------------------------------------------------


def sum_of_chi_squares(verifier, calls=150, rows=64):
    """Standardised sum over calls of the chi-square of two tokens, from one start state."""
    rng, law = rng_for(), TEACHING.joint_law(2)
    statistics = []
    for _ in range(calls):
        made = generate(TEACHING, verifier, length=2, K=2, n=rows, rng=rng)
        counts = count_cells(made.sequences, 4)
        statistics.append(((counts - rows * law) ** 2 / (rows * law)).sum() - 15)
    return np.mean(statistics) / (np.std(statistics) / np.sqrt(calls))


def test_only_many_rows_together_see_uniforms_that_rows_share():
    for name in ("uniforms_shared_by_rows", "final_shared_by_rows", "one_uniform_per_call"):
        assert sum_of_chi_squares(build(name)) > 8, name
    assert abs(sum_of_chi_squares(verify)) < 3.3


@pytest.mark.parametrize("name", ["q_of_another_request", "p_of_another_request"])
def test_rows_of_another_request(name):
    made = generate(CHAIN_A, build(name), length=3, K=2, n=20_000, rng=rng_for())
    assert not chi_square(count_cells(made.sequences, 4), CHAIN_A.joint_law(3)).passed
    single = random_case(rng_for(), 1, 3, 4)
    alone = [build(which)(*single, rng_for(1))[0].tolist() for which in (name, "token_rule")]
    assert alone[0] == alone[1], "a request that is alone has its own rows"


RAGGED_FAULTS = [entry for entry in OTHERS if "padding" in entry.seen_by]


@pytest.mark.parametrize("entry", RAGGED_FAULTS, **named)
def test_faults_of_the_padding(entry):
    """Another padding gives other tokens, and ragged sequences have another law."""
    case, verifier = random_case(rng_for(), 200, 3, 4), entry.build(TEACHING)
    plain, padded = (verifier(*c, rng_for(1))[0] for c in (case, with_padding(case, 0.25)))
    assert not np.array_equal(plain, padded)
    assert not chi_square(counts_on_chain_a(entry), law_on_chain_a(mutant("verify"))).passed
    if "ragged law" in entry.seen_by:
        full = case._replace(num_draft=np.full(200, 3))
        right = build("token_rule")(*full, rng_for(1))[0]
        assert np.array_equal(verifier(*full, rng_for(1))[0], right), "full rows hide it"


def test_no_other_entry_reads_the_padding():
    case = random_case(rng_for(), 60, 3, 4)
    for entry in CATALOGUE:
        if entry in RAGGED_FAULTS:
            continue
        plain, padded = (entry.build(TEACHING)(*(a.copy() for a in c), rng_for(1)) for c in (case, with_padding(case, np.nan)))
        assert np.array_equal(plain[0], padded[0]), entry.name
        assert np.array_equal(plain[1], padded[1]), entry.name


# ---- without a program: calls that are repeated ----------------------------------------------------------------------


def test_a_frozen_seed_gives_the_same_tokens_to_every_generator():
    case = random_case(rng_for(), 50, 3, 4)
    for name, equal in (("frozen_seed", True), ("verify", False)):
        first, second = (build(name)(*case, rng_for(seed))[0] for seed in (1, 2))
        assert np.array_equal(first, second) == equal


def test_a_stale_buffer_shows_in_the_second_call():
    first, second = random_case(rng_for(0), 50, 3, 4), random_case(rng_for(1), 50, 3, 4)
    for name, equal in (("stale_q", False), ("token_rule", True)):
        verifier, fresh = build(name), build(name)
        verifier(*first, rng_for(2))
        assert np.array_equal(verifier(*second, rng_for(3))[0], fresh(*second, rng_for(3))[0]) == equal


def test_inputs_are_written_to_by_one_entry_only():
    for entry in CATALOGUE:
        case = random_case(rng_for(), 20, 3, 4)
        before = [a.copy() for a in case]
        entry.build(TEACHING)(*case, rng_for(1))
        same = all(np.array_equal(a, b) for a, b in zip(before, case, strict=True))
        assert same == (entry.name != "writes_to_p"), entry.name


# ---- without a program: randomness and arithmetic --------------------------------------------------------------------


def test_the_published_law_of_one_gumbel_vector():
    pair = MarkovPair.constant([0.1, 0.5, 0.3, 0.1], [0.7, 0.1, 0.1, 0.1])
    n = 200_000
    made = generate(pair, build("one_gumbel_vector"), length=1, K=1, n=n, rng=rng_for())
    law = np.array([0.100, 0.518, 0.281, 0.100])  # to three digits, as published
    share = count_cells(made.sequences, 4) / n
    assert np.abs(share - law).max() < 3.9 * np.sqrt(0.25 / n) + 5e-4
    one_owed = MarkovPair.constant([0.1, 0.7, 0.1, 0.1], [0.7, 0.1, 0.1, 0.1])
    made = generate(one_owed, build("one_gumbel_vector"), length=1, K=1, n=n, rng=rng_for())
    assert chi_square(count_cells(made.sequences, 4), one_owed.target[0]).passed, "a residual of one token hides it"


def wide_pair(V=2**15, B=150):
    """Heavy tails, so that most tokens are rarer than any floor; p and q share half of their mass."""
    rng = rng_for()
    p, other = (w / w.sum() for w in 1 / (np.array([rng.permutation(V), rng.permutation(V)]) + 1))
    q = (p + other) / 2
    draft = rng.choice(V, size=(B, 1), p=q)
    return draft, np.broadcast_to(q, (B, 1, V)), np.broadcast_to(p, (B, 2, V)), np.ones(B, int)


def test_a_wide_vocabulary_sees_floors_and_dropped_tails():
    draft, q, p, num_draft = wide_pair()
    rejected = {}
    for name in ("verify", "residual_floor", "q_floor"):
        tokens, n_out = build(name)(draft, q, p, num_draft, rng_for(1))
        stopped = n_out == 1
        owed = p[0, 0, tokens[stopped, 0]] > q[0, 0, tokens[stopped, 0]]
        rejected[name] = stopped.mean(), (~owed).mean()
    rate, error = 1 - overlap(p[0, 0], q[0, 0]), np.sqrt(0.25 / len(draft))
    assert rejected["verify"] == (pytest.approx(rate, abs=4 * error), 0)
    assert rejected["residual_floor"][1] > 0.05, "tokens that nothing is owed to come out"
    assert rejected["q_floor"][0] > rate + 6 * error
    flat = np.full((500, 1, 200), 1 / 200)
    for name, reached in (("verify", True), ("tail_dropped", False)):
        tokens, _ = build(name)(np.empty((500, 0), int), flat[:, :0], flat, np.zeros(500, int), rng_for(2))
        assert (tokens >= 128).any() == reached


@pytest.mark.parametrize("name", ["lenience_0.999", "half_precision", "coarse_uniforms"])
def test_uniforms_beside_the_threshold_see_rounding(name):
    case = random_case(rng_for(), 400, 3, 4)
    row, at = np.arange(400)[:, None], np.arange(3)
    p_x, q_x = case.p[row, at, case.draft], case.q[row, at, case.draft]
    threshold = np.minimum(p_x / np.maximum(q_x, 1 / 64), 1 - 1e-6)
    for nudge in (1 - 1e-9, 1 + 1e-9):
        u, final = threshold * nudge, rng_for(1).random(400)
        expected, plain, other = (build(n)(*case, Scripted(u, final))[1] for n in ("verify", "token_rule", name))
        assert np.array_equal(expected, plain)
        if nudge > 1:
            assert not np.array_equal(expected, other)


def test_corners():
    p, q = np.array([[[0, 0.5, 0.5], [0, 1, 0]]]), np.array([[[0.5, 0.25, 0.25]]])
    at_zero = {
        n: build(n)([[0]] * np.ones((1, 1), int), q, p, np.array([1]), Scripted([0.0], [0.0]))[0][0, 0]
        for n in ("token_rule", "accepts_at_equality")
    }
    assert at_zero == {"token_rule": 1, "accepts_at_equality": 0}
    none, no_q = np.empty((1, 0), int), np.empty((1, 0, 3))
    for name, token in (("token_rule", 1), ("zero_weight_emitted", 0)):
        assert build(name)(none, no_q, p[:, :1], np.array([0]), Scripted([], [0.0]))[0][0, 0] == token
    last = np.nextafter(1, 0)
    for name, impossible in (("token_rule", False), ("cumulative_ends_short", True)):
        tails = [np.append(np.full(V, 1 / V), 0)[None, None] for V in range(10, 60)]
        last_tokens = [build(name)(none, row[:, :0], row, np.array([0]), Scripted([], [last]))[0][0, 0] for row in tails]
        assert any(x == row.shape[2] - 1 for x, row in zip(last_tokens, tails, strict=True)) == impossible
    bad = np.array([[[np.nan, 0.5, 0.5]]])
    assert build("nan_becomes_a_token")(none, no_q, bad, np.array([0]), rng_for())[0][0, 0] in (1, 2)


@pytest.mark.parametrize("value", [np.nan, -0.25])
@pytest.mark.parametrize("name", ["p", "q"])
def test_right_rules_refuse_what_is_no_probability(name, value):
    """The draft is rejected for sure, so that both rows are read in full."""
    case = {"p": np.eye(3)[None, [1, 1]], "q": np.eye(3)[None, [0]]}
    case[name][0, 0, 2] = value
    for entry in CATALOGUE:
        if entry.lossless and not (name == "q" and entry.name in ("match_target", "one_hot", "no_drafts")):
            with pytest.raises(ValueError, match=str(value)):
                entry.build(TEACHING)(np.zeros((1, 1), int), case["q"], case["p"], np.array([1]), rng_for())


def test_empty_batches_and_no_drafts():
    for entry in CATALOGUE:
        for B, K in ((0, 2), (0, 0), (3, 0)):
            case = np.zeros((B, K), int), np.full((B, K, 4), 0.25), np.full((B, K + 1, 4), 0.25), np.full(B, K)
            tokens, n_out = entry.build(TEACHING)(*case, rng_for())
            assert tokens.shape == (B, K + 1), entry.name
            assert n_out.shape == (B,), entry.name


def test_stored_fingerprints_are_those_of_the_programs():
    """All entries on chain A are recomputed by the simulation test; here they are held against the file."""
    stored = fingerprints("A")
    for name in ("verify", "uniform_reused", "bonus_from_drafter", "drafts_greedy", "block_with_token_residual"):
        assert stored[name] == pytest.approx(law_from(*factors(mutant(name), "A"), V=4), abs=1e-6)
