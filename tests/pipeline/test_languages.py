"""The language of a film: what a storyboard or the command line says, and what becomes of it."""

import subprocess
from pathlib import Path

import pytest

from clockhead.libraries import restore_project
from clockhead.look import FilmLook, Wish
from clockhead.storyboard.films import Film, load_films
from clockhead.storyboard.problems import StoryboardError
from clockhead.trust import trust
from tests.pipeline.project import run_module

HEAD = "version: 1\ntitle: Meine Uhr\n"
SHOT = "shots:\n- stage: previous_token.sub_diagonal\n"


def film(folder: Path, text: str, **options) -> Film:
    file = folder / "uhr.yaml"
    file.write_text(text)
    [found] = load_films([str(file)], **options)
    return found


def test_a_storyboard_says_its_language_and_the_command_line_overrides(tmp_path):
    text = f"{HEAD}language: de\n{SHOT}"
    assert film(tmp_path, text).shots[0].shot.title == "Einen Schritt unter der Diagonalen"
    english = film(tmp_path, text, wish=Wish(language="en"))
    assert english.shots[0].shot.title == "One step below the diagonal"
    assert FilmLook(language="de").folder == "720p30-de"


def test_what_a_storyboard_says_is_taken_as_it_stands_with_german_numbers(tmp_path):
    said = "Mindestens {row.head.worst_weight:.1%-}, α = {inputs.alpha}"
    text = f"{HEAD}{SHOT}  caption: '{said}'\n"
    found = film(tmp_path, text, wish=Wish(language="de"))
    assert found.title == "Meine Uhr"
    assert found.shots[0].shot.caption == "Mindestens 99,7\u00a0%, α = 10"
    assert found.warnings == ()


def test_expectations_and_facts_are_the_same_in_every_language(tmp_path):
    expect = "  expect: {row.target: '== 4'}"
    found = film(tmp_path, f"{HEAD}{SHOT}{expect}\n", wish=Wish(language="de"))
    assert found.failures == ()
    assert found.shots[0].facts["row.target_named"] == "“the” at 4"
    assert "maskiert" in found.shots[0].shot.caption


@pytest.mark.parametrize(
    ("wish", "told", "place"),
    [("fr", "", "--lang fr: "), (None, "language: fr\n", "uhr.yaml:3:11: language: ")],
)
def test_an_unknown_language_is_refused_with_the_known_ones(tmp_path, wish, told, place):
    with pytest.raises(StoryboardError) as refused:
        film(tmp_path, f"{HEAD}{told}{SHOT}", wish=Wish(language=wish))
    said = "there is no language 'fr' (languages: en for English, de for German)"
    assert f"{place}{said}" in str(refused.value)


def test_a_language_called_by_its_name_is_found(tmp_path):
    with pytest.raises(StoryboardError, match="did you mean de"):
        film(tmp_path, f"{HEAD}language: German\n{SHOT}")


STAGE = '''"""A stage."""

from clockhead.scenes.stage import CAPTION, Stage, StageInputs, Steps, beat, said
from clockhead.scenes.style.text import Label


class Still(Stage):
    """Nothing moves."""

    title = "Nothing moves"
    question = "Does it?"
    caption = "It does not."

    @classmethod
    def compute(cls, inputs):
        return None

    def layout(self):
        self.label = Label(said("a label"), align="center").put(self.canvas.center)

    @beat("Wait.")
    def wait_(self) -> Steps:
        self.add(self.label)
        yield 1.0
'''
GERMAN = """[still]
"Nothing moves" = "Nichts bewegt sich"
"Does it?" = "Doch?"
"It does not." = "Nein."
"""


@pytest.fixture
def own(tmp_path):
    """A project with a stage of one's own that is half translated."""
    (tmp_path / "stages/calm").mkdir(parents=True)
    (tmp_path / "stages/calm/still.py").write_text(STAGE)
    (tmp_path / "stages/calm/de.toml").write_text(GERMAN)
    (tmp_path / "calm.yaml").write_text(f"{HEAD}shots:\n- stage: calm.still\n")
    trust(tmp_path)
    with restore_project():
        yield tmp_path


