import numpy as np
import pytest

from specviz import MarkovPair, verify
from specviz.auditing.joint_law import audit_law
from specviz.auditing.statistics.chi_square import chi_square
from specviz.plots.law import describe_law, plot_cells, plot_null, read_law


def test_cell_residuals_sum_to_the_chi_square():
    law = MarkovPair.teaching().joint_law(3)
    counts = np.random.default_rng(0).multinomial(50_000, law.ravel()).reshape(law.shape)
    reading = read_law(counts, law)
    assert (
        (reading.residuals**2).sum() == pytest.approx(chi_square(counts, law).statistic) == pytest.approx(reading.test.statistic)
    )
    image = plot_cells(counts, law).collections[0].get_array()
    assert image.shape == (4, 16)
    assert image[0, 0] == pytest.approx((counts[0, 0, 0] - 50_000 * law[0, 0, 0]) / np.sqrt(50_000 * law[0, 0, 0]))


def test_null_density_marks_the_statistic_or_points_beyond_the_axis():
    check = audit_law(verify, K=(3,), n=20_000).checks[0]
    ax = plot_null(check.test)
    assert any("pass" in t.get_text() for t in ax.texts)
    far = [1000, 0, 0, 0], [0.25] * 4
    texts = [t.get_text() for t in plot_null(chi_square(*far)).texts]
    assert any("FAIL" in t for t in texts)
    assert "above the cut" in describe_law(*far)
