"""Other languages: what is said in them, how they write numbers, and what they do not have."""

import pickle
from pathlib import Path

import pytest

from clockhead.libraries import use_project
from clockhead.model.characters import TokenName
from clockhead.model.tokens import token_name
from clockhead.scenes.catalogues import CatalogueError, language_of, languages
from clockhead.scenes.facts import fill, format_fact
from clockhead.scenes.language import ENGLISH, Language, listening, speaking, translated
from clockhead.scenes.spelling import counted, listed, plural, said
from clockhead.scenes.style.text import Paragraph

GERMAN = language_of("de")


@pytest.mark.parametrize(
    ("value", "spec", "read"),
    [
        (15.3136, ".1f", "15,3"),
        (2600, ",d", "2.600"),
        (12345.6, "", "12.346"),
        (-0.5, "+.2f", "−0,50"),
        (0.99961, ".1%", "> 99,9\u00a0%"),
        (0.99, ".0%", "99\u00a0%"),
        (True, "", "ja"),
        (TokenName("the", 4), "", "„the“ an Position 4"),
        (TokenName("mat"), "", "„mat“"),
    ],
)
def test_german_numbers_and_names(value: float | str, spec: str, read: str):
    with speaking(GERMAN):
        assert format_fact(value, spec) == read


@pytest.mark.parametrize("number", [-12345.5, 0.25, 7.0])
def test_a_number_can_be_read_back(number: float):
    with speaking(GERMAN):
        assert GERMAN.value(format_fact(number, ",.2f")) == number


def test_the_name_of_a_token_is_english_wherever_nobody_speaks():
    name = token_name(("the", "cat", "the"), 2)
    assert name == "“the” at 2"
    assert fill("{who}", {"who": name}) == "“the” at 2"
    copy = pickle.loads(pickle.dumps(name))
    assert (copy, copy.token, copy.position) == (name, "the", 2)


def test_counts_and_lists():
    with speaking(GERMAN):
        assert counted(3) == "drei"
        assert listed(["a", "b", "c"]) == "a, b und c"
        assert (plural(1, "step"), plural(2, "step")) == ("1 Schritt", "2 Schritte")


def test_a_comma_in_a_formula_is_no_list():
    with speaking(GERMAN):
        assert fill("$a = {x:.1f}$ und {x:.1f}", {"x": 0.5}) == '$a = "0,5"$ und 0,5'


def test_a_percent_sign_stays_with_its_number():
    with speaking(GERMAN):
        text = format_fact(0.99, ".0%")
    assert [line.text for line in Paragraph(f"a {text}", width=0.01, size=20)] == ["a", text]


def test_a_translation_takes_over_formats_that_it_does_not_give():
    language = Language("xx", texts={"{a} of {b}": "von {b} {a:.0%}"})
    with speaking(language):
        assert translated("{a:.1f} of {b:.2f}") == "von {b:.2f} {a:.0%}"


def test_what_is_missing_stays_english_and_is_heard_with_its_place():
    with speaking(GERMAN), listening() as heard:
        assert said("nobody has said this") == "nobody has said this"
        assert said("α = {x}", x=1) == "α = 1"
        assert said("step") == "Schritt"
    assert list(heard) == ["nobody has said this"]
    with speaking(ENGLISH), listening() as heard:
        said("nobody has said this")
    assert not heard


@pytest.fixture
def home(tmp_path: Path):
    """A home with the stage clocks.height, and a language of its own."""
    (tmp_path / "stages/clocks").mkdir(parents=True)
    (tmp_path / "stages/rope").mkdir()
    (tmp_path / "stages/clocks/height.py").write_text("")
    (tmp_path / "stages/eo.toml").write_text('[language]\nname = "Esperanto"\ndecimal = ","\n')
    use_project(tmp_path)
    yield tmp_path
    use_project(None)


def test_a_language_of_ones_own_can_be_brought_for_any_film(home: Path):
    (home / "stages/rope/eo.toml").write_text('[words]\n"before" = "antaŭe"\n')
    assert languages() == {"en": "English", "eo": "Esperanto", "de": "German"}
    with speaking(language_of("eo", "rope", "relative_offset")):
        assert (said("before"), format_fact(0.5)) == ("antaŭe", "0,5")


def test_ones_own_words_come_before_those_that_ship(home: Path):
    (home / "stages/rope/de.toml").write_text('[relative_offset]\n"before" = "zuvor"\n')
    with speaking(language_of("de", "rope", "relative_offset")):
        assert (said("before"), said("positions per turn")) == ("zuvor", "Positionen pro Umdrehung")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('[height]\n"a" = "b"\n"a" = "c"\n', 3, "no TOML"),
        ('[height]\n"a" = 1\n', 2, "'a' is to be a text in quotes, and is 1"),
        ('"a" = "b"\n', 1, r"'a' is in no table; write it below \[words\], or the name of a stage"),
        ('[words]\n[hieght]\n"a" = "b"\n', 2, r"no stage of this film; did you mean \[height\]"),
    ],
)
def test_what_no_catalogue_can_be(home: Path, text: str, line: int, message: str):
    (home / "stages/clocks/eo.toml").write_text(text)
    with pytest.raises(CatalogueError, match=message) as refused:
        language_of("eo", "clocks", "height")
    assert refused.value.line == line
    assert refused.value.file.endswith("stages/clocks/eo.toml")


def test_a_language_writes_only_what_languages_write(home: Path):
    (home / "stages/eo.toml").write_text('[language]\nname = "Esperanto"\ndecimals = ","\n')
    with pytest.raises(CatalogueError, match="no 'decimals'; did you mean decimal") as refused:
        language_of("eo")
    assert refused.value.line == 3
