import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import _pylab_helpers
from matplotlib.text import Text
from PIL import Image

from specviz import verify
from specviz.explorers.registry import EXPLORERS
from specviz.explorers.views.grid import FIRST, LENGTHS, Lengths, MarkButtons, grid_explorer
from specviz.explorers.views.needles import needles_explorer
from specviz.explorers.views.report import report_explorer
from specviz.explorers.views.round import round_explorer
from specviz.explorers.views.speed import recorded_tokens
from specviz.explorers.views.split import split_explorer
from specviz.explorers.views.square import PRESETS as SQUARE_PRESETS
from specviz.explorers.views.square import square_explorer
from specviz.explorers.widgets.bars import DistributionBars
from specviz.explorers.widgets.distribution import OWN, PRESETS, REAL, move_one, preset_pair, random_pair

CHANGES = {
    "round": {"K": 5, "step": 4, "seed": 8, "p": (0.1, 0.2, 0.3, 0.4), "q": (1.0, 0, 0, 0)},
    "split": {"replacement": "p", "p": (0.1, 0.2, 0.3, 0.4), "q": (0.4, 0.3, 0.2, 0.1)},
    "context": {"round": 24, "position": 2, "replacement": "p"},
    "square": {"token": 3, "u": 0.0, "comparison": "weak", "darts": 300, "p": (0.5, 0.3, 0.2, 0.0), "q": (0.4, 0.3, 0.2, 0.1)},
    "grid": {"marks": ((0, 1, 1, 1), *FIRST[1:]), "num_draft": (4, 3, 2, 3, 1), "count": "sum", "bonus_row": "K"},
    "speed": {"alpha": 0.5, "cost": 0.4, "K": 8, "beside": "recorded"},
    "law": {"verifier": "residual_abs", "K": 2, "n": 500, "seed": 1},
    "needles": {"verifier": "match_then_fresh", "K": 2, "seed": 5},
    "report": {"verifier": "uniform_reused", "seed": 1},
    "process": {"context": (10, 1), "temperature": 0.5, "top_k": 3, "top_p": 0.5, "min_p": 0.9, "told": "p raw"},
    "power": {"cells": 16, "n": 5_000, "tv": 0.05, "alpha": 0.05},
    "siblings": {
        "p": (0.1, 0.2, 0.3, 0.4),
        "q": (0.4, 0.3, 0.2, 0.1),
        "drawing": "without replacement",
        "k": 2,
        "x1": 1,
        "x2": 2,
        "x3": 2,
    },
    "block": {"p": (0.1, 0.2, 0.7), "q": (0.4, 0.3, 0.3), "K": 2, "x1": 0, "x2": 2, "x3": 2, "x4": 0},
}
"""A change of every control of every explorer."""
every = pytest.mark.parametrize("name", EXPLORERS)


def find(widget, description):
    """The first widget with this description."""
    if getattr(widget, "description", None) == description:
        return widget
    found = (find(child, description) for child in getattr(widget, "children", ()))
    return next((child for child in found if child), None)


def pixels(view):
    return np.asarray(Image.open(io.BytesIO(view.picture.value)))


@every
def test_changes_are_given_for_every_control(name):
    assert set(CHANGES[name]) == set(EXPLORERS[name]().controls)


@every
def test_every_control_changes_picture_and_sentence_and_comes_back(name):
    make, changes = EXPLORERS[name], CHANGES[name]
    view = make()
    if name == "round":
        view.set(step=7)
    before, said = view.picture.value, view.says
    for control, value in changes.items():
        was = view.controls[control].value
        view.controls[control].value = value
        assert view.picture.value != before, control
        assert view.says != said, control
        view.controls[control].value = was
        assert view.picture.value == before, f"{control} leaves a trace"
        assert view.says == said


@every
def test_fresh_views_agree_and_no_figure_is_left_open(name):
    make, changes = EXPLORERS[name], CHANGES[name]
    first, second = make(), make()
    assert first.picture.value == second.picture.value
    first.set(**changes)
    second.set(**changes)
    assert first.picture.value == second.picture.value
    assert not _pylab_helpers.Gcf.figs


@every
def test_a_view_shows_itself_on_disk(name):
    view = EXPLORERS[name]()
    bundle, metadata = view._repr_mimebundle_()
    assert metadata["image/png"]["alt"] == f"{view.title}. {view.says}"
    assert bundle["text/plain"].endswith("(interactive figure)")
    assert bundle["image/png"]
    assert pixels(view).shape[1] >= 1000


