"""Stages of one's own with something wrong in them: what is said, and where it is to be mended."""

import inspect
import json
from dataclasses import dataclass

import pytest
from pydantic import Field

from clockhead.look import Wish
from clockhead.scenes.stage import Claim, Derived, Stage, StageInputs, Steps, beat
from clockhead.scenes.style.theme import UnknownColor, use_theme
from clockhead.storyboard.films import load_films
from clockhead.storyboard.problems import StoryboardError
from tests.fonts import JAPANESE
from tests.pipeline import fake_stages

FILE = __file__


@dataclass(frozen=True)
class Place:
    """Where something stands."""

    x: int

    @property
    def left(self) -> int:
        """What is to the left; there is nothing if it stands there."""
        if self.x == 0:
            raise ValueError("nothing")
        return self.x


class Sound(Stage):
    """A stage as it should be."""

    class Inputs(StageInputs):
        x: int = Field(2, ge=0, le=9, description="where it stands")

    title = "At {x}"
    question = "Where?"
    caption = "It stands at {x}."
    claims = (Claim("it stands at {x}", lambda v: v.x != 7, "to the left is {left}"),)

    @classmethod
    def compute(cls, inputs):
        return Place(inputs.x)

    @beat("It goes.")
    def go(self) -> Steps:
        yield 0.2


class Misspelt(Sound):
    """Every text holds a fact that there is not."""

    title = "At {xx}"
    question = "Where is {y}?"
    caption = "It stands at {inputs.z} and {x:.2q}."
    claims = (Claim("it stands at {lefd}", lambda v: True, "at {lift}"),)

    @beat(lambda v: "It goes {far}.", ask="To {inputs.xs}?")
    def go(self) -> Steps:
        yield 0.2

    @beat("Never told: {nothing}.", when=lambda v: v.x > 100)
    def rest(self) -> Steps:
        yield 0.2


class Untitled(Stage):
    """A stage that is not finished."""

    question = caption = "-"

    @classmethod
    def compute(cls, inputs):
        return Place(1)


class Unreckoned(Stage):
    """A stage that computes nothing."""

    title = question = caption = "-"


class OutOfBounds(Sound):
    """A default that its own bounds refuse."""

    class Inputs(StageInputs):
        x: int = Field(12, ge=0, le=9, description="where it stands")


class Stumbling(Sound):
    """A fact of its own that cannot be computed."""

    title = "{twice}"
    derived = {"twice": Derived("twice as far", lambda v: 2 * v.y)}


class Undrawn(Sound):
    """Sentences with letters that the text face lacks."""

    @beat("It goes to 東.", ask="Is it 西 or 東?")
    def go(self) -> Steps:
        yield 0.2


class Formulaic(Sound):
    """Beats with LaTeX, and with what is none."""

    @beat(r"It goes by $\frac{1}{2}$ to $QK^T$ and $x_{ij}$ at {x}.", ask="Is it **far**?")
    def go(self) -> Steps:
        yield 0.2

    @beat(lambda v: r"Then $\foo$ for 5$ and 6$.")
    def pay(self) -> Steps:
        yield 0.2

    @beat(r"Then $\foo$, $a_ij$ and $\alpha x_10$.")
    def rest(self) -> Steps:
        yield 0.2


STAGES = {
    f"fake.{kind.__name__.lower()}": kind
    for kind in (Sound, Misspelt, Untitled, Unreckoned, OutOfBounds, Stumbling, Undrawn, Formulaic)
}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "clockhead.scenes.stage.flaws._is_in_library", lambda file: file.endswith("test_flaws.py")
    )
    fake_stages.install(monkeypatch, tmp_path, STAGES)
    return tmp_path


def check(here, shot):
    """All that is said of a film of one shot, as `check` and `render` say it."""
    (here / "f.yaml").write_text(f"version: 1\ntitle: T\nshots:\n- {{stage: {shot}}}\n")
    with pytest.raises(StoryboardError) as error:
        load_films(["f.yaml"])
    return str(error.value).splitlines()


def line(stage, text):
    """Where in this file a stage has a text."""
    lines, first = inspect.getsourcelines(stage)
    return first + next(i for i, written in enumerate(lines) if text in written)


def of_misspelt(facts, path, text):
    place = f"{FILE}:{line(Misspelt, text)}:1: {path}: "
    return [f"{place}{fact} (facts: inputs.x, left, x)" for fact in facts]


