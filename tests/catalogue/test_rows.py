"""Faults that no program of one row can state: rows of other requests, the padding, and calls that are repeated."""

import numpy as np
import pytest
from cases import random_case, with_padding
from catalogued import OTHERS, TEACHING, build, counts_on_chain_a, law_on_chain_a, named, rng_for

from specviz import generate
from specviz.auditing.statistics.chi_square import chi_square, count_cells
from specviz.catalogue.index import mutant
from specviz.models.designed import CHAIN_A


@pytest.mark.parametrize("name", ["q_of_another_request", "p_of_another_request"])
def test_rows_of_another_request(name):
    made = generate(CHAIN_A, build(name), length=3, K=2, n=20_000, rng=rng_for())
    assert not chi_square(count_cells(made.sequences, 4), CHAIN_A.joint_law(3)).passed
    single = random_case(rng_for(), 1, 3, 4)
    alone = [build(which)(*single, rng_for(1))[0].tolist() for which in (name, "token_rule")]
    assert alone[0] == alone[1], "a request that is alone has its own rows"


READ_THE_PADDING = [entry for entry in OTHERS if "padding" in entry.seen_by]


@pytest.mark.parametrize("entry", READ_THE_PADDING, **named)
def test_faults_of_the_padding(entry):
    """Another padding gives other tokens, and ragged sequences have another law."""
    case, verifier = random_case(rng_for(), 200, 3, 4), entry.build(TEACHING)
    plain, padded = (verifier(*c, rng_for(1))[0] for c in (case, with_padding(case, 0.25)))
    assert not np.array_equal(plain, padded)
    assert not chi_square(counts_on_chain_a(entry), law_on_chain_a(mutant("verify"))).passed


@pytest.mark.parametrize("entry", [entry for entry in READ_THE_PADDING if "ragged law" in entry.seen_by], **named)
def test_full_rows_hide_faults_of_ragged_ones(entry):
    full = random_case(rng_for(), 200, 3, 4)._replace(num_draft=np.full(200, 3))
    assert np.array_equal(entry.build(TEACHING)(*full, rng_for(1))[0], build("token_rule")(*full, rng_for(1))[0])


@pytest.mark.parametrize(("name", "equal"), [("stale_q", False), ("token_rule", True)])
def test_a_stale_buffer_shows_in_the_second_call(name, equal):
    first, second = random_case(rng_for(0), 50, 3, 4), random_case(rng_for(1), 50, 3, 4)
    verifier, fresh = build(name), build(name)
    verifier(*first, rng_for(2))
    assert np.array_equal(verifier(*second, rng_for(3))[0], fresh(*second, rng_for(3))[0]) == equal


def test_the_caller_s_p_is_written_to():
    case = random_case(rng_for(), 20, 3, 4)
    before = case.p.copy()
    build("writes_to_p")(*case, rng_for(1))
    assert not np.array_equal(case.p, before)
