from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from specviz.__main__ import main as command_line
from specviz.dev import ROOT, notebooks
from specviz.dev.check_notebooks import fault, main
from specviz.dev.notebooks import WIDGET, execute, tidy, to_text

CODE = "print('a', flush=True)\nprint('b')"


def saved():
    """A notebook as JupyterLab saves it: run once, from top to bottom."""
    outputs = [
        new_output("stream", name="stdout", text="a\n"),
        new_output("stream", name="stdout", text="b\n"),
        new_output("display_data", data={"image/png": "", WIDGET: {"model_id": "7"}, "text/plain": "picture"}),
        new_output("stream", name="stdout", text="c\n"),
        new_output("stream", name="stderr", text="d\n"),
        new_output("error", ename="ValueError", evalue="no", traceback=["/home/someone/mine.py", "line 3"]),
    ]
    cell = new_code_cell(CODE, execution_count=1, outputs=outputs, metadata={"tags": ["mine"], "execution": {"begin": "12:00"}})
    text = new_markdown_cell("Text", metadata={"editable": True})
    return new_notebook(
        cells=[text, cell], metadata={"widgets": {"state": {}}, "language_info": {"name": "python", "version": "3.13.1"}}
    )


@pytest.fixture
def tidied():
    notebook = saved()
    tidy(notebook)
    return notebook


def test_text_in_pieces_is_joined_but_not_over_a_picture_or_another_stream(tidied):
    outputs = tidied.cells[1].outputs
    assert [output.get("text") for output in outputs] == ["a\nb\n", None, "c\n", "d\n", None]
    assert [output.get("name") for output in outputs] == ["stdout", None, "stdout", "stderr", None]


def test_widgets_leave_their_picture_and_words(tidied):
    assert set(tidied.cells[1].outputs[1].data) == {"image/png", "text/plain"}


def test_a_traceback_names_no_folder(tidied):
    assert tidied.cells[1].outputs[-1].traceback == ["ValueError: no"]


def test_of_the_metadata_tags_remain(tidied):
    assert [cell.metadata for cell in tidied.cells] == [{}, {"tags": ["mine"]}]
    assert set(tidied.metadata) == {"kernelspec", "language_info"}
    assert tidied.metadata.language_info == {"name": "python"}


def test_tidying_twice_changes_nothing(tidied):
    before = to_text(tidied)
    tidy(tidied)
    assert to_text(tidied) == before


def test_a_run_writes_once(tmp_path, capsys):
    path = tmp_path / "small.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell(CODE)]), path)
    execute(path)
    execute(path)
    assert capsys.readouterr().out == "small.ipynb: written\nsmall.ipynb: unchanged\n"
    assert [output.text for output in nbformat.read(path, 4).cells[0].outputs] == ["a\nb\n"]
    assert fault(path) == ""


def test_without_writing_the_file_stays(tmp_path, capsys):
    path = tmp_path / "small.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell(CODE)]), path)
    before = path.read_bytes()
    assert execute(path, write=False).cells[0].outputs
    assert (path.read_bytes(), capsys.readouterr().out) == (before, "")


def leave(notebook):
    pass


def add_widget_state(notebook):
    notebook.metadata["widgets"] = {"state": {}}


def add_a_view(notebook):
    notebook.cells[1].outputs[1].data[WIDGET] = {"model_id": "7"}


def add_metadata(notebook):
    notebook.cells[0].metadata["collapsed"] = True


def add_a_piece(notebook):
    notebook.cells[1].outputs.insert(1, new_output("stream", name="stdout", text="more\n"))


def run_again(notebook):
    notebook.cells[1].execution_count = 2


def clear(notebook):
    notebook.cells[1].execution_count = None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (leave, ""),
        (add_widget_state, "widget state"),
        (add_a_view, "widget state"),
        (add_metadata, "metadata"),
        (add_a_piece, "pieces of output"),
        (run_again, "not run once each"),
        (clear, "not run once each"),
    ],
)
def test_the_hook_refuses_what_is_not_committed(tidied, tmp_path, capsys, change, said):
    change(tidied)
    path = tmp_path / "mine.ipynb"
    path.write_text(to_text(tidied), encoding="utf-8")
    assert main([str(path)]) == (1 if said else 0)
    printed = capsys.readouterr().out
    assert len(printed.splitlines()) == (1 if said else 0)
    assert said in printed


@pytest.mark.parametrize("named", [["a.ipynb"], []])
def test_the_command_runs_what_is_named_or_all(monkeypatch, named):
    asked = []
    monkeypatch.setattr(notebooks, "execute", asked.append)
    assert command_line(["notebooks", *named]) == 0
    assert asked == ([Path("a.ipynb")] if named else sorted((ROOT / "notebooks").glob("*.ipynb")))
