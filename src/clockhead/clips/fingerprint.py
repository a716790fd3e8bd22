"""The key of a clip: a hash of everything that its bytes depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict
from fractions import Fraction
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clockhead.clips.clip import ClipJob
from clockhead.libraries import BUILT_IN, Library, library_of, stage_libraries
from clockhead.places import PACKAGE

if TYPE_CHECKING:
    import grimp

    from clockhead.scenes.stage import Shot

_PACKAGES = ("model", "scenes")
"""All that computes and draws."""
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
"""Other modules on which the bytes of a clip depend."""
_VERSIONED = (
    "av",
    "font-source-sans-pro",
    "manim",
    "manimpango",
    "mapbox-earcut",
    "numpy",
    "pillow",
    "pycairo",
    "python-bidi",
    "scipy",
    "skia-pathops",
    "svgelements",
    "typst",
    "uharfbuzz",
)
_FFMPEG_LIBRARIES = ("libavcodec", "libavformat", "libavutil", "libswscale")
_FONT_PACKAGE = "font_source_sans_pro"
_FONT_FILES = (".otf", ".ttf")
ABSENT = "absent"


def clip_key(job: ClipJob) -> str:
    """SHA-256 in hex of the sources, versions and values that make this clip."""
    after = job.shot.after
    stages = [job.stage] if after is None else [job.stage, after.stage]
    return _digest({**job_data(job), "sources": source_hashes(*stages), **_installation()})


def job_data(job: ClipJob) -> dict[str, Any]:
    """A job as data that JSON can hold."""
    return {
        **shot_data(job.stage, job.shot),
        "pixels": [job.look.width, job.look.height],
        "fps": job.look.fps,
        "making": job.look.making,
    }


def shot_data(stage: str, shot: Shot) -> dict[str, Any]:
    """Everything that a shot is drawn from, and the shot before it, whose picture it takes over."""
    after, language = shot.after, asdict(shot.language)
    return {
        "stage": stage,
        "inputs": shot.inputs.model_dump(mode="json"),
        "title": shot.title,
        "question": shot.question,
        "lines": [list(lines) for lines in shot.lines],
        "caption": shot.caption,
        "hold": float(shot.hold),
        "language": language if shot.language.texts else language["code"],
        "letters": [[font.digest, font.replaces] for font in shot.fonts],
        "own": shot.own.data(shot.theme),
        "pictures": [picture.digest for picture in shot.pictures],
        "data": [file.digest for file in shot.data],
        "theme": shot.theme,
        "captions": shot.captions,
        "pace": float(shot.pace),
        "spoken": [shot.spoken.voice, list(shot.spoken.seconds)] if shot.spoken else None,
        "film": [shot.film.title, shot.film.credit, shot.is_last],
        "after": shot_data(after.stage, after.shot) if after else None,
    }


def source_hashes(*stages: str) -> dict[str, str]:
    """The hash of the source of each module that these stages import, directly or not.

    For stages of the user, hashes of all files beside them and of all modules that draw.
    """
    from clockhead.scenes.stage import find_stage

    modules = {find_stage(stage).__module__ for stage in stages}
    others = {library_of(module) for module in modules} - {BUILT_IN}
    ours = {module for module in modules if library_of(module) == BUILT_IN}
    drawn = _drawing_modules() if others else frozenset()
    return _hashes(drawn.union(*map(_with_imports, ours)), others)


def sources_fingerprint() -> str:
    """One hash of all sources and versions on which any clip depends, computed once.

    Two processes with the same fingerprint make the same clip for a key, even if files are edited
    later.
    """
    return _fingerprint(frozenset(stage_libraries()) - {BUILT_IN})


@cache
def _fingerprint(others: frozenset[Library]) -> str:
    return _digest({"sources": _hashes(_drawing_modules(), others), **_installation()})


@cache
def pipeline_fingerprint() -> str:
    """One hash of the sources that put a film together from its clips."""
    files = sorted(
        file
        for file in PACKAGE.rglob("*.py")
        if file.relative_to(PACKAGE).parts[0] not in _PACKAGES
    )
    return _digest({str(file.relative_to(PACKAGE)): _hash_of(file) for file in files})


@cache
def _graph() -> grimp.ImportGraph:
    import grimp

    # In another thread, since grimp's Rust code aborts if a signal raises an exception in it.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(
            grimp.build_graph, "clockhead", cache_dir=None, exclude_type_checking_imports=True
        ).result()


@cache
def _drawing_modules() -> frozenset[str]:
    files = (file for package in _PACKAGES for file in (PACKAGE / package).rglob("*.py"))
    paths = (file.parent if file.name == "__init__.py" else file.with_suffix("") for file in files)
    return frozenset(".".join(path.relative_to(PACKAGE.parent).parts) for path in paths)


@cache
def _hashes_in(package: str, folder: Path) -> dict[str, str]:
    """The hash of every file in a folder of stages."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {
        f"{package}/{file.relative_to(folder).as_posix()}": _hash_of(file)
        for file in sorted(files)
        if "__pycache__" not in file.parts
    }


