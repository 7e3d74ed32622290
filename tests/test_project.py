"""What stands beside the package: README's commands, the hooks, the forms, the version to cite."""

import re
from importlib.util import find_spec

import pytest
import yaml

import specviz
from specviz.__main__ import COMMANDS
from specviz.dev import ROOT

FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
HOOKS = [hook for repo in yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"] for hook in repo["hooks"]]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_readme_lists_every_command(name):
    assert f"\n| `python -m specviz {name}" in read("README.md")


def test_readme_lists_no_other_command():
    assert set(re.findall(r"\| `python -m specviz (\S+?)[ `]", read("README.md"))) == set(COMMANDS)


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_runs_in_the_environment_of_the_project(hook):
    python, option, module = hook["entry"].split()[:3]
    assert (python, option, hook["language"]) == ("python", "-m", "system")
    assert find_spec(module)


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_asks_and_names_each_answer(path):
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert form["name"]
    assert form["description"]
    asked = [item for item in form["body"] if item["type"] != "markdown"]
    assert len({item["id"] for item in asked}) == len({item["attributes"]["label"] for item in asked}) == len(asked) > 0
    assert {item["type"] for item in asked} <= {"input", "textarea", "dropdown"}
    assert all(item["attributes"]["options"] for item in asked if item["type"] == "dropdown")


def test_a_wrong_verdict_is_reported_with_verifier_report_and_seed():
    form = yaml.safe_load(read(".github/ISSUE_TEMPLATE/wrong_verdict.yml"))
    required = {item.get("id") for item in form["body"] if item.get("validations", {}).get("required")}
    assert {"verifier", "report", "seed"} <= required


def test_the_citation_is_of_this_version():
    citation = yaml.safe_load(read("CITATION.cff"))
    assert citation["version"] == specviz.__version__
    assert {"cff-version", "message", "title", "authors"} <= set(citation)


def test_the_changelog_has_this_version():
    assert f"\n## {specviz.__version__}\n" in read("CHANGELOG.md")
