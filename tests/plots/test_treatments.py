import numpy as np
import pytest

from specviz.models.recorded import load_rounds
from specviz.plots.treatments import describe_treatments, plot_treatments, recorded_laws


def test_treatments_of_the_recorded_model():
    """The acceptance of match_target is sum p q, and the best one-hot draft is no worse than the target matched with itself."""
    p, q = recorded_laws(load_rounds())
    assert p.shape == q.shape
    assert len(p) == 288
    temperatures = [0.25, 1.0, 2.0]
    ax = plot_treatments(p, q, temperatures)
    rule, one_hot, match_self, match = (line.get_ydata() for line in ax.lines)
    assert rule[1] == pytest.approx(np.minimum(p, q).sum(axis=1).mean())
    assert match[1] == pytest.approx((p * q).sum(axis=1).mean())
    assert (one_hot >= match_self).all()
    assert (rule >= match).all()
    says = describe_treatments(p, q, temperatures)
    assert f"the token rule keeps {rule[0]:.2f} of the drafts" in says
    heights = sorted(text.xy[1] for text in ax.texts)
    assert np.diff(heights).min() > 0.07, "labels do not lie on one another"
