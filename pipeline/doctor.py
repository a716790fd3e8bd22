"""What Clockhead needs, whether it is here, and what would mend it.

Packages are tried out in a process of their own: importing Manim takes seconds, and a library that
is missing can take a process with it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pipeline.clips.jobs import default_workers

_OLDEST, _NEWEST = (3, 11), (3, 14)
_ROOM = 1024**3
"""Bytes that a few films need."""
_PATIENCE = 120
"""Seconds in which the packages must have been imported, on the slowest machine."""

_NEEDED = {
    "av": "av",
    "click": "click",
    "filelock": "filelock",
    "font-source-sans-pro": "font_source_sans_pro",
    "grimp": "grimp",
    "manim": "manim",
    "numpy": "numpy",
    "pydantic": "pydantic",
    "PyYAML": "yaml",
    "rapidfuzz": "rapidfuzz",
    "rich": "rich",
    "typst": "typst",
    "uharfbuzz": "uharfbuzz",
}
_FOR_CLUSTERS = {"dask": "dask", "distributed": "distributed"}
_TRIAL = """
import importlib, json, sys
wrong = {}
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except BaseException as error:
        wrong[name] = f"{type(error).__name__}: {error}"
print("\\n" + json.dumps(wrong))
"""
_LIBRARIES = (
    "install Pango and Cairo (Debian, Ubuntu: sudo apt-get install --no-install-recommends "
    "libpango1.0-dev; Fedora: sudo dnf install pango-devel; macOS: brew install pango cairo)"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    name: str
    found: str
    ok: bool = True
    needed: bool = True
    mend: str = ""
    """What to do or type when it is not ok."""

    def __str__(self) -> str:
        verdict = "ok" if self.ok else ("missing" if self.needed else "absent")
        mend = "" if self.ok or not self.mend else f"\n{'':9}mend it: {self.mend}"
        return f"{verdict:9}{self.name:22}{self.found}{mend}"


def examine(media: Path) -> Iterator[Finding]:
    """Look at everything that a film needs, the quick things first."""
    yield _python()
    yield Finding("cores", f"{default_workers()} for rendering side by side")
    yield _folder("films", media, "give a folder you may write to: cd there first")
    yield _folder("temporary files", Path(tempfile.gettempdir()), "set TMPDIR to another folder")
    wrong = _try_imports([*_NEEDED.values(), *_FOR_CLUSTERS.values()])
    for name, module in _NEEDED.items():
        yield _package(name, wrong.get(module), needed=True)
    for name, module in _FOR_CLUSTERS.items():
        yield _package(name, wrong.get(module), needed=False)
    if "av" not in wrong:
        yield _encoder()
    if not {"typst", "uharfbuzz", "font_source_sans_pro"} & set(wrong):
        yield _typesetting()


def _python() -> Finding:
    here = sys.version_info[:2]
    return Finding(
        "Python",
        f"{sys.version.split()[0]}, {sys.executable}",
        ok=_OLDEST <= here <= _NEWEST,
        mend="CLOCKHEAD_PYTHON=/path/to/python3.13 ./clockhead doctor",
    )


def _folder(name: str, folder: Path, mend: str) -> Finding:
    """Whether a folder, or the one it would be made in, can be written to and has room."""
    there = next(path for path in [folder.absolute(), *folder.absolute().parents] if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        return Finding(name, f"{folder} cannot be written to", ok=False, mend=mend)
    free = shutil.disk_usage(there).free
    found = f"{free / 1024**3:.1f} GiB free for {folder}"
    return Finding(name, found, ok=free >= _ROOM, mend="make room on the disk")


def _package(name: str, wrong: str | None, *, needed: bool) -> Finding:
    if wrong is None:
        return Finding(name, version(name), needed=needed)
    try:
        version(name)
    except PackageNotFoundError:
        return Finding(name, "not installed", False, needed, _install(needed))
    library = "cannot open shared object" in wrong or "Library not loaded" in wrong
    return Finding(name, wrong, False, needed, _LIBRARIES if library else _install(needed))


def _install(needed: bool) -> str:
    environment = Path(sys.prefix)
    if needed and (environment.parent / "clockhead").is_file():
        return f"rm -r {environment} and run ./clockhead again, which installs everything"
    wanted = "clockhead" if needed else "dask distributed"
    return f"{sys.executable} -m pip install --upgrade --force-reinstall {wanted}"


def _try_imports(modules: Sequence[str]) -> dict[str, str]:
    """Which of these modules cannot be imported, and why."""
    command = [sys.executable, "-I", "-W", "ignore", "-c", _TRIAL, *modules]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE)
        wrong: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    except (subprocess.TimeoutExpired, ValueError, IndexError) as error:
        return dict.fromkeys(modules, f"the trial did not end well: {error}")
    return wrong


def _encoder() -> Finding:
    from av.codec import Codec

    try:
        Codec("libx264", "w")
    except ValueError as error:
        return Finding("H.264 encoder", str(error), ok=False, mend=_install(needed=True))
    return Finding("H.264 encoder", "libx264")


def _typesetting() -> Finding:
    from scenes.style.type import outline
    from scenes.style.typeset import typeset

    try:
        outline("Clockhead")
        typeset("$theta_i$", size_px=20, color="#000000")
    except Exception as error:
        return Finding("letters and formulas", str(error), ok=False, mend=_install(needed=True))
    return Finding("letters and formulas", "Source Sans Pro, Typst")