@every
def test_blitted_picture_is_what_a_full_redraw_gives(name):
    """Nothing stale is left in the background, and nothing that moves is missing from `moving`."""
    make, changes = EXPLORERS[name], CHANGES[name]
    view = make()
    view.set(**changes)
    blitted = pixels(view)
    for artist in view.scene.moving:
        artist.set_animated(False)
    view.scene.figure.canvas.draw()
    full = np.asarray(view.scene.figure.canvas.buffer_rgba())[..., :3]
    assert np.abs(blitted.astype(int) - full).mean() < 0.5


def test_sweep_puts_the_control_back():
    view = split_explorer()
    before = view.picture.value
    said = view.sweep("replacement", ["residual", "p"])
    assert "exactly p" in said[0]
    assert "not p" in said[1]
    assert view.picture.value == before


def test_an_error_in_a_callback_is_shown_and_raised():
    view = split_explorer()

    def broken(**_):
        raise RuntimeError("no such <thing>")

    view.scene.update = broken
    with pytest.raises(RuntimeError, match="no such"):
        view.controls["replacement"].value = "p"
    assert "RuntimeError:</b> no such &lt;thing&gt;" in view.sentence.value


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


def test_another_round():
    view = round_explorer()
    view.set(step=6)
    find(view, "another round").click()
    assert view.controls["step"].value == 0
    assert view.controls["seed"].value == 4


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


def test_a_distribution_is_checked_and_kept_to_the_last_bit():
    """An answer that differs in the last bit would pull a bar back that is being dragged."""
    control = DistributionBars("p", [0.25] * 4, "ABCD", "#000000")
    control.value = sent = tuple(move_one([0.5, 0.3, 0.15, 0.05], 0, 0.51).tolist())
    assert control.value == sent
    control.value = (0.1, 0.2, 0.3, 0.4000001)
    assert sum(control.value) == pytest.approx(1, abs=1e-15)
    with pytest.raises(ValueError, match="sums to 2"):
        control.value = (0.5,) * 4
    with pytest.raises(ValueError, match="expected 4 probabilities"):
        control.value = (0.5, 0.5)


@given(st.integers(2, 8), st.integers(0, 2**32 - 1))
def test_a_random_pair_is_made_of_steps(V, seed):
    for dist in random_pair(V, seed):
        assert sum(dist) == pytest.approx(1)
        assert min(dist) >= 0
        assert [100 * x for x in dist] == pytest.approx([round(100 * x) for x in dist])


def test_play_begins_again_when_the_round_is_over():
    view = round_explorer()
    view.set(step=7)
    play = find(view, "play the round")
    play.playing = True
    assert view.controls["step"].value == play.value == 0
    play.playing = False
    view.set(K=1, step=2)
    play.playing = True
    assert view.controls["step"].value == 2, "the round goes on"
    play.playing = False
    view.set(step=3)
    play.playing = True
    assert view.controls["step"].value == 0, "a short round is over sooner"


def test_no_bar_lies_on_a_legend_and_what_is_beyond_the_axes_is_said():
    split = split_explorer()
    split.set(p=(0, 1.0, 0, 0), q=(1.0, 0, 0, 0))
    for ax, bars in zip(split.scene.figure.axes, (split.scene.split.kept, split.scene.outcome.drawn), strict=True):
        low = ax.get_legend().get_window_extent().y0
        assert ax.transData.transform((0, 1))[1] < low
        assert bars.heights.max() <= 1
        assert max(ax.get_yticks()) == pytest.approx(1)
    speed = EXPLORERS["speed"]()
    speed.set(alpha=0.9, cost=0, K=8)
    assert speed.scene.speed.label.get_text() == "K = 8: 6.126 times as fast, above this axis"
    assert speed.scene.speed.best_label.get_text() == "best: K = 8, 6.126 times, above this axis"
    power = EXPLORERS["power"]()
    power.set(cells=64, n=500)
    assert "to the right of this axis" in power.scene.figure.axes[1].texts[-1].get_text()


def test_a_rejected_value_leaves_everything_as_it_was():
    view = round_explorer()
    before = view.state(), view.picture.value
    with pytest.raises(ValueError, match="expected 4 probabilities"):
        view.set(K=5, p=(0.5, 0.5))
    assert (view.state(), view.picture.value) == before
    with pytest.raises(ValueError, match="expected 4 probabilities"):
        view.sweep("p", [(0.5, 0.5)])
    assert (view.state(), view.picture.value) == before


def test_equal_laws_of_any_shape():
    """Rounding must not lift an overlap above 1."""
    view = round_explorer()
    view.set(p=(0.25,) * 4, q=(0.25,) * 4)
    for side in ("p", "q"):
        view.controls[side].value = tuple(move_one(view.controls[side].value, 0, 0.01))
        view.controls[side].value = tuple(move_one(view.controls[side].value, 1, 0.85))
    assert "4.000 tokens" in view.says


