"""Where films and stages come from: the user's folder, installed packages, and Clockhead itself.

The user's own are in the folders `stages` and `storyboards` of a project: the folder around a
storyboard's file, or else around the current folder. Its stages are used only if it is trusted.
Installed packages add more with an entry point of the group `clockhead`, whose value is a package
with both folders.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module, invalidate_caches
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from clockhead.places import NAME, PACKAGE, is_ours
from clockhead.trust import STAGES, private_umask, reason_to_refuse, trust_in_process

PROJECT = "CLOCKHEAD_PROJECT"
"""The environment variable that names the project to all processes of a command; empty if none."""
STAGES_FIRST = "CLOCKHEAD_STAGES"
"""The environment variable that tells a fork server which stages to import; if unset, all."""
STAGE_NAME = re.compile(r"[a-z_0-9]+\.[a-z_0-9]+")
"""The name of a stage: its film and its module."""
_OWN = "clockhead.own"
_STORYBOARDS = "storyboards"


class _Notices:
    """Messages about stages that are not used, and the function that shows them."""

    show: Callable[[str], None] = staticmethod(lambda _: None)
    shown: set[str] = set()
    projects: set[Path] = set()


@dataclass(frozen=True)
class Library:
    """Films and stages from one place; either folder may be missing."""

    package: str
    """The package of the folder `stages`: `<package>.clocks.height` is the module of a stage."""
    stages: Path
    storyboards: Path
    shared: frozenset[str] = frozenset()
    """Folders in `stages` that are not films."""
    refusal: str = ""
    """Why its stages are not used. Storyboards and translations, being data, always are."""

    @property
    def films(self) -> list[str]:
        """The folders that may hold stages."""
        if not self.stages.is_dir():
            return []
        return sorted(
            folder.name
            for folder in self.stages.iterdir()
            if folder.is_dir() and folder.name.isidentifier() and folder.name not in self.shared
        )

    def modules(self, film: str) -> list[str]:
        """The names of the modules in the folder of a film."""
        files = (self.stages / film).glob("*.py")
        return sorted(file.stem for file in files if file.stem != "__init__")

    def load(self, film: str, module: str) -> ModuleType:
        """Import a module; raises whatever it raises."""
        name = f"{self.package}.{film}.{module}"
        if self.package != _OWN:
            return import_module(name)
        _drop_stale_modules()
        with private_umask():
            return import_module(name)

    def file(self, film: str, module: str) -> Path:
        """The path of a module, whether it exists or not."""
        return self.stages / film / f"{module}.py"

    def holds(self, file: Path) -> bool:
        """Whether a file belongs to a film of this library."""
        if not file.is_relative_to(self.stages):
            return False
        folder, *rest = file.relative_to(self.stages).parts
        return bool(rest) and folder not in self.shared


BUILT_IN = Library(
    "clockhead.scenes",
    (PACKAGE / "scenes").resolve(),
    (PACKAGE / "storyboards").resolve(),
    frozenset(("mathematics", "parts", "stage", "style", "__pycache__")),
)
"""The films and stages of Clockhead itself."""


def libraries() -> list[Library]:
    """All libraries; of two films or translations with the same name, the first counts."""
    own = project_folder()
    if own and own not in _Notices.projects:
        _Notices.projects.add(own)
        if unused := untrusted_library():
            notice(f"the stages in {unused.stages} are programs and do not run: {unused.refusal}")
    path = tuple((entry, _modification_time(entry)) for entry in sys.path)
    return [*([_user_library(own)] if own else []), *_installed_libraries(path), BUILT_IN]


def stage_libraries() -> list[Library]:
    """The libraries whose stages may run; the first of a name counts, so none replaces ours."""
    *others, built_in = libraries()
    return [built_in, *(library for library in others if not library.refusal)]


def untrusted_library() -> Library | None:
    """The user's library, if it has stages that may not run because the project is not trusted."""
    own = project_folder()
    library = _user_library(own) if own else None
    if library is None or not library.refusal:
        return None
    with suppress(PermissionError):
        if not any(map(library.modules, library.films)):
            return None
    return library


