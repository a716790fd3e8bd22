"""What there is, at a glance: names found without importing a stage, and so without Manim.

For those who wait while they type, and for saying what was probably meant.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from clockhead.libraries import libraries

if TYPE_CHECKING:
    from clockhead.pipeline.storyboard.problems import Place

_CLASS = re.compile(r"^class (\w+)\(([^()]*)\):", re.MULTILINE)


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
    from clockhead.pipeline.storyboard.find import find_film
    from clockhead.pipeline.storyboard.models import read_draft
    from clockhead.pipeline.storyboard.problems import StoryboardError
    from clockhead.pipeline.storyboard.source import read_source

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
    files: dict[str, Path] = {}
    for library in libraries():
        for film in library.films:
            for module in library.modules(film):
                files.setdefault(f"{film}.{module}", library.file(film, module))
    classes = {name: _classes(file) for name, file in files.items()}
    family = _family([one for found in classes.values() for one in found.items()])
    return [
        name
        for name, found in classes.items()
        if family & found.get(_camel(name.partition(".")[2]), set())
    ]


def _classes(file: Path) -> dict[str, set[str]]:
    """The classes of a module, each with the names of those it is derived from."""
    if not file.is_file():
        return {}
    return {
        name: {re.sub(r"\[.*|.*\.", "", base.strip()) for base in bases.split(",")}
        for name, bases in _CLASS.findall(file.read_text(encoding="utf-8", errors="replace"))
    }


def _family(classes: Collection[tuple[str, set[str]]]) -> set[str]:
    """`Stage` and everything that is derived from it, directly or not."""
    family = {"Stage"}
    while more := {name for name, bases in classes if bases & family} - family:
        family |= more
    return family


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
