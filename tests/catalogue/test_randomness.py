"""Faults of the uniforms that no program of one row can state."""

import numpy as np
import pytest
from cases import random_case
from catalogued import TEACHING, build, rng_for

from specviz import MarkovPair, generate
from specviz.auditing.statistics.chi_square import chi_square, count_cells


def sum_of_chi_squares(verifier, calls=150, rows=64):
    """Standardised sum over calls of the chi-square of two tokens, from one start state."""
    rng, law = rng_for(), TEACHING.joint_law(2)
    statistics = []
    for _ in range(calls):
        made = generate(TEACHING, verifier, length=2, K=2, n=rows, rng=rng)
        counts = count_cells(made.sequences, 4)
        statistics.append(((counts - rows * law) ** 2 / (rows * law)).sum() - 15)
    return np.mean(statistics) / (np.std(statistics) / np.sqrt(calls))


@pytest.mark.parametrize("name", ["uniforms_shared_by_rows", "final_shared_by_rows", "one_uniform_per_call"])
def test_only_many_rows_together_see_uniforms_that_rows_share(name):
    assert sum_of_chi_squares(build(name)) > 8


def test_many_rows_together_see_nothing_in_a_right_rule():
    assert abs(sum_of_chi_squares(build("verify"))) < 3.3


@pytest.mark.parametrize(("name", "equal"), [("frozen_seed", True), ("verify", False)])
def test_a_frozen_seed_gives_the_same_tokens_to_every_generator(name, equal):
    case = random_case(rng_for(), 50, 3, 4)
    first, second = (build(name)(*case, rng_for(seed))[0] for seed in (1, 2))
    assert np.array_equal(first, second) == equal


def test_the_published_law_of_one_gumbel_vector():
    pair = MarkovPair.constant([0.1, 0.5, 0.3, 0.1], [0.7, 0.1, 0.1, 0.1])
    n = 200_000
    made = generate(pair, build("one_gumbel_vector"), length=1, K=1, n=n, rng=rng_for())
    law = np.array([0.100, 0.518, 0.281, 0.100])  # to three digits, as published
    share = count_cells(made.sequences, 4) / n
    assert np.abs(share - law).max() < 3.9 * np.sqrt(0.25 / n) + 5e-4


def test_a_residual_of_one_token_hides_one_gumbel_vector():
    pair = MarkovPair.constant([0.1, 0.7, 0.1, 0.1], [0.7, 0.1, 0.1, 0.1])
    made = generate(pair, build("one_gumbel_vector"), length=1, K=1, n=200_000, rng=rng_for())
    assert chi_square(count_cells(made.sequences, 4), pair.target[0]).passed
