"""Pictures are read through their artists; each says in words what it shows."""

import numpy as np
import pytest
from cases import Scripted
from matplotlib.figure import Figure

from specviz import MarkovPair, verify
from specviz.auditing.joint_law import audit_law
from specviz.auditing.statistics.chi_square import chi_square
from specviz.models.recorded import load_rounds
from specviz.plots import law as law_plots
from specviz.plots import round as round_plots
from specviz.plots import split as split_plots
from specviz.plots import style
from specviz.plots import tokens as tokens_plots
from specviz.plots import treatments as treatment_plots
from specviz.plots.bars import Bars

P, Q = np.array([0.5, 0.3, 0.15, 0.05]), np.full(4, 0.25)


def bars(ax, container):
    found = [patch for patch in ax.patches if isinstance(patch, Bars)][container]
    return list(zip(found.bottoms, found.heights, strict=True))


def test_split_bars_are_kept_owed_and_rejected():
    ax = split_plots.plot_split(P, Q)
    assert [h for _, h in bars(ax, 0)] == pytest.approx([0.25, 0.25, 0.15, 0.05])
    assert bars(ax, 1)[0] == pytest.approx((0.25, 0.25))
    assert bars(ax, 2)[3] == pytest.approx((0.05, 0.20))
    assert len(ax.patches[2].get_path()) == 10, "nothing of A and B is rejected, and no bar drawn for it"


def test_split_sentences():
    assert split_plots.describe_split(P, Q) == (
        "Kept 0.700, the overlap; rejected and owed 0.300 each, the total variation. Owed to A (0.25), B (0.05)."
    )
    assert "Nothing is owed" in split_plots.describe_split(P, P)
    assert "exactly p" in split_plots.describe_outcome(P, Q)


def test_the_law_of_a_replacement_from_p():
    p, q = [0.6, 0.3, 0.1], [0.2, 0.5, 0.3]
    assert split_plots.outcome(p, q, "p") == pytest.approx([0.44, 0.42, 0.14])
    assert split_plots.outcome([0.4, 0.3, 0.2, 0.1], [0.1, 0.3, 0.2, 0.4], "p") == pytest.approx([0.22, 0.39, 0.26, 0.13])
    assert "total variation of 0.160" in split_plots.describe_outcome(p, q, replacement="p")
    with pytest.raises(ValueError, match="expected 'residual' or 'p'"):
        split_plots.outcome(p, q, "q")


def test_outcome_marks_stand_at_p():
    ax = split_plots.plot_outcome(P, Q, replacement="p")
    marks = ax.collections[0].get_segments()
    assert [segment[0][1] for segment in marks] == pytest.approx(P.tolist())
    assert "off by TV = 0.100" in ax.texts[0].get_text()


def test_grouped_tokens_owe_and_reject_at_once():
    kept = np.array([0.2, 0.3])
    assert split_plots.outcome([0.5, 0.5], [0.2, 0.8], kept=kept) == pytest.approx([0.5, 0.5])
    assert "Owed to A (0.30), B (0.20)" in split_plots.describe_split([0.5, 0.5], [0.2, 0.8], kept=kept)


def test_a_round_is_told_as_it_was_verified():
    pair = MarkovPair.constant(P, Q)
    for seed in range(30):
        played = round_plots.play_round(pair, 3, seed)
        u = np.random.default_rng(seed).random(7)[3:]  # three went into the drafts
        out = verify([played.draft], [played.q], [played.p], [3], Scripted(u[:3], u[3:]))
        assert tuple(out.tokens[0, : out.n_out[0]].tolist()) == played.tokens
        for i in range(played.accepted):
            x = played.draft[i]
            assert played.u[i] * played.q[i][x] < played.p[i][x]
        states = [played.state(i, played.steps) for i in range(3)]
        assert states.count(round_plots.KEPT) == played.accepted
        assert states.count(round_plots.STOPPED) == (played.accepted < 3)
        told = [round_plots.describe_round(played, step=step) for step in range(played.steps + 1)]
        assert told[0].startswith("Before the round")
        assert f"emits {len(played.tokens)} token" in told[-1]
        ax = round_plots.plot_round(played)
        assert ax.texts


@pytest.mark.parametrize("K", [0, 1, 5])
def test_rounds_of_any_length(K):
    played = round_plots.play_round(MarkovPair.teaching(), K, 1)
    assert len(played.draft) == K
    assert round_plots.describe_round(played)
    assert round_plots.describe_round(played, step=1).startswith("The drafter proposes" if K else "Nothing is drafted.")


