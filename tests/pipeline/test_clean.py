"""`clockhead clean`: clips of films stay, also of those that are being rendered."""

import json
import os
import time
from threading import Thread
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from clockhead.cli import cli
from clockhead.clips.sealed import clips_in, speech_in
from clockhead.production import RenderOptions, folders
from clockhead.production.folders import lock_film_folder
from clockhead.production.produce import produce
from clockhead.production.progress import ShotProgress
from tests.pipeline.project import PATIENCE

USED, ALONE, OLD = "a" * 64, "b" * 64, "c" * 64
SIZE = 100_000


@pytest.fixture
def media(tmp_path):
    """Three clips and a sentence, a day old; one clip is in a film, one was rendered alone."""
    media = tmp_path / "media"
    for key in (USED, ALONE, OLD):
        keep(clips_in(media), key)
    keep(speech_in(media), OLD)
    describe(media / "film/480p15/film.json", {"shots": [{"id": "one", "key": USED}]})
    describe(media / "film/480p15/shots/02-two.json", {"shots": [{"id": "two", "key": ALONE}]})
    (media / "film/480p15/.lock").touch()
    (media / "film/480p15/film.mp4").write_bytes(b"the film")
    return media


def keep(store, key):
    store.directory.mkdir(parents=True, exist_ok=True)
    store.path(key).write_bytes(bytes(SIZE))
    yesterday = time.time() - 86400
    os.utime(store.path(key), (yesterday, yesterday))


def describe(path, manifest):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(manifest if isinstance(manifest, str) else json.dumps(manifest))


def clean(media, *args):
    """The exit code and the output."""
    done = CliRunner().invoke(cli, ["clean", "-o", str(media), *args], standalone_mode=False)
    assert done.exception is None, done.exception
    return done.return_value, done.output


def kept(media):
    return {entry.key for entry in clips_in(media).entries()}


def test_it_removes_what_no_film_uses_and_says_how_much(media):
    said = f"removed 1 clip, 1 sentence, 0.2 MB; 2 clips, 0.2 MB stay in {media}\n"
    assert clean(media) == (0, said)
    assert kept(media) == {USED, ALONE}
    assert list(speech_in(media).entries()) == []
    assert (media / "film/480p15/film.mp4").read_bytes() == b"the film"


def test_a_dry_run_says_the_same_and_changes_nothing(media):
    before = {path: path.lstat().st_mtime_ns for path in media.rglob("*")}
    said = f"would remove 1 clip, 1 sentence, 0.2 MB; 2 clips, 0.2 MB would stay in {media}\n"
    assert clean(media, "--dry-run") == (0, said)
    assert {path: path.lstat().st_mtime_ns for path in media.rglob("*")} == before


def test_everything_can_be_removed_but_the_films(media):
    code, said = clean(media, "--all")
    assert (code, kept(media)) == (0, set())
    assert said.startswith("removed 3 clips, 1 sentence, 0.4 MB; 0 clips, ")
    assert (media / "film/480p15/film.mp4").read_bytes() == b"the film"


def test_sentences_stay_while_a_film_has_a_voice(media):
    describe(media / "film/480p15-voice/film.json", {"look": {"voice": True}, "shots": []})
    clean(media)
    assert len(list(speech_in(media).entries())) == 1


def test_while_a_film_is_rendered_nothing_is_removed(media):
    other = SimpleNamespace(name="other", look=SimpleNamespace(folder="480p15"))
    with lock_film_folder(media, other, print):
        assert clean(media) == (
            1,
            "being rendered: other; nothing was removed; try again afterwards\n",
        )
        assert clean(media, "--all")[0] == 1
        assert kept(media) == {USED, ALONE, OLD}
        assert clean(media, "--dry-run")[0] == 0
    assert clean(media)[0] == 0


def test_a_render_waits_for_a_running_cleanup(media, monkeypatch):
    plan_cleanup, begun = folders.plan_cleanup, []

    def meanwhile(media, **how):
        begun.append(Thread(target=produce, args=([], RenderOptions(media), ShotProgress())))
        begun[0].start()
        begun[0].join(0.3)
        assert begun[0].is_alive()
        return plan_cleanup(media, **how)

    monkeypatch.setattr(folders, "plan_cleanup", meanwhile)
    clean(media)
    begun[0].join(PATIENCE)
    assert not begun[0].is_alive()


def test_it_removes_leftovers_of_killed_commands(media):
    left = [
        clips_in(media).directory / f".{OLD}.clip.0123456789abcdef.tmp",
        media / "film/480p15/.film-sheet.png.0123456789abcdef.tmp",
        media / "film/480p15/shots/.02-two.mp4.0123456789abcdef.tmp",
        media / "film/480p15/.staging/clips/01-one.mp4",
    ]
    for path in left:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    clean(media)
    assert not any(path.exists() for path in left)


@pytest.mark.parametrize(
    "manifest",
    ["", "[]", "{", "[" * 100_000, '{"shots": 5}', '{"shots": [5, {"key": 5}, {}]}', '{"look": 5}'],
)
def test_an_invalid_manifest_lists_no_clips(media, manifest):
    describe(media / "film/480p15/film.json", manifest)
    assert clean(media)[0] == 0
    assert kept(media) == {ALONE}


def test_without_a_media_folder_there_is_nothing_to_remove(tmp_path):
    code, said = clean(tmp_path / "media")
    assert (code, said) == (0, f"there is no folder {tmp_path / 'media'}; nothing to remove\n")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_removed_is_an_error_without_a_traceback(media, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(folders, "clear", refuse)
    done = CliRunner().invoke(cli, ["clean", "-o", str(media)])
    assert done.exit_code == 1
    assert "Permission denied" in done.output
    assert f"{OLD}." in done.output
