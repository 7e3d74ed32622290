"""Every catalogued verifier against the exact numbers of its fault, by simulation, on the teaching chain."""

import numpy as np
import pytest

from specviz import MarkovPair, generate
from specviz.audit.law import chi_square, count_cells, divergence, noncentrality_for
from specviz.audit.mutants import CATALOGUE, mutant

N = 200_000
# Total variation of the first token and of three tokens at K = 2; mean tokens of the first round at K = 3. Exact, by integration.
TABLE = {
    "verify": (0, 0, 2.533),
    "token_rule": (0, 0, 2.533),
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
CUT_3, CUT_63 = 16.27, 103.44


def measure(entry, K):
    pair = entry.pair(MarkovPair.teaching())
    made = generate(pair, entry.build(pair), length=3, K=K, n=N, rng=np.random.default_rng(11))
    return made, count_cells(made.sequences, 4)


def test_the_table_is_complete():
    assert set(TABLE) == {entry.name for entry in CATALOGUE}


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_law_and_tokens_per_round(entry):
    pair = MarkovPair.teaching()
    first, joint, tokens = TABLE[entry.name]
    (_, counts), (at_three, counts_at_three) = measure(entry, 2), measure(entry, 3)
    of_first = chi_square(counts.sum(axis=(1, 2)), pair.joint_law(1))
    of_joint = chi_square(counts, pair.joint_law(3))
    assert of_first.passed == (first == 0)
    assert of_joint.passed == (joint == 0)
    assert of_first.total_variation == pytest.approx(first, abs=0.004)
    assert of_joint.total_variation == pytest.approx(joint, abs=0.004 if joint else 0.009)
    assert at_three.tokens_per_round == pytest.approx(tokens, abs=4 * at_three.tokens_per_round_error + 5e-4)

    # what the catalogue says about the gauges is what they show
    assert ("first token" in entry.seen_by) == (first > 0)
    assert (bool(entry.seen_by & {"joint law", "joint law past K"})) == (joint > 0)
    assert chi_square(counts_at_three, pair.joint_law(3)).passed == ("joint law" not in entry.seen_by)
    assert ("tokens per round" in entry.seen_by) == (abs(tokens - 2.533) > 0.01)
    assert entry.lossless == (joint == 0)


def test_power_of_the_joint_test():
    """The negative controls do not pass by luck: even the smallest TV here gives 99.9% power at this sample size."""
    smallest = min(joint for _, joint, _ in TABLE.values() if joint)
    assert N * 4 * smallest**2 > noncentrality_for(63)


def test_the_published_example_of_one_uniform():
    """p = (.5, .5), q = (.8, .2), K = 2: the first token is right and the pair is (.40, .10, .25, .25)."""
    pair = MarkovPair.constant([0.5, 0.5], [0.8, 0.2])
    verifier = mutant("one_uniform_per_row").build(pair)
    made = generate(pair, verifier, length=2, K=2, n=N, rng=np.random.default_rng(3))
    counts = count_cells(made.sequences, 2)
    assert counts.ravel() / N == pytest.approx([0.40, 0.10, 0.25, 0.25], abs=0.004)
    assert divergence([0.40, 0.10, 0.25, 0.25], [0.25] * 4) > 0.1


@pytest.mark.parametrize(
    ("name", "law"),
    [("replacement_from_p", (0.44, 0.42, 0.14)), ("residual_abs", (0.40, 0.40, 0.20)), ("verify", (0.6, 0.3, 0.1))],
)
def test_small_published_laws(name, law):
    pair = MarkovPair.constant([0.6, 0.3, 0.1], [0.2, 0.5, 0.3])
    made = generate(pair, mutant(name).build(pair), length=1, K=1, n=N, rng=np.random.default_rng(4))
    assert count_cells(made.sequences, 3) / N == pytest.approx(law, abs=0.005)


def test_ragged_batches_and_unknown_names():
    pair = MarkovPair.teaching()
    for entry in CATALOGUE:
        made = generate(entry.pair(pair), entry.build(pair), length=3, K=(0.2, 0.3, 0.5), n=2000, rng=np.random.default_rng(5))
        assert made.sequences.shape == (2000, 3)
    with pytest.raises(ValueError, match="expected one of verify, token_rule"):
        mutant("nonsense")
