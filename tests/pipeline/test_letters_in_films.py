"""Texts of any letters on their way into a film: fonts that are named, and what is refused."""

import pickle
import shutil
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from clockhead.clips.clip import ClipJob
from clockhead.clips.fingerprint import clip_key
from clockhead.clips.stills import Paper, draw_stills
from clockhead.look import DEFAULT_WISH, QUALITIES, Wish
from clockhead.model.tokens import words
from clockhead.production.manifest import describe_recipe
from clockhead.scenes.stage import find_stage
from clockhead.scenes.style.fonts import drawing_with, read_font
from clockhead.storyboard.films import load_films
from clockhead.storyboard.problems import StoryboardError
from clockhead.testing import problems_of
from tests.fonts import ARABIC, HEBREW, TEXTS

STAGE = "previous_token.sub_diagonal"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "film/fonts").mkdir(parents=True)
    shutil.copy(HEBREW, tmp_path / "film/fonts/he.ttf")
    return tmp_path


def load(text: str, wish: Wish = DEFAULT_WISH, **options):
    Path("film/f.yaml").write_text(f"version: 1\ntitle: T\n{text}", encoding="utf-8")
    [film] = load_films(["film/f.yaml"], wish=wish, **options)
    return film


def problems(text: str, wish: Wish = DEFAULT_WISH, **options):
    with pytest.raises(StoryboardError) as error:
        load(text, wish, **options)
    return error.value.problems


def shots(*texts: str) -> str:
    each = (f"- {{stage: {STAGE}, id: s{n}, inputs: {{text: {t}}}}}" for n, t in enumerate(texts))
    return "shots:\n" + "\n".join(each)


SHALOM = shots("שלום עולם")


def job_of(film) -> ClipJob:
    [shot] = film.shots
    return ClipJob(shot.stage, shot.shot, replace(film.look, quality=QUALITIES["l"]))


def test_a_font_is_beside_the_storyboard_and_travels_with_the_shot():
    film = load(f"font: fonts/he.ttf\n{SHALOM}")
    sent = pickle.dumps(job_of(film))
    shutil.rmtree("film")
    job = pickle.loads(sent)
    [stills] = draw_stills(job, papers=(Paper("svg"),)).values()
    assert all(b"<text" not in still.picture for still in stills)
    assert len({still.picture for still in stills}) > 1


def test_a_font_of_the_command_is_where_the_command_is_given():
    shutil.copy(HEBREW, "other.ttf")
    assert load(SHALOM, Wish(font=("other.ttf",))).shots[0].shot.fonts
    assert load(f"font: gone.ttf\n{SHALOM}", Wish(font=("other.ttf",))).shots


def test_the_content_of_a_font_is_in_the_key_and_the_manifest():
    text = shots("a b c")
    plain, named = load(text), load(f"font: fonts/he.ttf\n{text}")
    Path("film/fonts/he.ttf").rename("film/fonts/renamed.ttf")
    renamed = load(f"font: fonts/renamed.ttf\n{text}")
    shutil.copy(ARABIC, "film/fonts/renamed.ttf")
    other = load(f"font: fonts/renamed.ttf\n{text}")
    keys = [clip_key(job_of(film)) for film in (plain, named, renamed, other)]
    assert keys[1] == keys[2]
    assert len(set(keys)) == 3
    recipes = [describe_recipe(film, keys[:1]) for film in (named, other)]
    assert recipes[0]["look"]["fonts"] == {"he.ttf": read_font(HEBREW).digest}
    assert recipes[1]["look"]["fonts"] == {"renamed.ttf": read_font(ARABIC).digest}
    assert recipes[0]["storyboard"]["font"] == ["he.ttf"]


@pytest.mark.parametrize(
    ("told", "column", "named"),
    [
        ("fonts/gone.ttf", 7, "gone.ttf"),
        ("fonts", 7, "fonts"),
        ("film.yaml", 7, "film.yaml"),
        ("[fonts/he.ttf, fonts/broken.otf]", 22, "broken.otf"),
        ("[]", 7, "0 files"),
        ("12", 7, "12"),
    ],
)
def test_a_font_that_cannot_be_used_is_one_line_with_its_place(told, column, named):
    Path("film/fonts/broken.otf").write_bytes(b"OTTO and nothing more")
    [problem] = problems(f"font: {told}\n{SHALOM}")
    assert (problem.line, problem.column) == (3, column)
    assert named in problem.message


