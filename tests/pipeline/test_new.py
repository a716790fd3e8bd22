"""`clockhead new`: its files can be rendered at once, and are never overwritten."""

import json
import re
import sys
from pathlib import Path

import pytest
import yaml

from clockhead.libraries import BUILT_IN, PROJECT
from clockhead.look import Wish
from clockhead.places import PACKAGE
from clockhead.scenes.stage import find_stage
from clockhead.storyboard.films import Film, load_films
from tests.pipeline.project import run_module

KEYS = "title|credit|theme|aspect|captions|pace|caption|expect|inputs|hold|m"
SWITCHED_OFF = re.compile(rf"# (?=(?:{KEYS}): )")
FILMS = sorted(path.stem for path in BUILT_IN.storyboards.glob("*.yaml"))
COMMENTED = """\
# yaml-language-server: $schema=elsewhere.json
# Mine.
version: 1
title: >  # folded
  An old
  title
shots:
  # the first
  - stage: rope.matrix  # a matrix
    inputs: {m: 5}
    expect: {n_zeros: "== 48"}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with nothing of one's own yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(PROJECT, "")
    return tmp_path


def load(file: Path) -> Film:
    """A film in which nothing is wrong, and of which everything holds."""
    [film] = load_films([str(file)])
    assert film.failures == ()
    return film


def snapshot(folder: Path) -> dict[Path, str]:
    return {path: path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_a_new_film_passes_check_and_the_next_commands_are_printed(run, here: Path):
    code, out, err = run("new", "my_lecture")
    assert (code, out) == (0, "storyboards/my_lecture.yaml\nstoryboards/storyboard.schema.json\n")
    assert "  clockhead check my_lecture\n  clockhead render my_lecture -ql -p\n" in err
    assert run("check", "my_lecture")[:2] == (0, "my_lecture: 2 shots, in order\n")
    film = load(here / "storyboards/my_lecture.yaml")
    assert film.title == "My lecture"
    assert [shot.id for shot in film.shots] == ["constant_key", "sub_diagonal"]


def test_the_printed_commands_work_in_a_checkout_without_pytest(run, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["../clockhead/clockhead", "new"])
    monkeypatch.setattr(sys, "executable", "/a checkout/.venv/bin/python")
    monkeypatch.setattr("clockhead.commands.own.find_spec", lambda name: None)
    assert run("new", "stage", "sums.halving")[2].splitlines() == [
        "Next:",
        "  ../clockhead/clockhead stages sums.halving",
        "  ../clockhead/clockhead check sums_halving",
        "  ../clockhead/clockhead render sums_halving -ql -p",
        "  '/a checkout/.venv/bin/python' -m pip install pytest",
        "  '/a checkout/.venv/bin/python' -m pytest tests/test_sums_halving.py",
    ]
    err = run("new", "a", "b")[2]
    assert "Try '../clockhead/clockhead new --help'" in err
    assert "one name at a time: `../clockhead/clockhead new NAME`" in err


def test_a_new_film_names_its_inputs_with_defaults_and_bounds(run, here: Path):
    run("new", "my_lecture")
    text = (here / "storyboards/my_lecture.yaml").read_text()
    for shot in load(here / "storyboards/my_lecture.yaml").shots:
        assert shot.shot.inputs == type(shot.shot.inputs)()
    about = find_stage("previous_token.sub_diagonal").Inputs.model_fields["d_head"].description
    assert f"  # {about} (an even number from 2 to 256)\n  d_head: 32\n" in text
    assert "    # alpha: scale of the scores; larger is sharper (a number from 0.01" in text


def test_every_commented_line_of_a_new_film_can_be_switched_on(run, here: Path):
    run("new", "my_lecture")
    run("new", "stage", "sums.halving")
    for name, switches in {"my_lecture": 15, "sums_halving": 10}.items():
        file = here / f"storyboards/{name}.yaml"
        text, switched = SWITCHED_OFF.subn("", file.read_text())
        assert switched == switches
        file.write_text(text)
        film = load(file)
        assert all(shot.shot.hold == 2 for shot in film.shots)


def test_the_schema_beside_it_has_the_users_stages(run, here: Path):
    run("new", "stage", "sums.halving")
    for name in ("storyboards/sums_halving.yaml",):
        assert (here / name).read_text().startswith("# yaml-language-server: $schema=storyboard.")
    schema = json.loads((here / "storyboards/storyboard.schema.json").read_text())
    assert schema["$defs"]["sums.halving"]["properties"]["n"]["maximum"] == 12


@pytest.mark.parametrize("film", FILMS)
def test_a_copy_is_the_film_under_another_title(run, here: Path, film: str):
    assert run("new", "my_copy", "--from", film)[0] == 0
    copy = (here / "storyboards/my_copy.yaml").read_text()
    first, told, rest = copy.split("\n", 2)
    source = (BUILT_IN.storyboards / f"{film}.yaml").read_text()
    assert first == "# yaml-language-server: $schema=storyboard.schema.json"
    assert film in told
    [was] = re.findall("^title: .*$", source, re.MULTILINE)
    title = 'title: "My copy"' if was.endswith('"') else "title: My copy"
    assert f"{first}\n{rest}" == source.replace(was, title)


def test_a_copy_keeps_comments_and_any_form_of_title(run, here: Path):
    (here / "old.yaml").write_text(COMMENTED)
    assert run("new", "2024", "--from", "old.yaml")[0] == 0
    text = (here / "storyboards/2024.yaml").read_text()
    for comment in ("# Mine.", "# the first", "# a matrix"):
        assert comment in text
    assert "elsewhere" not in text
    assert yaml.safe_load(text) == yaml.safe_load(COMMENTED) | {"title": "2024"}
    load(here / "storyboards/2024.yaml")


def test_it_goes_into_the_home_around(run, here: Path, monkeypatch: pytest.MonkeyPatch):
    (here / "stages/sums").mkdir(parents=True)
    monkeypatch.chdir(here / "stages/sums")
    monkeypatch.delenv(PROJECT)
    assert run("new", "mine")[0] == 0
    assert (here / "storyboards/mine.yaml").is_file()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["My Film"], "'My Film': this will not do as the name of a file: up to 40 of a-z"),
        (["My Film"], "; did you mean my_film?"),
        (["../x"], "; did you mean x?"),
        (["x" * 41], "will not do as the name of a file"),
        (["rope"], "there is a film of this name, storyboards/rope.yaml"),
        (["mine"], "there is a film of this name, storyboards/mine.yaml"),
        (["new", "--from", "rop"], "there is no film of this name; did you mean rope?"),
        (["new", "--from", "no.yaml"], "no.yaml: there is no such file"),
        (["new", "--from", "untitled.yaml"], "untitled.yaml:1:1: this storyboard has no title"),
        (["a", "b"], "one name at a time"),
        (["stage"], "a stage needs a name: `clockhead new stage FOLDER.NAME`"),
        (["stage", "height"], "a stage's name is FOLDER.NAME, such as clocks.height"),
        (["stage", "Clocks.Height"], "; did you mean clocks.height?"),
        (["stage", "clocks.class"], "no word of Python's own"),
        (["stage", "rope.matrix"], "there is a stage of this name"),
        (["stage", "mine.stage"], "its class would be Stage, which it uses"),
        (["stage", "mine.halves"], "its class would be Halves, which it uses"),
        (["stage", "kv.cache"], "'kv_cache': there is a film of this name"),
        (["stage", "mine.made"], "stages/mine/made.py is there already"),
        (["stage", "mine.tried"], "tests/test_mine_tried.py is there already"),
        (["stage", "a.b", "--from", "rope"], "--from works only for films"),
    ],
)
def test_wrong_names_are_refused_and_nothing_is_written(
    run, here: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], message: str
):
    monkeypatch.delenv(PROJECT)
    files = ("storyboards/mine.yaml", "stages/mine/made.py", "tests/test_mine_tried.py")
    for file in files:
        (here / file).parent.mkdir(parents=True)
        (here / file).write_text("Mine.\n")
    (here / "untitled.yaml").write_text("version: 1\n")
    before = snapshot(here)
    code, out, err = run("new", *args)
    assert (code, out) == (2, "")
    assert message in err
    assert snapshot(here) == before


def test_nothing_goes_into_clockhead_itself(run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(PACKAGE / "scenes")
    code, _, err = run("new", "mine")
    assert code == 2
    assert "this is inside Clockhead; go to a folder of your own first" in err


def test_an_unwritable_folder_is_named(run, here: Path):
    (here / "storyboards").write_text("no folder\n")
    code, _, err = run("new", "mine")
    assert code == 1
    assert "cannot write" in err
    assert "storyboards" in err


def test_a_new_stage_is_complete_and_its_test_finds_mistakes(here: Path, tmp_path_factory):
    done = run_module("clockhead", "new", "stage", "sums.halving", cwd=here)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "stages/sums/halving.py",
        "tests/test_sums_halving.py",
        "storyboards/sums_halving.yaml",
        "storyboards/storyboard.schema.json",
    ]
    done = run_module("clockhead", "render", "sums_halving", "-ql", cwd=here)
    assert (done.returncode, done.stdout) == (0, "media/sums_halving/480p15/sums_halving.mp4\n")

    elsewhere, test = tmp_path_factory.mktemp("elsewhere"), here / "tests/test_sums_halving.py"
    tests = ("pytest", "-q", "-p", "no:cacheprovider", str(test))
    done = run_module(*tests, cwd=elsewhere)
    assert done.returncode == 0, done.stdout
    stage = here / "stages/sums/halving.py"
    stage.write_text(stage.read_text().replace('self["left"], self.chart', 'self["lfet"], 1'))
    done = run_module(*tests, "-k", "2-16", cwd=elsewhere)
    assert "Halving has no value 'lfet'; did you mean 'left'?" in done.stdout


def told(film: Film) -> list[tuple[object, ...]]:
    """All that a film says, shot by shot."""
    texts = ("title", "question", "lines", "caption")
    return [tuple(getattr(shot.shot, text) for text in texts) for shot in film.shots]


class TestWords:
    """`new NAME --from FILM --words`."""

    @pytest.mark.parametrize("source", FILMS)
    def test_a_film_whose_words_are_written_out_says_the_same(self, run, here: Path, source: str):
        code, _, err = run("new", "talk", "--from", source, "--words")
        assert code == 0, err
        [usual], own = load_films([source]), load(here / "storyboards/talk.yaml")
        assert told(own) == told(usual)
        assert [shot.facts for shot in own.shots] == [shot.facts for shot in usual.shots]
        entries = yaml.safe_load((here / "storyboards/talk.yaml").read_text())["shots"]
        for entry, shot in zip(entries, own.shots, strict=True):
            said = [*entry.get("asks", {}).values(), *entry.get("beats", {}).values()]
            assert len(said) == len(shot.shot.sentences)
            assert {"title", "caption"} <= entry.keys()

    @pytest.mark.parametrize("source", ["rope", "previous_token", "errata"])
    def test_the_words_can_be_those_of_another_language(self, run, here: Path, source: str):
        assert run("new", "talk", "--from", source, "--words", "--lang", "de")[0] == 0
        [german], own = (
            load_films([source], wish=Wish(language="de")),
            load(Path("storyboards/talk.yaml")),
        )
        assert own.look.language == "de"
        assert told(own) == told(german)

    def test_other_inputs_still_change_the_numbers(self, run, here: Path):
        assert run("new", "talk", "--from", "previous_token", "--words")[0] == 0
        [other] = load_films(["storyboards/talk.yaml"], settings=["sharpness.alpha=12"])
        assert "At 12," in other.shots[5].shot.lines[3][1]

    def test_sentences_that_the_stage_chooses_are_marked(self, run, here: Path):
        assert run("new", "talk", "--from", "previous_token", "--words")[0] == 0
        text = (here / "storyboards/talk.yaml").read_text()
        assert re.search(r'rows: "[^"]+"  # chosen\n', text)
        assert re.search(r'diagonal: "[^"]+"\n', text)

    def test_words_that_are_there_stay_and_so_do_comments(self, run, here: Path):
        (here / "storyboards").mkdir()
        (here / "storyboards/old.yaml").write_text(
            "version: 1\ntitle: Old\nlanguage: en  # so far\nshots:  # two\n"
            '- {stage: previous_token.sub_diagonal, title: "Mine {row.m}", beats: {row: A row.}}\n'
            "# between\n"
            "- stage: previous_token.sub_diagonal\n"
            "  id: again  # the second\n"
            "  beats:  # mine\n"
            "    below: >-\n"
            "      It lies\n"
            "      below.\n"
            "  asks: {row: 'Why?'}  # why\n"
            "  hold: 2\n"
            "\n"
            "# the end\n"
        )
        assert run("new", "talk", "--from", "storyboards/old.yaml", "--words")[0] == 0
        text = (here / "storyboards/talk.yaml").read_text()
        assert all(f"# {words}" in text for words in ("so far", "two", "between", "the end"))
        assert told(load(Path("storyboards/talk.yaml"))) == told(load(Path("storyboards/old.yaml")))
        first, second = yaml.safe_load(text)["shots"]
        assert (first["title"], first["beats"]["row"]) == ("Mine {row.m}", "A row.")
        assert (second["id"], second["hold"]) == ("again", 2)
        assert (second["asks"]["row"], second["beats"]["below"]) == ("Why?", "It lies below.")
        assert second["title"] == "One step below the diagonal"
        assert first["beats"].keys() == second["beats"].keys()

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["--words"], "--words writes out those of a film: name it with --from FILM"),
            (["--from", "rope", "--lang", "de"], "--lang is the language of --words"),
            (["--from", "rope", "--words", "--lang", "fr"], "there is no language 'fr'"),
            (
                ["--from", "storyboards/flow.yaml", "--words"],
                "begin each shot on a line of its own",
            ),
        ],
    )
    def test_what_cannot_be_written_out_is_refused_and_nothing_written(
        self, run, here: Path, words: list[str], said: str
    ):
        (here / "storyboards").mkdir()
        (here / "storyboards/flow.yaml").write_text(
            "version: 1\ntitle: F\nshots: [{stage: previous_token.riddle}]\n"
        )
        code, _, err = run("new", "talk", *words)
        assert code == 2
        assert said in err
        assert not (here / "storyboards/talk.yaml").exists()
