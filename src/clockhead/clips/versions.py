"""What is installed here and has a say in a clip's bytes: packages, libraries and fonts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path

_PACKAGES = (
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
_OF_FFMPEG = ("libavcodec", "libavformat", "libavutil", "libswscale")
_FONTS = "font_source_sans_pro"
_FACES = (".otf", ".ttf")
ABSENT = "absent"


@cache
def versions() -> dict[str, str]:
    """The packages and libraries that draw and encode; an absent one is said to be so.

    A library may come with its package or be the system's, another on each machine.
    """
    libraries = {"cairo": _cairo, "pango": _pango, "x264": _x264}
    return {
        **{name: _version(name) for name in _PACKAGES},
        **{name: _or_absent(found) for name, found in libraries.items()},
        **_ffmpeg(),
    }


@cache
def fonts() -> dict[str, str]:
    """The faces that letters are drawn in, and the hash of each one's file."""
    try:
        folder = Path(str(files(_FONTS))) / "files"
    except ModuleNotFoundError:
        return {}
    faces = sorted(file for file in folder.iterdir() if file.suffix in _FACES)
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in faces}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ABSENT


def _or_absent(found: Callable[[], str]) -> str:
    try:
        return found()
    except (ImportError, ValueError):
        return ABSENT


def _cairo() -> str:
    import cairo

    return cairo.cairo_version_string()


def _pango() -> str:
    import manimpango

    return str(manimpango.pango_version())


def _ffmpeg() -> dict[str, str]:
    try:
        from av import library_versions
    except ImportError:
        return dict.fromkeys(_OF_FFMPEG, ABSENT)
    return {name: ".".join(map(str, library_versions[name])) for name in _OF_FFMPEG}


def _x264() -> str:
    """`core 165`: it says so in the first frame that it encodes, and nowhere else."""
    from av import VideoFrame
    from av.codec import CodecContext

    encoder = CodecContext.create("libx264", "w")
    encoder.width = encoder.height = 16
    encoder.pix_fmt, encoder.time_base = "yuv420p", Fraction(1)
    encoder.options = {"preset": "ultrafast", "threads": "1"}
    packets = [*encoder.encode(VideoFrame(16, 16, "yuv420p")), *encoder.encode(None)]
    _, _, told = b"".join(map(bytes, packets)).partition(b"x264 - ")
    return told.partition(b" - ")[0].decode("ascii", "replace") or ABSENT