@every
def test_nothing_is_cut_off(name):
    """Every visible text and mark of a view lies inside its picture."""
    make, changes = EXPLORERS[name], CHANGES[name]
    view = make()
    for setting in ({}, changes):
        view.set(**setting)
        figure = view.scene.figure
        renderer = figure.canvas.get_renderer()
        boxes = [figure.get_tightbbox(renderer).transformed(figure.dpi_scale_trans)]
        texts = [
            artist for artist in view.scene.moving if isinstance(artist, Text) and artist.get_visible() and artist.get_text()
        ]
        boxes += [text.get_window_extent(renderer) for text in texts]
        for box in boxes:
            assert box.x0 >= 0
            assert box.y0 >= 0
            assert box.x1 <= figure.bbox.width
            assert box.y1 <= figure.bbox.height


def test_the_square_refuses_what_the_target_never_says():
    view = square_explorer()
    preset = view.children[0].children[2].children[0]
    preset.value = "the target never says D"
    assert "u q = 0.000, p = 0.000; keep if u q < p: rejected" in view.says
    assert "must be strict" in view.set(comparison="weak")
    for name, setting in SQUARE_PRESETS.items():
        preset.value = name
        assert view.controls["token"].value == setting["token"]


def test_clicking_a_mark():
    view = grid_explorer()
    marks, lengths = view.controls["marks"], view.controls["num_draft"]
    assert "Row 0: marks 1,0,1,1, 1 kept, recovered from p[1] - q[1]" in view.says
    marks.buttons[0][1].value = True
    assert marks.buttons[0][1].description == "1"
    assert "Row 0: marks 1,1,1,1, 4 kept, bonus from p[4]" in view.says
    lengths.choices[0].value = 2
    assert "Row 0: marks 1,1, 2 kept, bonus from p[2]" in view.says
    another, reset = view.children[0].children[2].children[2].children
    another.click()
    assert marks.value != FIRST
    reset.click()
    assert (marks.value, lengths.value) == (FIRST, LENGTHS)
    with pytest.raises(ValueError, match="expected 5 rows of 4 marks"):
        marks.value = ((1, 0),)


def test_lengths_and_marks_stay_in_step():
    lengths, marks = Lengths((1, 2), 3), MarkButtons(((1, 0), (0, 1)))
    lengths.value = (3, 0)
    assert [choice.value for choice in lengths.choices] == [3, 0]
    marks.value = ((0, 0), (1, 1))
    assert [[button.value for button in row] for row in marks.buttons] == [[False, False], [True, True]]


def test_recorded_tokens():
    tokens, errors = recorded_tokens()
    assert tokens == pytest.approx([1, 1.861, 2.514, 3.069, 3.431], abs=5e-4)
    assert errors[0] == 0


def test_needles_tell_the_faults_apart():
    """First token, joint law, tokens per round, verdict: each fault moves the needles that the catalogue says."""
    view = needles_explorer()
    assert view.says.count("still") == 3
    says = view.set(verifier="one_uniform_per_row")
    assert says.count("moves") == 2
    assert "NOT lossless" in says
    says = view.set(verifier="bonus_from_drafter")
    assert says.count("still") == 3
    assert "NOT lossless" in says
    says = view.set(verifier="no_bonus")
    assert says.count("moves") == 1
    assert "no bias seen" in says


def test_the_report_card_is_filled_by_the_button_and_kept():
    view = report_explorer(own={"mine": lambda *batch: verify(*batch)})
    assert "mine: no bias seen" in view.says
    assert "not audited yet" in view.set(verifier="uniform_reused")
    empty = view.picture.value
    view.button.click()
    assert "NOT lossless" in view.says
    assert "uniform_reused" in view.says
    assert view.bar.value == view.bar.max
    filled = view.picture.value
    assert filled != empty
    view.set(verifier="mine")
    assert "NOT lossless" in view.set(verifier="uniform_reused")
    assert view.picture.value == filled


def test_an_error_in_an_audit_is_shown_and_raised():
    def broken(*batch):
        raise RuntimeError("no such <thing>")

    with pytest.raises(ValueError, match="no such <thing>"):
        report_explorer(own={"mine": broken})
    good = [True]

    def breaks_later(*batch):
        if not good:
            raise RuntimeError("no such <thing>")
        return verify(*batch)

    view = report_explorer(own={"mine": breaks_later})
    good.clear()
    view.set(seed=1)
    with pytest.raises(ValueError, match="no such <thing>"):
        view.run()
    assert 'role="alert"' in view.sentence.value
    assert "no such &lt;thing&gt;" in view.sentence.value
    assert view.bar.layout.visibility == "hidden"
    with pytest.raises(ValueError, match="own names a verifier 'verify', as the catalogue does"):
        report_explorer(own={"verify": verify})
