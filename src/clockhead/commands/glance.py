"""What there is, at a glance: names found without importing a stage, and so without Manim.

For those who wait while they type, and for saying what was probably meant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from clockhead.libraries import stage_libraries

if TYPE_CHECKING:
    from clockhead.storyboard.problems import Place

_CLASS = re.compile(r"^class (\w+)\(([^()]*)\):", re.MULTILINE)
_IMPORT = re.compile(r"^from \.*([\w.]+) import (\([^()]*\)|.*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Shot:
    """What a storyboard says of a shot."""

    id: str
    stage: str
    place: Place
    """Where the stage is named."""


def shots_of(film: str) -> list[Shot]:
    """The shots of a film, by its name or path, in order.

    Raises:
        StoryboardError: when it is not found, or something is wrong with it.
    """
    from clockhead.storyboard.find import find_film
    from clockhead.storyboard.models import read_draft
    from clockhead.storyboard.problems import StoryboardError
    from clockhead.storyboard.source import read_source

    tree = read_source(find_film(film))
    draft, problems = read_draft(tree)
    if problems:
        raise StoryboardError(problems)
    return [
        Shot(
            spec.id or spec.stage.rpartition(".")[2],
            spec.stage,
            tree.place(("shots", index, "stage")),
        )
        for index, spec in draft.shots
    ]


def stage_names() -> list[str]:
    """The stages there are, as far as can be read: classes named after the module they are in."""
    modules: dict[str, _Module] = {}
    for library in stage_libraries():
        for film in library.films:
            for module in library.modules(film):
                name = f"{film}.{module}"
                if name not in modules:
                    modules[name] = _Module.read(library.file(film, module), film)
    family = _family(modules)
    return [name for name in modules if (name, _camel(name.partition(".")[2])) in family]


_STAGE = "scenes.stage"
"""The end of the name of the package that `Stage` comes from; modules imported whole end there."""


@dataclass(frozen=True, slots=True)
class _Module:
    """What a module says of its classes: what each is derived from, and where names come from."""

    bases: dict[str, set[str]]
    imported: dict[str, tuple[str, str]]

    @classmethod
    def read(cls, file: Path, film: str) -> _Module:
        if not file.is_file():
            return cls({}, {})
        text = file.read_text(encoding="utf-8", errors="replace")
        bases = {
            name: {re.sub(r"\[.*|.*\.", "", base.strip()) for base in bases.split(",")}
            for name, bases in _CLASS.findall(text)
        }
        imported = {
            alias or name: (".".join([film, *source.split(".")][-2:]), name)
            for source, names in _IMPORT.findall(text)
            for name, alias in re.findall(r"(\w+)(?: as (\w+))?", names)
        }
        return cls(bases, imported)


def _family(modules: Mapping[str, _Module]) -> set[tuple[str, str]]:
    """All classes, with their modules, that are derived from `Stage`, directly or not."""
    parents = {
        (module, name): {
            (module, base) if base in found.bases else found.imported.get(base, (_STAGE, base))
            for base in bases
        }
        for module, found in modules.items()
        for name, bases in found.bases.items()
    }
    family = {one for one, above in parents.items() if (_STAGE, "Stage") in above}
    while more := {one for one, above in parents.items() if above & family} - family:
        family |= more
    return family


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
