"""A finished film into its folder, in an order that never leaves a film beside wrong files.

Everything is first written to a hidden folder. Then the old film goes, the files beside it are
replaced, and the new film comes last: whenever that is interrupted, a film that is there belongs to
the files beside it.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from clockhead import atomic
from clockhead.atomic import clear, clear_unless_file, is_plain_file, make_folder
from clockhead.clips.clip import Clip
from clockhead.clips.machine import cores
from clockhead.plain import plain_text
from clockhead.production.folders import CLIPS, SHOTS, STAGING
from clockhead.production.join import frame_at, join
from clockhead.production.manifest import (
    describe_film,
    file_hash,
    manifest_text,
    read_manifest,
)
from clockhead.production.timeline import (
    Chapter,
    Mark,
    chapters,
    cues,
    subrip,
    transcript,
    webvtt,
)
from clockhead.storyboard.films import Film
from clockhead.storyboard.resolved import ResolvedShot
from clockhead.voice.speech import ShotSpeech

_SUFFIXES = (".mp4", ".vtt", ".srt", ".png")
"""Of a clip and the files beside it."""
_THREADS = 4
"""Most shots that are written at once; each needs memory for a picture or two."""
_CLIP = re.compile(r"\d\d-[\w-]+\.(mp4|vtt|srt|png)")


def publish(
    film: Film,
    keys: Sequence[str],
    clips: Sequence[Clip],
    folder: Path,
    speech: Sequence[ShotSpeech] = (),
) -> None:
    """Write the film, and beside it captions, transcript, poster, manifest and clips.

    Raises:
        DiskFull: if there is no room; the folder then has no film, or is as it was.
        JoinError: if the clips do not make one film.
    """
    manifest = describe_film(film, keys, clips, folder)
    before = read_manifest(folder / f"{film.name}.json")
    with _staging(folder, f"{film.name}.mp4") as staging:
        parts, base = chapters(film.shots, clips, speech), staging / film.name
        with ThreadPoolExecutor(min(_THREADS, cores())) as pool:
            written = [
                pool.submit(_write_shot, film, part, staging / clip_name(shot))
                for shot, part in zip(film.shots, parts, strict=True)
            ]
            write_film(film, parts, base.with_suffix(".mp4"), film.title)
            for job in written:
                job.result()
        base.with_suffix(".txt").write_text(transcript(film, parts), encoding="utf-8")
        richest, _ = max(zip(film.shots, clips, strict=True), key=lambda pair: pair[1].richness)
        poster = (staging / clip_name(richest)).with_suffix(".png")
        shutil.copyfile(poster, base.with_suffix(".png"))
        manifest["files"] = {name: file_hash(staging / name) for name in _names(staging)}
        (staging / f"{film.name}.json").write_text(manifest_text(manifest), encoding="utf-8")
    _remove_old_shots(before, manifest, folder)


def publish_clips(
    film: Film,
    keys: Sequence[str],
    clips: Sequence[Clip],
    folder: Path,
    speech: Sequence[ShotSpeech] = (),
) -> list[Path]:
    """Write the clips of some shots into `shots/`, each with a manifest; return their paths.

    The film stays as it is: it may have other inputs.

    Raises:
        DiskFull, JoinError: as `publish`.
    """
    names = [clip_name(shot, SHOTS) for shot in film.shots]
    parts = chapters(film.shots, clips, speech)
    for name, shot, key, part in zip(names, film.shots, keys, parts, strict=True):
        manifest = describe_film(replace(film, shots=(shot,)), [key], [part.clip], folder)
        with _staging(folder, name) as staging:
            _write_shot(film, part, staging / name)
            about = (staging / name).with_suffix(".json")
            about.write_text(manifest_text(manifest), encoding="utf-8")
    return [folder / name for name in names]


def clip_name(shot: ResolvedShot, folder: str = CLIPS) -> str:
    """`clips/03-sub_diagonal.mp4`."""
    return f"{folder}/{shot.number:02}-{shot.id}.mp4"


def film_files(film: Film) -> set[str]:
    """Names of all files of a film but its manifest, relative to its folder."""
    bases = [Path(film.name), *(Path(clip_name(shot)).with_suffix("") for shot in film.shots)]
    files = {f"{base.as_posix()}{suffix}" for base in bases for suffix in _SUFFIXES}
    return files | {f"{film.name}.txt"}


@contextmanager
def _staging(folder: Path, last: str) -> Iterator[Path]:
    """Yield an empty folder; then move its files into the film's folder, `last` at the end."""
    staging = folder / STAGING
    clear(staging)
    try:
        with atomic.full_disk_errors(folder):
            staging.mkdir()
            yield staging
            _move_in(staging, folder, last)
    finally:
        clear(staging)


def _write_shot(film: Film, part: Chapter, target: Path) -> None:
    """Write the clip of a shot, its captions and its poster."""
    target.parent.mkdir(exist_ok=True)
    write_film(film, [part], target, f"{film.title}: {part.title}")
    frame_at(part.clip.video, part.clip.poster).save(target.with_suffix(".png"), "png")


def write_film(
    film: Film, parts: Sequence[Chapter], target: Path, title: str, marks: Sequence[Mark] = ()
) -> None:
    """Write some shots as one MP4, and their captions beside it as `.vtt` and `.srt`.

    `marks` are its chapters, if they are not the shots. The file is incomplete until this returns.

    Raises:
        DiskFull, JoinError: as `join`.
    """
    fps, spoken = film.look.fps, cues(parts)
    metadata = {"title": plain_text(title)}
    if film.credit:
        metadata["artist"] = plain_text(film.credit)
    join(
        parts,
        fps,
        target,
        metadata,
        show_subtitles=film.look.captions == "track",
        language=film.shots[0].shot.language.track,
        marks=marks,
    )
    target.with_suffix(".vtt").write_text(webvtt(spoken, fps), encoding="utf-8")
    target.with_suffix(".srt").write_text(subrip(spoken, fps), encoding="utf-8")


def _names(staging: Path) -> list[str]:
    return sorted(
        path.relative_to(staging).as_posix() for path in staging.rglob("*") if path.is_file()
    )


def _move_in(staging: Path, folder: Path, last: str) -> None:
    """Move all files from `staging` to `folder`; `last` is removed first and comes last."""
    names = _names(staging)
    for name in names:
        atomic.flush(staging / name)
    for own in {(folder / name).parent for name in names} - {folder}:
        if own.is_symlink():
            clear(own)  # its target is not ours to write to
        make_folder(own)
    clear(folder / last)
    for name in sorted(names, key=lambda name: name == last):
        clear_unless_file(folder / name)
        (staging / name).replace(folder / name)
    atomic.flush(folder)


def _remove_old_shots(before: Mapping[str, Any], now: Mapping[str, Any], folder: Path) -> None:
    """Remove the files of shots that the film no longer has, if they are unchanged."""
    files = before.get("files")
    for name, known in (files if isinstance(files, dict) else {}).items():
        folders, _, file = name.rpartition("/")
        is_old = folders == CLIPS and _CLIP.fullmatch(file) and name not in now["files"]
        if is_old and is_plain_file(folder / name) and file_hash(folder / name) == known:
            clear(folder / name)
