"""From storyboards to shots: what is given to whom, and what is said when something is wrong."""

from dataclasses import dataclass

import numpy as np
import pytest
from pydantic import Field

from clockhead.look import FilmLook, Wish
from clockhead.scenes.stage import Stage, StageInputs
from clockhead.storyboard.films import load_films
from clockhead.storyboard.find import find_film, known_films
from clockhead.storyboard.inputs import compute_adjusted
from clockhead.storyboard.problems import StoryboardError
from tests.pipeline import fake_stages
from tests.pipeline.fake_stages import Grid, Pattern
from tests.pipeline.saying import assert_said

HEAD = "version: 1\ntitle: T\n"


class Near(Stage):
    """Two numbers, one above the other."""

    class Inputs(StageInputs):
        low: int = Field(1, ge=0, le=1000, description="the lower one")
        high: int = Field(5, ge=0, le=1000, description="the higher one")

    @classmethod
    def compute(cls, inputs):
        if inputs.high <= inputs.low:
            raise ValueError("high must be above low")
        return inputs.high - inputs.low

    @classmethod
    def findings(cls, inputs, values):
        return []


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """An empty folder to work in, with two stages and no installed films."""
    monkeypatch.chdir(tmp_path)
    fake_stages.install(monkeypatch, tmp_path)
    return tmp_path


def load(here, text, **options):
    (here / "f.yaml").write_text(HEAD + text)
    [film] = load_films(["f.yaml"], **options)
    return film


def said(here, text, **options):
    with pytest.raises(StoryboardError) as error:
        load(here, text, **options)
    return str(error.value).splitlines()


def test_a_film_is_resolved(here):
    film = load(
        here,
        "credit: C\n"
        "inputs: {d_head: 64, alpha: 4}\n"
        "shots:\n"
        "- stage: fake.grid\n"
        "  inputs: {alpha: 20, text: no time}\n"
        "- {stage: fake.narrow, id: back, title: 'By {k}', hold: 1.5}\n",
        wish=Wish(theme="paper"),
    )
    assert (film.name, film.title, film.credit, film.failures) == ("f", "T", "C", ())
    grid, back = film.shots
    assert (grid.id, grid.number, back.id, back.number) == ("grid", 1, "back", 2)
    assert grid.stage == "fake.grid"
    assert (grid.shot.inputs.d_head, grid.shot.inputs.alpha) == (64, 20)
    assert grid.shot.title == "A grid of 2"
    assert grid.shot.question == "Where does the query look?"
    assert grid.shot.caption == "Token 1 gets 95.0%."
    assert grid.shot.theme == "paper"
    assert (back.shot.title, back.shot.caption, back.shot.hold) == (
        "By 1",
        "Back by 1: $q_m$.",
        1.5,
    )
    assert grid.facts["mass"] == 0.95
    assert type(grid.facts["mass"]) is float
    np.testing.assert_array_equal(grid.arrays()["pattern"], np.eye(2))


def test_the_command_overrides_the_look_of_a_storyboard(here):
    told = "theme: paper\naspect: '9:16'\npace: 0.8\ncaptions: track\nshots:\n- stage: fake.grid\n"
    film = load(here, told, wish=Wish(theme="chalk"))
    assert film.look == FilmLook(theme="chalk", aspect="9:16", captions="track", pace=0.8)
    [shot] = film.shots
    assert (shot.shot.theme, shot.shot.captions, shot.shot.pace) == ("chalk", "track", 0.8)
    assert "pace must be a number from 0.5 to 2" in said(here, told.replace("0.8", "8"))[0]


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ([], "f"),
        (["alpha=5"], "f-alpha-5"),
        (["alpha=1.5", "grid.d_head=64"], "f-alpha-1_5-grid-d_head-64"),
        (["text=no time"], "f-text-no-time"),
        (["pair=[5, 3]"], "f-pair-5-3-"),
        (
            ["pair=[53, 0]", "text=a very long text that names no file"],
            "f-pair-53-0-text-a-very-long-text",
        ),
    ],
)
def test_a_film_with_other_inputs_has_another_name(here, settings, name):
    (here / "f.yaml").write_text(HEAD + "shots:\n- stage: fake.grid\n")
    [film] = load_films(["f.yaml"], settings=settings)
    assert film.name.startswith(name)
    assert len(film.name) <= 40
    if not name.endswith("-") and len(name) < 30:
        assert film.name == name


