"""A finished film into its folder, in an order that never leaves a film beside wrong files.

Everything is first written to a hidden folder. Then the old film goes, the files beside it are
replaced, and the new film comes last: whenever that is interrupted, a film that is there belongs to
the files beside it.
"""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from clockhead.clips import atomic
from clockhead.clips.atomic import clear, clear_unless_file, is_plain_file, make_folder
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
    chapters,
    cues,
    starts,
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
    staging = folder / STAGING
    clear(staging)
    try:
        with atomic.full_disk_errors(folder):
            (staging / CLIPS).mkdir(parents=True)
            _write_film(film, clips, staging, speech)
            manifest["files"] = {name: file_hash(staging / name) for name in _names(staging)}
            (staging / f"{film.name}.json").write_text(manifest_text(manifest), encoding="utf-8")
            _move_in(staging, folder, f"{film.name}.mp4")
    finally:
        clear(staging)
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
    """
    targets = []
    for shot, key, chapter in zip(
        film.shots, keys, chapters(film.shots, clips, speech), strict=True
    ):
        target = folder / clip_name(shot, SHOTS)
        with atomic.full_disk_errors(folder):
            _make_own_folder(target.parent)
        about = target.with_suffix(".json")
        clear(about)
        for suffix, content in _beside(film, shot, chapter.clip).items():
            clear_unless_file(target.with_suffix(suffix))
            atomic.write(target.with_suffix(suffix), content)
        clear_unless_file(target)
        with atomic.replacement(target) as temporary:
            _write_clip(film, chapter, temporary)
        alone = replace(film, shots=(shot,))
        atomic.write(about, manifest_text(describe_film(alone, [key], [chapter.clip], folder)))
        targets.append(target)
    return targets


def clip_name(shot: ResolvedShot, folder: str = CLIPS) -> str:
    """`clips/03-sub_diagonal.mp4`."""
    return f"{folder}/{shot.number:02}-{shot.id}.mp4"


def film_files(film: Film) -> set[str]:
    """Names of all files of a film but its manifest, relative to its folder."""
    bases = [Path(film.name), *(Path(clip_name(shot)).with_suffix("") for shot in film.shots)]
    files = {f"{base.as_posix()}{suffix}" for base in bases for suffix in _SUFFIXES}
    return files | {f"{film.name}.txt"}


def _write_film(
    film: Film, clips: Sequence[Clip], staging: Path, speech: Sequence[ShotSpeech]
) -> None:
    """Write a film and the files of its shots."""
    parts = chapters(film.shots, clips, speech)
    base, fps = staging / film.name, film.look.fps
    with ThreadPoolExecutor(min(_THREADS, cores())) as pool:
        written = [
            pool.submit(_write_shot, film, shot, part, staging / clip_name(shot))
            for shot, part in zip(film.shots, parts, strict=True)
        ]
        _join(film, parts, base.with_suffix(".mp4"), film.title)
        for job in written:
            job.result()
    base.with_suffix(".vtt").write_text(webvtt(cues(parts), fps), encoding="utf-8")
    base.with_suffix(".srt").write_text(subrip(cues(parts), fps), encoding="utf-8")
    base.with_suffix(".txt").write_text(_transcript(film, parts), encoding="utf-8")
    richest, _ = max(zip(film.shots, clips, strict=True), key=lambda pair: pair[1].richness)
    poster = (staging / clip_name(richest)).with_suffix(".png")
    shutil.copyfile(poster, base.with_suffix(".png"))


def _write_shot(film: Film, shot: ResolvedShot, chapter: Chapter, target: Path) -> None:
    _write_clip(film, chapter, target)
    for suffix, content in _beside(film, shot, chapter.clip).items():
        target.with_suffix(suffix).write_bytes(content)


def _write_clip(film: Film, chapter: Chapter, target: Path) -> None:
    _join(film, [chapter], target, f"{film.title}: {chapter.title}")


def _join(film: Film, parts: Sequence[Chapter], target: Path, title: str) -> None:
    metadata = {"title": plain_text(title)}
    if film.credit:
        metadata["artist"] = plain_text(film.credit)
    join(
        parts,
        film.look.fps,
        target,
        metadata,
        show_subtitles=film.look.captions == "track",
        language=film.shots[0].shot.language.track,
    )


def _beside(film: Film, shot: ResolvedShot, clip: Clip) -> dict[str, bytes]:
    """Captions and poster of a clip, by the suffixes of their files."""
    spoken, fps = cues(chapters([shot], [clip])), film.look.fps
    poster = io.BytesIO()
    frame_at(clip.video, clip.poster).save(poster, "png")
    return {
        ".vtt": webvtt(spoken, fps).encode(),
        ".srt": subrip(spoken, fps).encode(),
        ".png": poster.getvalue(),
    }


def _transcript(film: Film, parts: Sequence[Chapter]) -> str:
    sections = []
    for start, shot, part in zip(starts(parts), film.shots, parts, strict=False):
        sentences = [plain_text(line.text) for line in part.clip.lines]
        sections.append((start, [part.title, plain_text(shot.shot.question), *sentences]))
    return transcript([plain_text(film.title), plain_text(film.credit)], sections, film.look.fps)


def _names(staging: Path) -> list[str]:
    return sorted(
        path.relative_to(staging).as_posix() for path in staging.rglob("*") if path.is_file()
    )


def _make_own_folder(path: Path) -> None:
    """Make a folder in the film's folder. A link is removed: its target is not ours to write to."""
    if path.is_symlink():
        clear(path)
    make_folder(path)


def _move_in(staging: Path, folder: Path, last: str) -> None:
    """Move all files from `staging` to `folder`; `last` is removed first and comes last."""
    names = _names(staging)
    for name in names:
        atomic.flush(staging / name)
    _make_own_folder(folder / CLIPS)
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
