"""Plain values that know where they were written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from clockhead.storyboard.problems import Place, Problem
from clockhead.storyboard.scalars import Value, in_quotes_like
from clockhead.storyboard.wording import key_name

At = tuple[str | int, ...]
"""Keys and indices from the root of a file to a value."""
Mark = tuple[int, int]
"""A line and a column."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A file's values, where each was written, and what was refused on the way."""

    file: str
    value: Value
    values_at: Mapping[At, Mark]
    keys_at: Mapping[At, Mark]
    problems: tuple[Problem, ...] = ()
    broken: frozenset[At] = frozenset()
    """Paths whose value was refused: nothing more is to be said about them."""
    styles_at: Mapping[At, str] = field(default_factory=dict)
    """The quote mark around texts, or the sign of a block; texts that have neither are left out."""

    def place(self, at: At) -> Place:
        """Where the value at a path was written, or the nearest thing around it."""
        around = at
        while around and around not in self.values_at:
            around = around[:-1]
        return Place(self.file, *self.values_at.get(around, (0, 0)), dotted(at))

    def key_place(self, at: At) -> Place:
        """Where the key at a path was written, or else its value."""
        if at in self.keys_at:
            return Place(self.file, *self.keys_at[at], dotted(at))
        return self.place(at)

    def line(self, at: At, text: str) -> str:
        """How another text is written in the same place, in the same quotes."""
        style = self.styles_at.get(at)
        key = f"{at[-1]}: " if style not in ("|", ">") and isinstance(at[-1], str) else ""
        return key + in_quotes_like(style, text)

    def is_broken(self, at: At) -> bool:
        """Whether the value at a path, or something around it, was refused already."""
        return any(at[:length] in self.broken for length in range(len(at) + 1))


def dotted(at: At) -> str:
    """`shots[2].inputs.d_head`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{key_name(step)}" for step in at)
    return "".join(steps).removeprefix(".")