def test_a_film_is_called_what_the_command_says(here):
    (here / "f.yaml").write_text(HEAD + "shots:\n- stage: fake.grid\n")
    [film] = load_films(["f.yaml"], settings=["alpha=5"], name="tuesday")
    assert film.name == "tuesday"
    with pytest.raises(StoryboardError, match="will not do as the name of a file"):
        load_films(["f.yaml"], name="../x")


def test_settings_win_over_the_file_and_those_for_one_shot_over_those_for_all(here):
    film = load(
        here,
        "inputs: {d_head: 8}\nshots: [{stage: fake.grid, inputs: {d_head: 16}}, "
        "{stage: fake.narrow}]\n",
        settings=["grid.d_head=4", "d_head=32", "text=a b c d", "pair=[7, 9]"],
    )
    grid, narrow = (shot.shot.inputs for shot in film.shots)
    assert (grid.d_head, narrow.d_head) == (4, 32)
    assert grid.text == "a b c d"
    assert grid.pair == (7, 9)


def test_selected_shots_keep_their_numbers(here):
    text = "shots: [{stage: fake.grid}, {stage: fake.narrow}]\n"
    assert [s.number for s in load(here, text, only=["narrow"]).shots] == [2]


def test_a_film_with_failed_claims_can_be_loaded(here):
    film = load(
        here,
        "inputs: {alpha: 1.25}\n"
        "shots:\n"
        "- stage: fake.grid\n"
        "  expect: {n: '!= 3', mass: '>= 0.1', who: == dog, ok: == true}\n",
    )
    lines = [
        "f.yaml:5:10: shots[0].stage: token m gets at least half: this does not hold; it gets 0.2; "
        "it holds with alpha: 10",
        "f.yaml:6:15: shots[0].expect.n: n is 3, not != 3",
        "f.yaml:6:44: shots[0].expect.who: who is 'cat', not == dog",
    ]
    assert [str(failure) for failure in film.failures] == lines
    assert load(here, "shots: [{stage: fake.grid}]").failures == ()


