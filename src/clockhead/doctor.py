"""Checks of the installation: what is there, what is missing, and how to repair it.

Packages are imported in a separate process, since a missing system library can crash it.
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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from clockhead import release
from clockhead.clips import machine
from clockhead.clips.jobs import default_workers
from clockhead.clips.sealed import clips_in, size, speech_in
from clockhead.libraries import own_path, project_folder, untrusted_library
from clockhead.look import QUALITIES, FilmLook
from clockhead.places import NAME, PACKAGE, clockhead_command
from clockhead.trust import STAGES

if TYPE_CHECKING:
    from packaging.requirements import Requirement

_ROOM = 1024**3
"""Free bytes that a few films need."""
_TIMEOUT = 120
"""Seconds that importing all packages may take, even on a slow machine."""

_IMPORT_SCRIPT = """
import importlib, json, sys
sys.path.insert(0, sys.argv[1])
from clockhead.startup import isolate_manim
isolate_manim()
wrong = {}
for name in sys.argv[2:]:
    try:
        importlib.import_module(name)
    except BaseException as error:
        wrong[name] = f"{type(error).__name__}: {error}"
print("\\n" + json.dumps(wrong))
"""
_INSTALL_LIBRARIES = (
    "install Pango and Cairo (Debian, Ubuntu: sudo apt-get install --no-install-recommends "
    "libpango1.0-dev; Fedora: sudo dnf install pango-devel; macOS: brew install pango cairo)"
)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The result of one check."""

    name: str
    found: str
    ok: bool = True
    needed: bool = True
    repair: str = ""
    """The command to type, or what else to do, if it is not ok."""

    def __str__(self) -> str:
        verdict = "ok" if self.ok else ("missing" if self.needed else "absent")
        do = "repair" if self.needed else "to add it"
        repair = "" if self.ok or not self.repair else f"\n{'':9}{do}: {self.repair}"
        return f"{verdict:9}{self.name:22}{self.found}{repair}"


def examine(media: Path) -> Iterator[Diagnosis]:
    """Check everything that films need, quick checks first."""
    yield Diagnosis("cores", f"{machine.cores()} for rendering in parallel")
    looks = (FilmLook(QUALITIES[letter]) for letter in "hk")  # in 1080p and in 4K
    at_once = (
        f"{default_workers(look.width * look.height)} at once in {look.quality}" for look in looks
    )
    yield Diagnosis("memory", f"{machine.memory() / 1024**3:.1f} GiB free: {', '.join(at_once)}")
    yield _check_folder(
        "films", media, "name a folder that you may write to with -o DIR, or cd to one"
    )
    entries = [*clips_in(media).entries(), *speech_in(media).entries()]
    room = f"{size(sum(entry.size for entry in entries))} in {media}"
    cleaning = f"{clockhead_command('clean')} removes what no film uses"
    yield Diagnosis("cached clips", f"{room}; {cleaning}")
    yield from _check_own_stages()
    yield _check_folder(
        "temporary files", Path(tempfile.gettempdir()), "set TMPDIR to another folder"
    )
    try:
        needs = release.needs()
    except ImportError as error:
        name = str(error.name or NAME)
        yield Diagnosis(name, f"not installed: {error}", ok=False, repair=_install(name))
        return
    yield _check_python(needs.python)
    yield Diagnosis("clockhead", release.version())
    wrong = _wrong_imports([*needs.packages, *chain.from_iterable(needs.extras.values())])
    packages = [_check_package(need, wrong) for need in needs.packages]
    yield from packages
    yield from _check_indirect(needs.packages)
    for name, wanted in needs.extras.items():
        yield _check_extra(name, wanted, wrong)
    unusable = {package.name for package in packages if not package.ok}
    if "av" not in unusable:
        yield _check_encoder()
    if not {"typst", "uharfbuzz", "font-source-sans-pro"} & unusable:
        yield _check_typesetting()


def _check_python(wanted: str) -> Diagnosis:
    from packaging.specifiers import SpecifierSet

    here = platform.python_version()
    repair = f"install it into an environment of a Python {wanted}"
    if release.is_checkout():
        launcher = shlex.quote(str(release.ROOT / "clockhead"))
        repair = f"CLOCKHEAD_PYTHON=/path/to/python3.13 {launcher} doctor (Python {wanted})"
    fits = SpecifierSet(wanted).contains(here, prereleases=True)
    return Diagnosis("Python", f"{here}, {sys.executable}", ok=fits, repair=repair)


