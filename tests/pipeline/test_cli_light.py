"""The commands that draw nothing: what they print, how they end, and how little they import."""

import json
import os
import signal
import sys
import time
import tomllib
from ast import literal_eval
from pathlib import Path

import numpy as np
import pytest

from clockhead import cli, release
from clockhead.clips.examine import Examination
from clockhead.storyboard.numbers import to_json
from tests.pipeline import fake_stages
from tests.pipeline.project import start

HEAVY = ("manim", "numpy", "pydantic", "rich", "typst", "yaml")
ROOT = Path(__file__).parents[2]
FILM = (
    "version: 1\n"
    "title: A film\n"
    "shots:\n"
    "- {stage: fake.grid, inputs: {alpha: 3}}\n"
    "- stage: fake.narrow\n"
)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """An empty folder to work in, with two stages and no installed films."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("clockhead.clips.examine.examine_film", lambda _: Examination())
    fake_stages.install(monkeypatch, tmp_path)
    (tmp_path / "storyboards").mkdir()
    (tmp_path / "storyboards/a.yaml").write_text(FILM)
    return tmp_path


def test_check_of_a_sound_film(run):
    assert run("check", "a") == (0, "a: 2 shots, in order\n", "")


def test_check_of_a_wrong_storyboard_exits_2(run, here):
    (here / "b.yaml").write_text(FILM.replace("alpha: 3", "alpha: -3"))
    assert run("check", "a", "b.yaml", "--set", "kk=1") == (
        2,
        "",
        "--set kk=1: there is no input 'kk'; did you mean k? "
        "(inputs: text, d_head, m, alpha, mode, pair, bold, k)\n"
        "b.yaml:4:38: shots[0].inputs.alpha: -3 is too small; "
        "alpha must be a number above 0 and up to 10,000\n",
    )


def test_check_of_a_failed_claim_exits_1(run):
    assert run("check", "a", "--set", "alpha=1.5") == (
        1,
        "a-alpha-1_5: 2 shots, 1 problem\n",
        "storyboards/a.yaml:4:11: shots[0].stage: token m gets at least half: "
        "this does not hold; it gets 0.333; it holds with --set alpha=3\n",
    )


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["chekc"], "there is no command 'chekc'; did you mean check?"),
        (["check"], "Missing argument 'NAME_OR_FILE...'"),
        (["check", "a", "-qx"], "'x' is not one of"),
        (["check", "a", "--theme", "x"], "'x' is not one of"),
        (["check", "a", "--aspect", "2:1"], "'2:1' is not one of"),
        (["check", "a", "--sett"], "No such option"),
        (["numbers", "a", "b"], "unexpected extra argument (b)"),
        (["numbers", "nothing"], "nothing: there is no film of this name (films: a)"),
        (["numbers", "a", "--shot", "x"], "--shot x: there is no shot 'x' (shots: grid, narrow)"),
        (["stages", "fake.gird"], "there is no stage 'fake.gird'; did you mean fake.grid?"),
        (["stages", "roep"], "there is no stage, film or folder of scenes 'roep'"),
        (["stages", "no.yaml"], "no.yaml: there is no such file"),
        (["render", "a", "-o", "storyboards/a.yaml"], "'storyboards/a.yaml' is a file"),
        (["completion", "csh"], "'csh' is not one of 'bash', 'zsh', 'fish'"),
    ],
)
def test_wrong_commands_exit_2_with_one_line(run, args, line):
    code, out, err = run(*args)
    assert (code, out) == (2, "")
    assert line in err
    assert "Traceback" not in err


def test_numbers_have_every_digit(run):
    code, out, err = run("numbers", "a", "--json")
    assert (code, err) == (0, "")
    film = json.loads(out, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert film["film"] == "a"
    grid, narrow = film["shots"]
    assert (grid["id"], grid["stage"], grid["sentences"]) == ("grid", "fake.grid", [])
    assert grid["question"] == "Where does the query look?"
    assert grid["caption"] == "Token 1 gets 66.7%."
    inputs = {"text": "the cat sat", "d_head": 32, "m": 1, "alpha": 3.0, "mode": "soft"}
    assert grid["inputs"] == inputs | {"pair": [5, 3], "bold": False}
    values = {"n": 3, "m": 1, "mass": 1 - 1 / 3, "who": "cat", "ok": True, "inputs.bold": False}
    assert grid["facts"] == values | {f"inputs.{name}": value for name, value in inputs.items()}
    assert grid["about"].keys() == grid["facts"].keys()
    assert grid["about"]["mass"] == {"description": "What it gets", "unit": "share"}
    described = {"description": "width of the head", "unit": None}
    assert grid["about"]["inputs.d_head"] == described
    assert grid["arrays"] == {"pattern": np.eye(3).tolist()}
    facts = {"k": 1, "gap": "Infinity", "inputs.k": 1, "inputs.d_head": 32}
    assert narrow["facts"] == facts
    assert narrow["arrays"] == {"pattern": [["NaN", 0.1], ["-Infinity", 1 / 3]]}


def test_numbers_are_printed_even_if_a_claim_fails(run):
    code, out, err = run("numbers", "a", "--json", "--shot", "grid", "--set", "alpha=1.25")
    assert code == 0
    [grid] = json.loads(out)["shots"]
    assert grid["facts"]["mass"] == 1 - 1 / 1.25
    assert "this does not hold; it gets 0.2" in err


def test_numbers_as_text_have_every_digit(run):
    code, out, _ = run("numbers", "a")
    assert code == 0
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "1. grid (fake.grid)" in lines
    assert f"mass {1 - 1 / 3!r} share What it gets" in lines
    assert "pattern, 3 x 3:" in lines
    assert f"[-inf {1 / 3!r}]]" in lines


def test_json_has_strings_for_nan_and_infinity():
    value = {"a": (1, [float("nan"), -float("inf")]), "b": 1 + 2j, "c": "é", "d": None}
    assert to_json(value) == (
        '{"a": [1, ["NaN", "-Infinity"]], "b": {"re": 1.0, "im": 2.0}, "c": "é", "d": null}'
    )


def test_films_are_listed(run, here):
    (here / "storyboards/broken.yaml").write_text("a: [")
    code, out, _ = run("films")
    assert code == 0
    assert out.splitlines() == [
        "a       A film (2 shots, storyboards/a.yaml)",
        "broken  (1 problem: `clockhead check storyboards/broken.yaml` says what is wrong)",
    ]


def test_the_version_is_that_of_the_checkout(run):
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert run("--version") == (0, f"clockhead {version}\n", "")


def test_a_copy_that_is_not_installed_has_no_version(run, monkeypatch, here):
    monkeypatch.setattr("clockhead.release.ROOT", here)
    monkeypatch.setattr("importlib.metadata.Distribution.discover", lambda **_: iter(()))
    code, out, err = run("--version")
    assert (code, out) == (1, "")
    assert "neither a checkout nor installed" in err


def test_an_installed_clockhead_says_where_its_tests_are(run, monkeypatch):
    monkeypatch.setattr("clockhead.release.is_checkout", lambda: False)
    code, out, err = run("test", "-k", "some", "--exitfirst", "tests/model")
    assert (code, out) == (2, "")
    assert "source distribution" in err
    assert "python -m pytest" in err


def test_in_a_checkout_the_launcher_runs_the_tests(run):
    code, _, err = run("test", "-x")
    assert code == 2
    assert f"{ROOT / 'clockhead'} test" in err


def test_no_films_are_listed(run, here):
    (here / "storyboards/a.yaml").unlink()
    assert run("films") == (0, "", "no storyboards here; write one into ./storyboards\n")


def test_stages_are_listed(run):
    assert run("stages")[:2] == (
        0,
        "fake.grid    A grid that looks at token m.\n"
        "fake.narrow  Takes smaller heads than the grid does.\n",
    )


def test_a_stage_is_listed_with_inputs_and_facts(run):
    code, out, _ = run("stages", "fake.narrow")
    assert code == 0
    assert out.splitlines() == [
        "fake.narrow: Takes smaller heads than the grid does.",
        "  title: Narrow",
        "  question: How far back?",
        "  caption: Back by {k}: $q_m$.",
        "  inputs:",
        "    k = 1: a whole number from 1 to 9",
        "      how far back",
        "    d_head = 32: an even number from 2 to 64",
        "      width of the head",
        "  facts, for these inputs:",
        "    k = 1   How far back",
        "    gap = inf   How clear it is",
        "    inputs.k = 1   how far back",
        "    inputs.d_head = 32   width of the head",
    ]


def test_the_stages_of_a_film_are_listed_in_its_order(run, here):
    again = FILM.replace(
        "stage: fake.narrow", "{stage: fake.grid, id: again}\n- stage: fake.narrow"
    )
    (here / "b.yaml").write_text(again.replace("alpha: 3", "alpha: -3"))
    assert run("stages", "b.yaml")[:2] == (
        0,
        "fake.grid           A grid that looks at token m.\n"
        "fake.grid as again  A grid that looks at token m.\n"
        "fake.narrow         Takes smaller heads than the grid does.\n",
    )
    described = json.loads(run("stages", "b.yaml", "--json")[1])
    assert [stage["name"] for stage in described] == ["fake.grid", "fake.narrow"]
    assert run("stages", "a")[1].splitlines()[0] == "fake.grid    A grid that looks at token m."


def test_missing_stages_of_a_film_are_reported_at_their_lines(run, here):
    (here / "b.yaml").write_text(FILM.replace("fake.grid", "fake.gird"))
    assert run("stages", "b.yaml") == (
        2,
        "",
        "b.yaml:4:11: shots[0].stage: there is no stage 'fake.gird'; did you mean fake.grid?\n",
    )


def test_the_stages_of_a_folder_are_listed(run, monkeypatch):
    both = run("stages")[:2]
    names = ["fake.grid", "fake.narrow", "faker.grid"]
    monkeypatch.setattr("clockhead.scenes.stage.stage_names", lambda: names)
    assert run("stages", "fake")[:2] == both


def test_stages_as_json(run):
    described = json.loads(run("stages", "--json")[1])
    assert [stage["name"] for stage in described] == ["fake.grid", "fake.narrow"]
    one = json.loads(run("stages", "fake.narrow", "--json")[1])
    assert one == described[1]
    assert one["inputs"]["properties"]["k"] == {
        "default": 1,
        "description": "how far back",
        "maximum": 9,
        "minimum": 1,
        "title": "K",
        "type": "integer",
    }
    assert one["facts"] == {"k": 1, "gap": "Infinity", "inputs.k": 1, "inputs.d_head": 32}
    assert one["about"]["gap"] == {"description": "How clear it is", "unit": None}


def test_the_schema_has_every_stage_and_input(run):
    schema = json.loads(run("schema")[1])
    shot = schema["$defs"]["ShotSpec"]
    assert schema["required"] == ["version", "title", "shots"]
    assert schema["additionalProperties"] is shot["additionalProperties"] is False
    assert shot["properties"]["stage"]["enum"] == ["fake.grid", "fake.narrow"]
    assert "default" not in shot["properties"]["caption"]
    assert [rule["then"]["properties"]["inputs"]["$ref"] for rule in shot["allOf"]] == [
        "#/$defs/fake.grid",
        "#/$defs/fake.narrow",
    ]
    assert schema["$defs"]["fake.narrow"]["properties"]["k"]["maximum"] == 9
    assert schema["properties"]["inputs"]["properties"]["d_head"] == {
        "anyOf": [
            {"$ref": "#/$defs/fake.grid/properties/d_head"},
            {"$ref": "#/$defs/fake.narrow/properties/d_head"},
        ]
    }
    for reference in references(schema):
        assert resolve(schema, reference)


def references(part):
    """Every `$ref` inside."""
    if isinstance(part, dict):
        yield from [part["$ref"]] if isinstance(part.get("$ref"), str) else []
        part = list(part.values())
    for item in part if isinstance(part, list) else []:
        yield from references(item)


def resolve(schema, reference):
    for step in reference.removeprefix("#/").split("/"):
        schema = schema[step]
    return schema


@pytest.mark.parametrize("args", [[], ["--help"], ["-h"]])
def test_the_help_lists_every_command(run, args):
    code, out, _ = run(*args)
    assert code == 0
    assert all(name in out for name in cli.cli.commands)


def test_add_lists_extras_and_the_command_that_installs_them(run, monkeypatch):
    code, out, _ = run("add")
    listed = {line.split()[0] for line in out.splitlines()}
    assert (code, {"studio", "voice"} <= listed, "dev" in listed) == (0, True, False)
    for launcher in (None, Path("/some/clockhead")):
        monkeypatch.setattr(release, "launcher", lambda found=launcher: found)
        code, _, err = run("add", "studio", "voice")
        assert code == 2
        assert ("/some/clockhead add studio voice" in err) == (launcher is not None)
        assert ("pip install" in err and "starlette" in err) == (launcher is None)
        assert release.install_command("studio", "voice") in err
    code, _, err = run("add", "stdio")
    assert (code, "studio" in err) == (2, True)


def snapshot(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


def test_light_commands_and_refused_storyboards_write_nothing(run, here):
    (here / "bad.yaml").write_text(FILM.replace("fake.grid", "fake.gird"))
    before = snapshot(here)
    for args in (["check", "a"], ["numbers", "a"], ["films"], ["stages"], ["schema"]):
        assert run(*args)[0] == 0
    for command in ("check", "numbers", "render"):
        assert run(command, "bad.yaml")[0] == 2
    assert snapshot(here) == before


def python(*args):
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    return start([sys.executable, *args], Path.cwd(), environment)


IMPORTED = (
    "import sys, atexit\n"
    f"atexit.register(lambda: print([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr))\n"
    "from clockhead.cli import main; main()\n"
)


@pytest.mark.parametrize(
    ("args", "heavy"),
    [
        (["--help"], set()),
        (["--version"], set()),
        (["test"], set()),
        (["completion", "bash"], set()),
        (["render", "-h"], set()),
        (["render", "-x"], set()),
        (["films"], {"pydantic"}),
    ],
)
def test_light_commands_import_little(here, args, heavy):
    (here / "storyboards/a.yaml").unlink()
    process = python("-c", IMPORTED, *args)
    _, err = process.communicate()
    assert process.returncode in (0, 2), err
    assert set(literal_eval(err.splitlines()[-1])) <= heavy | {"yaml"}


@pytest.mark.parametrize("text", ["version: [1", "shots: {a: *b}"])
def test_a_wrong_storyboard_imports_no_manim(here, text):
    (here / "nothing.yaml").write_text(text)
    process = python("-c", IMPORTED, "check", "nothing.yaml")
    _, err = process.communicate()
    assert process.returncode == 2
    assert "manim" not in err.splitlines()[-1]
    assert "pydantic" in err.splitlines()[-1]


INTERRUPTED = (
    "import time, sys\n"
    "from clockhead import cli\n"
    "def slow():\n"
    "    print('ready', flush=True)\n"
    "    time.sleep(20)\n"
    "cli.cli.get_command(None, 'films').callback = slow\n"
    "cli.main(['films'])\n"
)


def test_ctrl_c_ends_a_command_with_one_line():
    process = python("-c", INTERRUPTED)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=10)
    assert process.returncode == 130
    assert err.strip() == "interrupted"


def test_a_closed_pipe_prints_no_error():
    process = python("-c", "from clockhead.cli import main; main(['--help'])")
    process.stdout.close()
    process.wait()
    assert process.stderr.read() == ""


@pytest.mark.parametrize("command", [("render",), ("sheet",), ("check",), ("export", "--to=html")])
def test_an_unknown_film_is_reported_before_manim_is_imported(command):
    process = python("-X", "importtime", "-m", "clockhead", *command, "nofilm")
    _, err = process.communicate()
    imported = {line.rpartition("|")[2].strip() for line in err.splitlines()}
    assert process.returncode == 2
    assert "there is no film of this name" in err
    assert "clockhead.storyboard.films" in imported
    assert "manim" not in imported