GRID = "shots:\n- stage: fake.grid\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "shots: [{stage: fake.gird}]",
            ["3:17: shots[0].stage: there is no stage 'fake.gird'; did you mean fake.grid? (…)"],
        ),
        (
            "shots: [{stage: ../../os.system}]",
            ["3:17: shots[0].stage: there is no stage '../../os.system' (…)"],
        ),
        (
            GRID + "  inputs: {d_haed: 32}",
            ["5:12: …d_haed: there is no input 'd_haed'; did you mean d_head? (inputs: text, …)"],
        ),
        ("inputs: {k: 1}\n" + GRID, ["3:10: inputs.k: there is no input 'k' (inputs: text, …)"]),
        (
            GRID + "  inputs: {d_head: 31, alpha: 0, text: The \\cat, m: '1', pair: [1, x]}",
            [
                "5:20: …d_head: 31 is odd; d_head must be an even number from 2 to 256",
                "5:31: …alpha: 0 is too small; alpha must be a number above 0 and up to 10,000",
                "5:40: …text: '\\' cannot stand in 'The \\cat'; …: write text: The cat",
                "5:53: …m: …from 0 to 1,000, not the text '1': write m: 1",
                "5:68: …pair[1]: pair[1] must be a whole number, not the text 'x'",
            ],
        ),
        (GRID + "  inputs: {alpha: .nan}", ["5:19: …alpha: nan is not finite; alpha must be…"]),
        (
            GRID + "  inputs: {m: 7}",
            ["5:15: …m: m = 7 is outside the text, which has 3 tokens; it works with m: 1"],
        ),
        (
            GRID + "  inputs: {text: one, m: 1}",
            ["5:26: …m: m = 1 is outside the text, …; it works with text: the cat sat"],
        ),
        (
            "inputs: {d_head: 128}\n" + GRID + "- stage: fake.narrow",
            [
                "3:18: inputs.d_head: 128 is too large; … 2 to 64 (for narrow); "
                "for the others alone: d_head: 128 in the inputs of grid"
            ],
        ),
        (
            "inputs: {alpha: x}\n" + GRID + "- {stage: fake.grid, id: two}",
            ["3:17: inputs.alpha: alpha must be a number…, not the text 'x'"],
        ),
        (
            GRID + "- stage: fake.grid\n- {stage: fake.narrow, id: grid}",
            [
                "5:10: shots[1].stage: a second shot called grid; the first is in line 4; …`id`…",
                "6:28: shots[2].id: a second shot called grid; the first is in line 4",
            ],
        ),
        (
            GRID + "  expect: {mas: '> 0', who: '> 3', n: == x}",
            [
                "5:12: …mas: there is no fact 'mas'; did you mean mass? (facts: n, m, mass, …)",
                "5:29: …who: 'cat' cannot be compared by > 3",
                "5:39: …n: 3 cannot be compared by == x",
            ],
        ),
        (
            GRID + f"  title: '{'{mass:.20f}' * 5}'",
            ["5:10: …title: 110 characters once the facts are in; at most 80 fit"],
        ),
        (
            GRID + "  title: Ein 漢",
            ["5:10: …title: the text face cannot draw '漢'; …`font: FILE`…or --font FILE"],
        ),
        (
            GRID + "  caption: 5$ each",
            ["5:12: …caption: a $ is opened and not closed; …write caption: 5\\$ each"],
        ),
        (
            GRID + '  caption: $frac(1,$ and $#read("x")$ and $betta$',
            [
                "5:12: …caption: the formula '$#read(\"x\")$': '#read' is code, and …",
                "5:12: …caption: the formula '$betta$': unknown variable: betta …",
                "5:12: …caption: the formula '$frac(1,$': unclosed delimiter",
            ],
        ),
    ],
)
def test_problems_of_shots_have_messages(here, text, lines):
    assert_said(lines, said(here, text))


@pytest.mark.parametrize(
    ("field", "word"),
    [
        (
            "{whoo}",
            "there is no fact {whoo}; did you mean {who}? (facts: inputs.alpha, inputs.bold, "
            "inputs.d_head, inputs.m, inputs.mode, inputs.text, m, mass, n, ok, who)",
        ),
        ("{mass.real}", "there is no fact {mass.real}; did you mean {mass}?"),
        ("{mass.__class__}", "{mass.__class__} is not the name of a fact; "),
        ("{who[0]}", "{who[0]} is not the name of a fact; "),
        ("{0}", "{0} is not the name of a fact; "),
        ("{}", "{} is not the name of a fact; "),
        ("{mass!r}", "{mass!r}: write {mass}; conversions are refused"),
        ("{mass:999999999f}", "{mass:999999999f}: the format '999999999f' is wider than 20 "),
        ("{mass:.999999999f}", "{mass:.999999999f}: the format '.999999999f' is wider than 20 "),
        ("{mass:>30}", "{mass:>30}: the format '>30' is not one of "),
        ("{mass:{n}}", "{mass:{n}}: the format '{n}' is not one of "),
        ("{who:.1%}", "{who:.1%}: a text cannot be written as '.1%'"),
        ("{", "'so {' is not a template: "),
    ],
)
def test_captions_are_templates_over_facts_alone(here, field, word):
    [line] = said(here, f'{GRID}  caption: "so {field}"\n')
    assert line.startswith(f"f.yaml:5:12: shots[0].caption: {word}")


