"""Units and descriptions of the model's values, for whoever prints them or writes about them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unit:
    """What a number counts or is measured in."""

    name: str


@dataclass(frozen=True, slots=True)
class Doc:
    """What a field of a result is, in a line."""

    text: str
