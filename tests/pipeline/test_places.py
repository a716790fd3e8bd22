"""Commands in messages work as they are typed where one stands."""

import ast
import os
import re
import sys
from pathlib import Path

import pytest

from clockhead.places import NAME, PACKAGE, clockhead_command, python_command

_NAMED = re.compile(r"`[\s\"'f]*(\./)?[\s\"'f]*clockhead")
"""A command in backticks, even where a string is continued in the middle of it."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a clockhead and a Python in it, neither of them on the PATH."""
    for name in (NAME, "bin/clockhead", "bin/python"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch(mode=0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.defpath)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin/python"))
    return tmp_path


@pytest.mark.parametrize(
    ("started", "typed"),
    [
        ("./clockhead", "./clockhead"),
        ("clockhead", "./clockhead"),  # sh clockhead
        ("../a lecturer's/clockhead", "'../a lecturer'\"'\"'s/clockhead'"),
        (str(PACKAGE / "__main__.py"), "bin/python -m clockhead"),
        ("/usr/bin/pytest", "clockhead"),
        ("-c", "clockhead"),
    ],
)
def test_commands_are_written_as_clockhead_was_started(monkeypatch, started: str, typed: str):
    monkeypatch.setattr(sys, "argv", [started, "new", "mine"])
    assert clockhead_command() == typed
    assert clockhead_command("check", "my film.yaml") == f"{typed} check 'my film.yaml'"


def test_programs_on_the_path_are_written_by_name(here: Path, monkeypatch: pytest.MonkeyPatch):
    started = str(here / "bin/clockhead")
    monkeypatch.setattr(sys, "argv", [started])
    assert clockhead_command("films") == f"{started} films"
    assert python_command("-m", "pytest") == "bin/python -m pytest"
    monkeypatch.setenv("PATH", f"{here / 'bin'}{os.pathsep}{os.defpath}")
    assert clockhead_command("films") == "clockhead films"
    assert python_command("-m", "pytest") == "python -m pytest"


def test_a_python_elsewhere_is_written_with_its_path(here: Path, monkeypatch):
    (here / "elsewhere").mkdir()
    monkeypatch.chdir(here / "elsewhere")
    assert python_command() == str(here / "bin/python")


def test_messages_use_clockhead_command():
    for file in PACKAGE.rglob("*.py"):
        if not _NAMED.search(source := file.read_text()):
            continue
        tree = ast.parse(source)
        said = {
            node.value.lstrip()
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        documented = {
            ast.get_docstring(node, clean=False)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        }
        for text in said - {(one or "").lstrip() for one in documented}:
            assert "`clockhead " not in text, (file, text)
            assert "`./clockhead" not in text, (file, text)