def test_all_problems_are_reported_in_order(here):
    lines = said(
        here,
        "tilte: x\n"
        "inputs: {d_head: 31}\n"
        "shots:\n"
        "- stage: fake.grid\n"
        "  inputs: {m: 9, d_head: 32}\n"
        "  caption: '{mas} {n.real} $x^$'\n"
        "  hold: 99\n"
        "- stage: fake.narrow\n"
        "  id: back\n"
        "  id: forth\n"
        "- stage: fake.nrrow\n"
        "  inputs: &x {k: !!int 3}\n",
        settings=["grid.alpha=0", "n"],
    )
    assert [line.split(": ")[0] for line in lines] == [
        "--set grid.alpha=0",
        "--set n",
        "f.yaml:3:1",
        "f.yaml:4:18",
        "f.yaml:8:12",
        "f.yaml:8:12",
        "f.yaml:8:12",
        "f.yaml:9:9",
        "f.yaml:12:3",
        "f.yaml:13:10",
        "f.yaml:14:11",
        "f.yaml:14:18",
    ]


@pytest.mark.parametrize(
    ("settings", "lines"),
    [
        (["alpha"], ["--set alpha: write input=value, or shot.input=value"]),
        (["=3"], ["--set =3: write input=value, or shot.input=value"]),
        (["a.b.c=3"], ["--set a.b.c=3: write input=value, or shot.input=value"]),
        (
            ["d_head=31"],
            [
                "--set d_head=31: 31 is odd; … even number from 2 to 256 (for grid)",
                "--set d_head=31: 31 is odd; … even number from 2 to 64 (for narrow)",
            ],
        ),
        (
            ["d_head=128"],
            ["--set d_head=128: 128 is too large; …for the others alone: --set grid.d_head=128"],
        ),
        (["alpah=3"], ["--set alpah=3: there is no input 'alpah'; did you mean alpha? (…, k)"]),
        (["gird.alpha=3"], ["--set gird.alpha=3: there is no shot 'gird'; did you mean grid? (…)"]),
        (["grid.k=3"], ["--set grid.k=3: there is no input 'k' (inputs: …, bold)"]),
        (["m=99"], ["--set m=99: m = 99 is outside …; it works with --set m=1 (for grid)"]),
        (["text="], ["--set text=: no text here; text must be words … (for grid)"]),
        (["text=a\nb\x1b[31m"], [r"'--set text=a\nb\x1b[31m': …the hidden character U+001B"]),
    ],
)
def test_settings_that_are_refused(here, settings, lines):
    assert_said(lines, sorted(said(here, GRID + "- stage: fake.narrow\n", settings=settings)))


def test_settings_that_messages_offer_work(here):
    text = GRID + "- stage: fake.narrow\n"
    grid, narrow = load(here, text, settings=["grid.d_head=128"]).shots
    assert (grid.shot.inputs.d_head, narrow.shot.inputs.d_head) == (128, 32)


def test_an_input_that_one_stage_knows_is_not_refused_by_another(here):
    film = load(here, "inputs: {k: 4}\n" + GRID + "- stage: fake.narrow\n", settings=["m=2"])
    assert [film.shots[0].shot.inputs.m, film.shots[1].shot.inputs.k] == [2, 4]


def test_defaults_are_adjusted_to_given_inputs(here):
    film = load(here, GRID + "- {stage: fake.narrow, id: back}\n", settings=["text=one"])
    assert film.shots[0].shot.inputs.m == 0
    assert list(film.adjustment_lines()) == ["m is adjusted: 1 -> 0 (in grid)"]
    assert list(load(here, GRID, settings=["text=two words"]).adjustment_lines()) == []