@cache
def _with_imports(module: str) -> frozenset[str]:
    """The module, what it imports, the packages that contain these, and what they import."""
    found: set[str] = set()
    new = {module}
    while new:
        found |= new
        packages = {name.rpartition(".")[0] for name in new} - {""}
        imports = (_graph().find_modules_directly_imported_by(name) for name in new)
        new = packages.union(*imports) - found
    return frozenset(found)


def _hashes(modules: Iterable[str], others: Iterable[Library]) -> dict[str, str]:
    """The hashes of our modules, and of all files of other libraries."""
    hashes = {name: _hash(name) for name in sorted({*modules, *_RENDERING})}
    for library in others:
        hashes |= _hashes_in(library.package, library.stages)
    return hashes


@cache
def _hash(module: str) -> str:
    path = PACKAGE.parent.joinpath(*module.split("."))
    return _hash_of(path / "__init__.py" if path.is_dir() else path.with_suffix(".py"))


def _hash_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _installation() -> dict[str, Any]:
    return {"versions": versions(), "fonts": fonts()}


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def versions() -> dict[str, str]:
    """Versions of the packages and libraries that draw and encode, `ABSENT` where there is none.

    A library may come with its package or from the system, and differ between machines.
    """
    libraries = ("cairo", "pango", "x264", *_FFMPEG_LIBRARIES)
    found = dict.fromkeys([*_VERSIONED, *libraries], ABSENT)
    for name in _VERSIONED:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    with suppress(ImportError):
        import cairo

        found["cairo"] = cairo.cairo_version_string()
    with suppress(ImportError):
        import manimpango

        found["pango"] = str(manimpango.pango_version())
    with suppress(ImportError, ValueError):  # FFmpeg may have been built without x264
        from av import library_versions

        found |= {name: ".".join(map(str, library_versions[name])) for name in _FFMPEG_LIBRARIES}
        found["x264"] = _x264()
    return found


@cache
def fonts() -> dict[str, str]:
    """The SHA-256 of the file of each font in which text is drawn."""
    try:
        folder = Path(str(files(_FONT_PACKAGE))) / "files"
    except ModuleNotFoundError:
        return {}
    return {
        file.name: _hash_of(file) for file in sorted(folder.iterdir()) if file.suffix in _FONT_FILES
    }


def _x264() -> str:
    """`core 165`, which stands in the first frame that it encodes and nowhere else."""
    from av import VideoFrame
    from av.codec import CodecContext

    encoder = CodecContext.create("libx264", "w")
    encoder.width = encoder.height = 16
    encoder.pix_fmt, encoder.time_base = "yuv420p", Fraction(1)
    encoder.options = {"preset": "ultrafast", "threads": "1"}
    packets = [*encoder.encode(VideoFrame(16, 16, "yuv420p")), *encoder.encode(None)]
    _, _, text = b"".join(map(bytes, packets)).partition(b"x264 - ")
    return text.partition(b" - ")[0].decode("ascii", "replace") or ABSENT
