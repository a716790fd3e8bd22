"""Publishing a film again: what is beside it is replaced, and nothing else is touched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from clockhead.clips.clip import Clip
from clockhead.production.publish import publish
from clockhead.scenes.stage import CaptionLine
from clockhead.storyboard.films import Film, load_films
from tests.pipeline.footage import clip

SAID = (CaptionLine("It is written.", 2),)


@pytest.fixture(scope="module")
def film() -> Film:
    [film] = load_films(["kv_cache"])
    return film


@pytest.fixture(scope="module")
def clips(film) -> list[Clip]:
    return [clip(shot, 6 + shot, lines=SAID) for shot in range(len(film.shots))]


@pytest.fixture
def folder(tmp_path, film, clips) -> Path:
    """The film's folder after publishing once."""
    return published(tmp_path / "made", film, clips)


def published(folder: Path, film: Film, clips: list[Clip]) -> Path:
    """Publish a film; different clips have different keys."""
    folder.mkdir(exist_ok=True)
    keys = [f"{one.frames:064x}" for one in clips]
    publish(film, keys, clips, folder)
    return folder


def written(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-10])


def gone(path: Path) -> None:
    path.unlink()


def a_link(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


@pytest.mark.parametrize("damage", [cut_short, gone, a_link])
@pytest.mark.parametrize("ending", [".mp4", ".png"])
def test_a_damaged_file_is_written_again(
    damage: Callable[[Path], None], ending: str, folder, film, clips, tmp_path
):
    file = next((folder / "clips").glob(f"*{ending}"))
    damage(file)
    published(folder, film, clips)
    anew = written(published(tmp_path / "anew", film, clips))
    assert {name: written(folder)[name] for name in anew} == anew
    assert not file.is_symlink()


@pytest.mark.parametrize("text", ["{}", '{"shots": 5}', "[", '{"shots": [{}], "files": 3}'])
def test_an_invalid_manifest_is_replaced(text: str, folder, film, clips, tmp_path):
    (folder / "kv_cache.json").write_text(text)
    published(folder, film, clips)
    assert written(folder) == written(published(tmp_path / "anew", film, clips))


def test_only_unchanged_files_are_removed_and_no_link_is_followed(folder, film, clips, tmp_path):
    old, last = sorted((folder / "clips").glob("*.mp4"))[-2:]
    own = [folder / "clips/01-mine.mp4", folder / "clips/notes.txt", old]
    for file in own:
        file.write_bytes(b"mine")
    fewer = replace(film, shots=film.shots[:-2])
    published(folder, fewer, clips[:-2])
    assert [file.read_bytes() for file in own] == [b"mine"] * 3
    assert not last.exists()

    elsewhere = tmp_path / "elsewhere"
    (folder / "clips").rename(elsewhere)
    (folder / "clips").symlink_to(elsewhere)
    before = written(elsewhere)
    published(folder, film, clips)
    assert written(elsewhere) == before
    assert written(published(tmp_path / "anew", film, clips)) == written(folder)