@pytest.mark.parametrize("given", ["inputs: {m: 1}\n" + GRID, GRID + "  inputs: {m: 1}\n"])
def test_inputs_of_the_storyboard_are_adjusted_to_the_commands(here, given):
    film = load(here, given, settings=["text=one"])
    assert film.shots[0].shot.inputs.m == 0
    assert list(film.adjustment_lines()) == ["m is adjusted: 1 -> 0 (in grid)"]


def test_inputs_of_the_storyboard_are_adjusted_to_what_is_turned(here):
    turned = load(here, GRID + "  inputs: {m: 1}\n").shots[0].turn({"text": "one"})
    assert turned.shot.shot.inputs.text == "one"
    assert [(one.name, one.value) for one in turned.shot.adjustments] == [("m", 0)]


def test_a_turn_says_whether_a_claim_fails(here):
    shot = load(here, GRID).shots[0]
    broken = shot.turn({"alpha": 1.25})
    assert broken.breaks_claim
    assert "token m gets at least half" in broken.refusals[0].message
    assert not shot.turn({"alpha": 12.0}).breaks_claim


def test_given_inputs_are_not_adjusted(here):
    [line] = said(here, GRID + "  inputs: {m: 1, text: one}\n")
    assert line.endswith("it works with text: the cat sat")
    [line] = said(here, GRID, settings=["m=1", "text=one"])
    assert line.endswith('it works with --set "text=the cat sat"')


@dataclass(frozen=True)
class Ballot(Pattern):
    """A pattern with a fact that it has only if its claim holds."""

    @property
    def rest(self) -> float:
        """What all others get."""
        return 1 - self.mass

    @property
    def winner(self) -> str:
        """The token that gets most, if it is this one.

        Raises:
            ValueError: when the others get more.
        """
        if self.mass < self.rest:
            raise ValueError("the others get more")
        return self.who


class BallotGrid(Grid):
    """A grid that has a winner, or none."""

    @classmethod
    def compute(cls, inputs):
        return Ballot(**vars(super().compute(inputs)))


@pytest.fixture
def ballots(monkeypatch):
    monkeypatch.setitem(fake_stages.STAGES, "fake.grid", BallotGrid)


@pytest.mark.usefixtures("ballots")
def test_a_shot_is_refused_before_its_sentences_are_filled_in(here):
    """With alpha 1.25 the claim fails, and its stage has no `winner` to name in a caption."""
    text = (
        "inputs: {alpha: 1.25}\n" + GRID + "  caption: '{winner} gets it'\n- stage: fake.narrow\n"
    )
    film = load(here, text)
    assert [shot.id for shot in film.shots] == ["narrow"]
    assert list(film.refused) == ["grid"]
    assert [str(line) for line in film.failures] == [str(line) for line in film.refused["grid"]]
    [line] = map(str, film.failures)
    assert line.endswith("it holds with alpha: 10")
    assert load(here, text.replace("1.25", "10")).refused == {}
    # Alone, it is still refused.
    [failure] = load(here, text, only=["grid"]).failures
    assert str(failure) == line
    assert load(here, text, only=["narrow"]).failures == ()


@pytest.mark.usefixtures("ballots")
def test_an_expectation_compares_two_facts_and_offers_what_meets_it(here):
    text = "inputs: {alpha: 2.5}\n" + GRID + "  expect: {mass: '>= {rest}'}\n"
    assert load(here, text).failures == ()
    [failure] = load(here, text.replace(">= {", "< {")).failures
    assert "{rest}" in str(failure)
    [problem] = said(here, text.replace("rest", "rests"))
    assert "did you mean rest" in problem
    [failure] = load(here, text.replace("mass: '>= {rest}'", "mass: '>= 0.9'")).failures
    assert str(failure).endswith("it holds with alpha: 10")


def test_claims_do_not_move_inputs(here):
    film = load(here, GRID, settings=["alpha=1.25"])
    assert film.failures
    assert list(film.adjustment_lines()) == []


