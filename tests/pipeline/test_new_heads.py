"""`clockhead new NAME --data FILE`: a film of the heads in a file, that can be rendered at once."""

import os
from pathlib import Path

import av
import numpy as np
import pytest

from clockhead.libraries import PROJECT
from clockhead.model.attention.pattern import pattern_from_scores
from clockhead.storyboard.films import Film, load_films
from clockhead.trust import reason_to_refuse

TEXT = ["to", "be", "or", "not", "to", "be", "that", "is", "to", "be", "or", "not"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, whose owner trusts nothing yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv(PROJECT, "")  # set, so that it is restored
    monkeypatch.delenv(PROJECT)
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def write(
    file: Path | str,
    tokens: list[str] = TEXT,
    shape: tuple[int, int] = (3, 4),
    *,
    causal: bool = True,
    seed: int = 0,
) -> Path:
    """A file with random heads, and a previous-token and an induction head if there is room."""
    count = len(tokens)
    scores = 2 * np.random.default_rng(seed).normal(size=(*shape, count, count))
    if min(shape) > 2:
        scores[0, 2] += 9 * np.eye(count, k=-1)
        for m in range(count):
            for n in range(m):
                scores[2, 1, m, n + 1] += 9 * (tokens[n] == tokens[m])
    patterns = pattern_from_scores(scores, causal)
    Path(file).parent.mkdir(exist_ok=True)
    np.savez_compressed(file, tokens=np.array(tokens), patterns=patterns.astype(np.float16))
    return Path(file)


def load(name: str = "my_heads") -> Film:
    [film] = load_films([name])
    assert film.failures == ()
    assert not film.refused
    return film


def test_a_film_of_a_file_shows_the_clearest_heads(run, here: Path):
    write(here.parent / "elsewhere/heads.npz")
    code, out, err = run("new", "my_heads", "--data", "../elsewhere/heads.npz")
    assert code == 0, err
    assert out.splitlines() == [
        "storyboards/my_heads.yaml",
        "storyboards/storyboard.schema.json",
        "data/heads.npz",
    ]
    assert "clockhead check my_heads" in err
    assert not reason_to_refuse(here)
    film = load()
    assert [shot.stage for shot in film.shots] == [
        "heads.sheet",
        *("heads.large", "heads.beside"),
        *("heads.large", "heads.beside"),
        "heads.scores",
        "heads.layers",
    ]
    shown = {shot.id: shot.shot.inputs.model_dump() for shot in film.shots}
    assert all(inputs["data"] == "data/heads.npz" for inputs in shown.values())
    assert (shown["previous"]["layer"], shown["previous"]["head"]) == (0, 2)
    assert (shown["induction"]["layer"], shown["induction"]["head"]) == (2, 1)
    code, _, err = run("check", "my_heads")
    assert code == 0, err


def test_it_is_rendered(run, here: Path):
    write("heads.npz", shape=(2, 2))
    assert run("new", "my_heads", "--data", "heads.npz")[0] == 0
    code, _, err = run("render", "my_heads", "-ql")
    assert code == 0, err
    with av.open(here / "media/my_heads/480p15/my_heads.mp4") as video:
        assert len(video.chapters()) == 7


@pytest.mark.parametrize(
    "file",
    [
        {"shape": (1, 1)},
        {"tokens": ["a", "b"]},
        {"tokens": list("abcdefgh")},
        {"tokens": ["a"] * 9},
        {"causal": False},
        {"shape": (48, 2)},
        {"shape": (1, 64)},
        {"tokens": [f"Ġ{'word' * (n % 5)}{n % 97}" for n in range(512)], "shape": (2, 2)},
        {"tokens": ["<s>", "▁", "\n", "א", "{}", "$x$", "\\(", "\\)", "a" * 200, "", "‮", "`*_"]},
    ],
    ids=lambda file: "-".join(file),
)
def test_any_legal_file_is_a_film(run, file):
    write("heads.npz", **file)
    code, _, err = run("new", "my_heads", "--data", "heads.npz")
    assert code == 0, err
    film = load()
    has_repeats = len(set(file.get("tokens", TEXT))) < len(file.get("tokens", TEXT))
    assert any(shot.id == "induction" for shot in film.shots) == has_repeats


def test_odd_names_are_kept_and_files_of_the_project_stay(run, here: Path):
    write(here.parent / "elsewhere/My heads (2).NPZ".replace(".NPZ", ".npz"))
    os.rename("../elsewhere/My heads (2).npz", "../elsewhere/My heads (2).NPZ")  # noqa: PTH104
    assert run("new", "one", "--data", "../elsewhere/My heads (2).NPZ")[0] == 0
    assert load("one").shots[0].shot.inputs.data == "data/My heads (2).npz"
    write("runs/step 5.npz", seed=1)
    out = run("new", "two", "--data", "runs/step 5.npz")[1]
    assert "data" not in out
    assert load("two").shots[0].shot.inputs.data == "runs/step 5.npz"


def test_another_file_of_this_name_is_not_overwritten(run, here: Path):
    write(here.parent / "a/heads.npz")
    write(here.parent / "b/heads.npz", seed=1)
    assert run("new", "one", "--data", "../a/heads.npz")[0] == 0
    assert run("new", "two", "--data", "../a/heads.npz")[0] == 0
    code, _, err = run("new", "three", "--data", "../b/heads.npz")
    assert code == 2
    assert "data/heads.npz is there already" in err
    assert not (here / "storyboards/three.yaml").exists()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("my_heads", "--data", "none.npz"), "there is no such file"),
        (("my_heads", "--data", "heads.pt"), ".npz or .safetensors"),
        (("my_heads", "--data", "damaged.npz"), "not an .npz file"),
        (("My Heads", "--data", "heads.npz"), "did you mean my_heads"),
        (("rope", "--data", "heads.npz"), "there is a film of this name"),
        (("my_heads", "--data", "heads.npz", "--from", "rope"), "not both"),
        (("look", "--data", "heads.npz"), "only for films"),
        (("stage", "a.b", "--data", "heads.npz"), "only for films"),
    ],
)
def test_a_mistake_writes_nothing(run, here: Path, words, named):
    write("heads.npz")
    Path("damaged.npz").write_bytes(b"nothing")
    Path("heads.pt").write_bytes(b"nothing")
    before = sorted(here.rglob("*"))
    code, _, err = run("new", *words)
    assert code == 2
    assert named in err
    assert sorted(here.rglob("*")) == before


def test_a_folder_with_stages_of_others_is_not_trusted_by_the_way(run, here: Path):
    (here / "stages/theirs").mkdir(parents=True)
    (here / "stages/theirs/one.py").write_text("raise SystemExit('it ran')\n")
    write(here.parent / "elsewhere/heads.npz")
    code, _, err = run("new", "my_heads", "--data", "../elsewhere/heads.npz")
    assert code == 2
    assert "clockhead trust" in err
    assert not (here / "data").exists()
