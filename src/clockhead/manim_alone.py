"""Manim as it comes, wherever one stands.

When it is imported Manim reads a `manim.cfg` where one stands and one at home, and dies of one that
is broken; what it takes from them is replaced for every clip anyway. It also dies of an environment
without PATH, and of a home that cannot be told. Where IPython is installed it imports that too, for
notebooks, even where none runs: that takes as long as a fifth of Manim. SciPy and NetworkX take two
fifths of it: the one is asked for the matrix of a turn, which is written out here, the other for
graphs, and imported when one is made.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import reduce
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

_MANIM = "manim"
_CONFIG = "manim.cfg"
_NOTEBOOKS = "IPython"


def import_manim_alone() -> None:
    """From here on, whoever imports Manim in this process gets it as it comes."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


class _Finder:
    """Finds Manim where it is, and has it imported with care."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where Manim, or one of its modules that find a stand-in, is; nothing for any other."""
        if name != _MANIM and name not in _STAND_INS:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            surroundings = _alone() if name == _MANIM else _in_place(*_STAND_INS[name])
            spec.loader = _Loader(spec.loader, surroundings)  # type: ignore[assignment]
        return spec


class _Loader:
    """Another loader, which finds other surroundings."""

    def __init__(self, loader: Any, surroundings: AbstractContextManager[None]) -> None:
        self._loader, self._surroundings = loader, surroundings

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """The module, yet without anything in it."""
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's own code; from here on it is the other loader's."""
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        with self._surroundings:
            self._loader.exec_module(module)


class _Later:
    """Something in a module that is imported when it is called."""

    def __init__(self, module: str, *names: str) -> None:
        self._module, self._names = module, names

    def __getattr__(self, name: str) -> _Later:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Later(self._module, *self._names, name)

    def __call__(self, *args: Any, **options: Any) -> Any:
        found: Any = import_module(self._module)
        return reduce(getattr, self._names, found)(*args, **options)


class _Rotation:
    """A turn in space, as much of SciPy's as Manim uses."""

    def __init__(self, vector: Any) -> None:
        self._vector = vector

    @classmethod
    def from_rotvec(cls, vector: Any) -> _Rotation:
        """Around a vector, (3,), by its length in radians."""
        return cls(vector)

    def as_matrix(self) -> Any:
        """Its matrix, (3, 3), by the formula of Rodrigues."""
        import numpy as np

        angle = float(np.linalg.norm(self._vector))
        x, y, z = np.divide(self._vector, angle or 1.0)
        across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        return np.eye(3) + np.sin(angle) * across + (1 - np.cos(angle)) * across @ across


_STAND_INS: dict[str, tuple[str, Any]] = {
    "manim.utils.space_ops": ("scipy.spatial.transform", SimpleNamespace(Rotation=_Rotation)),
    "manim.mobject.graph": ("networkx", _Later("networkx")),
}
"""For modules of Manim: what they import, and what they find in its place."""


@contextmanager
def _in_place(name: str, stand_in: Any) -> Iterator[None]:
    """Have an import of a module find something else, unless the module is imported already."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = stand_in
    try:
        yield
    finally:
        del sys.modules[name]


@contextmanager
def _alone() -> Iterator[None]:
    """What is around Manim, but for what it dies of or is slowed down by."""
    with _no_config(), _whole_environment(), _in_place(_NOTEBOOKS, None):
        yield


@contextmanager
def _no_config() -> Iterator[None]:
    """Have parsers read every file that they are given but for `manim.cfg`."""
    from configparser import RawConfigParser

    read = RawConfigParser.read

    def read_others(parser: RawConfigParser, files: Any, encoding: str | None = None) -> list[str]:
        given = [files] if isinstance(files, str | bytes | os.PathLike) else list(files)
        others = [file for file in given if Path(os.fsdecode(file)).name != _CONFIG]
        return list(map(str, read(parser, others, encoding)))

    RawConfigParser.read = read_others  # type: ignore[assignment,method-assign]
    try:
        yield
    finally:
        RawConfigParser.read = read  # type: ignore[method-assign]


@contextmanager
def _whole_environment() -> Iterator[None]:
    """Set the variables without which Manim cannot be imported, where they are unset."""
    added = {} if "PATH" in os.environ else {"PATH": os.defpath}
    if not _has_home():
        added["HOME"] = os.sep
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


def _has_home() -> bool:
    try:
        Path.home()
    except RuntimeError:
        return False
    return True