def test_cell_residuals_sum_to_the_chi_square():
    law = MarkovPair.teaching().joint_law(3)
    counts = np.random.default_rng(0).multinomial(50_000, law.ravel()).reshape(law.shape)
    test = chi_square(counts, law)
    assert (law_plots.cell_residuals(counts, law) ** 2).sum() == pytest.approx(test.statistic)
    image = law_plots.plot_cells(counts, law).collections[0].get_array()
    assert image.shape == (4, 16)
    assert image[0, 0] == pytest.approx((counts[0, 0, 0] - 50_000 * law[0, 0, 0]) / np.sqrt(50_000 * law[0, 0, 0]))


def test_null_density_marks_the_statistic_or_points_beyond_the_axis():
    check = audit_law(verify, K=(3,), n=20_000).checks[0]
    ax = law_plots.plot_null(check.test)
    assert any("pass" in t.get_text() for t in ax.texts)
    far = chi_square([1000, 0, 0, 0], [0.25] * 4)
    texts = [t.get_text() for t in law_plots.plot_null(far).texts]
    assert any("FAIL" in t for t in texts)
    assert "above the cut" in law_plots.describe_law(far)


def test_tokens_curve():
    ax = tokens_plots.plot_tokens(0.7, range(4), [1, 1.7, 2.19, 2.533], [0.001] * 4)
    assert ax.lines[0].get_ydata() == pytest.approx([1, 1.7, 2.19, 2.533])
    assert "2.533 at K = 3; measured" in tokens_plots.describe_tokens(0.7, range(4), [1, 1.7, 2.19, 2.54])


def test_treatments_are_the_three_sums():
    p, q = [0.6, 0.3, 0.1], [0.2, 0.5, 0.3]
    assert treatment_plots.treatments(p, q) == pytest.approx((0.6, 0.6, 0.46, 0.3))
    assert treatment_plots.treatments([p, p], [q, p]) == pytest.approx((0.8, 0.6, 0.46, 0.38))
    assert treatment_plots.treatments(p, q, 1e-6) == pytest.approx((0, 1, 1, 0), abs=1e-9), "sharp: each side knows one token"
    assert treatment_plots.treatments(p, q, 1e6) == pytest.approx((1, 1 / 3, 1 / 3, 1 / 3), abs=1e-4), "flat"
    with pytest.raises(ValueError, match="temperature is 0"):
        treatment_plots.treatments(p, q, 0)
    with pytest.raises(ValueError, match=r"q\[0\] sums to 1\.5"):
        treatment_plots.treatments(p, [0.5, 0.5, 0.5])
    with pytest.raises(ValueError, match="expected the same"):
        treatment_plots.treatments(p, [0.5, 0.5])


def test_treatments_of_the_recorded_model():
    """The acceptance of match_target is sum p q, and the best one-hot draft is no worse than the target matched with itself."""
    p, q = treatment_plots.recorded_laws(load_rounds())
    assert p.shape == q.shape
    assert len(p) == 288
    temperatures = [0.25, 1.0, 2.0]
    ax = treatment_plots.plot_treatments(p, q, temperatures)
    rule, one_hot, match_self, match = (line.get_ydata() for line in ax.lines)
    assert rule[1] == pytest.approx(np.minimum(p, q).sum(axis=1).mean())
    assert match[1] == pytest.approx((p * q).sum(axis=1).mean())
    assert (one_hot >= match_self).all()
    assert (rule >= match).all()
    says = treatment_plots.describe_treatments(p, q, temperatures)
    assert f"the token rule keeps {rule[0]:.2f} of the drafts" in says
    heights = sorted(text.xy[1] for text in ax.texts)
    assert np.diff(heights).min() > 0.07, "labels do not lie on one another"


def test_pictures_are_made_without_pyplot_and_show_themselves():
    figure, _ = style.new_figure(4, 3)
    assert isinstance(figure, Figure)
    bundle, metadata = style.Picture(figure, "what it shows")._repr_mimebundle_()
    assert metadata == {"image/png": {"alt": "what it shows"}}
    assert bundle["text/plain"] == "what it shows"
    assert bundle["image/png"]


def luminance(colour):
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(colour):
    return 1.05 / (luminance(colour) + 0.05)


def test_contrast_on_white():
    """Text at least 4.5 to 1, bars 3 to 1; the drafter's orange is a bar, always hatched, and never text."""
    assert contrast(style.INK) >= 4.5
    assert contrast(style.FAINT) >= 4.5
    assert contrast(style.P) >= 4.5
    assert contrast(style.OWED) >= 3
    assert contrast(style.REJECTED) >= 3


def test_corners():
    assert tokens_plots.plot_tokens(1.0, [1, 2]).lines
    assert split_plots.plot_split(P, Q, np.array(list("wxyz"))).get_xticklabels()[0].get_text() == "w"
