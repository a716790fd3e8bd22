"""What a film was made of, beside the film: enough to render it again, and to check it."""

from __future__ import annotations

import hashlib
import json
import math
import platform
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from pipeline.clips.clip import Clip
from pipeline.clips.fingerprint import pipeline_fingerprint, versions
from pipeline.clips.look import Look
from pipeline.storyboard.films import Film
from pipeline.storyboard.resolved import ResolvedShot


def describe_film(
    film: Film, look: Look, keys: Sequence[str], clips: Sequence[Clip]
) -> dict[str, Any]:
    """The manifest without its files: all that the film follows from, and where things are in it.

    `storyboard` is a storyboard itself: as a file, it renders this film again.
    """
    starts = accumulate((clip.frames for clip in clips), initial=0)
    return {
        **describe_recipe(film, look, keys),
        "frames": sum(clip.frames for clip in clips),
        "timing": [
            {
                "shot": shot.id,
                "start": start,
                "frames": clip.frames,
                "lines": [{"text": line.text, "frame": line.frame} for line in clip.lines],
                "beats": [{"name": beat.name, "frame": beat.frame} for beat in clip.beats],
            }
            for shot, clip, start in zip(film.shots, clips, starts, strict=False)
        ],
        "python": platform.python_version(),
    }


def describe_recipe(film: Film, look: Look, keys: Sequence[str]) -> dict[str, Any]:
    """The part of the manifest that is known before anything is rendered."""
    return {
        "manifest": 1,
        "film": film.name,
        "look": {
            "quality": str(look.quality),
            "theme": look.theme,
            "aspect": look.aspect,
            "pixels": [look.width, look.height],
            "fps": look.fps,
        },
        "versions": versions(),
        "pipeline": pipeline_fingerprint(),
        "storyboard": _storyboard(film),
        "shots": [_shot(shot, key) for shot, key in zip(film.shots, keys, strict=True)],
    }


def read_manifest(path: Path) -> dict[str, Any]:
    """The manifest at `path`, or an empty one if there is none that can be read."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def is_current(directory: Path, manifest: Mapping[str, Any], recipe: Mapping[str, Any]) -> bool:
    """Whether a film follows from this recipe and every one of its files is as it was written."""
    files = manifest.get("files")
    return (
        isinstance(files, dict)
        and all(manifest.get(name) == value for name, value in recipe.items())
        and all(file_hash(directory / name) == known for name, known in files.items())
    )


def file_hash(path: Path) -> str | None:
    """SHA-256 of a file, in hex, or None if it is not there."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def write_out(manifest: Mapping[str, Any]) -> str:
    """The manifest as JSON text."""
    return json.dumps(manifest, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _storyboard(film: Film) -> dict[str, Any]:
    """The film as a storyboard in which nothing is left to defaults or templates."""
    whole = {
        "version": 1,
        "title": film.title,
        "credit": film.credit,
        "shots": [
            {
                "id": shot.id,
                "stage": shot.stage,
                "title": _literal(shot.shot.title),
                "caption": _literal(shot.shot.caption),
                "inputs": shot.shot.inputs.model_dump(mode="json"),
                "hold": shot.shot.hold,
            }
            for shot in film.shots
        ],
    }
    return {name: value for name, value in whole.items() if value}


def _shot(shot: ResolvedShot, key: str) -> dict[str, Any]:
    return {
        "id": shot.id,
        "stage": shot.stage,
        "key": key,
        "inputs": shot.shot.inputs.model_dump(mode="json"),
        "title": shot.shot.title,
        "question": shot.shot.question,
        "notes": list(shot.shot.notes),
        "caption": shot.shot.caption,
        "facts": {name: _finite(value) for name, value in shot.facts.items()},
    }


def _literal(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _finite(value: Any) -> Any:
    """JSON has no infinity: such a number is written as a word."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
