import subprocess
import sys

import pytest

import specviz.__main__
from specviz.__main__ import COMMANDS, main

every = pytest.mark.parametrize("name", COMMANDS)


def printed(capsys, *arguments):
    """Exit status, standard output and standard error of a command line on which argparse stops."""
    with pytest.raises(SystemExit) as stopped:
        main(list(arguments))
    return stopped.value.code, *capsys.readouterr()


def test_the_commands():
    assert set(COMMANDS) >= {"audit", "catalogue", "false-alarms", "bench", "figures", "notebooks", "screenshots"}


@every
def test_a_command_declares_its_options_and_runs(name, capsys):
    module = COMMANDS[name].load()
    assert callable(module.run)
    status, out, err = printed(capsys, name, "--help")
    assert (status, err) == (0, "")
    assert f" {name} " in out.splitlines()[0]


@every
def test_help_names_every_command(name, capsys):
    status, out, _ = printed(capsys, "--help")
    assert status == 0
    assert f"    {name} " in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "required: command"),
        (("nonsense",), "invalid choice: 'nonsense'"),
        (("bench", "--nonsense"), "unrecognized arguments"),
    ],
)
def test_what_is_not_understood_is_said_with_status_2(capsys, arguments, said):
    status, out, err = printed(capsys, *arguments)
    assert (status, out) == (2, "")
    assert said in err


@every
def test_tools_of_the_developers_say_where_they_work(name, capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(specviz.__main__, "__file__", str(tmp_path / "__main__.py"))  # as in a wheel: nothing of dev is beside it
    status, out, err = printed(capsys, name, "--help")
    if COMMANDS[name].load().__name__.startswith("specviz.dev."):
        line = f"{name} needs the project's own folder: clone it, and install it with requirements.txt\n"
        assert (status, out, err) == (2, "", line)
    else:
        assert (status, err) == (0, "")


def test_what_a_command_returns_is_the_exit_status(monkeypatch):
    monkeypatch.setattr(COMMANDS["audit"].load(), "run", lambda chosen: 7)
    assert main(["audit", "a.module:name"]) == 7


@pytest.mark.parametrize(("started_as", "name"), [("specviz", "specviz"), ("__main__.py", "python -m specviz")])
def test_messages_name_the_program_as_it_was_started(monkeypatch, capsys, tmp_path, started_as, name):
    monkeypatch.setattr(sys, "argv", [str(tmp_path / started_as), "bench", "--help"])
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().out.startswith(f"usage: {name} bench ")


def test_help_imports_no_command():
    code = "import sys; from specviz.__main__ import main\ntry: main(['--help'])\nexcept SystemExit: print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1].split()
    assert "specviz" in loaded
    assert not {"scipy", "matplotlib", "ipywidgets", "nbformat"} & set(loaded)
    assert not [name for name in loaded if name.startswith(("specviz.dev", "specviz.auditing"))]


def test_as_a_module():
    done = subprocess.run([sys.executable, "-m", "specviz", "nonsense"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "python -m specviz: error: argument command: invalid choice" in done.stderr
