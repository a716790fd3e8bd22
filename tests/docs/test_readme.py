"""The README: every command in it does what it says there, and what it names and shows is there.

Nothing is drawn but one film: of the others, all is found out that can be known without drawing.
That the pictures are those of today is found out by the tests of the posters.
"""

import re
import shlex
import tomllib
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import pytest

from clockhead.cli import cli, main
from clockhead.clips.examine import examine_film
from clockhead.commands import export
from clockhead.export.edition import Edition
from clockhead.export.formats import FORMATS, Choices
from clockhead.libraries import BUILT_IN, PROJECT
from clockhead.production import RenderOptions
from clockhead.production.produce import FilmResult
from clockhead.storyboard.films import Film
from tests.scenes.test_posters import POSTERS, STAGES

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
CODE = re.compile(r"^```sh\n(.*?)^```$|`([^`\n]+)`", re.M | re.S)
COMMAND = re.compile(r"\./clockhead +([^|)\n]+)")
REFUSED = "# refused"
LAUNCHERS = {"add", "test"}
"""What the launcher does itself; tests of the launcher are about it."""


def commands() -> list[str]:
    """What stands behind `./clockhead`, in blocks and within lines, each once."""
    code = "\n".join(block or span for block, span in CODE.findall(README))
    found = (re.sub(r"\s+#", "  #", line).strip() for line in COMMAND.findall(code))
    return [line for line in dict.fromkeys(found) if line.split()[0] not in LAUNCHERS]


def yaml_blocks() -> list[str]:
    return re.findall(r"^```yaml\n(.*?)^```$", README, re.M | re.S)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own, with nothing in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(PROJECT)
    return tmp_path


@dataclass
class Drawn:
    """What would have been drawn, shown, exported and served."""

    films: list[Film]
    opened: list[str]
    exported: list[str]
    played: bool
    """Whether a format that was exported plays the film."""
    served: list[str]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """Films count as made without being drawn."""
    seen = Drawn([], [], [], False, [])

    def produce(films: list[Film], options: RenderOptions, _: object) -> list[FilmResult]:
        seen.films += films
        folders = [options.media / film.name / film.look.folder for film in films]
        return [
            FilmResult(film, folder, [], files=[folder / f"{film.name}.mp4"])
            for film, folder in zip(films, folders, strict=True)
        ]

    monkeypatch.setattr("clockhead.production.produce.produce", produce)

    def write(name: str, editions: list[Edition], target: Path, choices: Choices) -> list[Path]:
        seen.exported.append(name)
        seen.played |= FORMATS[name].needs_film(choices)
        return [target / editions[0].name]

    monkeypatch.setattr(click, "launch", seen.opened.append)
    monkeypatch.setattr("clockhead.export.gallery.draw_cards", lambda *_: [])
    monkeypatch.setattr(export, "write", write)
    monkeypatch.setattr("clockhead.export.folder.zip_files", lambda name, folder, _: folder / name)
    monkeypatch.setattr(
        "clockhead.studio.server.serve", lambda studio, *_: seen.served.append(studio)
    )
    return seen


def run(line: str) -> int:
    """The exit code of a command line."""
    with pytest.raises(SystemExit) as ended:
        main([str(Path(word).expanduser()) for word in shlex.split(line, comments=True)])
    return ended.value.code


def write_storyboard(folder: Path, more: str = "") -> None:
    """The storyboard that the README says to write."""
    [storyboard] = [block for block in yaml_blocks() if block.startswith("version:")]
    (folder / "storyboards").mkdir()
    (folder / "storyboards/my_lecture.yaml").write_text(storyboard + more)


@pytest.mark.parametrize("line", commands())
def test_a_command_does_what_it_says(
    here: Path, drawn: Drawn, line: str, capsys: pytest.CaptureFixture[str]
):
    name = line.split()[0]
    if name == "trust" or ("my_lecture" in line and name != "new"):
        write_storyboard(here)
    if "--data" in line:
        np.savez("heads.npz", tokens=["a", "b", "a"], patterns=[[np.tri(3) / [[1], [2], [3]]]])
    assert run(line) == (1 if REFUSED in line else 0), capsys.readouterr().err
    assert bool(drawn.films) == (name in ("render", "sheet") or drawn.played)
    assert bool(drawn.exported) == (name == "export")
    assert bool(drawn.served) == (name in ("studio", "watch"))
    assert bool(drawn.opened) == ("-p" in line.split())
    if "--set" in line:
        assert [failure for film in drawn.films for failure in examine_film(film).failures] == []


def test_every_format_is_shown():
    shown = {name for line in commands() for name in re.findall(r"--to (\S+)", line)}
    assert {*FORMATS, "zip"} - {"mp4", "gif"} <= {
        one for names in shown for one in names.split(",")
    }


def test_every_command_there_is_is_shown():
    assert {line.split()[0] for line in commands()} | LAUNCHERS == cli.commands.keys()


def test_the_storyboard_is_a_film(here: Path):
    write_storyboard(here)
    assert run("render my_lecture -ql") == 0
    assert (here / "media/my_lecture/480p15/my_lecture.mp4").is_file()


def test_what_is_said_instead_is_understood(here: Path):
    more = [block for block in yaml_blocks() if block.lstrip().startswith(("say:", "beats:"))]
    assert len(more) == 2
    write_storyboard(here, "".join(more))
    assert run("check my_lecture --shot sub_diagonal") == 0


def test_the_films_there_are_and_their_pictures_are_shown():
    films = re.findall(r"^\| `(\w+)` \|", README, re.M)
    assert sorted(films) == sorted(file.stem for file in BUILT_IN.storyboards.glob("*.yaml"))
    shown = re.findall(r'<img src="media/posters/(\w+)\.png"', README)
    assert sorted(shown) == sorted(STAGES) == sorted(file.stem for file in POSTERS.iterdir())


def test_what_it_points_to_is_there():
    for link in re.findall(r"\]\(([^)#:]+)[#)]", README):
        assert (ROOT / link).exists(), link
    for folder in re.findall(r"^(src/\S+)", README, re.M):
        assert (ROOT / folder).is_dir(), folder
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for extra in re.findall(r"(?:clockhead add |pip install '\.\[)(\w+)", README):
        assert extra in extras["optional-dependencies"]
