"""Exact laws: proofs in fractions that the right rules are right, and the published numbers of the wrong ones."""

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest

from specviz import MarkovPair
from specviz.auditing.statistics.chi_square import divergence
from specviz.catalogue.index import CATALOGUE, mutant
from specviz.exact.chain import ExactLaws, as_fractions, call_law, law_with_one_seed
from specviz.models.designed import CHAIN_A, CHAINS, RAGGED
from specviz.rules.block import verify_block_row
from specviz.rules.match import match_row
from specviz.rules.token import verify_row

TEACHING = MarkovPair.teaching()
RIGHT = [entry for entry in CATALOGUE if entry.family == "right" and entry.program]


def target_law(pair, length):
    """Joint law of the target as fractions, by multiplication along the chain."""
    rows, law = as_fractions(pair.target), {}
    for tokens in product(range(pair.V), repeat=length):
        law[tokens] = F(1)
        for state, x in zip((pair.start, *tokens), tokens, strict=False):
            law[tokens] *= rows[state][x]
    return law


def tv(law, other):
    return float(np.abs(np.asarray(law, float) - other).sum() / 2)


def laws_of(name, pair):
    entry = mutant(name)
    return ExactLaws(entry.program, entry.pair(pair), float)


# ---- proofs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("program", [verify_row, match_row, verify_block_row], ids=lambda program: program.__name__)
def test_64_of_64_cells_are_equal_as_fractions(program):
    target, laws = target_law(TEACHING, 3), ExactLaws(program, TEACHING)
    for K in (2, 3, RAGGED):
        law = laws.sequence_law(K, 3)
        assert sum(law[cell] == target[cell] for cell in target) == 64, f"K = {K}"


@pytest.mark.parametrize("entry", RIGHT, ids=lambda entry: entry.name)
def test_every_right_rule_is_proved_right(entry):
    """Rows of different lengths, so that every bonus is seen within three tokens; equal as fractions."""
    pair = CHAINS["B"]
    law = ExactLaws(entry.program, entry.pair(pair)).sequence_law((0.25, 0.25, 0.5), 3)
    assert {cell: law[cell] for cell in np.ndindex(law.shape)} == target_law(pair, 3)


def test_a_wrong_rule_is_refuted_as_fractions():
    law = ExactLaws(mutant("bonus_from_row_before").program, TEACHING).sequence_law(2, 3)
    assert law.sum() == 1
    assert sum(law[cell] == mass for cell, mass in target_law(TEACHING, 3).items()) < 64


def test_tokens_per_round_are_the_dynamic_programme():
    assert ExactLaws(verify_row, TEACHING).tokens_per_round(3) == F(2533, 1000)
    assert ExactLaws(verify_row, CHAIN_A).tokens_per_round(3) == F(2681625, 1000000)
    for K in (2, RAGGED):
        assert ExactLaws(verify_row, CHAIN_A, float).tokens_per_round(K) == pytest.approx(CHAIN_A.tokens_per_round(K), abs=1e-12)


def test_accepted_counts_of_chain_a():
    laws = ExactLaws(verify_row, CHAIN_A).first_round_laws(3, 1)
    assert [laws[3, n_out].sum() for n_out in (1, 2, 3, 4)] == [F(1, 5), F(23, 80), F(1147, 8000), F(2953, 8000)]


def test_first_rounds_add_up_to_the_sequences():
    laws = ExactLaws(mutant("uniform_reused").program, CHAIN_A, float)
    rounds = laws.first_round_laws(RAGGED, 3)
    assert {n for n, _ in rounds} == {0, 1, 2, 3}
    assert sum(RAGGED[n] * law for (n, _), law in rounds.items()) == pytest.approx(laws.sequence_law(RAGGED, 3))


def test_floats_are_the_fractions_to_rounding():
    exact, rounded = (ExactLaws(verify_block_row, CHAIN_A, number).sequence_law(RAGGED, 2) for number in (F, float))
    assert exact.astype(float) == pytest.approx(rounded, abs=1e-14)


# ---- published numbers -----------------------------------------------------------------------------------------------

