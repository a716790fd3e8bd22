"""A data file of the user's reaches a stage, its picture, its numbers, workers and handles.

It is read from the home of a trusted storyboard, or where the command line names it.
"""

import json
import pickle
import shutil
from pathlib import Path

import av
import numpy as np
import pytest

from clockhead import notebook
from clockhead.clips.clip import ClipJob
from clockhead.clips.fingerprint import clip_key
from clockhead.clips.stills import Paper, draw_stills
from clockhead.libraries import PROJECT
from clockhead.look import QUALITIES, Wish
from clockhead.model.attention.pattern import pattern_from_scores
from clockhead.storyboard.films import Film, load_films
from clockhead.storyboard.problems import StoryboardError
from clockhead.trust import trust

STAGE = Path(__file__).with_name("liked_stage.py").read_text()
FILM = """\
version: 1
title: Mine
shots:
  - stage: mine.liked
    inputs:
      data: data/heads.npz
      layer: 0
"""
TOKENS = np.array(["<s>", "▁costs", "▁$5", "▁א"])
SCORES = np.random.default_rng(5).normal(size=(2, 2, 4, 4))
PATTERNS = pattern_from_scores(SCORES)
PATTERNS[0, :, 3] = 0.1, 0.1, 0.7, 0.1
PATTERNS[1, :, 3] = 0.1, 0.7, 0.1, 0.1


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A trusted home with a data file, in which the user is."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv(PROJECT, "")  # set, so that it is restored
    monkeypatch.delenv(PROJECT)
    folder = tmp_path / "home"
    for name in ("storyboards", "stages/mine", "data"):
        (folder / name).mkdir(parents=True)
    (folder / "stages/mine/liked.py").write_text(STAGE)
    write(folder / "data/heads.npz")
    trust(folder)
    monkeypatch.chdir(folder)
    return folder


def write(file: Path, patterns: np.ndarray = PATTERNS) -> Path:
    file.parent.mkdir(exist_ok=True)
    np.savez(file, tokens=TOKENS, patterns=patterns.astype(np.float32))
    return file


def load(text: str = FILM, file: str = "storyboards/mine.yaml", **options) -> Film:
    Path(file).write_text(text, encoding="utf-8")
    [film] = load_films([file], wish=Wish(QUALITIES["l"]), **options)
    return film


def problems(text: str = FILM, **options) -> list[str]:
    with pytest.raises(StoryboardError) as error:
        load(text, **options)
    return [str(problem) for problem in error.value.problems]


def job_of(film: Film) -> ClipJob:
    shot = film.shots[0]
    return ClipJob(shot.stage, shot.shot, film.look)


def test_what_is_in_the_file_is_said(home: Path):
    [shot] = load().shots
    assert shot.shot.caption == r"“␣\$5” gets 70.0% of the last row."
    assert shot.facts["inputs.data"] == "data/heads.npz"
    np.testing.assert_allclose(shot.arrays()["row"], PATTERNS[0, 0, 3], atol=1e-6)
    [other] = load(FILM.replace("layer: 0", "layer: 1")).shots
    assert "␣costs" in other.shot.caption


def test_a_token_without_a_glyph_is_escaped(home: Path):
    patterns = PATTERNS.copy()
    patterns[:, :, 3] = 0.1, 0.1, 0.1, 0.7
    write(home / "data/heads.npz", patterns)
    assert load().shots[0].shot.caption.startswith(r"“␣\u05d0” gets")


def test_a_shot_takes_its_data_to_workers(home: Path):
    sent = pickle.dumps(job_of(load()))
    shutil.rmtree(home / "data")
    papers = (Paper(), Paper("svg"))
    drawn = draw_stills(pickle.loads(sent), papers=papers)
    assert drawn[papers[0]][-1].picture.startswith(b"\x89PNG")


