import subprocess
import sys

import pytest

from specviz import plots


@pytest.mark.parametrize("name", plots.__all__)
def test_a_public_name_is_there_and_documented(name):
    assert getattr(plots, name).__doc__
    assert name in dir(plots)


def test_no_other_name_is():
    with pytest.raises(AttributeError, match="no attribute 'plot_nonsense'"):
        plots.plot_nonsense  # noqa: B018


def test_the_face_imports_what_it_is_asked_for():
    code = "import sys; from specviz.plots import Picture, describe_outcome, plot_tokens; sys.exit('scipy.stats' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