# Total variation of the first token and of three tokens at K = 2; mean tokens of the first round at K = 3.
TEACHING_TABLE = {
    "verify": (0, 0, 2.533),
    "replacement_from_p": (0.120, 0.146, 2.533),
    "one_uniform_per_row": (0, 0.126, 2.830),
    "uniform_reused": (0.150, 0.273, 2.533),
    "count_of_mask": (0.210, 0.210, 3.100),
    "no_bonus": (0, 0, 2.190),
    "residual_abs": (0.150, 0.188, 2.533),
    "residual_reversed": (0.300, 0.362, 2.533),
    "bonus_from_drafter": (0, 0.147, 2.533),
    "bonus_from_row_before": (0, 0.084, 2.533),
    "drafts_at_temperature": (0.043, 0.059, 2.430),
    "drafts_from_nucleus": (0.112, 0.183, 2.360),
    "drafts_greedy": (0.375, 0.546, 2.134),
    "ratio_inverted": (0.300, 0.368, 3.178),
    "everything_accepted": (0.300, 0.336, 4.000),
    "match_target": (0, 0, 1.305),
    "match_then_fresh": (0.050, 0.068, 1.305),
    "match_then_residual": (0.255, 0.408, 1.305),
    "verify_block": (0, 0, 2.756),
}

# Total variation on chain A at K = 3, three tokens and four.
CHAIN_A_TABLE = {
    "replacement_from_p": (0.1830, 0.2019),
    "replacement_from_q": (0.3804, 0.4038),
    "residual_abs": (0.2687, 0.2878),
    "residual_unclamped": (0.4700, 0.4855),
    "residual_reversed": (0.4999, 0.5157),
    "match_then_fresh": (0.1023, 0.1201),
    "ratio_inverted": (0.4934, 0.5098),
    "accept_if_likelier": (0.5377, 0.6438),
    "lenience_0.8": (0.0998, 0.1073),
    "count_of_mask": (0.3862, 0.4055),
    "bonus_from_drafter": (0, 0.1211),
    "bonus_from_row_before": (0, 0.1145),
    "one_uniform_per_row": (0.0664, 0.0960),
    "uniform_reused": (0.0844, 0.1156),
    "drafters_uniform_reused": (0.2734, 0.3083),
    "q_of_position_before": (0.1881, 0.2165),
    "drafts_at_temperature": (0.0942, 0.1046),
    "unlikely_draft_dropped": (0.1700, 0.1917),
    "stops_at_unlikely": (0, 0),
    "block_with_token_residual": (0.0016, 0.0032),
    "one_hot": (0, 0),
}


@pytest.mark.parametrize("name", TEACHING_TABLE)
def test_numbers_of_the_teaching_chain(name):
    laws, (first, joint, tokens) = laws_of(name, TEACHING), TEACHING_TABLE[name]
    assert tv(laws.sequence_law(2, 1), TEACHING.joint_law(1)) == pytest.approx(first, abs=5.1e-4)
    assert tv(laws.sequence_law(2, 3), TEACHING.joint_law(3)) == pytest.approx(joint, abs=5.1e-4)
    assert laws.tokens_per_round(3) == pytest.approx(tokens, abs=5.1e-4)


@pytest.mark.parametrize("name", CHAIN_A_TABLE)
def test_numbers_of_chain_a(name):
    laws = laws_of(name, CHAIN_A)
    for length, value in zip((3, 4), CHAIN_A_TABLE[name], strict=True):
        assert tv(laws.sequence_law(3, length), CHAIN_A.joint_law(length)) == pytest.approx(value, abs=5.1e-5)


def test_one_seed_for_every_round():
    assert tv(law_with_one_seed(verify_row, CHAIN_A, 3, 3), CHAIN_A.joint_law(3)) == pytest.approx(0.0699, abs=5e-5)
    law = law_with_one_seed(verify_row, CHAIN_A, 3, 1)
    assert tv(law, CHAIN_A.joint_law(1)) < 1e-12, "a single round is right"


