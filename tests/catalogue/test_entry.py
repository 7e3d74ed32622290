"""What each catalogued verifier says of itself, held against its code: one item for each entry."""

import numpy as np
import pytest
from cases import Scripted, extreme_uniforms, random_case, with_padding
from catalogued import (
    PROGRAMS,
    TEACHING,
    counts_on_chain_a,
    fingerprint_on_chain_a,
    law_on_chain_a,
    named,
    rng_for,
)

from specviz.auditing.diagnosis.fingerprints import fingerprints, recognisable
from specviz.auditing.statistics.chi_square import chi_square
from specviz.catalogue.index import CATALOGUE, mutant
from specviz.exact.chain import ExactLaws
from specviz.models.designed import CHAIN_A, RAGGED
from specviz.uniforms import GivenUniforms

every_entry = pytest.mark.parametrize("entry", CATALOGUE, **named)
every_program = pytest.mark.parametrize("entry", PROGRAMS, **named)


@every_entry
def test_what_it_says_of_itself_fits_together(entry):
    assert entry.lossless == (entry.family == "right")
    assert (entry.program is None) == bool(entry.no_program)
    assert entry.what.endswith(".")
    assert not (entry.lossless and entry.biased)
    assert (entry.drafter is None) == (entry.pair(CHAIN_A) is CHAIN_A) == (entry.family != "drafter")


# ---- the law ---------------------------------------------------------------------------------------------------------


@every_program
def test_simulation_agrees_with_the_exact_law(entry):
    """20,000 ragged sequences: drafts, tokens emitted and four tokens. The false-alarm rate of all entries together is .001."""
    assert chi_square(counts_on_chain_a(entry), law_on_chain_a(entry), alpha=0.001 / len(PROGRAMS)).passed


@pytest.mark.parametrize("entry", [entry for entry in PROGRAMS if entry.biased], **named)
def test_simulation_does_not_agree_with_the_right_law(entry):
    """The negative control of the test above."""
    assert not chi_square(counts_on_chain_a(entry), law_on_chain_a(mutant("verify")), alpha=0.001 / len(PROGRAMS)).passed


@every_program
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
    assert gauges == entry.seen_by - {"wide law", "edges"}


@pytest.mark.parametrize("entry", recognisable(), **named)
def test_the_stored_fingerprint_is_that_of_the_program(entry):
    """If not: python -m specviz catalogue writes the file."""
    assert fingerprints("A")[entry.name] == pytest.approx(fingerprint_on_chain_a(entry), abs=1e-6)


# ---- the two forms ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", [entry for entry in PROGRAMS if entry.in_step], **named)
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


# ---- the contract ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", [entry for entry in CATALOGUE if "padding" not in entry.seen_by], **named)
def test_the_padding_is_not_read(entry):
    case = random_case(rng_for(), 60, 3, 4)
    plain, padded = (entry.build(TEACHING)(*(a.copy() for a in c), rng_for(1)) for c in (case, with_padding(case, np.nan)))
    assert np.array_equal(plain[0], padded[0])
    assert np.array_equal(plain[1], padded[1])


@pytest.mark.parametrize("entry", [entry for entry in CATALOGUE if "hygiene" not in entry.seen_by], **named)
def test_inputs_are_not_written_to(entry):
    case = random_case(rng_for(), 20, 3, 4)
    before = [a.copy() for a in case]
    entry.build(TEACHING)(*case, rng_for(1))
    assert all(np.array_equal(a, b) for a, b in zip(before, case, strict=True))


@every_entry
@pytest.mark.parametrize(("B", "K"), [(0, 2), (0, 0), (3, 0)])
def test_empty_batches_and_no_drafts(entry, B, K):
    case = np.zeros((B, K), int), np.full((B, K, 4), 0.25), np.full((B, K + 1, 4), 0.25), np.full(B, K)
    tokens, n_out = entry.build(TEACHING)(*case, rng_for())
    assert tokens.shape == (B, K + 1)
    assert n_out.tolist() == [1] * B


def reads_q(entry):
    """Do other laws of the drafter give other tokens?"""
    draft, q, p, num_draft = random_case(rng_for(), 200, 3, 4)
    with_q, without_q = (entry.build(TEACHING)(draft, law, p, num_draft, rng_for(1))[0] for law in (q, np.full_like(q, 0.25)))
    return not np.array_equal(with_q, without_q)


RIGHT = [entry for entry in CATALOGUE if entry.lossless]
READ = [(entry, name) for entry in RIGHT for name in ("p", "q") if name == "p" or reads_q(entry)]


@pytest.mark.parametrize("value", [np.nan, -0.25])
@pytest.mark.parametrize(("entry", "name"), READ, ids=lambda value: getattr(value, "name", value))
def test_right_rules_refuse_what_is_no_probability(entry, name, value):
    """The draft is rejected for sure, so that both rows are read in full."""
    case = {"p": np.eye(3)[None, [1, 1]], "q": np.eye(3)[None, [0]]}
    case[name][0, 0, 2] = value
    with pytest.raises(ValueError, match=str(value)):
        entry.build(TEACHING)(np.zeros((1, 1), int), case["q"], case["p"], np.array([1]), rng_for())
