"""Facts by path: what a sentence may read of a stage's values, and what each of them is.

A path such as `head.worst_weight` goes from public field to public field of frozen dataclasses,
over nothing but what they declare: their fields, and properties with a docstring. Whatever a
storyboard writes, nothing else can be reached; there are no calls, no indices and no private names.
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
"""Steps of a path that is listed."""
INPUTS = "inputs"
_SHAPE = re.compile(r"[;,] *(shapes? \(|the same shape|\([^()]*\)$|[A-Z] \w+$|[A-Z] of them).*")


@dataclass(frozen=True, slots=True)
class Derived:
    """A fact that a stage makes for its words alone, from its values."""

    description: str
    value: Callable[[Any], Fact | tuple[str, ...]]
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Declared:
    """A public value of a result: its description, its unit and the type it is declared with."""

    description: str
    unit: str | None
    type: Any


class Facts(Mapping[str, Fact]):
    """Everything that words may say of a stage's values, by path.

    Values are looked up when they are asked for; one that cannot be told for these values (it
    raises ValueError) is not among them.
    """

    def __init__(self, inputs: StageInputs, values: Any, derived: Mapping[str, Derived]) -> None:
        self._inputs, self._values, self._derived = inputs, values, derived

    def __getitem__(self, path: str) -> Fact:
        try:
            found = _plain(self.find(path))
        except ValueError as error:
            raise KeyError(path) from error
        if not isinstance(found, bool | int | float | str):
            raise KeyError(path)
        return found

    def find(self, path: str) -> Any:
        """What a path leads to: a fact, or an array or a text for a picture.

        Raises:
            KeyError: where a step of the path is nothing that is declared.
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
        """The unit of a fact, if it has one."""
        known = self.about.get(path)
        return known.unit if known else None

    @cached_property
    def about(self) -> dict[str, Declared]:
        """Paths to numbers, texts and truth values, and what is declared of them.

        A path that goes back into a class it has come through is not listed: what it leads to is
        looked up for pictures, and told of the values themselves.
        """
        found = {
            name: Declared(fact.description, fact.unit, None)
            for name, fact in self._derived.items()
        }
        kind: Any = type(self._values)
        found.update(_listed(kind))
        for name, info in type(self._inputs).model_fields.items():
            if isinstance(getattr(self._inputs, name), _SCALARS):
                found[f"{INPUTS}.{name}"] = Declared(info.description or "", None, info.annotation)
        return found


@cache
def declared(kind: Hashable) -> dict[str, Declared]:
    """The public fields and described properties of a frozen dataclass; of anything else, none."""
    if not (isinstance(kind, type) and dataclasses.is_dataclass(kind)):
        return {}
    fields = {field.name for field in dataclasses.fields(kind)}
    return {
        name: Declared(about.text, about.unit or None, _without_none(about.type))
        for name, about in descriptions(kind).items()
        if about.text or name in fields
    }


def look_up(values: Any, path: str) -> Any:
    """What a path leads to: a number, a text, an array or a whole result.

    Raises:
        KeyError: where a step of the path is nothing that is declared.
    """
    found = values
    for step in path.split("."):
        if step not in _declared_of(found):
            raise KeyError(path)
        found = getattr(found, step)
    return found


def describe(values: Any, path: str) -> Declared | None:
    """What is declared of a path, be it an array or a number; None where nothing is.

    The shape that a docstring ends with ("; shape (n, n)") is for authors, and left out.
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
    """Every declared array, by path; those that make no sense for these values are left out.

    Paths go back into no class that they have come through.
    """
    return dict(_arrays(values, ""))


def _arrays(values: Any, prefix: str, *above: type) -> Iterator[tuple[str, NDArray[Any]]]:
    way = (*above, type(values))
    for name in _declared_of(values) if _goes_on(way) else ():
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


def _goes_on(way: tuple[type, ...]) -> bool:
    """Whether a path that leads through these classes is listed: none of them comes again."""
    return len(way) <= _DEEPEST and len(set(way)) == len(way)


@cache
def _listed(kind: Any) -> dict[str, Declared]:
    return dict(_leaves("", kind))


def _leaves(prefix: str, *way: type) -> Iterator[tuple[str, Declared]]:
    for name, about in declared(way[-1]).items() if _goes_on(way) else ():
        if about.type in _SCALARS:
            yield f"{prefix}{name}", about
        elif isinstance(about.type, type) and dataclasses.is_dataclass(about.type):
            yield from _leaves(f"{prefix}{name}.", *way, about.type)


def _without_none(hint: Any) -> Any:
    """`float` of `float | None`."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        rest = [kind for kind in typing.get_args(hint) if kind is not type(None)]
        return rest[0] if len(rest) == 1 else hint
    return hint


def _plain(fact: Any) -> Any:
    """A NumPy number as Python's own, so that it reads the same everywhere."""
    return fact.item() if isinstance(fact, np.generic) else fact
