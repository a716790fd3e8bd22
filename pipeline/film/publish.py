"""A finished film into its folder, in such an order that what looks whole is whole.

Everything is first written to a hidden folder beside its place. Then the old film goes, what lies
beside it is replaced, and the new film comes last: wherever that is cut off, a film that is there
belongs to what is beside it.
"""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from pipeline.clips import atomic
from pipeline.clips.clip import Clip
from pipeline.clips.look import Look
from pipeline.film.captions import plain, subrip, transcript, webvtt
from pipeline.film.join import Chapter, cues, frame_at, join, starts
from pipeline.film.manifest import describe_film, file_hash, write_out
from pipeline.storyboard.films import Film
from pipeline.storyboard.resolved import ResolvedShot

_CLIP = re.compile(r"\d\d-.*\.mp4")


@contextmanager
def film_folder(media: Path, film: str, look: Look, say: Callable[[str], None]) -> Iterator[Path]:
    """The folder of a film in this look, to oneself; waits, and says so, while another has it."""
    folder = media / film / look.folder
    with atomic.full_disk_named(folder):
        folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        say(f"{film}: another process is rendering it; waiting")
        lock.acquire()
    try:
        yield folder
    finally:
        lock.release()


def publish(
    film: Film, look: Look, keys: Sequence[str], clips: Sequence[Clip], folder: Path
) -> None:
    """Write the film, and beside it captions, transcript, poster, manifest and clips.

    Raises:
        DiskFull: when there is no room; the folder is then without a film, or as it was.
        JoinError: when the clips do not make one film.
    """
    with _staging(folder) as staging:
        _write_film(film, look, clips, staging)
        manifest = describe_film(film, look, keys, clips)
        manifest["files"] = {name: file_hash(staging / name) for name in _names(staging)}
        (staging / f"{film.name}.json").write_text(write_out(manifest), encoding="utf-8")
        _move_in(staging, folder, f"{film.name}.mp4")
    _remove_strangers(film, folder)


def publish_clips(film: Film, look: Look, clips: Sequence[Clip], folder: Path) -> list[Path]:
    """Write only the clips of these shots, each with its caption; the film stays as it is."""
    targets = []
    for shot, clip in zip(film.shots, clips, strict=True):
        target = folder / clip_name(shot)
        with atomic.replacing(target) as temporary:
            _write_clip(film, shot, clip, look, temporary)
        targets.append(target)
    return targets


def clip_name(shot: ResolvedShot) -> str:
    """`clips/03-sub_diagonal.mp4`."""
    return f"clips/{shot.number:02}-{shot.id}.mp4"


def chapters(shots: Sequence[ResolvedShot], clips: Sequence[Clip]) -> list[Chapter]:
    """Shots and their clips, with titles for where there is no typesetting."""
    return [Chapter(plain(shot.shot.title), clip) for shot, clip in zip(shots, clips, strict=True)]


@contextmanager
def _staging(folder: Path) -> Iterator[Path]:
    """A hidden folder for what is not finished; one left by a killed process is cleared first."""
    staging = folder / ".staging"
    shutil.rmtree(staging, ignore_errors=True)
    try:
        with atomic.full_disk_named(folder):
            (staging / "clips").mkdir(parents=True)
            yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _write_film(film: Film, look: Look, clips: Sequence[Clip], staging: Path) -> None:
    parts = chapters(film.shots, clips)
    base = staging / film.name
    join(parts, look.fps, base.with_suffix(".mp4"), _metadata(film.title, film))
    base.with_suffix(".vtt").write_text(webvtt(cues(parts), look.fps), encoding="utf-8")
    base.with_suffix(".srt").write_text(subrip(cues(parts), look.fps), encoding="utf-8")
    base.with_suffix(".txt").write_text(_transcript(film, parts, look.fps), encoding="utf-8")
    base.with_suffix(".png").write_bytes(_poster(clips))
    for shot, clip in zip(film.shots, clips, strict=True):
        _write_clip(film, shot, clip, look, staging / clip_name(shot))


def _write_clip(film: Film, shot: ResolvedShot, clip: Clip, look: Look, target: Path) -> None:
    title = plain(shot.shot.title)
    join(chapters([shot], [clip]), look.fps, target, _metadata(f"{film.title}: {title}", film))


def _metadata(title: str, film: Film) -> dict[str, str]:
    return {"title": plain(title), **({"artist": film.credit} if film.credit else {})}


def _transcript(film: Film, parts: Sequence[Chapter], fps: int) -> str:
    sections = [
        (start, [part.title, plain(shot.shot.question), *_said(part.clip)])
        for start, shot, part in zip(starts(parts), film.shots, parts, strict=False)
    ]
    return transcript([plain(film.title), film.credit], sections, fps)


def _said(clip: Clip) -> list[str]:
    return [plain(line.text) for line in clip.lines]


def _poster(clips: Sequence[Clip]) -> bytes:
    """The richest of the clips' own posters, as PNG."""
    best = max(clips, key=lambda clip: clip.richness)
    png = io.BytesIO()
    frame_at(best.video, best.poster).save(png, "png")
    return png.getvalue()


def _names(staging: Path) -> list[str]:
    return sorted(
        path.relative_to(staging).as_posix() for path in staging.rglob("*") if path.is_file()
    )


def _move_in(staging: Path, folder: Path, last: str) -> None:
    names = _names(staging)
    for name in names:
        atomic.flush(staging / name)
    (folder / "clips").mkdir(exist_ok=True)
    (folder / last).unlink(missing_ok=True)
    for name in sorted(names, key=lambda name: name == last):
        (staging / name).replace(folder / name)
    atomic.flush(folder)


def _remove_strangers(film: Film, folder: Path) -> None:
    """Remove clips of shots that the film no longer has, and what killed writers left."""
    ours = {clip_name(shot) for shot in film.shots}
    for path in (folder / "clips").iterdir():
        if _CLIP.fullmatch(path.name) and f"clips/{path.name}" not in ours:
            path.unlink(missing_ok=True)
    atomic.sweep(folder / "clips")
