"""Films and stages of one's own, from one's own folder and from a package, beside anything."""

from pathlib import Path

import pytest

from clockhead.libraries import project_around
from clockhead.places import PACKAGE
from clockhead.trust import trust
from tests.pipeline.project import run_module

STAGE = '''\
"""A number grows."""

from dataclasses import dataclass

from manim import FadeIn
from pydantic import Field

from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.stage import CAPTION, Stage, StageInputs, Steps, beat

from .names import TITLE


@dataclass(frozen=True)
class Sum:
    """A sum of `n` ones."""

    n: int

    @property
    def total(self) -> int:
        """What they add up to."""
        return self.n


class Growing(Stage):
    """A number."""

    class Inputs(StageInputs):
        n: int = Field(3, ge=1, le=9, description="how many ones")

    title = TITLE
    question = "How much is it?"
    caption = "It is {total}."

    @classmethod
    def compute(cls, inputs: Inputs) -> Sum:
        return Sum(inputs.n)

    def layout(self) -> None:
        self.number = Readout(self["total"], "d")
        self.number.place(self.canvas)

    @beat(CAPTION)
    def end(self) -> Steps:
        yield FadeIn(self.number)
'''
FILM = "version: 1\ntitle: My film\nshots:\n  - stage: sums.growing\n"
BROKEN = {
    "unfinished": "class Unfinished(\n",
    "raising": "raise RuntimeError('not yet')\n",
    "nameless": STAGE.replace("Growing", "Nameless").replace("    title = TITLE\n", ""),
    "doubting": STAGE.replace("Growing", "Doubting")
    .replace(
        "    caption =", "    claims = (Claim('it is odd', lambda v: v.odd, 'no'),)\n    caption ="
    )
    .replace("import CAPTION,", "import CAPTION, Claim,"),
}


def lay_out(folder: Path, **modules: str) -> None:
    """A trusted project with a film of the stage `sums.growing`, and other modules beside it."""
    (folder / "storyboards").mkdir(parents=True)
    (folder / "stages/sums").mkdir(parents=True)
    (folder / "storyboards/mine.yaml").write_text(FILM)
    (folder / "stages/sums/growing.py").write_text(STAGE)
    (folder / "stages/sums/names.py").write_text("TITLE = 'A sum of ones'\n")
    for name, code in modules.items():
        (folder / f"stages/sums/{name}.py").write_text(code)
    trust(folder)


def install_package(site: Path, name: str) -> None:
    """Make a folder among installed packages one that brings films and stages."""
    (site / name / "__init__.py").touch()
    about = site / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[clockhead]\n{name} = {name}\n")


def clockhead(folder: Path, *arguments: str, path: Path | None = None):
    """Run a command as an installed Clockhead does, from a folder."""
    packages = [PACKAGE.parent, *([path] if path else [])]
    return run_module("clockhead", *arguments, cwd=folder, paths=packages)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """One's own folder, with files in it that are called like Clockhead's."""
    lay_out(tmp_path)
    for name in ("model.py", "pipeline.py", "stages.py"):
        (tmp_path / name).write_text("raise SystemExit('not this one')\n")
    (tmp_path / "scenes").mkdir()
    (tmp_path / "scenes/__init__.py").write_text("raise SystemExit('nor this')\n")
    return tmp_path


def test_a_film_of_the_project_is_found_by_name_and_rendered(project: Path):
    done = clockhead(project, "render", "mine", "-ql")
    assert (done.returncode, done.stdout) == (0, "media/mine/480p15/mine.mp4\n"), done.stderr
    assert "0 of 1 shot rendered now" in clockhead(project, "render", "mine", "-ql").stderr
    (project / "stages/sums/names.py").write_text("TITLE = 'Another'\n")
    assert "1 of 1 shot rendered now" in clockhead(project, "render", "mine", "-ql").stderr


