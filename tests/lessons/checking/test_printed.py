import sys
import warnings

import numpy as np

from specviz.lessons.checking.printed import HEAD, Head, kept_back


def test_the_beginning_is_remembered_and_nothing_is_shown(capsys):
    printed = Head()
    with kept_back(printed):
        print("a" * (HEAD - 2))
        print("bcd", file=sys.stderr)
    assert printed.text == "a" * (HEAD - 2) + "\nb"
    assert capsys.readouterr() == ("", "")


def test_there_are_no_warnings():
    with kept_back(Head()):
        warnings.warn("kept back", UserWarning, stacklevel=1)
        assert np.isinf(np.ones(1) / 0).all()
        assert np.isnan(np.zeros(1) / 0).all()