def notice(message: str) -> None:
    """Show a message about stages that are not used, once."""
    if message not in _Notices.shown:
        _Notices.shown.add(message)
        _Notices.show(message)


def show_notices_with(show: Callable[[str], None]) -> None:
    """Set the function that shows notices; earlier ones may be shown again."""
    _Notices.show = staticmethod(show)
    _Notices.shown.clear()
    _Notices.projects.clear()


def library_of(module: str) -> Library:
    """The library that a stage's module is in.

    Raises:
        LookupError: if it is in none.
    """
    for library in libraries():
        if module.startswith(f"{library.package}."):
            return library
    raise LookupError(f"{module} is in no library of stages")


def project_folder() -> Path | None:
    """The folder, trusted or not, of the user's own `stages` and `storyboards`."""
    chosen = os.environ.get(PROJECT)
    if chosen is None:
        return project_around(Path.cwd())
    return Path(chosen) if chosen else None


def project_around(place: Path) -> Path | None:
    """The nearest folder, from this one upwards, that has `storyboards` or films in `stages`."""
    return next((folder for folder in (place, *place.parents) if _is_project(folder)), None)


def use_project(folder: Path | None, *, is_trusted: bool = False) -> None:
    """Use `folder` as the project from now on, in this process and those that it starts.

    `is_trusted` means that the parent process has judged it already.
    """
    if folder is not None and is_trusted:
        trust_in_process(folder)
    os.environ[PROJECT] = "" if folder is None else str(folder.resolve())
    _drop_stale_modules()


@contextmanager
def restore_project() -> Iterator[None]:
    """Use the same project as now after the block, in which another may be used."""
    before = os.environ.get(PROJECT)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(PROJECT, None)
        else:
            os.environ[PROJECT] = before


def own_path() -> list[str]:
    """The path of the package of the user's own stages; empty if they are not trusted."""
    own = project_folder()
    return [str(own / STAGES)] if own and not reason_to_refuse(own) else []


def _drop_stale_modules() -> None:
    """Remove modules of another project, and clear Python's caches of folders."""
    invalidate_caches()
    own = sys.modules.get(_OWN)
    if own is None or list(own.__path__) == own_path():
        return
    for name in [name for name in sys.modules if name == _OWN or name.startswith(f"{_OWN}.")]:
        del sys.modules[name]


def _is_project(folder: Path) -> bool:
    if is_ours(folder):
        return False
    # The storyboards at the top of a checkout are Clockhead's.
    storyboards = folder / _STORYBOARDS
    has_own = storyboards.is_dir() and storyboards.resolve() != BUILT_IN.storyboards
    # Others call folders `stages` too. Ours has modules and texts in a folder for each film, or
    # nothing yet.
    files = list((folder / STAGES).glob("*/*"))
    is_empty = (folder / STAGES).is_dir() and not files
    return has_own or is_empty or any(file.suffix in (".py", ".toml") for file in files)


def _user_library(folder: Path) -> Library:
    return replace(_library_in(folder, _OWN), refusal=reason_to_refuse(folder))


def _library_in(folder: Path, package: str) -> Library:
    return Library(package, folder / STAGES, folder / _STORYBOARDS, frozenset(("__pycache__",)))


def _modification_time(folder: str) -> int:
    """When something was last installed into a folder; 0 if it does not exist."""
    try:
        return os.stat(folder).st_mtime_ns  # noqa: PTH116 # called for every stage
    except OSError:
        return 0


@lru_cache(maxsize=4)
def _installed_libraries(_: tuple[tuple[str, int], ...]) -> tuple[Library, ...]:
    """Libraries of installed packages; cached, since reading all entry points is slow."""
    found = []
    for point in sorted(entry_points(group=NAME), key=lambda point: point.name):
        spec = find_spec(point.value)
        if spec is not None and spec.submodule_search_locations:
            folder = Path(spec.submodule_search_locations[0])
            found.append(_library_in(folder, f"{point.value}.{STAGES}"))
    return tuple(found)