def _check_folder(name: str, folder: Path, repair: str) -> Diagnosis:
    """Whether a folder, or the one in which it would be made, is writable and has room."""
    there = next(path for path in [folder.absolute(), *folder.absolute().parents] if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        return Diagnosis(name, f"{folder} cannot be written to", ok=False, repair=repair)
    free = shutil.disk_usage(there).free
    found = f"{free / 1024**3:.1f} GiB free for {folder}"
    return Diagnosis(name, found, ok=free >= _ROOM, repair="free some disk space")


def _check_own_stages() -> Iterator[Diagnosis]:
    """Whether the user's own stages run, if there are any."""
    own = project_folder()
    if (unused := untrusted_library()) is not None:
        found = f"{unused.stages} is not trusted"
        yield Diagnosis("own stages", found, ok=False, needed=False, repair=unused.refusal)
    elif own is not None and own_path():
        yield Diagnosis("own stages", f"{own / STAGES}, which is trusted")


def _check_package(need: Requirement, wrong: Mapping[str, str]) -> Diagnosis:
    """Whether a package is installed in a version that fits, and can be imported."""
    if misfit := _misfit(need):
        return Diagnosis(need.name, misfit, ok=False, repair=_install(need))
    if (trouble := wrong.get(need.name)) is None:
        return Diagnosis(need.name, version(need.name))
    library = "cannot open shared object" in trouble or "Library not loaded" in trouble
    return Diagnosis(
        need.name, trouble, ok=False, repair=_INSTALL_LIBRARIES if library else _install(need)
    )


def _misfit(need: Requirement) -> str:
    """What is wrong with the installed version of a package; empty if it fits."""
    try:
        here = version(need.name)
    except PackageNotFoundError:
        return "not installed"
    fits = need.specifier.contains(here, prereleases=True)
    return "" if fits else f"{here} does not fit: {need.specifier} is needed"


def _check_indirect(needs: Sequence[Requirement]) -> Iterator[Diagnosis]:
    """Requirements of the required packages that are missing or do not fit."""
    asked = {str(need) for need in needs}
    waiting = [need for need in needs if not _misfit(need)]
    while waiting:
        asking = waiting.pop()
        for need in release.needs_of(asking):
            if str(need) in asked:
                continue
            asked.add(str(need))
            if misfit := _misfit(need):
                found = f"{misfit} (required by {asking.name})"
                yield Diagnosis(need.name, found, ok=False, repair=_install(need))
            else:
                waiting.append(need)


def _check_extra(name: str, wanted: Sequence[Requirement], wrong: Mapping[str, str]) -> Diagnosis:
    """Whether the packages of an extra are there, and which are not."""
    title = f"{name} (optional)"
    lacking = {need: found for need in wanted if (found := _misfit(need) or wrong.get(need.name))}
    if not lacking:
        here = ", ".join(f"{need.name} {version(need.name)}" for need in wanted)
        return Diagnosis(title, here, needed=False)
    found = ", ".join(f"{need.name} ({what})" for need, what in lacking.items())
    launcher = release.launcher()
    if launcher is None:
        repair = release.pip_install(*lacking)
    elif name == "dev":
        repair = f"{shlex.quote(str(launcher))} test, which installs it"
    else:
        repair = release.install_command(name)
    return Diagnosis(title, f"without {found}", ok=False, needed=False, repair=repair)


def _install(need: Requirement | str) -> str:
    environment = Path(sys.prefix)
    launcher = environment.parent / "clockhead"
    if launcher.is_file():
        remove, again = shlex.join(["rm", "-r", str(environment)]), shlex.quote(str(launcher))
        return f"{remove} && {again} doctor, which installs everything"
    return release.pip_install(need)


def _wrong_imports(needs: Sequence[Requirement]) -> dict[str, str]:
    """The packages that are installed but cannot be imported, and why."""
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
    """The modules that cannot be imported, and why."""
    options = ["-P", "-W", "ignore", "-c", _IMPORT_SCRIPT]
    command = [sys.executable, *options, str(PACKAGE.parent), *modules]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT)
        wrong: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    except (subprocess.TimeoutExpired, ValueError, IndexError) as error:
        return dict.fromkeys(modules, f"the import test failed: {error}")
    return wrong


def _check_encoder() -> Diagnosis:
    from av.codec import Codec

    try:
        Codec("libx264", "w")
    except ValueError as error:
        return Diagnosis("H.264 encoder", str(error), ok=False, repair=_install("av"))
    return Diagnosis("H.264 encoder", "libx264")


def _check_typesetting() -> Diagnosis:
    try:
        from clockhead.scenes.style.type import outline
        from clockhead.scenes.style.typeset import typeset

        outline("Clockhead")
        typeset("$theta_i$", size_px=20, color="#000000")
    except Exception as error:
        return Diagnosis("letters and formulas", str(error), ok=False, repair=_install("typst"))
    return Diagnosis("letters and formulas", "Source Sans Pro, Typst")
