"""What holds for every committed notebook; that its outputs are what a run prints is compared by nbval."""

import json
import re
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbconvert import HTMLExporter

from specviz.dev.check_notebooks import fault
from specviz.dev.notebooks import execute
from specviz.lessons.exercises import exercises

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
TEXTS = [*NOTEBOOKS, *sorted((ROOT / "notebooks").glob("*.md")), *sorted(ROOT.glob("*.md"))]
every = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def test_there_are_notebooks():
    assert [path.name[:2] for path in NOTEBOOKS] == [f"{i:02d}" for i in range(12)]


@every
def test_hygiene(path):
    text = path.read_text(encoding="utf-8")
    notebook = json.loads(text)
    nbformat.validate(notebook)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert not fault(path), "`python -m specviz notebooks` writes it as it is committed, `git restore notebooks` resets it"
    assert len(text) < 400_000
    assert not re.search(r"/home/|/root/|/tmp/|/work/|[A-Z]:\\\\", text)
    for cell in code:
        source = "".join(cell["source"])
        assert len(source.splitlines()) <= 20
        assert not source.rstrip().endswith(";")
        for output in cell["outputs"]:
            assert output["output_type"] != "error" or cell["metadata"].get("tags") == ["raises-exception"]
            assert output.get("name") != "stderr"
            if "image/png" in output.get("data", {}):
                assert "nbval-ignore-output" in cell["metadata"]["tags"]
                assert output["data"]["text/plain"]


def words(path):
    """The prose of a notebook or of a text."""
    if path.suffix == ".md":
        return path.read_text(encoding="utf-8")
    return "\n\n".join(cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "markdown")


def sources(path):
    """The code of a notebook, cell by cell."""
    return [cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]


def anchors(path):
    """What a link can point to: headings with hyphens for spaces, as JupyterLab, GitHub and an export name them."""
    return {heading.strip().replace(" ", "-") for heading in re.findall(r"^#+ (.+)$", words(path), re.M)}


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_links_and_pictures(path):
    text = words(path)
    for alternative, target in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", text):
        assert len(alternative) > 20
        assert (path.parent / target).exists(), target
    for target, _, anchor in re.findall(r"(?<!!)\[[^\]]+\]\(([^)#]+)(#([^)]+))?\)", text):
        if not target.startswith("http"):
            assert (path.parent / target).exists(), target
            assert not anchor or anchor in anchors(path.parent / target), anchor


@pytest.mark.parametrize("path", [NOTEBOOKS[1], NOTEBOOKS[4]], ids=lambda path: path.stem)
def test_runs_from_the_root_as_well(path):
    """nbval runs each notebook in its own folder; what it prints, recorded data read by some, must not depend on that."""
    made = execute(path, write=False, folder=ROOT)
    printed = [[o.get("text") for o in cell.get("outputs", [])] for cell in made.cells]
    committed = [[o.get("text") for o in cell.get("outputs", [])] for cell in nbformat.read(path, 4).cells]
    assert printed == committed


@every
def test_reads_as_html_without_a_kernel(path):
    """What `jupyter nbconvert --to html` writes beside the notebooks: pictures with their words, and answers, are all there."""
    html, _ = HTMLExporter(template_name="classic").from_filename(str(path))
    shown = sum("image/png" in o.get("data", {}) for cell in nbformat.read(path, 4).cells for o in cell.get("outputs", []))
    pictures = BeautifulSoup(html, "html.parser").select("img[src^='data:image/png;base64']")
    assert len(pictures) == shown > 0
    assert all(len(picture["alt"]) > 20 and "No description" not in picture["alt"] for picture in pictures)
    linked = re.findall(r'<img alt="[^"]{20,}" src="(\.\./[^"]+)"', html)
    assert len(linked) == len(re.findall(r"!\[", words(path))) >= 3
    assert all((path.parent / target).exists() for target in linked)
    assert "widget-view" not in html
    assert html.count("<details") >= len(re.findall(r"\bpredict\(\n", "\n".join(sources(path)))) > 0


@every
def test_exercises_are_the_tested_ones(path):
    """A stub in a notebook is the stub whose check is tested, and is handed in to that check; no solution stands in it."""
    code = sources(path)
    asked = [match[1] for source in code if (match := re.fullmatch(r'check\("(\w+)", (\w+)\)', source))]
    assert asked == [id for id in exercises() if id.startswith(path.name[:2])]
    assert 2 <= len(asked) <= 3
    for id in asked:
        before = code[next(i for i, source in enumerate(code) if source.startswith(f'check("{id}"')) - 1]
        assert before == exercises()[id].stub.strip()
        assert exercises()[id].solution.strip() not in "\n".join(code)


@every
def test_minutes_are_those_of_a_reader(path):
    """240 words a minute, 2.5 s a line of code, 1.5 of output, 25 a prediction; one minute of play, three for an exercise."""
    skipped = ("## In production", "## Your turn", "**Exercise")
    cells = [c for c in nbformat.read(path, 4).cells if not c.source.startswith(skipped)]
    code = [
        c for c in cells if c.cell_type == "code" and "NotImplementedError" not in c.source and not c.source.startswith("check(")
    ]
    text = " ".join(c.source for c in cells if c.cell_type == "markdown")
    unfolded = re.sub(r"<details>.*?</details>", "", text, flags=re.S)
    lines = sum(bool(line.strip()) for c in code for line in c.source.splitlines())
    printed = sum(len(o.get("text", "").splitlines()) for c in code for o in c.outputs)
    asked = sum("predict(" in c.source for c in code)
    minutes = len(unfolded.split()) / 240 + (2.5 * lines + 1.5 * printed + 25 * asked) / 60 + 1 + 3
    stated = int(re.search(r"^\*(\d+) minutes", words(path), re.M)[1])
    assert abs(minutes - stated) <= 1.5
    assert re.search(rf"\(notebooks/{path.name}\) \| {stated} \|", words(ROOT / "README.md"))


def test_glossary_defines_every_term_once():
    terms = re.findall(r"^\| \*\*(.+?)\*\* \|", (ROOT / "notebooks" / "glossary.md").read_text(encoding="utf-8"), re.M)
    assert terms == sorted(set(terms))
    course = " ".join(words(path).lower() for path in NOTEBOOKS)
    unused = [term for term in terms if term not in course]
    assert not unused
