"""Find stages by name: `rope.matrix` is the class `Matrix` in `rope/matrix.py` of a library."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path

from rapidfuzz import process

from clockhead.libraries import (
    BUILT_IN,
    STAGE_NAME,
    Library,
    libraries,
    notice,
    stage_libraries,
    untrusted_library,
)
from clockhead.places import SOURCES, display_path
from clockhead.scenes.stage.stage import Stage

_BEGINNING = 3
"""Minimum length of a name for which names that begin with it are suggested."""


class UnknownStage(KeyError):
    """There is no stage with this name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    @property
    def suggestions(self) -> list[str]:
        """Up to three similar names: those that begin with it, else the most similar ones."""
        begun = [name for name in stage_names() if name.startswith(self.name)]
        if begun and len(self.name) >= _BEGINNING:
            return begun[:3]
        near = process.extract(self.name, stage_names(), limit=3, score_cutoff=60)
        return [match[0] for match in near]


class BrokenStage(ImportError):
    """A module has no stage, or cannot be imported; the text says why and where."""


def stage_names(among: Iterable[Library] | None = None) -> list[str]:
    """The names of all stages, `film.stage`; broken modules are left out."""
    return [name for name, found in _iterate_stages(among) if isinstance(found, type)]


def broken_stages() -> list[BrokenStage]:
    """The errors of all modules of films that cannot be imported."""
    return [found for _, found in _iterate_stages(None) if isinstance(found, BrokenStage)]


def find_stage(name: str) -> type[Stage]:
    """The stage with this name, such as `previous_token.sub_diagonal`.

    Raises:
        UnknownStage: if there is none.
        BrokenStage: if its module cannot or must not be imported, or has no class of that name.
    """
    if not STAGE_NAME.fullmatch(name):
        raise UnknownStage(name)
    film, _, module = name.partition(".")
    for library in stage_libraries():
        if film not in library.shared and library.file(film, module).is_file():
            stage = _stage_in(library, film, module)
            if stage is None:
                raise BrokenStage(
                    f"{display_path(library.file(film, module))} has no class {class_name(module)} "
                    "that is a Stage"
                )
            _notice_namesakes(library, film, module)
            return stage
    if (unused := untrusted_library()) and (file := unused.file(film, module)).is_file():
        raise BrokenStage(f"{display_path(file)} is a program and not run: {unused.refusal}")
    raise UnknownStage(name)


Stage.find = staticmethod(find_stage)


def _notice_namesakes(used: Library, film: str, module: str) -> None:
    """Warn of modules that are not used because another library has a stage with the same name."""
    for library in stage_libraries():
        if library != used and film not in library.shared:
            file = library.file(film, module)
            if file.is_file():
                whose = "comes with Clockhead" if used == BUILT_IN else f"is in {used.stages}"
                notice(
                    f"{display_path(file)} is not used: another stage {film}.{module} {whose}; "
                    f"give the file another name, and the storyboard the same: {film}.my_{module}"
                )


def _iterate_stages(
    among: Iterable[Library] | None,
) -> Iterator[tuple[str, type[Stage] | BrokenStage]]:
    """Every stage with its name, or the error of its module; of equal names, the first one."""
    seen: set[str] = set()
    for library in stage_libraries() if among is None else among:
        for film in library.films:
            for module in library.modules(film):
                name = f"{film}.{module}"
                if name in seen:
                    continue
                seen.add(name)
                try:
                    stage = _stage_in(library, film, module)
                except BrokenStage as error:
                    yield name, error
                else:
                    if stage is not None:
                        yield name, stage


def _stage_in(library: Library, film: str, module: str) -> type[Stage] | None:
    """The stage that a module is named after; None if the module has none."""
    try:
        imported = library.load(film, module)
    except Exception as error:
        reason = f"{film}.{module} cannot be imported: {type(error).__name__}: "
        raise BrokenStage(f"{reason}{_message_of(error)} ({_location_of(error)})") from error
    found = getattr(imported, class_name(module), None)
    return found if isinstance(found, type) and issubclass(found, Stage) else None


def _message_of(error: Exception) -> str:
    return str(error.msg) if isinstance(error, SyntaxError) else str(error)


def _location_of(error: Exception) -> str:
    """The last line in a library, or in Clockhead, of the traceback of an import."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{display_path(error.filename)}, line {error.lineno}"
    folders = [*SOURCES, *(library.stages for library in libraries())]
    frames = traceback.extract_tb(error.__traceback__)
    files = [(Path(frame.filename).resolve(), frame.lineno) for frame in frames]
    *_, (file, line) = (found for found in files if any(map(found[0].is_relative_to, folders)))
    return f"{display_path(file)}, line {line}"


def class_name(module: str) -> str:
    """The class name of a stage, from the name of its module."""
    return "".join(part.capitalize() for part in module.split("_"))