def test_a_missing_font_of_the_command_is_one_line():
    [problem] = problems(SHALOM, Wish(font=("gone.ttf",)))
    assert "gone.ttf" in str(problem)


def test_all_missing_letters_are_named_at_once():
    text = f"""\
credit: "אבג"
shots:
- stage: {STAGE}
  title: "דה 🎉"
  caption: "中 ו 文"
  inputs: {{text: "ז ח"}}
- {{stage: {STAGE}, id: other, inputs: {{text: "ט י כ"}}}}
"""
    found = problems(text)
    letters = [{sign for sign in p.message.split("'")[1::2] if len(sign) == 1} for p in found]
    assert letters == [set("אבג"), set("דה🎉"), set("中ו文"), set("זח"), set("טיכ")]
    assert all("--font" in problem.message and "font:" in problem.message for problem in found)
    with_font = problems(text, Wish(font=("film/fonts/he.ttf",)))
    assert ["🎉" in p.message for p in with_font] == [True, False]
    assert ["中" in p.message for p in with_font] == [False, True]


def test_two_spellings_of_a_word_are_one_wherever_it_enters():
    composed = "café no or café no"
    apart = unicodedata.normalize("NFD", composed)
    assert apart != composed
    films = [
        load(shots(composed)),
        load(shots(apart)),
        load(shots("a b"), settings=[f"text={apart}"]),
        load(shots("a b"), settings=[f"s0.text='{apart}'"]),
    ]
    assert {film.shots[0].shot.inputs.text for film in films} == {composed}
    inputs = find_stage(STAGE).Inputs
    assert inputs(text=apart).text == composed
    assert words(apart) == tuple(composed.split())
    line = f'shots:\n- {{stage: {STAGE}, title: "{apart}", caption: "{apart}"}}'
    shot = load(line).shots[0].shot
    assert (shot.title, shot.caption) == (composed, composed)


def test_an_expectation_meets_a_word_in_either_spelling():
    apart = unicodedata.normalize("NFD", "é")
    fact = next(
        name
        for name, value in load(shots("a é a é")).shots[0].facts.items()
        if value == "é"  # the facts are composed
    )
    text = f"{{stage: {STAGE}, inputs: {{text: a é a é}}, expect: {{{fact}: == {apart}}}}}"
    assert not load(f"shots:\n- {text}").failures


@pytest.mark.parametrize("word", ["می\u200cخواهم", "क्\u200dष", "ক্\u200cষ"])
def test_joiners_stand_where_they_join(word):
    assert words(f"a {word}") == ("a", word)


@pytest.mark.parametrize("word", ["a\u200db", "\u200cم", "a\u200bb", "\u202eab", "\u2068ab\u2069"])
def test_invisible_characters_are_refused(word):
    with pytest.raises(ValueError, match="printed"):
        words(f"a {word}")
    assert problems(f'shots:\n- {{stage: {STAGE}, inputs: {{text: "a {word}"}}}}')


def test_letters_that_no_font_has_are_refused_where_a_stage_is_used_alone():
    with pytest.raises(ValidationError, match="'ש'"):
        find_stage(STAGE).Inputs(text="a ש")


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.stem)
@pytest.mark.parametrize("stage", [STAGE, "rope.clock_hands", "induction.idea"])
def test_stages_can_be_read_in_every_script(file, stage):
    text = TEXTS[file].rpartition(" ")[0] if stage.startswith("rope") else TEXTS[file]
    with drawing_with((read_font(file),)):
        shown = find_stage(stage)
        assert problems_of(shown, shown.Inputs(text=text), aspect="4:3") == []


@pytest.mark.parametrize("text", ["ο λόγος ην ο", "мама мыла раму мама"])
def test_greek_and_cyrillic_need_no_font(text):
    assert load(shots(text)).shots[0].shot.inputs.text == text
    shown = find_stage("induction.idea")
    assert problems_of(shown, shown.Inputs(text=text)) == []
