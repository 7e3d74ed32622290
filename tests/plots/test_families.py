"""What all pictures have in common: one reading, which is drawn on the given axes and told in words."""

from functools import cache
from importlib import import_module
from inspect import signature

import numpy as np
import pytest

from specviz import MarkovPair, audit, generate, verify
from specviz.auditing.statistics.chi_square import chi_square
from specviz.plots.style import new_figure

P, Q = (0.4, 0.3, 0.2, 0.1), (0.1, 0.3, 0.2, 0.4)


def law():
    exact = MarkovPair.teaching().joint_law(3)
    return np.random.default_rng(0).multinomial(50_000, exact.ravel()).reshape(exact.shape), exact


def runs():
    pair = MarkovPair.teaching()
    return pair, {K: generate(pair, verify, length=3, K=K, n=2_000, rng=np.random.default_rng(K)) for K in (2, 3)}, 3


FAMILIES = {
    ("split", "split"): lambda: (P, Q),
    ("split", "outcome"): lambda: (P, Q),
    ("square", "square"): lambda: (P, Q),
    ("treatments", "treatments"): lambda: (P, Q, [0.5, 1, 2]),
    ("tokens", "tokens"): lambda: (0.7, range(4)),
    ("round", "round"): lambda: (import_module("specviz.plots.round").play_round(MarkovPair.teaching(), 3, 0),),
    ("speed", "speed"): lambda: (0.7, 0.1),
    ("law", "law"): law,
    ("grid", "grid"): lambda: (((1, 0), (1, 1)), (2, 1)),
    ("needles", "gauge"): lambda: (chi_square([55, 45], [0.5, 0.5]),),
    ("needles", "needles"): runs,
    ("power", "power"): lambda: (32, 20_000, 0.02),
    ("process", "process"): lambda: (np.log(P), np.log(Q), "q raw"),
    ("siblings", "acceptance"): lambda: (P, Q),
    ("siblings", "stages"): lambda: (P, Q, [3, 1], "iid"),
    ("block", "path"): lambda: ([1, 0, 0], Q, P),
    ("report", "report"): cache(lambda: (audit(verify, budget="quick", progress=False),)),
}
"""Module and name of each picture, and what to show."""
DRAWN_BY = {"law": "plot_cells"}
IN_EXPLORERS_ONLY = {"needles", "stages"}
"""They take several axes."""
every = pytest.mark.parametrize(("module", "name"), FAMILIES, ids=[name for _, name in FAMILIES])


@every
def test_the_sentence_is_that_of_the_reading(module, name):
    family, shown = import_module(f"specviz.plots.{module}"), FAMILIES[module, name]()
    reading = getattr(family, f"read_{name}")(*shown)
    assert reading.says
    assert getattr(family, f"describe_{name}")(*shown) == reading.says


@every
def test_what_is_read_drawn_and_told_takes_the_same_arguments(module, name):
    family = import_module(f"specviz.plots.{module}")
    read, tell = (signature(getattr(family, f"{verb}_{name}")).parameters for verb in ("read", "describe"))
    assert list(tell.values()) == list(read.values())
    if name not in IN_EXPLORERS_ONLY:
        drawn = signature(getattr(family, DRAWN_BY.get(name, f"plot_{name}"))).parameters
        assert [drawn[argument] for argument in read] == list(read.values())
        assert drawn["ax"].kind is drawn["ax"].KEYWORD_ONLY


@pytest.mark.parametrize(("module", "name"), [key for key in FAMILIES if key[1] not in IN_EXPLORERS_ONLY], ids=lambda part: part)
def test_a_picture_is_drawn_on_the_given_axes_and_nowhere_else(module, name):
    draw = getattr(import_module(f"specviz.plots.{module}"), DRAWN_BY.get(name, f"plot_{name}"))
    _, (ax, other) = new_figure(10, 3, 2)
    assert draw(*FAMILIES[module, name](), ax=ax) is ax
    assert ax.has_data() or ax.texts
    assert not other.has_data()
    own = draw(*FAMILIES[module, name]())
    assert own is not ax
    assert len(own.figure.axes) == (2 if name == "law" else 1), "a map comes with its scale"


@pytest.mark.parametrize(("module", "name"), [("needles", "gauge"), ("law", "null")])
def test_a_test_is_drawn_whatever_it_counted(module, name):
    _, (ax,) = new_figure(4, 3)
    assert getattr(import_module(f"specviz.plots.{module}"), f"plot_{name}")(chi_square([1000, 0], [0.5, 0.5]), ax=ax) is ax
    assert "1,000" in " ".join(text.get_text() for text in ax.texts)
