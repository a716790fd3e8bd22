"""`--sweep`: a film for each value, named after it, and one table of what differs."""

import csv
import io

import pytest

from clockhead.export.numbers import csv_table, sweep_csv
from clockhead.storyboard.problems import StoryboardError
from clockhead.storyboard.sweep import MOST, load_sweep
from tests.pipeline import fake_stages
from tests.pipeline.project import LOOK, Project, without_progress

FILM = """\
version: 1
title: A film
shots:
- {stage: fake.grid, inputs: {alpha: 3}}
- stage: fake.narrow
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A folder with a film of two fake stages."""
    monkeypatch.chdir(tmp_path)
    fake_stages.install(monkeypatch, tmp_path)
    (tmp_path / "a.yaml").write_text(FILM)


def sweep(*sweeps, **options):
    return load_sweep(["a.yaml"], sweeps, **options)


def values(*sweeps):
    return [one.values for one in sweep(*sweeps).variants]


def refusal(*sweeps, **options):
    with pytest.raises(StoryboardError) as refused:
        sweep(*sweeps, **options)
    return str(refused.value)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("alpha=2,5,10", [2, 5, 10]),
        ("alpha=2:5", [2, 3, 4, 5]),
        ("alpha= 2 : 3 : .25 ", [2, 2.25, 2.5, 2.75, 3]),
        ("alpha=2:2.3:.1", [2, 2.1, 2.2, 2.3]),
        ("alpha=5:2:-1.5", [5, 3.5, 2]),
        ("alpha=2:4,10,20:30:10", [2, 3, 4, 10, 20, 30]),
        ("alpha=2,3,2,2:3", [2, 3]),
        ("mode=soft,hard", ["soft", "hard"]),
        ("pair=[1,2],[3,4]", [[1, 2], [3, 4]]),
        ("text=the cat sat,to be or not", ["the cat sat", "to be or not"]),
        ('text="one, two",three four', ["one, two", "three four"]),
        ('text="1:3",x y', ["1:3", "x y"]),
    ],
)
def test_values_are_listed_as_in_yaml_or_as_ranges(given, expected):
    assert values(given) == [[value] for value in expected]


def test_two_sweeps_give_every_combination_and_every_film_its_name():
    found = sweep("alpha=2,5", "narrow.d_head=16,64", settings=["k=2"])
    assert [one.label for one in found.variants] == [
        "alpha=2, narrow.d_head=16",
        "alpha=2, narrow.d_head=64",
        "alpha=5, narrow.d_head=16",
        "alpha=5, narrow.d_head=64",
    ]
    assert len({film.name for film in found.films}) == 4
    assert found.films[0].name.startswith("a-k-2-alpha-2-narrow")
    assert found.films[3].shots[1].shot.inputs.d_head == 64
    assert (found.name, found.input_names) == ("a-k-2", ["alpha", "narrow.d_head"])


def test_films_of_a_sweep_are_called_after_the_name_that_is_given():
    found = sweep("alpha=2,5", name="mine")
    assert [film.name for film in found.films] == ["mine-alpha-2", "mine-alpha-5"]
    assert found.name == "mine"


@pytest.mark.parametrize(
    ("sweeps", "said"),
    [
        (["alpha"], "--sweep alpha: write input=1,2,5, or input=1:7 for 1 to 7, or"),
        (["alpha="], "--sweep alpha=: there is no value; write input=1,2,5"),
        (["alpha=1,,2"], "--sweep alpha=1,,2: not YAML"),
        (["alpha=3:1"], "'3:1': the step leads away from the end"),
        (["alpha=1:3:0"], "'1:3:0': a step of 0 leads nowhere"),
        (["alpha=0:1e9"], "'0:1e9'"),
        (
            ["alpha=0:999999999"],
            f"1,000,000,000 values are too many; one command makes at most {MOST}",
        ),
        (
            ["alpha=1:20", "d_head=2:40:2"],
            f"that makes 400 films, and one command makes at most {MOST}",
        ),
        (["alpha=1", "alpha=2"], "--sweep alpha=2: alpha is swept too; leave one of them out"),
        (["kk=1,2"], "--sweep kk=1,2: there is no input 'kk'; did you mean k?"),
        (["gird.alpha=1,2"], "there is no shot 'gird'; did you mean grid?"),
        (["alpha=-1,-2"], "-2 is too small; alpha must be a number above 0"),
    ],
)
def test_an_invalid_sweep_is_refused(sweeps, said):
    assert said in refusal(*sweeps)


