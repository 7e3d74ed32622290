from specviz.explorers import needles_explorer


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