def test_other_data_render_anew(home: Path):
    key = clip_key(job_of(load()))
    assert clip_key(job_of(load(FILM.replace("Mine", "Mine ")))) == key
    other = PATTERNS.copy()
    other[0, 0, 1] = 0.5, 0.5, 0, 0  # the stage shows the same as before
    write(home / "data/heads.npz", other)
    assert clip_key(job_of(load())) != key
    write(home / "data/heads.npz")
    assert clip_key(job_of(load())) == key


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        ("heads.npz", "none.npz", "6:13", "there is no such file"),
        ("data/heads.npz", "/etc/heads.npz", "6:13", "leads out"),
        ("data/heads.npz", "../heads.npz", "6:13", "leads out"),
        ("data/heads.npz", "~/heads.npz", "6:13", "leads out"),
        ("heads.npz", "link.npz", "6:13", "leads out"),
        ("heads.npz", "damaged.npz", "6:13", "this is not an .npz file"),
        ("heads.npz", "summed.npz", "6:13", "row 0 of head 0.0 sums to 2"),
        ("heads.npz", "heads.pt", "6:13", ".npz or .safetensors"),
        ("data/heads.npz", "3", "6:13", "3"),
        ("layer: 0", "layer: 2", "7:14", "layer must be 0 to 1, got 2; it works with layer: 0"),
        ("layer: 0", "layer: 99", "7:14", "99"),
    ],
)
def test_mistakes_are_said_at_their_lines(old, new, place, words, home: Path, tmp_path: Path):
    (home / "data/link.npz").symlink_to(write(tmp_path / "outside/heads.npz"))
    (home / "data/damaged.npz").write_bytes(b"nothing")
    write(home / "data/summed.npz", PATTERNS * 2)
    found = problems(FILM.replace(old, new))
    assert any(f"mine.yaml:{place}:" in line and words in line for line in found), found


def test_one_wrong_file_for_several_shots_is_said_once():
    shots = "".join(f"  - stage: mine.liked\n    id: s{n}\n" for n in range(3))
    film = f"version: 1\ntitle: Mine\ninputs:\n  data: data/none.npz\nshots:\n{shots}"
    [problem] = problems(film)
    assert "mine.yaml:4:9: inputs.data: 'data/none.npz': there is no such file" in problem


def test_a_strangers_storyboard_reads_no_data(tmp_path: Path, monkeypatch):
    film = FILM.replace("mine.liked", "heads.large")
    home, alone = tmp_path / "stranger", tmp_path / "alone"
    for file, words in ((home / "storyboards/s.yaml", "not trusted"), (alone / "s.yaml", "in no")):
        file.parent.mkdir(parents=True)
        write(file.parent / "data/heads.npz")
        write(home / "data/heads.npz")
        file.write_text(film)
        with monkeypatch.context() as patch:
            patch.setattr("clockhead.storyboard.shots.read_data", lambda _: pytest.fail("read"))
            with pytest.raises(StoryboardError, match=words):
                load_films([str(file)])
        [read] = load_films([str(file)], settings=[f"data={home}/data/heads.npz"])
        assert read.shots[0].facts["n_tokens"] == len(TOKENS)


def test_the_command_line_names_any_file(home: Path, tmp_path: Path, monkeypatch):
    elsewhere = PATTERNS.copy()
    elsewhere[:, :, 3] = 0.9, 0.1, 0, 0
    file = write(tmp_path / "elsewhere/other.npz", elsewhere)
    for name in (str(file), "../elsewhere/other.npz", "~/elsewhere/other.npz"):
        monkeypatch.setenv("HOME", str(tmp_path))
        [shot] = load(settings=[f"data={name}"]).shots
        assert shot.shot.caption == "“<s>” gets 90.0% of the last row."
        # Where it lies on this machine does not go out with the film.
        assert shot.shot.inputs.model_dump()["data"] == "other.npz"
        assert shot.turn({"layer": 1}).shot.shot.caption.startswith("“<s>”")
    [problem] = problems(settings=[f"data={tmp_path}/none.npz"])
    assert problem.startswith("--set data=")
    assert problem.endswith("': there is no such file")
    assert "0 to 1" in problems(settings=[f"data={file}", "layer=2"])[0]


