"""Descriptions and units of the model's values, written in their annotations.

The description of a dataclass field is a `Doc` in its annotation, that of a property the first
sentence of its docstring. The annotation may also have a `Unit`. `descriptions` reads all of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Annotated, Any, TypeAlias, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Unit:
    """The unit of a number, in a word or two."""

    name: str


@dataclass(frozen=True)
class Doc:
    """The description of a field, in one line: `typing_extensions.Doc` without the dependency."""

    documentation: str


Share: TypeAlias = Annotated[float, Unit("share")]  # of a whole that is 1, from 0 to 1
Shares: TypeAlias = Annotated[NDArray[np.float64], Unit("share")]
Radians: TypeAlias = Annotated[float, Unit("radians")]
Degrees: TypeAlias = Annotated[float, Unit("degrees")]
Position: TypeAlias = Annotated[int, Unit("position, from 0")]
Positions: TypeAlias = Annotated[int, Unit("positions")]
SignedPositions: TypeAlias = Annotated[int, Unit("positions, signed")]
Tokens: TypeAlias = Annotated[int, Unit("tokens")]
Count: TypeAlias = Annotated[int, Unit("count")]
Letters: TypeAlias = Annotated[int, Unit("letters")]  # of a text, spaces not counted
Letter: TypeAlias = Annotated[int, Unit("letter, a is 0")]
Characters: TypeAlias = Annotated[int, Unit("characters")]  # letters and spaces
Rotation: TypeAlias = Annotated[int, Unit("places in the alphabet")]
Rank: TypeAlias = Annotated[int, Unit("place, 1 is best")]
Dimensions: TypeAlias = Annotated[int, Unit("dimensions")]
DotProduct: TypeAlias = Annotated[float, Unit("dot product")]  # of shares, or a difference of two
SquaredLength: TypeAlias = Annotated[float, Unit("squared length")]
SquaredError: TypeAlias = Annotated[float, Unit("squared error")]
Correlation: TypeAlias = Annotated[float, Unit("correlation, -1 to 1")]
Weight: TypeAlias = Annotated[float, Unit("weight, a share or its logarithm")]
Steps: TypeAlias = Annotated[float, Unit("positions back")]
Rows: TypeAlias = Annotated[int, Unit("rows")]
Coordinates: TypeAlias = Annotated[int, Unit("coordinates")]
Coordinate: TypeAlias = Annotated[float, Unit("coordinate")]  # of a vector, or a mean of them
Score: TypeAlias = Annotated[float, Unit("score")]  # before softmax
ScorePerAlpha: TypeAlias = Annotated[float, Unit("score at alpha 1")]
ScoreScale: TypeAlias = Annotated[float, Unit("factor on scores")]
Cosine: TypeAlias = Annotated[float, Unit("cosine")]
Length: TypeAlias = Annotated[float, Unit("length")]
Turns: TypeAlias = Annotated[float, Unit("full turns")]
Period: TypeAlias = Annotated[float, Unit("positions to a full turn")]
Factor: TypeAlias = Annotated[float, Unit("factor")]
Pair: TypeAlias = Annotated[int, Unit("pair of coordinates, from 0")]
Place: TypeAlias = Annotated[int, Unit("place, from 0")]  # of a token among the different ones
Strength: TypeAlias = Annotated[float, Unit("factor on the token's vector")]
Difference: TypeAlias = Annotated[float, Unit("difference")]  # of coordinates, at least 0
Temperature: TypeAlias = Annotated[float, Unit("temperature")]
Nats: TypeAlias = Annotated[float, Unit("nats")]  # minus the logarithm of a probability
HeadNumber: TypeAlias = Annotated[int, Unit("head of its layer, from 0")]


@dataclass(frozen=True)
class Description:
    """Name, description, unit ("" for none) and type of a public value of a result class."""

    name: str
    text: str
    unit: str
    type: Any


def descriptions(kind: type) -> dict[str, Description]:
    """Descriptions of all public fields and then properties of `kind`, by name.

    Inherited ones are included. A description begins with a capital, and is "" if there is none.

    Raises ValueError unless `kind` is a class.
    """
    if not isinstance(kind, type):
        raise ValueError(f"kind must be a class, got {kind!r}")
    found: dict[str, Description] = {}
    if is_dataclass(kind):
        hints = get_type_hints(kind, include_extras=True)
        for field in fields(kind):
            if not field.name.startswith("_"):
                found[field.name] = _description(field.name, hints[field.name], "")
    for name, getter in _getters(kind).items():
        hint = get_type_hints(getter, include_extras=True).get("return", Any)
        found[name] = _description(name, hint, _first_sentence(getter.__doc__ or ""))
    return found


def _getters(kind: type) -> dict[str, Any]:
    """The getter functions of public properties, those of base classes first."""
    members = {
        name: member
        for base in reversed(kind.__mro__)
        for name, member in vars(base).items()
        if not name.startswith("_")
    }
    getters: dict[str, Any] = {}
    for name, member in members.items():
        if isinstance(member, property):
            getters[name] = member.fget
        elif isinstance(member, cached_property):
            getters[name] = member.func
    return getters


def _description(name: str, hint: Any, text: str) -> Description:
    notes: tuple[Any, ...] = ()
    kind = hint
    if get_origin(hint) is Annotated:
        kind, *rest = get_args(hint)
        notes = tuple(rest)
    docs = [note.documentation for note in notes if isinstance(note, Doc)]
    units = [note.name for note in notes if isinstance(note, Unit)]
    text = re.sub(r"^(a |[a-z]{2,}\b)", lambda start: start[0].capitalize(), (docs or [text])[-1])
    return Description(name, text, units[-1] if units else "", kind)


def _first_sentence(docstring: str) -> str:
    """The first sentence of a docstring, on one line and without its full stop."""
    text = " ".join(docstring.split("\n\n")[0].split())
    return re.split(r"(?<!\.)\. ", text)[0].removesuffix(".")
