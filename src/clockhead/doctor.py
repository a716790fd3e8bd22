"""What Clockhead needs, whether it is here, and what would mend it.

Packages are tried out in a process of their own: importing Manim takes seconds, and a library that
is missing can take a process with it.
"""

from __future__ import annotations

import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from clockhead import release
from clockhead.clips import machine
from clockhead.clips.jobs import default_workers
from clockhead.clips.shelf import clips_in, size, speech_in
from clockhead.libraries import home, own_path, untrusted
from clockhead.look import QUALITIES, Look
from clockhead.places import NAME, PACKAGE, clockhead_command
from clockhead.trust import STAGES

if TYPE_CHECKING:
    from packaging.requirements import Requirement

_ROOM = 1024**3
"""Bytes that a few films need."""
_PATIENCE = 120
"""Seconds in which the packages must have been imported, on the slowest machine."""

_TRIAL = """
import importlib, json, sys
sys.path.insert(0, sys.argv[1])
import clockhead
wrong = {}
for name in sys.argv[2:]:
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
        do = "mend it" if self.needed else "add it"
        mend = "" if self.ok or not self.mend else f"\n{'':9}{do}: {self.mend}"
        return f"{verdict:9}{self.name:22}{self.found}{mend}"


def examine(media: Path) -> Iterator[Finding]:
    """Look at everything that a film needs, the quick things first."""
    yield Finding("cores", f"{machine.cores()} for rendering side by side")
    yield _memory()
    yield _folder("films", media, "give a folder you may write to: -o DIR, or cd there first")
    yield _kept(media)
    yield from _own_stages()
    yield _folder("temporary files", Path(tempfile.gettempdir()), "set TMPDIR to another folder")
    try:
        needs = release.needs()
    except ImportError as error:
        yield _unreadable(error)
        return
    yield _python(needs.python)
    yield Finding("clockhead", release.version())
    wrong = _wrong_imports([*needs.packages, *chain.from_iterable(needs.extras.values())])
    packages = [_package(need, wrong) for need in needs.packages]
    yield from packages
    yield from _indirect(needs.packages)
    for name, wanted in needs.extras.items():
        yield _extra(name, wanted, wrong)
    unusable = {package.name for package in packages if not package.ok}
    if "av" not in unusable:
        yield _encoder()
    if not {"typst", "uharfbuzz", "font-source-sans-pro"} & unusable:
        yield _typesetting()


def _unreadable(error: ImportError) -> Finding:
    """Without its own metadata, or what reads them, nothing more can be known."""
    name = str(error.name or NAME)
    return Finding(name, f"not installed: {error}", ok=False, mend=_install(name))


def _python(wanted: str) -> Finding:
    from packaging.specifiers import SpecifierSet

    here = platform.python_version()
    return Finding(
        "Python",
        f"{here}, {sys.executable}",
        ok=SpecifierSet(wanted).contains(here, prereleases=True),
        mend=_set_up_with(wanted),
    )


def _set_up_with(python: str) -> str:
    if release.is_checkout():
        launcher = shlex.quote(str(release.ROOT / "clockhead"))
        return f"CLOCKHEAD_PYTHON=/path/to/python3.13 {launcher} doctor (Python {python})"
    return f"install it into an environment of a Python {python}"


def _folder(name: str, folder: Path, mend: str) -> Finding:
    """Whether a folder, or the one it would be made in, can be written to and has room."""
    there = next(path for path in [folder.absolute(), *folder.absolute().parents] if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        return Finding(name, f"{folder} cannot be written to", ok=False, mend=mend)
    free = shutil.disk_usage(there).free
    found = f"{free / 1024**3:.1f} GiB free for {folder}"
    return Finding(name, found, ok=free >= _ROOM, mend="make room on the disk")


def _memory() -> Finding:
    """How many shots are rendered at once in the largest looks, where memory bounds it or not."""
    looks = (Look(QUALITIES[letter]) for letter in "hk")
    at_once = (
        f"{default_workers(look.width * look.height)} at once in {look.quality}" for look in looks
    )
    return Finding("memory", f"{machine.memory() / 1024**3:.1f} GiB free: {', '.join(at_once)}")


def _own_stages() -> Iterator[Finding]:
    """Whether stages around here are used, if there are any."""
    own = home()
    if (unused := untrusted()) is not None:
        found = f"{unused.stages} is not used"
        yield Finding("own stages", found, ok=False, needed=False, mend=unused.distrust)
    elif own is not None and own_path():
        yield Finding("own stages", f"{own / STAGES}, which is trusted")


def _kept(media: Path) -> Finding:
    """How much room the clips take that are kept to be used again."""
    entries = [*clips_in(media).entries(), *speech_in(media).entries()]
    found = f"{size(sum(entry.size for entry in entries))} in {media}"
    return Finding(
        "kept clips", f"{found}; {clockhead_command('clean')} removes what no film is made of"
    )


def _package(need: Requirement, wrong: Mapping[str, str]) -> Finding:
    """Whether a package is installed, in a version that fits, and can be imported."""
    if misfit := _misfit(need):
        return Finding(need.name, misfit, ok=False, mend=_install(need))
    if (trouble := wrong.get(need.name)) is None:
        return Finding(need.name, version(need.name))
    library = "cannot open shared object" in trouble or "Library not loaded" in trouble
    return Finding(need.name, trouble, ok=False, mend=_LIBRARIES if library else _install(need))


def _misfit(need: Requirement) -> str:
    """What is wrong with the version that is installed, if there is one; nothing if it fits."""
    try:
        here = version(need.name)
    except PackageNotFoundError:
        return "not installed"
    fits = need.specifier.contains(here, prereleases=True)
    return "" if fits else f"{here} does not fit: {need.specifier} is needed"


def _indirect(needs: Sequence[Requirement]) -> Iterator[Finding]:
    """What the required packages require in their turn, where it is missing or does not fit."""
    asked = {str(need) for need in needs}
    waiting = [need for need in needs if not _misfit(need)]
    while waiting:
        asking = waiting.pop()
        for need in release.needs_of(asking):
            if str(need) in asked:
                continue
            asked.add(str(need))
            if misfit := _misfit(need):
                found = f"{misfit} (by {asking.name})"
                yield Finding(need.name, found, ok=False, mend=_install(need))
            else:
                waiting.append(need)


def _extra(name: str, wanted: Sequence[Requirement], wrong: Mapping[str, str]) -> Finding:
    """Whether what only some need is there: as a whole, or what of it is not."""
    title = f"{name} (optional)"
    lacking = {need: found for need in wanted if (found := _misfit(need) or wrong.get(need.name))}
    if not lacking:
        here = ", ".join(f"{need.name} {version(need.name)}" for need in wanted)
        return Finding(title, here, needed=False)
    found = ", ".join(f"{need.name} ({what})" for need, what in lacking.items())
    mend = _install_extra(name, lacking)
    return Finding(title, f"without {found}", ok=False, needed=False, mend=mend)


def _install_extra(name: str, lacking: Iterable[Requirement]) -> str:
    launcher = release.launcher()
    if launcher is None:
        return release.pip_install(*lacking)
    if name == "dev":
        return f"{shlex.quote(str(launcher))} test, which installs it"
    return release.install_command(name)


def _install(need: Requirement | str) -> str:
    environment = Path(sys.prefix)
    launcher = environment.parent / "clockhead"
    if launcher.is_file():
        remove, again = shlex.join(["rm", "-r", str(environment)]), shlex.quote(str(launcher))
        return f"{remove} && {again} doctor, which installs everything"
    return release.pip_install(need)


def _wrong_imports(needs: Sequence[Requirement]) -> dict[str, str]:
    """Which of these packages are installed and cannot be imported, and why."""
    from packaging.utils import canonicalize_name

    by_package: dict[str, list[str]] = {}
    for module, packages in packages_distributions().items():
        if module.isidentifier() and not module.startswith("_"):
            for package in packages:
                by_package.setdefault(canonicalize_name(package), []).append(module)
    modules = {need.name: by_package.get(canonicalize_name(need.name), []) for need in needs}
    wrong = _try_imports(list(dict.fromkeys(chain.from_iterable(modules.values()))))
    return {
        name: next(wrong[module] for module in found if module in wrong)
        for name, found in modules.items()
        if wrong.keys() & found
    }


def _try_imports(modules: Sequence[str]) -> dict[str, str]:
    """Which of these modules cannot be imported, and why."""
    command = [sys.executable, "-P", "-W", "ignore", "-c", _TRIAL, str(PACKAGE.parent), *modules]
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
        return Finding("H.264 encoder", str(error), ok=False, mend=_install("av"))
    return Finding("H.264 encoder", "libx264")


def _typesetting() -> Finding:
    try:
        from clockhead.scenes.style.type import outline
        from clockhead.scenes.style.typeset import typeset

        outline("Clockhead")
        typeset("$theta_i$", size_px=20, color="#000000")
    except Exception as error:
        return Finding("letters and formulas", str(error), ok=False, mend=_install("typst"))
    return Finding("letters and formulas", "Source Sans Pro, Typst")
