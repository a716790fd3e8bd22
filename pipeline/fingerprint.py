"""What a clip depends on, as a key: the same key, the same clip."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import grimp

from pipeline.clip import ClipJob

_ROOT = Path(__file__).resolve().parent.parent
_PACKAGES = ("model", "scenes")
_RENDERING = ("pipeline.clip", "pipeline.drawing", "pipeline.encoder", "pipeline.render")
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
    return _digest({**describe(job), "sources": sources_of(job.stage), "versions": versions()})


def describe(job: ClipJob) -> dict[str, Any]:
    """A job as plain data."""
    shot, look = job.shot, job.look
    return {
        "stage": job.stage,
        "inputs": shot.inputs.model_dump(mode="json"),
        "title": shot.title,
        "subtitle": shot.subtitle,
        "caption": shot.caption,
        "hold": float(shot.hold),
        "theme": shot.theme,
        "pixels": [look.width, look.height],
        "fps": look.fps,
    }


@cache
def versions() -> dict[str, str]:
    """The packages that draw and encode; an absent one is said to be so."""
    return {name: _version(name) for name in _DISTRIBUTIONS}


def sources_of(stage: str) -> dict[str, str]:
    """Each module that a stage is made of, and the hash of its source."""
    module = f"scenes.{stage.partition('.')[0]}"
    return _hashes(frozenset(_with_packages({module, *_graph().find_upstream_modules(module)})))


@cache
def project_fingerprint() -> str:
    """One hash over all that can have a say in any clip, as it was when first asked for.

    A process that asks before it imports any stage knows what it is running, whatever happens to
    the files later.
    """
    modules = {f"{package}" for package in _PACKAGES} | _graph().modules
    return _digest({"sources": _hashes(frozenset(modules)), "versions": versions()})


@cache
def _graph() -> grimp.ImportGraph:
    return grimp.build_graph(*_PACKAGES, cache_dir=None)


def _with_packages(modules: Iterable[str]) -> set[str]:
    """The modules, and the packages around them, which Python imports first."""
    parts = (name.split(".") for name in modules)
    return {".".join(names[: n + 1]) for names in parts for n in range(len(names))}


@cache
def _hashes(modules: frozenset[str]) -> dict[str, str]:
    names = sorted(modules | set(_RENDERING))
    return {name: hashlib.sha256(_file(name).read_bytes()).hexdigest() for name in names}


def _file(module: str) -> Path:
    path = _ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
