"""`clockhead new language`: catalogues with all texts, and how `check` goes on from there."""

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from clockhead.libraries import BUILT_IN, PROJECT
from clockhead.look import Wish
from clockhead.scenes.facts import TemplateError, fill
from clockhead.scenes.language import PLURALS, Language, speaking
from clockhead.storyboard.films import load_films
from clockhead.trust import trust
from tests.pipeline.project import run_module
from tests.pipeline.test_languages import GERMAN, STAGE

FORMS = {  # the first numbers of each form, from Unicode CLDR 48
    "en": ([1], [0, 2, 11, 21, 101]),
    "fr": ([0, 1], [2, 11, 21, 101]),
    "is": ([1, 21, 101], [0, 2, 11, 12, 111]),
    "cs": ([1], [2, 3, 4], [0, 5, 11, 21, 22, 101, 102]),
    "pl": ([1], [2, 4, 22, 24, 102], [0, 5, 11, 12, 14, 21, 25, 101, 112]),
    "ru": ([1, 21, 101], [2, 4, 22, 24, 102], [0, 5, 11, 12, 14, 20, 111, 112]),
    "lt": ([1, 21, 101], [2, 9, 22, 102], [0, 10, 11, 12, 19, 20, 111, 112]),
    "lv": ([0, 10, 11, 19, 20, 30, 111], [1, 21, 101], [2, 9, 22, 102]),
    "ro": ([1], [0, 2, 19, 101, 102, 119], [20, 21, 100, 120]),
    "sl": ([1, 101, 201], [2, 102], [3, 4, 103, 104], [0, 5, 11, 12, 13, 21, 100, 111]),
    "ar": ([0], [1], [2], [3, 10, 103, 110], [11, 99, 111, 199], [100, 101, 102, 200]),
}


class TestPlurals:
    def test_every_rule_is_tried(self):
        assert FORMS.keys() == PLURALS.keys()
        assert all(len(FORMS[name]) == rule.n_forms for name, rule in PLURALS.items())

    @pytest.mark.parametrize("name", FORMS)
    def test_a_number_chooses_its_form(self, name: str):
        words = [f"form{number}" for number in range(len(FORMS[name]))]
        with speaking(Language("xx", plural=name)):
            for word, numbers in zip(words, FORMS[name], strict=True):
                said = {fill(f"{{n:{'|'.join(words)}}}", {"n": number}) for number in numbers}
                assert said == {word}

    def test_english_forms_are_understood_where_a_text_is_not_translated(self):
        with speaking(Language("pl", plural="pl")):
            assert fill("{n:row|rows}", {"n": 1}) == "row"
            assert fill("{n:row|rows}", {"n": 3}) == "rows"
            with pytest.raises(TemplateError):
                fill("{n:a|b|c|d}", {"n": 3})

    def test_forms_are_not_taken_over_from_the_english(self):
        english = "By {n} {n:letter|letters}, {share:.0%}."
        texts = {"By {n} {n}, {share}.": "Za {n} {n:litera|litery|liter}: {share}."}
        polish = Language("pl", plural="pl", texts=texts)
        with speaking(polish):
            found = polish.find(english)
            assert found == "Za {n} {n:litera|litery|liter}: {share:.0%}."
            assert fill(found, {"n": 5, "share": 0.25}) == "Za 5 liter: 25%."
        alone = Language("xx", texts={"{n} {n}": "# {n}"})
        assert alone.find("{n} {n:row|rows}") == "# {n}"

    def test_a_formula_alone_needs_no_translation(self):
        nobody = Language("xx")
        assert nobody.find("$Q K^top$") == "$Q K^top$"
        assert nobody.find("{n}") == "{n}"
        assert nobody.find("$Q$ asks") is None

    def test_quotation_marks_may_have_spaces(self):
        assert Language("fr", quotes="«\u00a0\u00a0»").quoted("chat") == "«\u00a0chat\u00a0»"
        assert Language("de", quotes="„“").quoted("Katze") == "„Katze“"


