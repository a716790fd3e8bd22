"""What a clip depends on, as a key: the same key, the same clip."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clockhead.clips.clip import ClipJob
from clockhead.clips.versions import fonts, versions
from clockhead.interruption import postponed
from clockhead.libraries import BUILT_IN, Library, library_of, stage_libraries
from clockhead.places import PACKAGE

if TYPE_CHECKING:
    import grimp

    from clockhead.scenes.stage import Shot

_PACKAGES = ("clockhead.model", "clockhead.scenes")
"""What draws: what is computed, and how it is shown."""
_RENDERING = (
    "clockhead.clips.areas",
    "clockhead.clips.clip",
    "clockhead.clips.drawing",
    "clockhead.clips.encoder",
    "clockhead.clips.render",
    "clockhead.clips.repaint",
    "clockhead.clips.stream",
    "clockhead.startup",
)
"""What besides has a say in a clip's bytes: how Manim comes, and some of the pipeline."""


def clip_key(job: ClipJob) -> str:
    """SHA-256, in hex, over the code, the versions and the values that make this clip."""
    after = job.shot.after
    stages = [job.stage] if after is None else [job.stage, after.stage]
    return _digest({**describe(job), "sources": sources_of(*stages), **_installed()})


def describe(job: ClipJob) -> dict[str, Any]:
    """A job as plain data."""
    return {
        **describe_shot(job.stage, job.shot),
        "pixels": [job.look.width, job.look.height],
        "fps": job.look.fps,
        "making": asdict(job.look.making),
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
        "language": _language(shot),
        "letters": [font.digest for font in shot.fonts],
        "theme": shot.theme,
        "captions": shot.captions,
        "pace": float(shot.pace),
        "spoken": [shot.spoken.voice, list(shot.spoken.seconds)] if shot.spoken else None,
        "film": [shot.film.title, shot.film.credit, shot.is_last],
        "after": describe_shot(after.stage, after.shot) if after else None,
    }


def _language(shot: Shot) -> Any:
    """What the words and numbers of the picture depend on."""
    told = asdict(shot.language)
    return told if shot.language.texts else told["code"]


def sources_of(*stages: str) -> dict[str, str]:
    """Each module that these stages are made of, and the hash of its source.

    Of stages that do not come with Clockhead it is every file beside them, and all that draws.
    """
    from clockhead.scenes.stage import find_stage

    modules = {find_stage(stage).__module__ for stage in stages}
    others = {library_of(module) for module in modules} - {BUILT_IN}
    ours = {module for module in modules if library_of(module) == BUILT_IN}
    drawn = _that_draw() if others else frozenset()
    return _hashes(drawn.union(*map(_imported_by, ours))) | _files_of(others)


def project_fingerprint() -> str:
    """One hash over all that can have a say in any clip, as it was when first asked for.

    Between two processes that give the same one, a key means the same clip, whatever happens to
    the files later.
    """
    return _fingerprint_with(frozenset(stage_libraries()) - {BUILT_IN})


@cache
def _fingerprint_with(others: frozenset[Library]) -> str:
    sources = _hashes(_that_draw()) | _files_of(others)
    return _digest({"sources": sources, **_installed()})


@cache
def pipeline_fingerprint() -> str:
    """One hash over the pipeline's own sources: how a film is put together from its clips."""
    drawing = {package.rpartition(".")[2] for package in _PACKAGES}
    files = sorted(
        file for file in PACKAGE.rglob("*.py") if file.relative_to(PACKAGE).parts[0] not in drawing
    )
    return _digest({str(file.relative_to(PACKAGE)): _hash_of(file) for file in files})


@cache
def _graph() -> grimp.ImportGraph:
    import grimp

    with postponed():  # its Rust dies of an exception
        return grimp.build_graph("clockhead", cache_dir=None, exclude_type_checking_imports=True)


@cache
def _that_draw() -> frozenset[str]:
    files = (file for package in _PACKAGES for file in _path(package).rglob("*.py"))
    return frozenset(map(_module_in, files))


def _module_in(file: Path) -> str:
    path = file.parent if file.name == "__init__.py" else file.with_suffix("")
    return ".".join(path.relative_to(PACKAGE.parent).parts)


def _path(module: str) -> Path:
    """Where a module is, but for the ending; a package's is its folder."""
    return PACKAGE.parent.joinpath(*module.split("."))


def _files_of(others: Iterable[Library]) -> dict[str, str]:
    hashes: dict[str, str] = {}
    for library in others:
        hashes |= _files_in(library.package, library.stages)
    return hashes


@cache
def _files_in(package: str, folder: Path) -> dict[str, str]:
    """Every file in a folder of stages, and its hash."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {
        f"{package}/{file.relative_to(folder).as_posix()}": _hash_of(file)
        for file in sorted(files)
        if "__pycache__" not in file.parts
    }


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
    path = _path(module)
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return _hash_of(file)


def _hash_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _installed() -> dict[str, Any]:
    return {"versions": versions(), "fonts": fonts()}


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
