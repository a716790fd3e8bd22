"""Manim as it comes, wherever one stands.

When it is imported Manim reads a `manim.cfg` where one stands and one at home, and dies of one that
is broken; what it takes from them is replaced for every clip anyway. It also dies of an environment
without PATH, and of a home that cannot be told. Where IPython is installed it imports that too, for
notebooks, even where none runs: that takes as long as a fifth of Manim.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
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
        """Where Manim is; nothing for any other module."""
        spec = PathFinder.find_spec(name, path, target) if name == _MANIM else None
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)  # type: ignore[assignment]
        return spec


class _Loader:
    """Another loader, in whose sight there is no `manim.cfg`."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """The module, yet without anything in it."""
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's own code; from here on it is the other loader's."""
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        with _no_config(), _whole_environment(), _no_notebook():
            self._loader.exec_module(module)


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


@contextmanager
def _no_notebook() -> Iterator[None]:
    """Have IPython seem not to be installed, unless this is one of its processes."""
    if _NOTEBOOKS in sys.modules:
        yield
        return
    sys.modules[_NOTEBOOKS] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[_NOTEBOOKS]


def _has_home() -> bool:
    try:
        Path.home()
    except RuntimeError:
        return False
    return True
