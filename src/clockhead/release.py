"""Clockhead's version and requirements, and commands that install them."""

from __future__ import annotations

import shlex
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clockhead.places import NAME, PACKAGE, relative_path

if TYPE_CHECKING:
    from packaging.requirements import Requirement

ROOT = PACKAGE.parents[1]
"""The folder of the checkout, if this is one."""


@dataclass(frozen=True, slots=True)
class Requirements:
    """The required packages, and the optional ones."""

    python: str
    """The versions of Python that it runs on, such as `>=3.11`."""
    packages: tuple[Requirement, ...]
    extras: Mapping[str, tuple[Requirement, ...]]


def is_checkout() -> bool:
    """Whether this is a checkout and not an installed package."""
    return bool(_pyproject())


def version() -> str:
    """The version of this copy.

    Raises:
        PackageNotFoundError: if it is neither a checkout nor installed.
    """
    return str(_pyproject().get("version") or metadata(NAME)["Version"])


def needs() -> Requirements:
    """What this copy requires on this machine.

    Raises:
        PackageNotFoundError: if it is neither a checkout nor installed.
        ImportError: if `packaging`, which reads requirements, is missing.
    """
    if project := _pyproject():
        python, packages = project["requires-python"], _applicable(project["dependencies"])
        optional = project.get("optional-dependencies", {})
        extras = {name: _applicable(texts) for name, texts in optional.items()}
    else:
        found = metadata(NAME)
        python, every = found["Requires-Python"], found.get_all("Requires-Dist") or ()
        packages = _applicable(every)
        extras = {
            name: tuple(need for need in _applicable(every, [name]) if need not in packages)
            for name in found.get_all("Provides-Extra") or ()
        }

    def flat(name: str) -> Iterator[Requirement]:
        """The requirements of an extra, with those of `other` in place of `clockhead[other]`."""
        for need in extras[name]:
            if need.name == NAME:
                for other in need.extras:
                    yield from flat(other)
            else:
                yield need

    return Requirements(python, packages, {name: tuple(flat(name)) for name in extras})


def needs_of(package: Requirement) -> tuple[Requirement, ...]:
    """The requirements of an installed package on this machine.

    Raises:
        PackageNotFoundError: if it is not installed.
    """
    every = metadata(package.name).get_all("Requires-Dist") or ()
    return _applicable(every, ["", *package.extras])


def launcher() -> Path | None:
    """The launcher whose environment this Python is in; None in any other environment."""
    environment = Path(sys.prefix)
    found = environment.parent / NAME
    made = environment / "installed-requirements.lock"
    return found if found.is_file() and made.is_file() else None


def install_command(*extras: str) -> str:
    """The command that installs extras."""
    if (found := launcher()) is not None:
        here = relative_path(found)
        program = shlex.quote(str(here)) if len(here.parts) > 1 else f"./{here}"
        return f"{program} add {shlex.join(extras)}"
    known = needs().extras
    return pip_install(*dict.fromkeys(need for extra in extras for need in known[extra]))


def pip_install(*wanted: Requirement | str) -> str:
    """The pip command that installs packages in versions that fit."""
    texts = (need if isinstance(need, str) else _without_marker(need) for need in wanted)
    return shlex.join([sys.executable, "-m", "pip", "install", "--upgrade", *texts])


def _without_marker(need: Requirement) -> str:
    extras = f"[{','.join(sorted(need.extras))}]" if need.extras else ""
    return f"{need.name}{extras}{need.specifier}"


def _pyproject() -> Mapping[str, Any]:
    """The table `project` of the checkout's pyproject.toml; empty if this is not a checkout."""
    file = ROOT / "pyproject.toml"
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    project = tomllib.loads(text).get("project", {})
    return project if project.get("name") == NAME else {}


def _applicable(texts: Iterable[str], extras: Sequence[str] = ("",)) -> tuple[Requirement, ...]:
    """The requirements that apply to this machine and this Python."""
    from packaging.requirements import Requirement

    return tuple(
        need
        for need in map(Requirement, texts)
        if need.marker is None or any(need.marker.evaluate({"extra": name}) for name in extras)
    )
