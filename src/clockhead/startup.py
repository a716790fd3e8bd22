"""What commands and workers set up before they import NumPy and Manim.

`thread_limits` gives each library one thread. `isolate_manim` has Manim imported without the user's
configuration and without packages that it does not need: SciPy and NetworkX take two fifths of its
import, IPython up to a fifth. `import clockhead` sets up none of this: notebooks and programs that
use it have a Manim of their own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

_THREADS = ("OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "RAYON_NUM_THREADS")


def thread_limits() -> dict[str, str]:
    """Environment variables that limit NumPy and Typst to one thread, unless the user set others.

    Matrices are small here, and there is a worker for each core. Threads of several workers would
    wait for each other's cores, with up to four times the processor time.
    """
    return {name: os.environ.get(name, "1") for name in _THREADS}


def isolate_manim() -> None:
    """Have this process import Manim as it comes, when it does.

    Manim reads `manim.cfg` in the current folder and in the user's home, and fails if one of them
    is broken, if there is no PATH, or if the home cannot be found. Whatever it reads,
    `manim_settings` replaces.
    """
    if not any(isinstance(finder, _ManimFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _ManimFinder())


class _ManimFinder:
    """Finds Manim and some of its modules, and surrounds their import with a context."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of Manim, or of a module in `_REPLACEMENTS`; None for all others."""
        if name != "manim" and name not in _REPLACEMENTS:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return spec
        loader: Any = spec.loader
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            del loader.exec_module
            with _isolation() if name == "manim" else _substitute(*_REPLACEMENTS[name]):
                execute(module)

        loader.exec_module = exec_module
        return spec


class _LazyAttribute:
    """A function or class of a module that is imported when it is called."""

    def __init__(self, module: str, *names: str) -> None:
        self._module, self._names = module, names

    def __getattr__(self, name: str) -> _LazyAttribute:
        if name.startswith("__"):
            raise AttributeError(name)
        return _LazyAttribute(self._module, *self._names, name)

    def __call__(self, *args: Any, **options: Any) -> Any:
        module: Any = import_module(self._module)
        return reduce(getattr, self._names, module)(*args, **options)


class _Rotation:
    """The part of SciPy's `Rotation` that Manim uses."""

    def __init__(self, vector: Any) -> None:
        self._vector = vector

    @classmethod
    def from_rotvec(cls, vector: Any) -> _Rotation:
        """A rotation about a vector, (3,), by its length in radians."""
        return cls(vector)

    def as_matrix(self) -> Any:
        """Its matrix, (3, 3), by Rodrigues' formula."""
        import numpy as np

        angle = float(np.linalg.norm(self._vector))
        x, y, z = np.divide(self._vector, angle or 1.0)
        across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        return np.eye(3) + np.sin(angle) * across + (1 - np.cos(angle)) * across @ across


_REPLACEMENTS: dict[str, tuple[str, Any]] = {
    "manim.utils.space_ops": ("scipy.spatial.transform", SimpleNamespace(Rotation=_Rotation)),
    "manim.mobject.graph": ("networkx", _LazyAttribute("networkx")),
}
"""For each of these modules of Manim: a package that it imports, and what it gets instead."""


@contextmanager
def _substitute(name: str, replacement: Any) -> Iterator[None]:
    """Have `import name` give a replacement, unless the module has been imported already."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = replacement
    try:
        yield
    finally:
        del sys.modules[name]


@contextmanager
def _isolation() -> Iterator[None]:
    """What surrounds the import of Manim itself, which fails without PATH or HOME."""
    missing = {} if "PATH" in os.environ else {"PATH": os.defpath}
    try:
        Path.home()
    except RuntimeError:
        missing["HOME"] = os.sep
    with _skip_config_files(), environment(missing), _substitute("IPython", None):
        yield
    from threading import RLock

    from tqdm import tqdm  # type: ignore[import-untyped]

    # Manim's bars are off, and a process that is killed leaks their own lock.
    tqdm.set_lock(RLock())


@contextmanager
def _skip_config_files() -> Iterator[None]:
    """Have config parsers skip files that are called `manim.cfg`."""
    from configparser import RawConfigParser

    read = RawConfigParser.read

    def read_others(parser: RawConfigParser, files: Any, encoding: str | None = None) -> list[str]:
        listed = [files] if isinstance(files, str | bytes | os.PathLike) else list(files)
        others = [file for file in listed if Path(os.fsdecode(file)).name != "manim.cfg"]
        return list(map(str, read(parser, others, encoding)))

    RawConfigParser.read = read_others  # type: ignore[assignment,method-assign]
    try:
        yield
    finally:
        RawConfigParser.read = read  # type: ignore[method-assign]


@contextmanager
def environment(changes: Mapping[str, str]) -> Iterator[None]:
    """Change environment variables in this block, and for processes that start in it."""
    before = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
