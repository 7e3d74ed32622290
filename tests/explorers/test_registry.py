"""What every explorer must do, one item for each."""

import io
import subprocess
import sys
from base64 import b64decode

import numpy as np
import pytest
from explorers.views_of_all import CHANGES, every, pixels
from matplotlib import _pylab_helpers
from matplotlib.text import Text
from PIL import Image

from specviz import explorers
from specviz.explorers import EXPLORERS


@every
def test_the_face_has_what_makes_it(name):
    assert getattr(explorers, f"{name}_explorer") is EXPLORERS[name].make
    assert EXPLORERS[name].make.__name__ == f"{name}_explorer"
    assert f"{name}_explorer" in dir(explorers)


def test_the_face_has_nothing_else():
    with pytest.raises(AttributeError, match="no attribute 'nonsense_explorer'"):
        explorers.nonsense_explorer  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'split_'"):
        explorers.split_  # noqa: B018
    with pytest.raises(KeyError):
        EXPLORERS["nonsense"]


def test_the_first_explorers_of_the_course_do_not_wait_for_the_audit():
    code = "import sys; from specviz.explorers import round_explorer, split_explorer; sys.exit('scipy.stats' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@every
def test_each_of_its_pictures_is_another(name):
    settings = EXPLORERS[name].pictures
    assert len(settings) == 3
    assert all(set(setting) <= set(CHANGES[name]) for setting in settings)
    shown = list(EXPLORERS[name].shown())
    assert len({png for png, _ in shown}) == len({says for _, says in shown}) == 3
    assert all(np.asarray(Image.open(io.BytesIO(png))).shape[1] >= 1000 for png, _ in shown)


@every
def test_changes_are_given_for_every_control(name):
    assert set(CHANGES[name]) == set(EXPLORERS[name].make().controls)


@every
def test_every_control_changes_picture_and_sentence_and_comes_back(name):
    view, changes = EXPLORERS[name].make(), CHANGES[name]
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
    make, changes = EXPLORERS[name].make, CHANGES[name]
    first, second = make(), make()
    assert first.picture.value == second.picture.value
    first.set(**changes)
    second.set(**changes)
    assert first.picture.value == second.picture.value
    assert not _pylab_helpers.Gcf.figs


@every
def test_a_view_shows_itself_on_disk(name):
    view = EXPLORERS[name].make()
    bundle, metadata = view._repr_mimebundle_()
    assert metadata["image/png"]["alt"] == f"{view.title}. {view.says}"
    assert bundle["text/plain"].endswith("(interactive figure)")
    assert b64decode(bundle["image/png"]) == view.picture.value
    assert pixels(view).shape[1] >= 1000


@every
def test_blitted_picture_is_what_a_full_redraw_gives(name):
    """Nothing stale is left in the background, and nothing that moves is missing from `moving`."""
    view, changes = EXPLORERS[name].make(), CHANGES[name]
    view.set(**changes)
    view.run()
    blitted = pixels(view)
    for order, artist in enumerate(view.scene.moving):
        artist.set_animated(False)
        artist.set_zorder(100 + order)  # as the view draws them
    view.scene.figure.canvas.draw()
    full = np.asarray(view.scene.figure.canvas.buffer_rgba())[..., :3]
    assert np.abs(blitted.astype(int) - full).max() <= 2


@every
def test_nothing_is_cut_off(name):
    """Every visible text and mark of a view lies inside its picture."""
    view, changes = EXPLORERS[name].make(), CHANGES[name]
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
