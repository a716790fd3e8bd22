"""The example notebook, run cell by cell, as a kernel would run it."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

import clockhead
from clockhead.places import PACKAGE

NOTEBOOK = PACKAGE.parents[1] / "docs/notebook.ipynb"
CELLS = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if NOTEBOOK.exists() else []
CODE = ["".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "code"]


def run(code: str, names: dict[str, Any]) -> Any:
    """Run a cell: what it shows, if its last line is something to be shown."""
    tree = ast.parse(code)
    last = tree.body[-1]
    if not isinstance(last, ast.Expr):
        exec(compile(tree, str(NOTEBOOK), "exec"), names)
        return None
    before = ast.Module(tree.body[:-1], [])
    exec(compile(before, str(NOTEBOOK), "exec"), names)
    return eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names)


def test_it_holds_no_output():
    assert CODE
    assert all(not c["outputs"] and c["execution_count"] is None for c in CELLS if "outputs" in c)


def test_every_cell_does_what_the_text_says(tmp_path: Path, monkeypatch, capsys):
    pytest.importorskip("ipywidgets")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    shown = [run(code, names) for code in CODE]
    kinds = [type(one).__name__ for one in shown]
    assert kinds == [
        *("NoneType", "NotebookShot", "FactTable", "ndarray", "bool", "NotebookStill"),
        *("NoneType", "Sliders"),
        *("NotebookFilm", "float", "NotebookStill", "list", "NoneType"),
    ]
    assert shown[4] is True
    assert shown[9] > 0.99
    assert all("is" in problem for problem in shown[11])
    assert shown[11]
    for one in shown:
        if hasattr(one, "_repr_html_") and not isinstance(one, clockhead.NotebookFilm):
            assert "<" in one._repr_html_()
    assert (tmp_path / "zeros.svg").read_text().startswith("<?xml")
    clip, told = capsys.readouterr().out.splitlines()
    assert (tmp_path / clip).stat().st_size > 1000
    assert told == "there is no stage 'rope.matrx'; did you mean rope.matrix?"