def test_an_input_is_either_swept_or_set_and_only_one_film_is_swept():
    assert "alpha is set with --set too" in refusal("alpha=1,2", settings=["alpha=3"])
    with pytest.raises(StoryboardError, match="a sweep is of one film"):
        load_sweep(["a.yaml", "b.yaml"], ["alpha=1"])


def test_the_table_has_a_row_for_every_value_and_a_column_for_every_fact_that_differs():
    rows = list(csv.reader(io.StringIO(sweep_csv(sweep("alpha=4,1.25,-1,10")))))
    assert rows == [
        ["alpha", "film", "refused", "grid.mass"],
        ["4", "a-alpha-4", "", "0.75"],
        [
            "1.25",
            "",
            "token m gets at least half: this does not hold; it gets 0.2; "
            "it holds with --set alpha=3",
            "0.19999999999999996",
        ],
        [
            "-1",
            "",
            "'-1 is too small; alpha must be a number above 0 and up to 10,000 (for grid)",
            "",
        ],
        ["10", "a-alpha-10", "", "0.9"],
    ]


def test_a_spreadsheet_takes_no_text_for_a_formula():
    formulas = ["=1+1", "+cmd|' /C calc'!A0", "-a", "@SUM(A1)", "\t=1", " =1", "\uff1d1"]
    others = ["a=b", "-1.5", "+2", -1.5, -3, float("-inf"), True, "−5", "", "-1e-9"]
    [row] = csv.reader(io.StringIO(csv_table([[*formulas, *others]])))
    assert row == [*(f"'{one}" for one in formulas), *map(str, others)]


def test_if_no_fact_differs_the_table_has_the_mentioned_ones():
    rows = list(csv.reader(io.StringIO(sweep_csv(sweep("bold=true")))))
    assert rows[0] == ["bold", "film", "refused", "grid.n", "grid.m", "grid.mass", "narrow.k"]


def test_shots_that_variants_share_are_rendered_once(tmp_path):
    project = Project.make(tmp_path / "project")
    project.write("film", "stage: tiny.told", "stage: tiny.moving\ninputs: {most: 2}")
    done = project.run("render", "film", "-ql", "--sweep", "moves=1,2,3,10")
    assert done.returncode == 1
    assert [line.partition(": ")[0] for line in done.stderr.splitlines()] == [
        "moves=3",
        "moves=10",
        "film-moves-1",
        "film-moves-2",
    ]
    films = [f"media/film-moves-{n}/{LOOK}/film-moves-{n}.mp4" for n in (1, 2)]
    table = "media/film-sweep-moves.csv"
    assert done.stdout.splitlines() == [*films, table]
    assert all((project.root / film).is_file() for film in films)
    assert len(list((project.root / "media/.clips").glob("*.clip"))) == 3
    rows = list(csv.DictReader(io.StringIO((project.root / table).read_text())))
    assert [(row["moves"], row["film"], row["moving.share"]) for row in rows] == [
        ("1", "film-moves-1", str(1 / 3)),
        ("2", "film-moves-2", str(2 / 3)),
        ("3", "", "1.0"),
        ("10", "", ""),
    ]
    again = project.run("render", "film", "-ql", "--sweep", "moves=1:2")
    assert again.returncode == 0
    assert without_progress(again.stderr) == (
        "film-moves-1: 0 of 2 shots rendered now\nfilm-moves-2: 0 of 2 shots rendered now\n"
    )
