"""Stages by name: `rope.matrix` is the class `Matrix` of `scenes/rope/matrix.py`."""

from __future__ import annotations

import pkgutil
import re
import traceback
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from rapidfuzz import process

import scenes
from scenes.stage.stage import Stage

_ROOT = Path(__file__).resolve().parents[2]
SHARED = ("parts", "stage", "style")
"""The folders of `scenes` that are not films."""


class UnknownStage(KeyError):
    """There is no stage of this name; `suggestions` holds the nearest names."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name
        near = process.extract(name, stage_names(), limit=3, score_cutoff=60)
        self.suggestions: list[str] = [match[0] for match in near]


class BrokenStage(ImportError):
    """A stage's module, or one that it imports, cannot be imported; the text says why and where."""

    def __init__(self, name: str, error: Exception) -> None:
        frames = traceback.extract_tb(error.__traceback__)
        ours = [frame for frame in frames if Path(frame.filename).is_relative_to(_ROOT)]
        where = f" ({Path(ours[-1].filename).relative_to(_ROOT)}, line {ours[-1].lineno})"
        super().__init__(f"{name} cannot be imported: {type(error).__name__}: {error}{where}")


def stage_names() -> list[str]:
    """The names of all stages, `film.stage`; those that cannot be imported are left out."""
    return [
        f"{film.name}.{module.name}"
        for film in pkgutil.iter_modules(scenes.__path__)
        if film.ispkg
        for module in pkgutil.iter_modules([f"{scenes.__path__[0]}/{film.name}"])
        if _is_stage(f"{film.name}.{module.name}")
    ]


def find_stage(name: str) -> type[Stage]:
    """The stage called `name`, such as `previous_token.sub_diagonal`.

    Raises:
        UnknownStage: when there is none.
        BrokenStage: when its module cannot be imported.
    """
    if re.fullmatch(r"[a-z_0-9]+\.[a-z_0-9]+", name) and (stage := _stage_in(name)) is not None:
        return stage
    raise UnknownStage(name)


def _stage_in(name: str) -> type[Stage] | None:
    """The stage that the module `scenes.<name>` is named after, if there is one."""
    film, _, stage = name.partition(".")
    folder = find_spec(f"scenes.{film}")
    is_film = folder is not None and folder.submodule_search_locations and film not in SHARED
    if not is_film or find_spec(f"scenes.{name}") is None:
        return None
    try:
        module = import_module(f"scenes.{name}")
    except Exception as error:
        raise BrokenStage(name, error) from error
    found = getattr(module, _camel(stage), None)
    return found if isinstance(found, type) and issubclass(found, Stage) else None


def _is_stage(name: str) -> bool:
    try:
        return _stage_in(name) is not None
    except BrokenStage:
        return False


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