def check(project: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return run_module("clockhead", "check", "calm.yaml", *args, cwd=project)


def test_check_says_what_is_missing_and_where_it_is_said(own):
    done = check(own, "--lang", "de")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "calm: 1 shot, in order, 2 texts not translated\n"
    file, shown = "warning: stages/calm/still.py", "the English is shown"
    assert done.stderr.splitlines() == [
        f"{file}:21:1: beat wait_: no German for “Wait.”; {shown}",
        f"{file}:19:1: words: no German for “a label”; {shown}",
    ]
    assert "not translated" not in check(own).stdout


def test_check_tells_what_is_small_from_what_is_not_translated(own):
    stage = STAGE.replace('@beat("Wait.")', '@beat("Wait.", focus="label")')
    (own / "stages/calm/still.py").write_text(stage)
    trust(own)
    done = check(own)
    assert done.returncode == 0, done.stderr
    warnings = done.stderr.splitlines()
    assert done.stdout == f"calm: 1 shot, in order, {len(warnings)} warnings about size\n"
    start = "warning: calm.yaml: shots[0] (still): in 'wait': "
    assert warnings
    assert all(warning.startswith(start) for warning in warnings)


def test_other_toml_files_beside_the_stages_are_no_catalogues(own):
    (own / "stages/pyproject.toml").write_text('[build-system]\nrequires = ["hatchling"]\n')
    (own / "stages/notes.toml").write_text("this is no TOML\n")
    assert check(own, "--lang", "de").returncode == 0


def test_words_of_a_storyboard_are_translated_if_a_catalogue_has_them(own):
    """Facts without a format in the translation are written as in the storyboard."""
    text = "version: 1\ntitle: Calm\nshots:\n- stage: previous_token.sub_diagonal\n"
    text += "  beats: {rows: 'At least {row.head.worst_weight:.1%-} there.'}\n"
    text += "  asks: {rows: 'How much?'}\n"
    (own / "stages/previous_token").mkdir()
    (own / "stages/previous_token/de.toml").write_text(
        '[storyboards]\n"At least {row.head.worst_weight} there." = '
        '"Dort {row.head.worst_weight}."\n"How much?" = ""\n'
    )
    found = film(own, text, wish=Wish(language="de"))
    assert found.shots[0].shot.lines[1] == ("How much?", "Dort 99,7\u00a0%.")
    [warning] = [str(one) for one in found.warnings if "How much" in str(one)]
    assert "stages/previous_token/de.toml:3:1: storyboard: no German for" in warning


def test_what_a_storyboard_says_itself_is_not_missing(own):
    film = own / "calm.yaml"
    film.write_text(film.read_text() + "  beats: {wait: Einen Augenblick.}\n")
    done = check(own, "--lang", "de")
    assert done.stdout == "calm: 1 shot, in order, 1 text not translated\n"


INPUTS = '''
    class Inputs(StageInputs):
        n: int = Field(3, ge=1, le=9, description="how many bells")

    title = "Nothing moves"'''


def test_check_lists_the_descriptions_that_exports_show_in_english(own):
    """A number is described in tables and handouts; one that is translated is listed no more."""
    file = own / "stages/calm/still.py"
    text = file.read_text().replace('\n    title = "Nothing moves"', INPUTS)
    file.write_text(f"from pydantic import Field\n{text}")
    listed = check(own, "--lang", "de")
    assert ", 2 texts and 1 description not translated" in listed.stdout
    assert sum("how many bells" in line for line in listed.stderr.splitlines()) == 1
    with (own / "stages/calm/de.toml").open("a") as file:
        file.write('"how many bells" = "wie viele Glocken"\n')
    again = check(own, "--lang", "de")
    assert ", 2 texts not translated" in again.stdout
    assert "how many bells" not in again.stderr


def test_a_translation_with_another_fact_is_refused_where_it_is_written(own):
    with (own / "stages/calm/de.toml").open("a") as file:
        file.write('"Wait." = "Noch {n} Sekunden."\n')
    done = check(own, "--lang", "de")
    assert done.returncode == 2
    assert "stages/calm/de.toml:5:1: beat wait_: there is no fact {n}" in done.stderr


def test_a_film_without_a_catalogue_says_so_once_for_each_stage(own):
    (own / "stages/calm/de.toml").unlink()
    done = check(own, "--lang", "de")
    assert "stages/calm/still.py:7:1: Still: there is no calm/de.toml" in done.stderr