def test_a_default_takes_the_nearest_value_that_works(here):
    [way] = compute_adjusted(Near, {"low": 20}).adjustments
    assert (way.name, way.before, way.value) == ("high", 5, 21)
    assert compute_adjusted(Near, {"low": 20, "high": 5}).refusal == "high must be above low"
    assert compute_adjusted(Near, {"low": 3}).adjustments == ()


def test_an_unknown_shot_is_refused(here):
    assert said(here, GRID, only=["gird"]) == [
        "--shot gird: there is no shot 'gird'; did you mean grid? (shots: grid)"
    ]


def write(file, title):
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"version: 1\ntitle: {title}\n{GRID}")


def test_films_are_found_by_path_then_here_then_among_the_installed(here):
    write(here / "installed/one.yaml", "installed one")
    write(here / "installed/two.yaml", "installed two")
    write(here / "storyboards/one.yaml", "one here")
    write(here / "else/one.yml", "one elsewhere")
    titles = [load_films([name])[0].title for name in ("one", "two", "else/one.yml")]
    assert titles == ["one here", "installed two", "one elsewhere"]
    assert list(known_films()) == ["one", "two"]
    assert [film.name for film in load_films(["one", "two", "one"])] == ["one", "two"]


@pytest.mark.parametrize(
    ("wanted", "line"),
    [
        ("oen", "oen: there is no film of this name; did you mean one? (films: one)"),
        ("..", "..: neither a film's name (a-z, 0-9, _ and -) nor a .yaml file"),
        ("ONE", "ONE: neither a film's name (a-z, 0-9, _ and -) nor a .yaml file"),
        ("../one", "../one: a storyboard is a file whose name ends in .yaml"),
        ("../../etc/passwd", "../../etc/passwd: a storyboard is a file whose name ends in .yaml"),
        ("storyboards/", "storyboards/: a storyboard is a file whose name ends in .yaml"),
        ("../nowhere/one.yaml", "../nowhere/one.yaml: there is no such file"),
        ("My film.yaml", "My film.yaml: the film would be called 'My film': name the file with …"),
        ("a/...yaml", "a/...yaml: the film would be called '..': name the file with …"),
        ("a\x1b[31m", r"'a\x1b[31m': neither a film's name …"),
    ],
)
def test_films_that_are_not_found(here, wanted, line):
    write(here / "storyboards/one.yaml", "one")
    with pytest.raises(StoryboardError) as error:
        load_films([wanted])
    assert_said([line], [error.value])


def test_a_film_elsewhere_is_found_by_its_path(here, monkeypatch):
    write(here / "one.yaml", "one")
    (here / "below").mkdir()
    monkeypatch.chdir(here / "below")
    assert find_film("../one.yaml").read_text().startswith("version")


def test_two_films_of_one_name_are_refused(here):
    write(here / "a/one.yaml", "a")
    write(here / "b/one.yaml", "b")
    with pytest.raises(StoryboardError) as error:
        load_films(["a/one.yaml", "b/one.yaml"])
    assert str(error.value) == (
        "b/one.yaml: a/one.yaml makes a film called one too; render one at a time"
    )


def test_the_problems_of_all_films_are_reported(here):
    write(here / "a.yaml", "a")
    (here / "b.yaml").write_text("version: 1")
    with pytest.raises(StoryboardError) as error:
        load_films(["a.yaml", "b.yaml", "c.yaml"], settings=["nothing=1"])
    assert str(error.value).splitlines() == [
        "b.yaml:1:1: shots: shots is missing",
        "b.yaml:1:1: title: title is missing",
        "c.yaml: there is no such file",
    ]


def test_a_setting_must_be_known_to_one_film(here):
    write(here / "a.yaml", "a")
    (here / "b.yaml").write_text(f"{HEAD}shots: [{{stage: fake.narrow}}]")
    films = load_films(["a.yaml", "b.yaml"], settings=["k=4"])
    assert films[1].shots[0].facts["k"] == 4
    assert [film.name for film in load_films(["a.yaml", "b.yaml"], only=["narrow"])] == ["b"]
