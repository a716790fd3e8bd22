"""The manifest beside a film: all that it was made of, to render it again and to check it."""

from __future__ import annotations

import hashlib
import json
import math
import os
import platform
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clockhead.atomic import read_file
from clockhead.clips.clip import Clip
from clockhead.clips.fingerprint import pipeline_fingerprint, versions
from clockhead.libraries import BUILT_IN
from clockhead.look import LOOK_FIELDS, Voice
from clockhead.plain import plain_text
from clockhead.scenes.facts import literal

if TYPE_CHECKING:
    from clockhead.storyboard.films import Film
    from clockhead.storyboard.resolved import ResolvedShot

_KEY = re.compile(r"[0-9a-f]{64}")
_MAX_FRAMES = 10_000_000
"""A manifest that gives a shot more frames is wrong."""


def describe_film(
    film: Film, keys: Sequence[str], clips: Sequence[Clip], folder: Path
) -> dict[str, Any]:
    """The manifest without its list of files: what the film is made of, and when it shows what.

    `storyboard` is a complete storyboard: saved as a file, it renders this film again. `file` is
    the one that the film in `folder` was made from.
    """
    starts = accumulate((clip.frames for clip in clips), initial=0)
    return {
        **describe_recipe(film, keys),
        "file": storyboard_path(film, folder),
        "frames": sum(clip.frames for clip in clips),
        "timing": [
            {
                "shot": shot.id,
                "start": start,
                "frames": clip.frames,
                "reading": _reading_speeds(shot, clip, film.look.fps),
                "lines": [
                    {"text": line.text, "plain": plain_text(line.text), "frame": line.frame}
                    for line in clip.lines
                ],
                "beats": [{"name": beat.name, "frame": beat.frame} for beat in clip.beats],
            }
            for shot, clip, start in zip(film.shots, clips, starts, strict=False)
        ],
        "python": platform.python_version(),
    }


def describe_recipe(film: Film, keys: Sequence[str]) -> dict[str, Any]:
    """The part of the manifest that is known before rendering."""
    look = film.look
    return {
        "manifest": 1,
        "film": film.name,
        "look": {
            "quality": str(look.quality),
            "theme": look.theme,
            "aspect": look.aspect,
            "captions": look.captions,
            "pace": look.pace,
            "language": look.language,
            "voice": _voice_name(look.voice),
            "fonts": {font.name: font.digest for shot in film.shots for font in shot.shot.fonts},
            "pixels": [look.width, look.height],
            "fps": look.fps,
            "own": film.look_file.describe(),
            "making": look.making,
        },
        "versions": versions(),
        "pipeline": pipeline_fingerprint(),
        "storyboard": _storyboard(film),
        "shots": [_shot(shot, key) for shot, key in zip(film.shots, keys, strict=True)],
    }


def storyboard_path(film: Film, folder: Path) -> str:
    """Path of the storyboard relative to the film's folder.

    Storyboards that come with Clockhead start with `/clockhead/`, wherever that is installed.
    """
    file = film.file.resolve()
    if file.is_relative_to(BUILT_IN.storyboards):
        return f"/clockhead/storyboards/{file.relative_to(BUILT_IN.storyboards).as_posix()}"
    return os.path.relpath(file, folder.resolve())


def read_manifest(path: Path) -> dict[str, Any]:
    """The manifest at `path`; empty if there is none or it cannot be read."""
    try:
        found = json.loads(read_file(path) or b"{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def is_current(
    directory: Path, manifest: Mapping[str, Any], recipe: Mapping[str, Any], names: Collection[str]
) -> bool:
    """Whether a film was made from this recipe and its files are unchanged.

    `names` are the names of all its files. No other file is read, whatever the manifest lists.
    """
    files = manifest.get("files")
    return (
        isinstance(files, dict)
        and files.keys() == set(names)
        and all(isinstance(entry, str) for entry in files.values())
        and all(manifest.get(name) == value for name, value in recipe.items())
        and all(file_hash(directory / name) == files[name] for name in names)
    )