def test_a_sweep_makes_a_film_for_each_file(run, tmp_path: Path):
    first = write(tmp_path / "runs/a.npz")
    second = write(tmp_path / "other runs/a.npz", PATTERNS[::-1])
    Path("storyboards/mine.yaml").write_text(FILM)
    sweep = f"data={first},{second}"
    code, _, err = run("render", "mine", "--sweep", sweep, "-ql")
    assert code == 0, err
    films = sorted(Path("media").glob("mine-data-*/480p15/*.vtt"))
    assert len(films) == 2
    assert not any("runs" in file.name for file in films)
    assert len({file.read_text() for file in films}) == 2


def test_handles_turn_layers_and_files_of_the_home(home: Path, tmp_path: Path):
    outside = write(tmp_path / "outside/heads.npz")
    other = PATTERNS.copy()
    other[:, :, 3] = 0.9, 0.1, 0, 0
    write(home / "data/other.npz", other)
    files = f"[data/other.npz, ../outside/heads.npz, {outside}]"
    for settings in ([], [f"data={outside}"]):  # whatever the command line may name
        [shot] = load(
            f"{FILM}    handles: {{layer: [0, 1], data: {files}}}\n", settings=settings
        ).shots
        layer, data = shot.handles
        assert layer.stops == (0, 1)
        assert shot.turn({"layer": 1}).shot.shot.caption.startswith("“␣costs”")
        assert shot.turn({"data": "data/other.npz"}).shot.shot.caption.startswith("“<s>”")
        for name in data.stops[-2:]:
            turned = shot.turn({"data": name})
            assert turned.shot is None
            assert "leads out" in turned.refusals[0].message
        assert "layer must be 0 to 1" in shot.turn({"layer": 2}).refusals[0].message
    assert load().shots[0].handles == ()  # the stage's own are for what it shows by itself
    assert load(FILM.replace("data: data/heads.npz", "")).shots[0].handles[0].stops == (0, 1)


def test_a_film_is_checked_rendered_and_exported(run, home: Path):
    Path("storyboards/mine.yaml").write_text(FILM + FILM.partition("shots:\n")[2].replace(
        "liked\n", "liked\n    id: again\n").replace("layer: 0", "layer: 1"))  # fmt: skip
    code, _, err = run("check", "mine")
    assert code == 0, err
    code, _, err = run("render", "mine", "-ql", "--workers", "2")
    assert code == 0, err
    folder = home / "media/mine/480p15"
    with av.open(folder / "mine.mp4") as video:
        assert len(video.chapters()) >= 2
    assert "␣$5” gets 70.0%" in (folder / "mine.vtt").read_text()
    manifest = json.loads((folder / "mine.json").read_text())
    assert manifest["shots"][0]["inputs"] == {"data": "data/heads.npz", "layer": 0}
    assert len(manifest["shots"][0]["data"]["heads.npz"]) == 64
    code, out, err = run("numbers", "mine", "--json")
    assert code == 0, err
    assert json.loads(out)
    code, _, err = run("export", "mine", "-ql", "--to", "html,numbers")
    assert code == 0, err
    pages = [page.read_text() for page in home.glob("media/**/*.html")]
    assert any("␣$5" in page for page in pages)
    assert not any(str(home) in page for page in pages)
    write(home / "data/heads.npz", PATTERNS[:1])
    code, _, err = run("check", "mine")
    assert code == 2
    assert "layer must be 0 to 0" in err


def test_a_notebook_reads_the_file_that_it_names(home: Path, tmp_path: Path):
    file = write(tmp_path / "elsewhere/heads.npz")
    shot = notebook.stage("mine.liked", data=file, layer=1)
    np.testing.assert_allclose(shot.arrays["row"], PATTERNS[1, 0, 3], atol=1e-6)
    assert "costs" in shot.still().sentence
    with pytest.raises(notebook.ClockheadError, match="no such file"):
        notebook.stage("mine.liked", data=tmp_path / "none.npz")
