import numpy as np
import pytest
from explorers.views_of_all import find
from hypothesis import given
from hypothesis import strategies as st

from specviz.explorers import split_explorer
from specviz.explorers.widgets.distribution import OWN, PRESETS, REAL, move_one, preset_pair, random_pair


@given(st.integers(1, 6), st.integers(0, 2**32 - 1), st.data())
def test_the_moved_token_goes_where_it_is_put_and_the_others_keep_their_ratios(V, seed, data):
    dist = np.random.default_rng(seed).dirichlet(np.ones(V))
    token, probability = data.draw(st.integers(0, V - 1)), data.draw(st.floats(0, 0.99))
    moved = move_one(dist, token, probability)
    assert moved.sum() == pytest.approx(1)
    assert (moved >= 0).all()
    if V > 1:
        assert moved[token] == probability
        others = np.arange(V) != token
        assert moved[others] / moved[others].sum() == pytest.approx(dist[others] / dist[others].sum())


def test_moving_a_one_hot_token_shares_equally():
    assert move_one([1, 0, 0], 0, 0.4).tolist() == pytest.approx([0.4, 0.3, 0.3])
    with pytest.raises(ValueError, match="expected a number from 0 to 1"):
        move_one([0.5, 0.5], 0, 1.5)


@given(st.integers(2, 8), st.integers(0, 2**32 - 1))
def test_a_random_pair_is_made_of_steps(V, seed):
    for dist in random_pair(V, seed):
        assert sum(dist) == pytest.approx(1)
        assert min(dist) >= 0
        assert [100 * x for x in dist] == pytest.approx([round(100 * x) for x in dist])


def test_presets_swap_and_reset():
    view = split_explorer()
    preset, swap, reset, seed, random = (find(view, name) for name in ("preset", "swap p and q", "reset", "seed", "random pair"))
    start = view.picture.value
    for name in [*PRESETS, REAL]:
        preset.value = name
        p, q = preset_pair(name)
        assert view.controls["p"].value == pytest.approx(p)
        assert view.controls["q"].value == pytest.approx(q)
        assert preset.value == name
    view.controls["p"].value = (0.5, 0.2, 0.2, 0.1)
    assert preset.value == OWN
    view.set(p=PRESETS["disjoint"][0], q=PRESETS["disjoint"][1])
    assert preset.value == "disjoint", "the menu follows the controls"
    preset.value = OWN
    assert view.controls["p"].value == pytest.approx(PRESETS["disjoint"][0]), "nothing to set"
    preset.value = "mirrored"
    swap.click()
    assert view.controls["p"].value == pytest.approx(PRESETS["mirrored"][1])
    assert preset.value == OWN
    reset.click()
    assert view.picture.value == start
    assert preset.value == next(iter(PRESETS))
    random.click()
    assert [view.controls[side].value for side in "pq"] == [pytest.approx(dist) for dist in random_pair(4, 0)]
    seed.value = 7
    assert [view.controls[side].value for side in "pq"] == [pytest.approx(dist) for dist in random_pair(4, 7)]