def frames_by_shot(manifest: Mapping[str, Any]) -> dict[str, int]:
    """Number of frames of each shot that a manifest lists, by its id."""
    found = _list_pairs(manifest, "timing", "shot", "frames")
    return {shot: n for shot, n in found if type(n) is int and 0 < n <= _MAX_FRAMES}


def keys_by_shot(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Key of the clip of each shot that a manifest lists, by the shot's id."""
    found = _list_pairs(manifest, "shots", "id", "key")
    return {shot: key for shot, key in found if isinstance(key, str) and _KEY.fullmatch(key)}


def _list_pairs(
    manifest: Mapping[str, Any], section: str, shot: str, value: str
) -> Iterator[tuple[str, Any]]:
    """Id and a value of each shot in a section of a manifest, which may hold anything."""
    parts = manifest.get(section)
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, dict) and isinstance(part.get(shot), str):
            yield part[shot], part.get(value)


def file_hash(path: Path) -> str | None:
    """SHA-256 of a file in hex; None if it is not there or cannot be read."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def manifest_text(manifest: Mapping[str, Any]) -> str:
    """A manifest as JSON."""
    return json.dumps(manifest, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _storyboard(film: Film) -> dict[str, Any]:
    """The film as a storyboard without defaults and templates."""
    whole = {
        "version": 1,
        "title": film.title,
        "credit": film.credit,
        **{name: getattr(film.look, name) for name in LOOK_FIELDS},
        "voice": _voice_name(film.look.voice),
        "font": [Path(font).name for font in film.look.font],
        "shots": [
            {
                "id": shot.id,
                "stage": shot.stage,
                "title": literal(shot.shot.title),
                **({"question": literal(shot.shot.question)} if shot.shot.question else {}),
                "caption": literal(shot.shot.caption),
                "inputs": shot.shot.inputs.model_dump(mode="json"),
                "hold": shot.shot.hold,
                **{
                    key: {name: literal(text) for name, text in texts.items()}
                    for key, texts in {**shot.own_lines, "say": shot.say}.items()
                    if texts
                },
            }
            for shot in film.shots
            if shot.card_place is None  # the look.yaml makes it again
        ],
    }
    return {name: value for name, value in whole.items() if value}


def _shot(shot: ResolvedShot, key: str) -> dict[str, Any]:
    return {
        "id": shot.id,
        "stage": shot.stage,
        "key": key,
        "inputs": shot.shot.inputs.model_dump(mode="json"),
        "pictures": {picture.name: picture.digest for picture in shot.shot.pictures},
        "data": {file.name: file.digest for file in shot.shot.data},
        "title": shot.shot.title,
        "question": shot.shot.question,
        "notes": list(shot.shot.sentences),
        "caption": shot.shot.caption,
        "plain": {
            "title": plain_text(shot.shot.title),
            "question": plain_text(shot.shot.question),
            "notes": [plain_text(note) for note in shot.shot.sentences],
            "caption": plain_text(shot.shot.caption),
        },
        # JSON has no infinity and no NaN; they become words.
        "facts": {
            name: str(value) if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in shot.facts.items()
        },
    }


def _reading_speeds(shot: ResolvedShot, clip: Clip, fps: int) -> dict[str, Any]:
    """Characters per second at which the title's question and every line must be read."""
    from clockhead.scenes.stage.reading_speed import reading_speeds  # which imports Manim

    question = plain_text(shot.shot.question)
    lines = [replace(line, text=plain_text(line.text)) for line in clip.lines]
    speeds = reading_speeds(question, lines, opened=clip.opened, frames=clip.frames, fps=fps)
    rounded = [round(speed, 1) for speed in speeds]
    return {"question": rounded[0] if rounded else None, "lines": rounded[1:]}


def _voice_name(voice: Voice) -> Voice:
    """A voice without its folder."""
    return voice if isinstance(voice, bool) else Path(voice).name
