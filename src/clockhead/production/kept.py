"""What lies beside a film and would be written again as it is: the files of shots that stay.

They follow from the shot's clip, from what the film says of itself, and from the code that writes
them. All of that is in the manifest, and so are the bytes that were written.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from clockhead.clips.clearing import is_plain_file
from clockhead.production.manifest import file_hash, write_out

_OF_ALL = ("manifest", "look", "versions", "pipeline")
_TOLD = ("title", "credit")


def that_stay(before: Mapping[str, Any], manifest: Mapping[str, Any]) -> set[int]:
    """The places of the shots that are what they were when the manifest `before` was written."""
    now = json.loads(write_out(manifest))
    if any(before.get(name) != now[name] for name in _OF_ALL) or _told(before) != _told(now):
        return set()
    shots = before.get("shots")
    pairs = zip(shots if isinstance(shots, list) else [], now["shots"], strict=False)
    return {place for place, (then, shot) in enumerate(pairs) if then == shot}


def keep(names: Iterable[str], before: Mapping[str, Any], folder: Path, staging: Path) -> bool:
    """Take over files that are as they were written; nothing unless all of them are."""
    files = before.get("files")
    known = files if isinstance(files, dict) else {}
    wanted = list(names)
    if not all(_is_whole(folder / name, known.get(name)) for name in wanted):
        return False
    for name in wanted:
        _link(folder / name, staging / name)
    return True


def _told(manifest: Mapping[str, Any]) -> list[Any]:
    storyboard = manifest.get("storyboard")
    return [storyboard.get(name) for name in _TOLD] if isinstance(storyboard, dict) else []


def _is_whole(path: Path, known: object) -> bool:
    return isinstance(known, str) and is_plain_file(path) and file_hash(path) == known


def _link(file: Path, name: Path) -> None:
    try:
        os.link(file, name)
    except OSError:  # not every file system has links
        shutil.copyfile(file, name)
