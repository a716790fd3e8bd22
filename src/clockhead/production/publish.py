"""A finished film into its folder, in such an order that what looks whole is whole.

Everything is first written to a hidden folder beside its place. Then the old film goes, what lies
beside it is replaced, and the new film comes last: wherever that is cut off, a film that is there
belongs to what is beside it.
"""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from clockhead.clips import atomic
from clockhead.clips.clearing import clear, is_plain_file, make_folder, make_way
from clockhead.clips.clip import Clip
from clockhead.clips.machine import cores
from clockhead.plain import plain
from clockhead.production.captions import subrip, transcript, webvtt
from clockhead.production.folder import CLIPS, SHOTS, STAGING, to_oneself
from clockhead.production.join import Chapter, cues, frame_at, join, starts
from clockhead.production.kept import keep, that_stay
from clockhead.production.manifest import describe_film, file_hash, read_manifest, write_out
from clockhead.storyboard.films import Film
from clockhead.storyboard.resolved import ResolvedShot
from clockhead.voice.speech import ShotSpeech

_ENDINGS = (".mp4", ".vtt", ".srt", ".png")
"""Of a clip and what lies beside it."""
_AT_ONCE = 4
"""Shots that are written at once, at most; each holds a picture or two."""
_CLIP = re.compile(r"\d\d-[\w-]+\.(mp4|vtt|srt|png)")


