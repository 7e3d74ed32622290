import pytest

from specviz import verify
from specviz.explorers import report_explorer


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
