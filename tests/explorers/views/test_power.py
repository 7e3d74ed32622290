from specviz.explorers import power_explorer


def test_what_is_beyond_the_axis_is_said():
    power = power_explorer()
    power.set(cells=64, n=500)
    assert "to the right of this axis" in power.scene.figure.axes[1].texts[-1].get_text()