@pytest.fixture(scope="module")
def french(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the French of a film, to be translated."""
    folder = tmp_path_factory.mktemp("french")
    done = clockhead(folder, "new", "language", "fr", "--film", "previous_token")
    assert done.stdout.split() == ["stages/fr.toml", "stages/previous_token/fr.toml"]
    return folder


def clockhead(folder: Path, *args: str):
    done = run_module("clockhead", *args, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done


def catalogue(file: Path) -> dict[str, dict[str, str]]:
    return tomllib.loads(file.read_text())


class TestFilm:
    """French for a film that comes with Clockhead."""

    def test_the_language_writes_its_numbers(self, french: Path, monkeypatch):
        monkeypatch.setenv(PROJECT, str(french))
        manners = catalogue(french / "stages/fr.toml")["language"]
        assert (manners["name"], manners["track"], manners["plural"]) == ("French", "fra", "fr")
        [film] = load_films(["previous_token"], wish=Wish(language="fr"))
        said = " ".join(text for shot in film.shots for text in shot.shot.sentences)
        assert re.search(r"\d,\d\u00a0%", said)
        assert not re.search(r"\d\.\d|\d%", said)

    def test_all_that_the_german_catalogue_has_is_in_it(self, french: Path):
        found = catalogue(french / "stages/previous_token/fr.toml")
        german = catalogue(BUILT_IN.stages / "previous_token/de.toml")
        texts = {text for table in found.values() for text in table}
        assert texts >= {text for table in german.values() for text in table}
        assert not any(value for table in found.values() for value in table.values())

    def test_check_points_at_every_open_line(self, french: Path):
        done = clockhead(french, "check", "previous_token", "--lang", "fr")
        assert ", in order, " in done.stdout
        lines = done.stderr.splitlines()
        assert len(lines) > 150
        for line in lines:
            _, file, number, *_ = line.split(":")
            assert file.endswith("fr.toml")
            written = (french / file.strip()).read_text().splitlines()
            assert written[int(number) - 1].endswith('" = ""')

    def test_a_line_that_is_translated_is_said_and_listed_no_more(self, french: Path, monkeypatch):
        file = french / "stages/previous_token/fr.toml"
        before = file.read_text()
        file.write_text(
            before.replace('"What comes next?" = ""', '"What comes next?" = "Et puis ?"')
        )
        monkeypatch.setenv(PROJECT, str(french))
        [film] = load_films(["previous_token"], wish=Wish(language="fr"))
        assert film.shots[0].shot.title == "Et puis ?"
        assert not any("What comes next?" in str(warning) for warning in film.warnings)
        again = clockhead(french, "new", "language", "fr", "--film", "previous_token")
        assert again.stdout == ""
        assert '"Et puis ?"' in file.read_text()

    def test_a_film_of_which_all_lines_are_filled_is_translated(self, french: Path, tmp_path: Path):
        shutil.copytree(french / "stages", tmp_path / "stages")
        for file in tmp_path.glob("stages/**/fr.toml"):
            text = file.read_text()
            file.write_text(re.sub(r'^(".+") = ""$', r"\1 = \1", text, flags=re.MULTILINE))
        done = clockhead(tmp_path, "check", "previous_token", "--lang", "fr")
        assert done.stdout == "previous_token: 11 shots, in order\n"
        assert done.stderr == ""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A project with a stage of the user's own that is half German."""
    (tmp_path / "stages/calm").mkdir(parents=True)
    (tmp_path / "stages/calm/still.py").write_text(STAGE)
    (tmp_path / "stages/calm/de.toml").write_text(f"# Mine.\n{GERMAN}\n# The end of [still].\n")
    (tmp_path / "storyboards").mkdir()
    (tmp_path / "storyboards/calm.yaml").write_text(
        "version: 1\ntitle: Calm\nshots:\n- stage: calm.still\n"
    )
    trust(tmp_path)
    return tmp_path


class TestOwnStages:
    def test_a_catalogue_is_completed_and_keeps_what_it_has(self, own: Path):
        assert clockhead(own, "new", "language", "de").stdout == "stages/calm/de.toml\n"
        text = (own / "stages/calm/de.toml").read_text()
        assert text.startswith(f"# Mine.\n{GERMAN}")
        assert "# The end of [still]." in text
        still = catalogue(own / "stages/calm/de.toml")["still"]
        assert (still["Wait."], still["a label"], still["Nothing moves"]) == (
            *("", ""),
            "Nichts bewegt sich",
        )
        done = clockhead(own, "check", "calm", "--lang", "de")
        assert done.stdout == "calm: 1 shot, in order, 2 texts not translated\n"
        assert all("stages/calm/de.toml" in line for line in done.stderr.splitlines())

    def test_a_film_adds_what_its_storyboard_says(self, own: Path):
        done = clockhead(own, "new", "language", "eo", "--film", "calm")
        assert done.stdout.split() == ["stages/eo.toml", "stages/calm/eo.toml"]
        found = catalogue(own / "stages/calm/eo.toml")
        assert found["storyboards"] == {"Calm": ""}
        assert list(found["still"]) == [
            "Nothing moves",
            "Does it?",
            "Wait.",
            "It does not.",
            "a label",
        ]
        assert catalogue(own / "stages/eo.toml")["language"]["name"] == "eo"

    @pytest.mark.parametrize(
        ("args", "said"),
        [
            (["language"], "a language needs its code"),
            (["language", "en"], "a language has two or three letters of ISO 639"),
            (["language", "../x"], "a language has two or three letters of ISO 639"),
            (
                ["language", "fr", "--film", "clam"],
                "there is no film of this name; did you mean calm",
            ),
            (["talk", "--film", "rope"], "--film is for `new language`"),
            (["language", "fr", "it"], "one name at a time"),
            (["language", "fr", "--from", "rope"], "--from works only for films"),
        ],
    )
    def test_what_cannot_be_begun_is_refused(self, own: Path, args: list[str], said: str):
        done = run_module("clockhead", "new", *args, cwd=own)
        assert done.returncode == 2
        assert said in done.stderr
        assert not (own / "stages/fr.toml").exists()

    def test_a_language_that_nobody_has_begun_says_how(self, own: Path):
        done = run_module("clockhead", "check", "calm", "--lang", "fr", cwd=own)
        assert "new language fr` begins it" in done.stderr


def test_a_wrong_rule_for_the_plural_is_refused_at_its_line(own: Path):
    (own / "stages/fr.toml").write_text('[language]\nname = "French"\nplural = "frr"\n')
    done = run_module("clockhead", "check", "calm", "--lang", "fr", cwd=own)
    assert done.returncode == 2
    assert "stages/fr.toml:3:1: plural: the forms of a language of en, fr, " in done.stderr