def misspelt():
    texts = {
        "title": ["there is no fact {xx}; did you mean {x}?"],
        "question": ["there is no fact {y}"],
        "caption": ["there is no fact {inputs.z}; did you mean {inputs.x}?"],
        "claims": [
            "there is no fact {lefd}; did you mean {left}?",
            "there is no fact {lift}; did you mean {left}?",
        ],
    }
    found = [
        said for name, facts in texts.items() for said in of_misspelt(facts, name, f"{name} =")
    ]
    beats = ["there is no fact {far}", "there is no fact {inputs.xs}; did you mean {inputs.x}?"]
    found += of_misspelt(beats, "beat go", "@beat(lambda")
    misfit = "{x:.2q}: the format '.2q' is not one of .2f, .3g, .1%, d, +.2f and the like"
    found.append(f"{FILE}:{line(Misspelt, 'caption =')}:1: caption: {misfit}")
    return sorted(found)


def test_a_stage_without_flaws_has_none(here):
    (here / "f.yaml").write_text("version: 1\ntitle: T\nshots: [{stage: fake.sound}]\n")
    [film] = load_films(["f.yaml"], settings=["x=0"])
    assert film.failures == ()


def test_letters_that_cannot_be_drawn_are_named_where_the_stage_is_written(here):
    place = f"{FILE}:{line(Undrawn, '@beat')}:1: beat go: "
    found = check(here, "fake.undrawn")
    assert [problem.startswith(place) for problem in found] == [True, True]
    assert sorted("".join(problem.split("'")[1::2]) for problem in found) == ["東", "西東"]
    [film] = load_films(["f.yaml"], wish=Wish(font=(str(JAPANESE),)))
    assert film.failures == ()


def test_formulas_and_markup_of_beats_are_looked_at_where_the_stage_is_written(here):
    said = check(here, "fake.formulaic")
    places = [line(Formulaic, text) for text in ("**far**", "5$ and", "a_ij", "a_ij", "a_ij")]
    assert [int(message.removeprefix(f"{FILE}:").split(":")[0]) for message in said] == places
    parts = ("**far**", "$ and 6$", "a_(i j)", r"\foo", "x_{10}")
    assert all(any(part in message for message in said) for part in parts)


def test_misspelt_facts_are_all_named_where_the_stage_is_written(here):
    assert sorted(check(here, "fake.misspelt")) == misspelt()


def test_a_text_that_the_storyboard_replaces_is_not_looked_at(here):
    found = check(here, "fake.misspelt, caption: '{inputs.x}', title: '{x}'")
    assert sorted(found) == [
        said for said in misspelt() if ": caption" not in said and ": title" not in said
    ]


def test_the_stages_command_reports_the_same_flaws(run):
    code, out, err = run("stages", "fake.misspelt")
    assert (code, out) == (2, "")
    assert sorted(err.splitlines()) == misspelt()
    assert run("stages", "fake.sound")[0] == 0
    code, out, err = run("stages", "--json")
    assert code == 0
    assert [stage["name"] for stage in json.loads(out)] == [
        *("fake.sound", "fake.undrawn", "fake.formulaic")
    ]
    assert set(misspelt()) <= {line.removeprefix("left out: ") for line in err.splitlines()}


@pytest.mark.parametrize(
    ("stage", "text", "said"),
    [
        (Untitled, "class Untitled", "Untitled: the stage has no title"),
        (Unreckoned, "class Unreckoned", "Unreckoned: the stage has no `compute` of its own"),
        (
            OutOfBounds,
            "class Inputs",
            "Inputs: the defaults: x: Input should be less than or equal to 9",
        ),
        (Stumbling, "derived =", "<lambda>: AttributeError: 'Place' object has no attribute 'y'"),
    ],
)
def test_other_flaws_are_reported_on_one_line(here, run, stage, text, said):
    name = f"fake.{stage.__name__.lower()}"
    expected = [f"{FILE}:{line(stage, text)}:1: {said}"]
    assert expected[0] in check(here, name)
    code, _, err = run("stages", name)
    assert (code, err.splitlines()) == (2, expected)


def test_an_error_of_clockhead_is_not_blamed_on_the_stage(here, monkeypatch):
    monkeypatch.setattr("clockhead.storyboard.shots.TextChecker.fill", None)
    (here / "f.yaml").write_text("version: 1\ntitle: T\nshots: [{stage: fake.sound}]\n")
    with pytest.raises(TypeError):
        load_films(["f.yaml"])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("qery", "there is no colour 'qery'; did you mean 'query'? (colours: query, key, "),
        ("purple", "there is no colour 'purple' (colours: query, key, "),
    ],
)
def test_an_unknown_colour_is_reported_with_the_known_ones(name, said):
    theme = use_theme("chalk")
    for look_up in (theme.text_color, lambda role: getattr(theme, role)):
        with pytest.raises(UnknownColor) as error:
            look_up(name)
        assert str(error.value).startswith(said)
