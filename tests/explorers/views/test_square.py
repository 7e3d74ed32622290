from specviz.explorers import square_explorer
from specviz.explorers.views.square import PRESETS


def test_the_square_refuses_what_the_target_never_says():
    view = square_explorer()
    preset = view.children[0].children[2].children[0]
    preset.value = "the target never says D"
    assert "u q = 0.000, p = 0.000; keep if u q < p: rejected" in view.says
    assert "must be strict" in view.set(comparison="weak")
    for name, setting in PRESETS.items():
        preset.value = name
        assert view.controls["token"].value == setting["token"]
