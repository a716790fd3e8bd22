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
    from packaging.requirements import Requirement

    if project := _pyproject():
        optional = project.get("optional-dependencies", {})
        packages = tuple(_applicable(map(Requirement, project["dependencies"])))
        extras = {
            name: tuple(_applicable(map(Requirement, texts))) for name, texts in optional.items()
        }
        return Requirements(project["requires-python"], packages, _flat(extras))
    found = metadata(NAME)
    every = [Requirement(text) for text in found.get_all("Requires-Dist") or ()]
    packages = tuple(_applicable(every))
    extras = {
        name: tuple(need for need in _applicable(every, [name]) if need not in packages)
        for name in found.get_all("Provides-Extra") or ()
    }
    return Requirements(found["Requires-Python"], packages, _flat(extras))


def needs_of(package: Requirement) -> list[Requirement]:
    """The requirements of an installed package on this machine.

    Raises:
        PackageNotFoundError: if it is not installed.
    """
    from packaging.requirements import Requirement

    every = metadata(package.name).get_all("Requires-Dist") or ()
    return list(_applicable(map(Requirement, every), ["", *package.extras]))


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


def _applicable(
    needs: Iterable[Requirement], extras: Sequence[str] = ("",)
) -> Iterator[Requirement]:
    """The requirements that apply to this machine and this Python."""
    for need in needs:
        if need.marker is None or any(need.marker.evaluate({"extra": name}) for name in extras):
            yield need


def _flat(extras: Mapping[str, tuple[Requirement, ...]]) -> dict[str, tuple[Requirement, ...]]:
    """Extras in which `clockhead[other]` is replaced by the requirements of `other`."""

    def flat(name: str) -> Iterator[Requirement]:
        for need in extras[name]:
            if need.name == NAME:
                for other in need.extras:
                    yield from flat(other)
            else:
                yield need

    return {name: tuple(flat(name)) for name in extras}
