"""What a clip depends on, as a key: the same key, the same clip."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grimp

from pipeline.clips.clip import ClipJob

if TYPE_CHECKING:
    from scenes.stage import Shot

_ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = ("model", "scenes")
_RENDERING = (
    "pipeline.clips.clip",
    "pipeline.clips.drawing",
    "pipeline.clips.encoder",
    "pipeline.clips.render",
)
"""What of the pipeline has a say in a clip's bytes."""
_DISTRIBUTIONS = (
    "av",
    "font-source-sans-pro",
    "manim",
    "mapbox-earcut",
    "numpy",
    "pycairo",
    "scipy",
    "skia-pathops",
    "svgelements",
    "typst",
    "uharfbuzz",
)


def clip_key(job: ClipJob) -> str:
    """SHA-256, in hex, over the code, the versions and the values that make this clip."""
    after = job.shot.after
    stages = [job.stage] if after is None else [job.stage, after.stage]
    return _digest({**describe(job), "sources": sources_of(*stages), "versions": versions()})


def describe(job: ClipJob) -> dict[str, Any]:
    """A job as plain data."""
    return {
        **describe_shot(job.stage, job.shot),
        "pixels": [job.look.width, job.look.height],
        "fps": job.look.fps,
    }


def describe_shot(stage: str, shot: Shot) -> dict[str, Any]:
    """Everything that a shot is drawn from, and what the shot before it left."""
    after = shot.after
    return {
        "stage": stage,
        "inputs": shot.inputs.model_dump(mode="json"),
        "title": shot.title,
        "question": shot.question,
        "notes": list(shot.notes),
        "caption": shot.caption,
        "hold": float(shot.hold),
        "theme": shot.theme,
        "film": [shot.film.title, shot.film.credit, shot.is_last],
        "after": describe_shot(after.stage, after.shot) if after else None,
    }


@cache
def versions() -> dict[str, str]:
    """The packages that draw and encode; an absent one is said to be so."""
    return {name: _version(name) for name in _DISTRIBUTIONS}


def sources_of(*stages: str) -> dict[str, str]:
    """Each module that these stages are made of, and the hash of its source."""
    from scenes.stage import find_stage

    return _hashes(
        frozenset().union(*(_imported_by(find_stage(stage).__module__) for stage in stages))
    )


@cache
def project_fingerprint() -> str:
    """One hash over all that can have a say in any clip, as it was when first asked for.

    Between two processes that give the same one, a key means the same clip, whatever happens to
    the files later.
    """
    return _digest({"sources": _hashes(_graph().modules), "versions": versions()})


@cache
def pipeline_fingerprint() -> str:
    """One hash over the pipeline's own sources: how a film is put together from its clips."""
    files = sorted((_ROOT / "pipeline").rglob("*.py"))
    return _digest(
        {
            str(file.relative_to(_ROOT)): hashlib.sha256(file.read_bytes()).hexdigest()
            for file in files
        }
    )


@cache
def _graph() -> grimp.ImportGraph:
    return grimp.build_graph(*_PACKAGES, cache_dir=None)


@cache
def _imported_by(module: str) -> frozenset[str]:
    """The module, what it imports, the packages around those, what they import, and so on."""
    found: set[str] = set()
    new = {module}
    while new:
        found |= new
        packages = {name.rpartition(".")[0] for name in new} - {""}
        imports = (_graph().find_modules_directly_imported_by(name) for name in new)
        new = packages.union(*imports) - found
    return frozenset(found)


def _hashes(modules: Iterable[str]) -> dict[str, str]:
    return {name: _hash(name) for name in sorted({*modules, *_RENDERING})}


@cache
def _hash(module: str) -> str:
    path = _ROOT.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
