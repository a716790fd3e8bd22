"""Facts by path: the values that a sentence may use, and their descriptions.

A path such as `head.worst_weight` follows public fields of frozen dataclasses: only declared
fields, and properties with a docstring. A storyboard cannot reach anything else; there are no
calls, no indices and no private names.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.model.units import descriptions
from clockhead.scenes.facts import Fact
from clockhead.scenes.stage.contract import StageInputs

_SCALARS = (bool, int, float, str)
_DEEPEST = 3
"""Maximum number of steps of a listed path."""
INPUTS = "inputs"
_SHAPE = re.compile(r"[;,] *(shapes? \(|the same shape|\([^()]*\)$|[A-Z] \w+$|[A-Z] of them).*")


@dataclass(frozen=True, slots=True)
class Derived:
    """A fact that a stage derives from its values only for its sentences."""

    description: str
    value: Callable[[Any], Fact | tuple[str, ...]]
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Declared:
    """A public value of a result: its description, unit and declared type."""

    description: str
    unit: str | None
    type: Any


class Facts(Mapping[str, Fact]):
    """All facts of a stage, by path.

    Values are looked up on access; a value that is undefined in this case (it raises ValueError) is
    not a fact.
    """

    def __init__(self, inputs: StageInputs, values: Any, derived: Mapping[str, Derived]) -> None:
        self._inputs, self._values, self._derived = inputs, values, derived

    def __getitem__(self, path: str) -> Fact:
        try:
            found = _to_python(self.find(path))
        except ValueError as error:
            raise KeyError(path) from error
        if not isinstance(found, bool | int | float | str):
            raise KeyError(path)
        return found

    def find(self, path: str) -> Any:
        """The value at a path: a fact, or an array or text for a picture.

        Raises:
            KeyError: if a step of the path is not declared.
        """
        if path in self._derived:
            return self._derived[path].value(self._values)
        head, _, rest = path.partition(".")
        if head == INPUTS and rest in type(self._inputs).model_fields:
            return getattr(self._inputs, rest)
        return look_up(self._values, path)

    def __iter__(self) -> Iterator[str]:
        for path in self.about:
            try:
                self[path]
            except KeyError:
                continue
            yield path

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, path: object) -> bool:
        try:
            self[str(path)]
        except KeyError:
            return False
        return True

    def unit(self, path: str) -> str | None:
        """The unit of a fact; None if it has none."""
        known = self.about.get(path)
        return known.unit if known else None

    @cached_property
    def about(self) -> dict[str, Declared]:
        """The declarations of all numbers, texts and booleans, by path.

        A path that returns to a class on its way is not listed, but can be looked up.
        """
        found = {
            name: Declared(fact.description, fact.unit, None)
            for name, fact in self._derived.items()
        }
        kind: Any = type(self._values)
        found.update(_listed_paths(kind))
        for name, info in type(self._inputs).model_fields.items():
            if isinstance(getattr(self._inputs, name), _SCALARS):
                found[f"{INPUTS}.{name}"] = Declared(info.description or "", None, info.annotation)
        return found


@cache
def declared(kind: Hashable) -> dict[str, Declared]:
    """The public fields and described properties of a frozen dataclass; empty for other types."""
    if not (isinstance(kind, type) and dataclasses.is_dataclass(kind)):
        return {}
    fields = {field.name for field in dataclasses.fields(kind)}
    return {
        name: Declared(about.text, about.unit or None, _strip_none(about.type))
        for name, about in descriptions(kind).items()
        if about.text or name in fields
    }


def look_up(values: Any, path: str) -> Any:
    """The value at a path: a number, a text, an array or a whole result.

    Raises:
        KeyError: if a step of the path is not declared.
    """
    found = values
    for step in path.split("."):
        if step not in _declared_of(found):
            raise KeyError(path)
        found = getattr(found, step)
    return found


def describe(values: Any, path: str) -> Declared | None:
    """The declaration of a path; None if there is none.

    A shape at the end of a docstring ("; shape (n, n)") is for authors, and removed.
    """
    found, about = values, None
    for step in path.split("."):
        about = _declared_of(found).get(step)
        if about is None:
            return None
        found = getattr(found, step)
    return (
        dataclasses.replace(about, description=_SHAPE.sub("", about.description)) if about else None
    )


def arrays(values: Any) -> dict[str, NDArray[Any]]:
    """All declared arrays by path; those that are undefined for these values are left out.

    Paths that return to a class on their way are left out.
    """
    return dict(_arrays(values, ""))


def _arrays(values: Any, prefix: str, *above: type) -> Iterator[tuple[str, NDArray[Any]]]:
    way = (*above, type(values))
    for name in _declared_of(values) if _is_listed(way) else ():
        try:
            found = getattr(values, name)
        except ValueError:
            continue
        if isinstance(found, np.ndarray):
            yield f"{prefix}{name}", found
        elif dataclasses.is_dataclass(found):
            yield from _arrays(found, f"{prefix}{name}.", *way)


def _declared_of(value: Any) -> dict[str, Declared]:
    kind: Any = type(value)
    return declared(kind)


def _is_listed(way: tuple[type, ...]) -> bool:
    """Whether a path through these classes is listed: it is short, and no class repeats."""
    return len(way) <= _DEEPEST and len(set(way)) == len(way)


@cache
def _listed_paths(kind: Any) -> dict[str, Declared]:
    return dict(_leaves("", kind))


def _leaves(prefix: str, *way: type) -> Iterator[tuple[str, Declared]]:
    for name, about in declared(way[-1]).items() if _is_listed(way) else ():
        if about.type in _SCALARS:
            yield f"{prefix}{name}", about
        elif isinstance(about.type, type) and dataclasses.is_dataclass(about.type):
            yield from _leaves(f"{prefix}{name}.", *way, about.type)


def _strip_none(hint: Any) -> Any:
    """`float` for `float | None`."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        rest = [kind for kind in typing.get_args(hint) if kind is not type(None)]
        return rest[0] if len(rest) == 1 else hint
    return hint


def _to_python(fact: Any) -> Any:
    """A NumPy number as a Python number, so that it is formatted the same everywhere."""
    return fact.item() if isinstance(fact, np.generic) else fact