def test_chain_c_sees_the_block_rule_with_the_token_residual():
    """Chain B is blind to it: its rows owe one token each, so that the two residuals are one."""
    of = {name: laws_of("block_with_token_residual", pair).sequence_law(RAGGED, 4) for name, pair in CHAINS.items()}
    assert divergence(of["B"], CHAINS["B"].joint_law(4)) < 1e-12
    assert divergence(of["C"], CHAINS["C"].joint_law(4)) > 10 * divergence(of["A"], CHAINS["A"].joint_law(4))


P, Q = [F(6, 10), F(3, 10), F(1, 10)], [F(2, 10), F(5, 10), F(3, 10)]


@pytest.mark.parametrize(
    ("name", "law"),
    [
        ("verify", (0.6, 0.3, 0.1)),
        ("replacement_from_p", (0.44, 0.42, 0.14)),
        ("residual_abs", (0.40, 0.40, 0.20)),
        ("drafts_greedy", (0.4, 0.6, 0)),
        ("drafts_from_top_two", (0.5, 0.375, 0.125)),
        ("accept_if_likelier", (1, 0, 0)),
        ("draft_zeroed_first", (0.629, 0.25, 0.121)),
        ("lenience_0.5", (0.3, 0.5, 0.2)),
    ],
)
def test_small_laws_of_public_bugs(name, law):
    found = laws_of(name, MarkovPair.constant(np.array(P, float), np.array(Q, float))).sequence_law(1, 1)
    assert found == pytest.approx(law, abs=5.1e-4)


def test_temperature_on_p_only():
    """Temperature 1 / 0.7 on p; the catalogue has temperature 0.7."""
    p = np.array(P, float)
    flat = p**0.7 / (p**0.7).sum()
    assert flat == pytest.approx((0.526, 0.324, 0.150), abs=5e-4)
    law = laws_of("p_at_temperature", MarkovPair.constant(p, np.array(Q, float))).sequence_law(1, 1)
    assert law == pytest.approx(p ** (1 / 0.7) / (p ** (1 / 0.7)).sum())


def test_the_published_pair_of_one_uniform():
    pair = MarkovPair.constant([0.5, 0.5], [0.8, 0.2])
    law = ExactLaws(mutant("one_uniform_per_row").program, pair).sequence_law(2, 2)
    assert law.tolist() == [[F(4, 10), F(1, 10)], [F(1, 4), F(1, 4)]]


# ---- corners and bad input -------------------------------------------------------------------------------------------


def test_call_law_of_given_drafts():
    assert call_law(verify_row, [1], [Q], [P, P]) == {
        (1, 0): F(6, 10) * F(6, 10),
        (1, 1): F(6, 10) * F(3, 10),
        (1, 2): F(6, 10) * F(1, 10),
        (0,): F(4, 10),
    }
    assert call_law(verify_row, [], np.empty((0, 3)), [P]) == {(0,): P[0], (1,): P[1], (2,): P[2]}


@pytest.mark.parametrize("entry", [e for e in CATALOGUE if e.program], ids=lambda entry: entry.name)
def test_programs_take_one_hot_rows(entry):
    """Nothing is owed, and the drafter and the target agree: whatever is left of the law sums to 1."""
    pair = MarkovPair(np.eye(3), np.eye(3), start=0)
    laws = ExactLaws(entry.program, entry.pair(pair), float)
    assert laws.sequence_law((0.5, 0.25, 0.25), 2).sum() == pytest.approx(1)


def test_fractions_are_refused_where_there_are_none():
    assert as_fractions([0.35, 0.65]).tolist() == [F(7, 20), F(13, 20)]
    with pytest.raises(ValueError, match=r"rows\[0, 1\] is 0.1415926"):
        as_fractions([[0.5, 0.14159265358979]])
    with pytest.raises(ValueError, match=r"rows\[1\] sums to 9/10"):
        as_fractions([[0.5, 0.5], [0.5, 0.4]])
    with pytest.raises(ValueError, match="expected a fraction"):
        ExactLaws(verify_row, MarkovPair.random(3, 0))