@contextmanager
def film_folder(media: Path, film: Film, say: Callable[[str], None]) -> Iterator[Path]:
    """The folder of a film in its look, to oneself; waits, and says so, while another has it."""
    folder = media / film.name / film.look.folder
    with atomic.full_disk_named(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with to_oneself(folder, film.name, say):
        yield folder


def publish(
    film: Film,
    keys: Sequence[str],
    clips: Sequence[Clip],
    folder: Path,
    speech: Sequence[ShotSpeech] = (),
) -> None:
    """Write the film, and beside it captions, transcript, poster, manifest and clips.

    Raises:
        DiskFull: when there is no room; the folder is then without a film, or as it was.
        JoinError: when the clips do not make one film.
    """
    manifest = describe_film(film, keys, clips, folder)
    before = read_manifest(folder / f"{film.name}.json")
    with _staging(folder) as staging:
        kept = set() if speech else _keep_shots(film, manifest, before, folder, staging)
        _write_film(film, clips, staging, speech, kept)
        manifest["files"] = {name: file_hash(staging / name) for name in _names(staging)}
        (staging / f"{film.name}.json").write_text(write_out(manifest), encoding="utf-8")
        _move_in(staging, folder, f"{film.name}.mp4")
    _remove_old_shots(before, manifest, folder)


def publish_clips(
    film: Film,
    keys: Sequence[str],
    clips: Sequence[Clip],
    folder: Path,
    speech: Sequence[ShotSpeech] = (),
) -> list[Path]:
    """Write the clips of some shots into `shots/`, each with what it was made of beside it.

    The film stays as it is: it may be of other inputs than these.
    """
    targets = []
    parts = chapters(film.shots, clips, speech)
    for shot, key, part in zip(film.shots, keys, parts, strict=True):
        clip = part.clip
        target = folder / clip_name(shot, SHOTS)
        with atomic.full_disk_named(folder):
            _make_own_folder(target.parent)
        about = target.with_suffix(".json")
        clear(about)
        for suffix, content in _beside(film, shot, clip).items():
            make_way(target.with_suffix(suffix))
            atomic.write(target.with_suffix(suffix), content)
        make_way(target)
        with atomic.replacing(target) as temporary:
            _write_clip(film, part, temporary)
        alone = replace(film, shots=(shot,))
        atomic.write(about, write_out(describe_film(alone, [key], [clip], folder)).encode())
        targets.append(target)
    return targets


def clip_name(shot: ResolvedShot, folder: str = CLIPS) -> str:
    """`clips/03-sub_diagonal.mp4`."""
    return f"{folder}/{shot.number:02}-{shot.id}.mp4"


def film_files(film: Film) -> set[str]:
    """All files of a film but its manifest, from its folder on."""
    beside = {f"{film.name}{ending}" for ending in (*_ENDINGS, ".txt")}
    return beside | {name for shot in film.shots for name in _shot_files(shot)}


def _shot_files(shot: ResolvedShot) -> list[str]:
    clip = Path(clip_name(shot))
    return [str(clip.with_suffix(ending)) for ending in _ENDINGS]


def chapters(
    shots: Sequence[ResolvedShot], clips: Sequence[Clip], speech: Sequence[ShotSpeech] = ()
) -> list[Chapter]:
    """Shots, clips and what is heard, with titles for where there is no typesetting."""
    heard: Sequence[ShotSpeech | None] = speech or [None] * len(shots)
    return [
        Chapter(plain(shot.shot.title), clip, sounds)
        for shot, clip, sounds in zip(shots, clips, heard, strict=True)
    ]


@contextmanager
def _staging(folder: Path) -> Iterator[Path]:
    """A hidden folder for what is not finished."""
    staging = folder / STAGING
    clear(staging)
    try:
        with atomic.full_disk_named(folder):
            (staging / CLIPS).mkdir(parents=True)
            yield staging
    finally:
        clear(staging)


def _keep_shots(
    film: Film,
    manifest: Mapping[str, Any],
    before: Mapping[str, Any],
    folder: Path,
    staging: Path,
) -> set[str]:
    """Take over the files of shots that are what they were; the shots."""
    same = that_stay(before, manifest)
    return {
        shot.id
        for place, shot in enumerate(film.shots)
        if place in same and keep(_shot_files(shot), before, folder, staging)
    }


def _write_film(
    film: Film,
    clips: Sequence[Clip],
    staging: Path,
    speech: Sequence[ShotSpeech],
    kept: Collection[str],
) -> None:
    """Write a film, and its shots but for those that are `kept`."""
    parts = chapters(film.shots, clips, speech)
    base = staging / film.name
    with ThreadPoolExecutor(min(_AT_ONCE, cores())) as pool:
        written = [
            pool.submit(_write_shot, film, shot, part, staging / clip_name(shot))
            for shot, part in zip(film.shots, parts, strict=True)
            if shot.id not in kept
        ]
        _join(parts, base.with_suffix(".mp4"), film.title, film)
        for one in written:
            one.result()
    base.with_suffix(".vtt").write_text(webvtt(cues(parts), film.look.fps), encoding="utf-8")
    base.with_suffix(".srt").write_text(subrip(cues(parts), film.look.fps), encoding="utf-8")
    base.with_suffix(".txt").write_text(_transcript(film, parts, film.look.fps), encoding="utf-8")
    shutil.copyfile(_poster(film, clips, staging), base.with_suffix(".png"))


def _write_shot(film: Film, shot: ResolvedShot, part: Chapter, target: Path) -> None:
    _write_clip(film, part, target)
    for suffix, content in _beside(film, shot, part.clip).items():
        target.with_suffix(suffix).write_bytes(content)


def _write_clip(film: Film, part: Chapter, target: Path) -> None:
    _join([part], target, f"{film.title}: {part.title}", film)


def _join(parts: Sequence[Chapter], target: Path, title: str, film: Film) -> None:
    shown, language = film.look.captions == "track", film.shots[0].shot.language.track
    join(parts, film.look.fps, target, _metadata(title, film), words_shown=shown, language=language)


def _beside(film: Film, shot: ResolvedShot, clip: Clip) -> dict[str, bytes]:
    """Captions and poster of a clip, by the endings of their files."""
    spoken, fps = cues(chapters([shot], [clip])), film.look.fps
    poster = io.BytesIO()
    frame_at(clip.video, clip.poster).save(poster, "png")
    return {
        ".vtt": webvtt(spoken, fps).encode(),
        ".srt": subrip(spoken, fps).encode(),
        ".png": poster.getvalue(),
    }


def _metadata(title: str, film: Film) -> dict[str, str]:
    return {"title": plain(title), **({"artist": plain(film.credit)} if film.credit else {})}


def _transcript(film: Film, parts: Sequence[Chapter], fps: int) -> str:
    sections = [
        (start, [part.title, plain(shot.shot.question), *_said(part.clip)])
        for start, shot, part in zip(starts(parts), film.shots, parts, strict=False)
    ]
    return transcript([plain(film.title), plain(film.credit)], sections, fps)


def _said(clip: Clip) -> list[str]:
    return [plain(line.text) for line in clip.lines]


def _poster(film: Film, clips: Sequence[Clip], staging: Path) -> Path:
    """The richest of the clips' own posters."""
    best, _ = max(zip(film.shots, clips, strict=True), key=lambda pair: pair[1].richness)
    return (staging / clip_name(best)).with_suffix(".png")


def _names(staging: Path) -> list[str]:
    return sorted(
        path.relative_to(staging).as_posix() for path in staging.rglob("*") if path.is_file()
    )


def _make_own_folder(path: Path) -> None:
    """Have a folder in the film's, and no link: what that leads to is not ours to write to."""
    if path.is_symlink():
        clear(path)
    make_folder(path)


def _move_in(staging: Path, folder: Path, last: str) -> None:
    names = _names(staging)
    for name in names:
        atomic.flush(staging / name)
    _make_own_folder(folder / CLIPS)
    clear(folder / last)
    for name in sorted(names, key=lambda name: name == last):
        make_way(folder / name)
        (staging / name).replace(folder / name)
    atomic.flush(folder)


def _remove_old_shots(before: Mapping[str, Any], now: Mapping[str, Any], folder: Path) -> None:
    """Remove the files of shots that the film no longer has, as they were written."""
    files = before.get("files")
    for name, known in (files if isinstance(files, dict) else {}).items():
        folders, _, file = name.rpartition("/")
        is_old = folders == CLIPS and _CLIP.fullmatch(file) and name not in now["files"]
        if is_old and is_plain_file(folder / name) and file_hash(folder / name) == known:
            clear(folder / name)
