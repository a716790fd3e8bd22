"""What outsiders test their stages with finds what is wrong with them."""

import os
from pathlib import Path

import pytest

from clockhead.libraries import PROJECT
from clockhead.scenes.stage import BrokenStage, Stage, UnknownStage
from clockhead.testing import ASPECTS, THEMES, problems_of, stage_near
from tests.pipeline.test_libraries import STAGE, lay_out

WITH_ASIDE = STAGE.replace(
    "        self.number.place(self.canvas)\n",
    "        self.number.place(self.canvas)\n        self.number.move_to(self.canvas.center)\n"
    "        self.other = Readout(self['n'], 'd', words='so many ones')\n"
    "        self.other.place(self.canvas)\n        self.other.move_to(self.canvas.center)\n",
).replace("FadeIn(self.number)", "FadeIn(self.number, self.other)")


def lay(folder: Path, code: str) -> type[Stage]:
    lay_out(folder)
    (folder / "stages/sums/growing.py").write_text(code)
    return stage_near(folder / "tests/test_it.py", "sums.growing")


def test_a_correct_stage_has_no_problems(tmp_path: Path):
    growing = lay(tmp_path, STAGE)
    for aspect in ASPECTS:
        for theme in THEMES:
            inputs = growing.Inputs(n=9)
            assert problems_of(growing, inputs, aspect=aspect, theme=theme) == []


def test_overlapping_text_is_a_problem(tmp_path: Path):
    problems = problems_of(lay(tmp_path, WITH_ASIDE))
    assert any("lies over" in problem for problem in problems)


def test_a_wrong_number_is_a_problem(tmp_path: Path):
    code = STAGE.replace(
        "        yield FadeIn", "        self.number.figure.show(4)\n        yield FadeIn"
    )
    assert "Readout says 4 for total, which is 3" in problems_of(lay(tmp_path, code))


def test_a_misspelt_fact_is_reported_at_its_line(tmp_path: Path):
    [problem] = problems_of(lay(tmp_path, STAGE.replace("{total}", "{totl}")))
    assert "stages/sums/growing.py:34: caption: " in problem
    assert "total" in problem


@pytest.mark.parametrize("project", [None, ""])
def test_other_tests_keep_their_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, project):
    monkeypatch.delenv(PROJECT) if project is None else monkeypatch.setenv(PROJECT, project)
    lay(tmp_path, STAGE)
    assert os.environ.get(PROJECT) == project


def test_a_missing_stage_is_an_error(tmp_path: Path):
    lay_out(tmp_path)
    with pytest.raises(UnknownStage):
        stage_near(tmp_path / "tests/test_it.py", "sums.growin")
    with pytest.raises(BrokenStage):
        stage_near(tmp_path / "tests/test_it.py", "sums.names")
