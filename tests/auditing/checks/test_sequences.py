import pickle
from math import inf

import numpy as np
import pytest
from asking import CHECK, ask, built

from specviz import match_target, verify, verify_block
from specviz.auditing.checks.sequences import Sequences, sensitivity
from specviz.auditing.subject.contract import Adapted
from specviz.models.designed import CHAINS, RAGGED


def counted(n, verifier=verify, chain="A", seed=0):
    return Sequences(chain).count(Adapted(verifier), np.random.SeedSequence(seed), n, None)


@pytest.mark.parametrize("verifier", [verify, match_target, verify_block])
@pytest.mark.parametrize("chain", CHAINS)
def test_right_rules_pass(chain, verifier):
    assert ask(f"sequences, chain {chain}", verifier).verdict == "pass"


@pytest.mark.parametrize("chain", CHAINS)
def test_a_wrong_one_fails_with_its_most_unlikely_sequence(chain):
    found = ask(f"sequences, chain {chain}", built("replacement_from_p"))
    assert found.verdict == "FAIL"
    assert found.example.startswith(f"chain {chain}, 4,000 sequences: [")
    assert found.p_value < 1e-10


def test_counts_are_those_of_their_definition():
    one = counted(500)
    assert one.n == 500 == one.first.sum() == len(one.tokens)
    assert (one.cells == np.histogramdd(one.tokens, bins=[np.arange(5)] * 4)[0]).all()
    assert np.bincount(one.num_draft, minlength=4) / 500 == pytest.approx(RAGGED, abs=0.1)
    assert (one.n_out <= one.num_draft + 1).all()
    assert one.first[2, 3] == ((one.num_draft == 2) & (one.n_out == 3)).sum()
    assert one.groups[:, 0].sum() > one.n, "later rounds are counted too"
    assert one.overdue[0] == 0, "no replacement of the token rule has p <= q"
    assert one.overdue[1] >= (one.n_out <= one.num_draft).sum()


def test_overdue_replacements_are_counted():
    wrong = counted(2000, built("residual_reversed"))
    assert wrong.overdue[0] == wrong.overdue[1] > 0, "max(0, q - p) replaces by nothing else"


def test_counts_add_up():
    one, two = counted(300), counted(200, seed=1)
    both = one + two
    assert both.n == 500
    assert (both.cells == one.cells + two.cells).all()
    assert (both.groups == one.groups + two.groups).all()
    assert (both.first == one.first + two.first).all()
    assert (both.overdue == one.overdue + two.overdue).all()
    for name in ("num_draft", "n_out", "tokens"):
        assert (getattr(both, name) == np.concatenate([getattr(one, name), getattr(two, name)])).all()


def test_draws_of_one_chain_are_one_and_travel():
    draws = [Sequences(chain) for chain in CHAINS]
    assert len({*draws, *map(Sequences, CHAINS)}) == len(CHAINS)
    assert pickle.loads(pickle.dumps(draws)) == draws
    assert CHECK["sequences, chain B"] == Sequences("B")


def test_first_rounds_are_kept_for_a_diagnosis():
    one = counted(100, chain="C")
    rounds = Sequences("C").first_rounds(one)
    assert rounds.chain == "C"
    assert rounds.counts().sum() == 100


def test_the_promise_holds_for_the_hardest_shape():
    """A bias in proportion to p, of the promised size, on half of the cells: seen in 999 of 1,000 runs; fewer than 996 has
    probability .001 at most."""
    law = CHAINS["A"].joint_law(4).ravel()
    n, rate = 20_000, 0.001
    promised = sensitivity(law, n, rate)
    up = np.cumsum(law) <= 0.5
    wrong = law * np.where(up, 1 + promised / law[up].sum(), 1 - promised / law[~up].sum())
    assert np.abs(wrong - law).sum() / 2 == pytest.approx(promised)
    rng, check = np.random.default_rng(0), Sequences("A")
    template = counted(10)
    seen = 0
    for _ in range(200):
        cells = rng.multinomial(n, wrong / wrong.sum()).reshape((4,) * 4)
        one = type(template)(cells, *(getattr(template, name) for name in list(vars(template))[1:]))
        seen += check.judge([one], None, rate).verdict == "FAIL"
    assert seen >= 196


def test_too_few_sequences_promise_nothing():
    assert sensitivity(CHAINS["A"].joint_law(4), 3, 0.001) == inf
    assert sensitivity(CHAINS["A"].joint_law(4), 10**6, 0.001) < sensitivity(CHAINS["A"].joint_law(4), 10**5, 0.001) < 0.1
