"""Naming the fault from few sequences, and saying so when it is not in the catalogue."""

import numpy as np
import pytest

from specviz import verify
from specviz.auditing.diagnosis.diagnose import FirstRounds, diagnose
from specviz.auditing.diagnosis.fingerprints import ROUNDS, catalogued_laws, factors, fingerprints, law_from, recognisable
from specviz.auditing.diagnosis.first_rounds import observe
from specviz.catalogue.build.parts import Parts, at
from specviz.catalogue.index import mutant
from specviz.models.designed import CHAINS, RAGGED

FAULTS = [entry.name for entry in recognisable() if not entry.lossless]
FAINT = {"block_with_token_residual"}  # .011 of divergence at most: 1,000 sequences do not tell it from the block rule


def drawn(name, chain, n, rng):
    """First rounds drawn from a stored law: as good as running the verifier, which another test does, and 50 times as fast."""
    law = fingerprints(chain)[name] * np.array([RAGGED[drafts] for drafts, _ in ROUNDS])[:, None]
    cell = rng.choice(law.size, n, p=law.ravel() / law.sum())
    num_draft, n_out = np.array(ROUNDS)[cell // law.shape[1]].T
    tokens = np.stack(np.unravel_index(cell % law.shape[1], (4,) * 4), axis=1)
    return FirstRounds(chain, num_draft, n_out, tokens)


def named_rightly(n, runs, chains="BD"):
    """Share of runs in which each fault is named, n sequences in all."""
    rng, right = np.random.default_rng(0), dict.fromkeys(FAULTS, 0.0)
    for name in FAULTS:
        for _ in range(runs):
            found = diagnose([drawn(name, chain, n // len(chains), rng) for chain in chains])
            right[name] += (name in found.candidates[0].names) / runs
    return right


def test_faults_are_named_from_300_sequences():
    right = named_rightly(300, runs=4)
    assert np.mean([right[name] for name in FAULTS if name not in FAINT]) > 0.98


def test_faults_are_named_from_1000_sequences():
    right = named_rightly(1000, runs=3)
    assert all(share == 1 for name, share in right.items() if name not in FAINT)


@pytest.mark.parametrize("name", ["replacement_from_p", "count_of_mask", "uniform_reused", "drafts_greedy", "bonus_from_drafter"])
def test_a_verifier_that_was_run_is_named(name):
    entry = mutant(name)
    rounds = [
        observe(entry.build(CHAINS[chain]), chain, 1000, np.random.default_rng(0), drafts_from=entry.pair(CHAINS[chain]))
        for chain in "AB"
    ]
    found = diagnose(rounds)
    assert found.known
    assert name in found.candidates[0].names
    assert found.candidates[0].odds > 1000 > found.candidates[1].odds
    assert len(found.candidates) == 3
    assert name in found.sentence
    assert found.sentence.startswith("Probably")


@pytest.mark.parametrize("name", ["verify", "no_bonus", "match_target", "verify_block"])
def test_right_rules_are_candidates(name):
    found = diagnose([drawn(name, chain, 1000, np.random.default_rng(0)) for chain in "AC"])
    assert name in found.candidates[0].names
    assert "lossless" in found.sentence


def test_equal_laws_are_named_together():
    found = diagnose([drawn("verify", "A", 500, np.random.default_rng(0))])
    assert found.candidates[0].names == ("verify", "token_rule", "mirrored")
    found = diagnose([drawn("residual_reversed", "A", 500, np.random.default_rng(0))])
    assert found.candidates[0].names[0] == "residual_reversed"


def test_a_fault_that_is_not_in_the_catalogue():
    """Accepts by a cubed ratio, replaces from p squared: a law of no entry."""
    strange = Parts(accept=lambda p, q, x, i: (at(q, x) ** 3, at(p, x) ** 3), replacement=lambda p, q, x: p**2)
    found = diagnose([observe(strange.verifier, chain, 2000, np.random.default_rng(0)) for chain in "AB"])
    assert not found.known
    assert found.p_value < 0.001
    assert found.sentence.startswith("A fault that is not in the catalogue")


def test_a_near_relative_is_called_nearest():
    """A lenience of .65 lies between those of .5 and .8, which are catalogued: near to one, and neither."""
    between = Parts(accept=lambda p, q, x, i: (13 * at(q, x), 20 * at(p, x)))
    found = diagnose([observe(between.verifier, chain, 20_000, np.random.default_rng(0)) for chain in "ABCD"])
    assert found.fit == "nearest"
    assert found.candidates[0].names[0] in ("lenience_0.5", "lenience_0.8")
    assert "nearest, but not it, is lenience_0." in found.sentence
    assert not found.known


@pytest.mark.parametrize("name", ["bonus_of_longest_row", "short_row_is_a_rejection"])
def test_a_fault_that_no_candidate_explains_is_unknown(name):
    """It lies in the padding, of which no catalogued law of one row knows: the right rule is the best of bad candidates."""
    entry = mutant(name)
    found = diagnose([observe(entry.build(CHAINS[chain]), chain, 4000, np.random.default_rng(0)) for chain in "ABCD"])
    assert found.fit == "unknown"
    assert found.as_dict()["fit"] == "unknown"
    assert "none is near" in found.sentence


def test_catalogued_faults_are_hardly_ever_called_unknown():
    """600 diagnoses at .05: at most 30 expected, 52 the upper 99.99% point."""
    rng = np.random.default_rng(0)
    unknown = sum(
        not diagnose([drawn(name, "B", 400, rng)], alpha=0.05).known for name in (FAULTS * 10)[:600] if name not in FAINT
    )
    assert unknown <= 52


def test_odds_are_against_all_others():
    found = diagnose([drawn("lenience_0.8", "A", 30, np.random.default_rng(0))])
    shares = [candidate.odds / (1 + candidate.odds) for candidate in found.candidates]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) <= 1 + 1e-9


def test_fingerprints_are_laws_and_the_file_is_of_today():
    for chain in CHAINS:
        stored = fingerprints(chain)
        assert list(stored) == [entry.name for entry in recognisable()], "run python -m specviz catalogue"
        drafts = np.array([n for n, _ in ROUNDS])
        for law in stored.values():
            assert [law[drafts == n].sum() for n in range(4)] == pytest.approx([1] * 4, abs=1e-5)
        assert catalogued_laws(chain)["no_bonus"] == pytest.approx(CHAINS[chain].joint_law(4), abs=1e-6)
    for chain, name in (("B", "count_of_mask"), ("C", "verify_block"), ("D", "drafts_from_nucleus")):
        assert fingerprints(chain)[name] == pytest.approx(law_from(*factors(mutant(name), chain), V=4), abs=1e-6)


def good():
    return {"chain": "A", "num_draft": np.array([0, 3]), "n_out": np.array([1, 4]), "tokens": np.zeros((2, 4), int)}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"chain": "Z"}, "chain is 'Z'; expected one of A, B, C, D"),
        ({"num_draft": np.array([0, 4])}, r"num_draft\[1\] is 4; expected a number from 0 to 3"),
        ({"n_out": np.array([2, 4])}, r"n_out\[0\] is 2; expected a number from 1 to 1"),
        ({"n_out": np.array([1])}, r"n_out has shape \(1,\)"),
        ({"tokens": np.zeros((2, 3), int)}, r"tokens has shape \(2, 3\)"),
        ({"tokens": np.full((2, 4), -1)}, r"tokens\[0, 0\] is -1"),
        ({"tokens": np.zeros((2, 4))}, "dtype float64"),
    ],
)
def test_bad_counts_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        FirstRounds(**(good() | change))


def test_nothing_to_diagnose():
    with pytest.raises(ValueError, match="no sequence"):
        diagnose([])
    with pytest.raises(ValueError, match="chain is 'Q'"):
        fingerprints("Q")


def test_observed_rounds_are_those_of_the_verifier():
    rounds = observe(verify, "A", 400, np.random.default_rng(0))
    assert rounds.counts().sum() == 400
    assert (rounds.n_out <= rounds.num_draft + 1).all()
    assert np.bincount(rounds.num_draft, minlength=4) / 400 == pytest.approx(RAGGED, abs=0.1)