def test_a_film_is_found_from_subfolders_and_by_path(project: Path, tmp_path_factory):
    done = clockhead(project / "stages/sums", "check", "mine")
    assert (done.returncode, done.stdout) == (0, "mine: 1 shot, in order\n"), done.stderr
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    done = clockhead(elsewhere, "check", str(project / "storyboards/mine.yaml"))
    assert (done.returncode, done.stdout) == (0, "mine: 1 shot, in order\n"), done.stderr


def test_stages_of_the_project_are_listed_and_suggested(project: Path):
    listed = clockhead(project, "stages", "sums")
    assert listed.stdout == "sums.growing  A number.\n"
    meant = clockhead(project, "stages", "sum")
    assert meant.returncode == 2
    assert "no stage, film or folder of scenes 'sum'; did you mean sums?" in meant.stderr


def test_stages_of_two_projects_are_not_mixed(project: Path, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    lay_out(other)
    (other / "storyboards/mine.yaml").rename(other / "storyboards/theirs.yaml")
    done = clockhead(project, "check", "mine", str(other / "storyboards/theirs.yaml"))
    assert done.returncode == 2
    assert f"its stages are in {other}, those of another film in {project}" in done.stderr


def test_a_package_brings_films_and_stages(tmp_path: Path, tmp_path_factory):
    site = tmp_path_factory.mktemp("site")
    lay_out(site / "lectures")
    install_package(site, "lectures")
    done = clockhead(tmp_path, "check", "mine", path=site)
    assert (done.returncode, done.stdout) == (0, "mine: 1 shot, in order\n"), done.stderr
    done = clockhead(tmp_path, "render", "mine", "-ql", path=site)
    assert done.returncode == 0, done.stderr


def test_a_broken_module_breaks_only_its_own_stages(tmp_path: Path):
    lay_out(tmp_path, **BROKEN)
    broken = {
        "unfinished": "SyntaxError: '(' was never closed (stages/sums/unfinished.py, line 1)",
        "raising": "RuntimeError: not yet (stages/sums/raising.py, line 1)",
    }
    listed = clockhead(tmp_path, "stages")
    assert listed.returncode == 0
    assert "sums.growing" in listed.stdout
    schema = clockhead(tmp_path, "schema")
    assert schema.returncode == 0
    assert '"const": "sums.growing"' in schema.stdout
    assert clockhead(tmp_path, "check", "mine").returncode == 0
    flawed = {
        "nameless": "stages/sums/nameless.py:26:1: Nameless: the stage has no title",
        "doubting": "AttributeError: 'Sum' object has no attribute 'odd'",
    }
    for name in BROKEN:
        (tmp_path / f"storyboards/{name}.yaml").write_text(FILM.replace("growing", name))
    commands = (("check", *BROKEN), ("render", "-ql", *BROKEN), ("stages", "sums.unfinished"))
    checked, rendered, described = (clockhead(tmp_path, *command) for command in commands)
    for done in (checked, rendered, described):
        assert done.returncode == 2, done.stdout
        assert "Traceback" not in done.stderr
    for message in (broken | flawed).values():
        assert message in checked.stderr
        assert message in rendered.stderr
    for message in broken.values():
        assert message in listed.stderr
        assert message in schema.stderr
    assert broken["unfinished"] in described.stderr


def test_a_module_without_its_stage_says_what_is_missing(project: Path):
    (project / "storyboards/bad.yaml").write_text(FILM.replace("growing", "names"))
    done = clockhead(project, "check", "bad")
    assert done.returncode == 2
    assert "stages/sums/names.py has no class Names that is a Stage" in done.stderr


def test_the_project_is_the_nearest_folder_around(project: Path):
    assert project_around(project / "stages/sums") == project
    assert project_around(project) == project
    assert project_around(PACKAGE / "scenes") is None


def test_a_folder_that_is_called_stages_for_other_reasons_is_no_project(tmp_path: Path):
    (tmp_path / "rockets/stages/first").mkdir(parents=True)
    (tmp_path / "rockets/stages/first/engine.txt").touch()
    assert project_around(tmp_path / "rockets/stages/first") is None
    (tmp_path / "rockets/stages/first/engine.py").touch()
    assert project_around(tmp_path / "rockets/stages/first") == tmp_path / "rockets"
