"""Every notebook in a real JupyterLab: opened, run from top to bottom, without an error and with nothing on stderr."""

import pytest

from browser.conftest import ROOT

COUNTS = """() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells
    .filter(c => c.cell_type === 'code').map(c => c.execution_count)"""


@pytest.mark.parametrize("name", [path.name for path in sorted((ROOT / "notebooks").glob("*.ipynb"))])
def test_every_notebook_runs(lab, name):
    notebook = lab.open(f"notebooks/{name}")
    notebook.run_all()
    assert notebook.faults() == []
    cells = notebook.cells()
    assert all(output["output_type"] for cell in cells for output in cell["outputs"])
    for _ in range(100):  # a count is painted when the cell's reply is in, which a busy machine may take a while for
        ran = notebook.page.evaluate(COUNTS)
        if None not in ran:
            break
        notebook.page.wait_for_timeout(100)
    assert ran == list(range(1, len(cells) + 1))
    broken = "() => [...document.querySelectorAll('.jp-RenderedMarkdown img')].filter(i => i.complete && !i.naturalWidth).length"
    assert notebook.page.evaluate(broken) == 0, "a picture in the text is not found"
    notebook.close()
