"""Whatever a command is started in, it does its work or says in a line why not."""

import json
import os
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import av
import click
import manim
import networkx
import pytest
from hypothesis import given
from hypothesis.extra.numpy import arrays
from hypothesis.strategies import floats
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from clockhead import cli, doctor, startup
from clockhead.clips.examine import Examination
from clockhead.commands.options import need_writable
from clockhead.doctor import Diagnosis
from clockhead.libraries import PROJECT
from clockhead.production.manifest import (
    file_hash,
    frames_by_shot,
    is_current,
    keys_by_shot,
    read_manifest,
)
from tests.pipeline import fake_stages
from tests.pipeline.footage import shown
from tests.pipeline.project import COMMAND, PATIENCE, Project

pytestmark = pytest.mark.xdist_group("surroundings")

FILM = "version: 1\ntitle: A film\nshots:\n- stage: fake.grid\n"
FULL = "the output cannot be written: No space left on device\n"
BROKEN = ["[CLI", "[CLI]\nframe_rate = many\nverbosity = LOUD\n"]
"""What Manim cannot parse, and what it cannot understand."""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project with a film of one shot, rendered where all that can be is broken.

    Manim's own configuration is, where one stands and at home, and there is no PATH.
    """
    project = Project.make(tmp_path_factory.mktemp("surroundings"))
    project.write("film", "stage: tiny.moving\nid: one\ninputs: {moves: 1}")
    home = project.root / ".config/manim"
    home.mkdir(parents=True)
    (home / "manim.cfg").write_text(BROKEN[0])
    (project.root / "manim.cfg").write_text(BROKEN[1])
    environment = {**project.environment(), "HOME": str(project.root)}
    del environment["PATH"]
    assert "film: 1 of 1 shot rendered now" in render(project, env=environment)
    return project


def run(project, *args, **options):
    process = subprocess.run(
        [*COMMAND, *args],
        cwd=project.root,
        text=True,
        stdout=options.pop("stdout", subprocess.PIPE),
        stderr=options.pop("stderr", subprocess.PIPE),
        env={**(options.pop("env", None) or project.environment()), "PYTHONUNBUFFERED": ""},
        timeout=PATIENCE,
    )
    return process.returncode, process.stdout, process.stderr


def render(project, **options):
    code, _, err = run(project, "render", "film", "-ql", **options)
    assert code == 0, err
    assert_whole(project)
    return err


def assert_whole(project):
    with av.open(str(project.folder("film") / "film.mp4")) as container:
        assert sum(1 for _ in shown(container)) == project.manifest("film")["frames"]


def test_the_users_manim_configuration_is_not_read(project):
    environment = {**project.environment(), "HOME": str(project.root)}
    del environment["PATH"]
    code, out, _ = run(project, "check", "film", env=environment)
    assert (code, out) == (0, "film: 1 shot, in order\n")


@pytest.mark.parametrize("text", BROKEN)
def test_the_doctor_imports_manim_as_films_do(tmp_path, monkeypatch, text):
    (tmp_path / "manim.cfg").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert doctor._try_imports(["manim", "nothing"]) == {
        "nothing": "ModuleNotFoundError: No module named 'nothing'"
    }


def test_manim_reads_its_defaults_and_other_parsers_are_unchanged(tmp_path):
    """And a home that nobody can tell is not needed."""
    (tmp_path / "manim.cfg").write_text("[CLI]\nframe_rate = 7\n")
    script = (
        "import pathlib\n"
        "def nowhere(): raise RuntimeError('no home')\n"
        "home, pathlib.Path.home = pathlib.Path.home, lambda: (\n"
        "    home() if 'HOME' in os.environ else nowhere())\n"
        "import configparser, os\n"
        "from clockhead.startup import isolate_manim; isolate_manim()\n"
        "read = configparser.RawConfigParser.read\n"
        "import manim, inspect\n"
        "assert configparser.RawConfigParser.read is read\n"
        "assert manim.config.frame_rate == 60, manim.config.frame_rate\n"
        "assert 'HOME' not in os.environ and 'PATH' not in os.environ\n"
        "assert 'import' in inspect.getsource(manim)\n"
        "import sys\n"
        "assert not {'IPython', 'scipy', 'networkx'} & set(sys.modules)\n"
        "parser = configparser.ConfigParser()\n"
        "assert parser.read('manim.cfg') == ['manim.cfg']\n"
    )
    command = [sys.executable, "-P", "-W", "ignore", "-c", script]
    environment = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr


def test_manim_sees_ipython_only_where_it_runs(monkeypatch):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    with startup._substitute("IPython", None), pytest.raises(ModuleNotFoundError):
        import_module("IPython")
    assert "IPython" not in sys.modules
    running = ModuleType("IPython")
    monkeypatch.setitem(sys.modules, "IPython", running)
    with startup._substitute("IPython", None):
        assert import_module("IPython") is running
    assert sys.modules["IPython"] is running


def test_graphs_import_networkx_when_they_are_drawn():
    graph = manim.Graph([1, 2, 3], [(1, 2), (2, 3)], layout="planar")
    assert len(graph.vertices) == 3
    assert isinstance(graph._graph, networkx.Graph)
    tree = manim.DiGraph([1, 2, 3], [(1, 2), (1, 3)], layout="tree", root_vertex=1)
    assert tree[1].get_y() > tree[2].get_y() == tree[3].get_y()


@given(arrays(float, 3, elements=floats(-7, 7)))
def test_rotations_equal_scipys(vector):
    turned = startup._Rotation.from_rotvec(vector).as_matrix()
    assert_allclose(turned, Rotation.from_rotvec(vector).as_matrix(), rtol=0, atol=1e-14)


def test_manim_uses_our_rotation():
    assert manim.utils.space_ops.Rotation is startup._Rotation


@pytest.fixture
def films(tmp_path, monkeypatch):
    """An empty folder with a film of a stage that draws nothing."""
    monkeypatch.chdir(tmp_path)
    fake_stages.install(monkeypatch, tmp_path)
    (tmp_path / "storyboards").mkdir()
    (tmp_path / "storyboards/a.yaml").write_text(FILM)
    monkeypatch.setattr("clockhead.clips.examine.examine_film", lambda _: Examination())
    monkeypatch.setattr(doctor, "examine", lambda _: iter([Diagnosis("disk", "full")]))


@pytest.mark.usefixtures("films")
@pytest.mark.parametrize(
    "line",
    [
        *(
            "films",
            "stages",
            "stages fake.grid",
            "stages --json",
            "schema",
            "doctor",
            "new b --from a",
        ),
        *("check a", "numbers a", "numbers a --json", "completion bash", "completion zsh"),
        *("--help", "render --help", "export --help", "--version"),
    ],
)
def test_a_full_disk_behind_the_output_is_reported(line, monkeypatch, capsys):
    with open("/dev/full", "w") as full:  # noqa: PTH123
        monkeypatch.setattr(sys, "stdout", full)
        with pytest.raises(SystemExit) as ended:
            cli.main(line.split())
    assert (ended.value.code, capsys.readouterr().err.splitlines()[-1:]) == (1, [FULL.strip()])


def test_a_full_disk_is_reported_once(project):
    with open("/dev/full", "w") as full:  # noqa: PTH123
        assert run(project, "films", stdout=full) == (1, None, FULL)
        assert run(project, "films", stdout=full, stderr=full) == (1, None, None)
        assert run(project, "check", "nothing", stderr=full)[0] == 2
        assert run(project, "nothing", stderr=full)[0] == 2


def test_a_film_is_made_although_no_output_is_possible(project):
    with open("/dev/full", "w") as full:  # noqa: PTH123
        run(project, "render", "film", "-ql", "--theme", "paper", stdout=full, stderr=full)
    assert list((project.root / "media/film").glob("*paper*/film.mp4"))


def test_errors_of_the_output_name_no_folder(project):
    for command in ("render film -ql", "export film -ql --to numbers"):
        with open("/dev/full", "w") as full:  # noqa: PTH123
            code, _, err = run(project, *command.split(), stdout=full)
        assert code == 1
        assert err.endswith(FULL)
        assert "Traceback" not in err


def test_folders_and_pipes_among_storyboards_and_stages_are_ignored(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(PROJECT, str(tmp_path))
    (tmp_path / "storyboards").mkdir()
    (tmp_path / "storyboards/a.yaml").write_text(FILM)
    place, stages = Path("storyboards"), Path("stages/odd")
    stages.mkdir(parents=True)
    for folder, ending in ((place, "yaml"), (stages, "py")):
        (folder / f"loop.{ending}").symlink_to(f"loop.{ending}")
        (folder / f"dangling.{ending}").symlink_to("nothing")
        (folder / f"folder.{ending}").mkdir()
        os.mkfifo(folder / f"pipe.{ending}")
    for line, code in (("films", 0), ("check loop", 2), ("check pipe", 2), ("stages odd", 2)):
        with pytest.raises(SystemExit) as ended:
            cli.main(line.split())
        assert ended.value.code == code
    out, err = capsys.readouterr()
    assert "A film (1 shot, storyboards/a.yaml)" in out
    assert "storyboards/loop.yaml: cannot be read: Too many levels of symbolic links" in err
    assert "storyboards/pipe.yaml: this is not an ordinary file" in err


def test_a_deleted_current_folder_is_reported(project, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f"cd {gone} && rmdir {gone} && exec {sys.executable} -P -m clockhead films"
    done = subprocess.run(
        ["sh", "-c", script], capture_output=True, text=True, env=project.environment()
    )
    said = "the current folder does not exist any more; cd to another one\n"
    assert (done.returncode, done.stderr) == (1, said)


@pytest.mark.parametrize(
    ("change", "lost"),
    [
        (lambda manifest: {**manifest, "timing": [{"shot": [], "frames": "x"}, 7]}, "film.vtt"),
        (lambda manifest: {"timing": 5}, "film.mp4"),
        (lambda manifest: {**manifest, "files": {}}, "film.mp4"),
        (lambda manifest: {**manifest, "files": dict.fromkeys(manifest["files"])}, "film.mp4"),
    ],
    ids=["timing", "another", "no files", "no hashes"],
)
def test_a_manifest_of_another_shape_counts_no_film_as_made(project, change, lost):
    folder, manifest = project.folder("film"), project.manifest("film")
    (folder / "film.json").write_text(json.dumps(change(manifest)))
    (folder / lost).unlink()
    done = project.run("render", "film", "-ql")
    assert (done.returncode, "film: 0 of 1 shot rendered now" in done.stderr) == (0, True)
    assert_whole(project)
    assert project.manifest("film")["files"] == manifest["files"]
    assert (folder / lost).is_file()


def test_a_manifest_may_be_anything(tmp_path):
    file = tmp_path / "f.json"
    for text in ("[" * 100_000, '{"timing":' * 100_000, "5", "null", "", "\xff", "{"):
        file.write_text(text, encoding="latin-1")
        assert read_manifest(file) == {}
    told = {"timing": [{"shot": "a", "frames": 3}, {"shot": "b", "frames": -1}, {"shot": 5}, [], 5]}
    assert frames_by_shot(told) == {"a": 3}
    for timing in (5, None, {"shot": "a"}, "ab"):
        assert frames_by_shot({"timing": timing}) == {}
    key = "0123456789abcdef" * 4
    shots = [{"id": "a", "key": key}, {"id": "b", "key": "../../x"}, {"id": 1, "key": key}, 3, None]
    assert keys_by_shot({"shots": shots}) == {"a": key}
    assert keys_by_shot({"shots": 5}) == keys_by_shot({}) == {}


def test_a_film_is_current_if_all_its_files_are_those_that_are_named(tmp_path):
    (tmp_path / "f.mp4").write_text("film")
    known = file_hash(tmp_path / "f.mp4")
    recipe, names = {"film": "f"}, {"f.mp4"}
    assert is_current(tmp_path, {"film": "f", "files": {"f.mp4": known}}, recipe, names)
    for files in ({}, {"f.mp4": None}, {"f.mp4": known, "/dev/zero": known}, {"f.txt": None}, None):
        assert not is_current(tmp_path, {"film": "f", "files": files}, recipe, names)
    assert not is_current(tmp_path, {"film": "g", "files": {"f.mp4": known}}, recipe, names)
    assert not is_current(tmp_path, {"film": "f", "files": {"f.mp4": None}}, recipe, {"f.mp4", "x"})


def nowhere(folder: Path, how: str) -> Path:
    """A place in a folder where nothing can be written."""
    place = folder / "place"
    if how == "link":
        place.symlink_to("gone")
    elif how == "loop":
        place.symlink_to(place)
    elif how == "file":
        place.touch()
    else:
        place.mkdir()
        place.chmod(0o555)
    return place


@pytest.mark.parametrize("how", ["link", "loop", "file", "closed"])
@pytest.mark.parametrize("below", ["", "films/rope"])
def test_an_unwritable_folder_is_reported_before_rendering(tmp_path, how, below):
    tmp_path.chmod(0o755)
    place = nowhere(tmp_path, how)
    if os.getuid() == 0:
        os.seteuid(65534)  # root may write everywhere
    try:
        with pytest.raises(click.ClickException) as refusal:
            need_writable(place / below)
    finally:
        os.seteuid(os.getuid())
    assert str(place / below) in refusal.value.message
    assert "-o DIR" in refusal.value.message


def test_checking_a_folder_does_not_make_it(tmp_path):
    need_writable(tmp_path / "films/rope")
    need_writable(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["render", "sheet", "export --to html", "export --to numbers"])
def test_commands_check_first_where_they_write(project, command):
    (project.root / "out").unlink(missing_ok=True)
    (project.root / "out").symlink_to("gone")
    name, *options = command.split()
    code, out, err = run(project, name, "film", "-ql", *options, "-o", "out")
    assert (code, out) == (1, "")
    [line] = err.splitlines()
    assert "out" in line
    assert "-o DIR" in line
    assert (project.root / "out").readlink() == Path("gone")


@pytest.mark.parametrize("closed", [(1, 2), (0, 1, 2)])
def test_closed_streams_do_not_matter(project, closed):
    """A worker's pipe must not take the number of standard output, into which libraries print."""
    redirections = " ".join(f"{number}>&-" for number in closed)
    words = " ".join(map(shlex.quote, [*COMMAND, "check", "film"]))
    done = subprocess.run(
        ["sh", "-c", f"exec {words} {redirections}"],
        cwd=project.root,
        env=project.environment(),
        timeout=PATIENCE,
    )
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("variable", "value"), [("PYTHONOPTIMIZE", "2"), ("PYTHONWARNINGS", "error")]
)
def test_options_of_python_work_or_are_refused_on_one_line(project, variable, value):
    environment = {**project.environment(), variable: value}
    code, out, err = run(project, "check", "film", env=environment)
    assert code == 0 or (
        code == 1 and variable[: len("PYTHON")] in err and len(err.splitlines()) == 1
    )
    assert bool(out) == (code == 0)
