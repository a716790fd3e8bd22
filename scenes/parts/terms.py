"""Terms of an equation: pieces of one typeset line that can move separately.

The whole line is typeset at once, so that baseline and spacing are right. Every term, every role in
it and every number of the model in it is typeset in a marker colour of its own, which identifies
its path; afterwards it gets its final colour.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.scenes.facts import format_fact
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.shape import fill_of
from clockhead.scenes.style.text import TypesetText
from clockhead.scenes.style.theme import ROLES, Role, theme
from clockhead.scenes.style.typeset_paths import typeset_paths

Point = NDArray[np.float64]

_STRUT = "#FE0000"
"""The marker colour of the letter that gives the height of the baseline."""
_SAME = 0.02
"""Tolerance when comparing two drawings of one text, relative to its height."""
_EMPTY = 1e-6
_SYNTAX = re.compile(
    rf"(?P<role>\b(?:{'|'.join(ROLES)})(?=\())|\{{(?P<name>\w+)(?::(?P<spec>[^{{}}]*))?\}}|."
)


class TypesetNumber(Picture):
    """A number of the model in a formula: one path, and the text that was typeset."""

    def __init__(self, value: Value, spec: str) -> None:
        super().__init__(value)
        self._spec = spec
        self.text = _format_number(value, spec)

    def show(self, state: NDArray[np.float64]) -> None:
        """Not supported: a typeset number keeps its value."""
        raise NotImplementedError(
            "a number in an equation cannot be animated; use another equation"
        )

    def readings(self) -> Iterator[Reading]:
        """The value, if the path is the drawing of its text; else the text that is drawn."""
        if not self.submobjects or not is_visible(self):
            return
        drawn = _normalize(self.submobjects[0].points)
        assert isinstance(self.shown, Value)
        if _is_drawing_of(drawn, _format_number(self.shown, self._spec)):
            yield Reading(self.shown, self.shown.content, 0.0)
        else:
            yield Reading(self.shown, self.text if _is_drawing_of(drawn, self.text) else "?")


class Term(TypesetText):
    """A named piece of an equation. `anchor` is the left end of its baseline."""

    def __init__(self, name: str, text: str, size: float, paths: list[VMobject]) -> None:
        super().__init__(text, size, paths)
        self.name = name
        self._ems = [np.zeros((0, 3))] * len(self.pieces)

    @property
    def pieces(self) -> list[VMobject]:
        """Its paths, one for each role and each number."""
        return [p for p in self.family_members_with_points() if isinstance(p, VMobject)]

    def rest_on(self, anchor: Point) -> None:
        """Set the left end of its baseline, for its current position."""
        self._ems = [(piece.points - anchor) / self.em for piece in self.pieces]

    @property
    def anchor(self) -> Point:
        """The left end of its baseline at its current position."""
        low = np.min([ems.min(axis=0) for ems in self._ems], axis=0)
        here = np.min([piece.points.min(axis=0) for piece in self.pieces], axis=0)
        return np.asarray(here - low * self.em)

    def stand(self, anchor: Point, em: float) -> None:
        """Move it to a point, with an em of `em` units."""
        for piece, ems in zip(self.pieces, self._ems, strict=True):
            piece.points = anchor + ems * em

    @property
    def opacity(self) -> float:
        """The opacity of its most visible piece."""
        return max((float(piece.get_fill_opacity()) for piece in self.pieces), default=0.0)

    def fade_to(self, opacity: float) -> None:
        """Set the opacity of all pieces."""
        for piece in self.pieces:
            piece.set_fill(opacity=opacity)


@dataclass(slots=True)
class _Marked:
    """The markup of a term with marker colours: the role and the number that each marks."""

    markup: str = ""
    roles: dict[str, Role | None] = field(default_factory=dict)
    """Roles by marker colour."""
    numbers: dict[str, tuple[Value, str]] = field(default_factory=dict)
    definitions: str = ""
    text: str = ""
    """The original markup, with its numbers written out."""


def typeset_terms(
    terms: Sequence[tuple[str, str]], values: Mapping[str, Value], size: float, color: str
) -> list[Term]:
    """The terms of one line, at their positions in it; the baseline is y = 0."""
    marked = [_mark(markup, place, values) for place, (_, markup) in enumerate(terms)]
    definitions = f'#let strut(body) = text(fill: rgb("{_STRUT}"), body)\n'
    definitions += "".join(one.definitions for one in marked)
    line = " ".join(one.markup for one in marked)
    paths = typeset_paths(f"{definitions}$ {line} quad strut(H) $", size=size, color=color)
    found = {fill_of(path): path for path in paths}
    low = np.array([0.0, found[_STRUT].get_bottom()[1], 0.0])
    for path in paths:
        path.shift(-low)
    return [
        _term(name, one, found, size, color) for (name, _), one in zip(terms, marked, strict=True)
    ]


def _term(name: str, marked: _Marked, found: dict[str, VMobject], size: float, color: str) -> Term:
    pieces: list[VMobject] = []
    for marker, role in marked.roles.items():
        if marker not in found:
            continue
        piece = found[marker].set_fill(color if role is None else theme().text_color(role), 1)
        if marker in marked.numbers:
            number = TypesetNumber(*marked.numbers[marker])
            number.add(piece)
            piece = number
        pieces.append(piece)
    if not pieces:
        raise ValueError(f"the term {name!r} draws nothing: {marked.text!r}")
    term = Term(name, f"${marked.text}$", size, pieces)
    left = min(piece.points[:, 0].min() for piece in term.pieces)
    term.rest_on(np.array([left, 0.0, 0.0]))
    return term


def _mark(markup: str, place: int, values: Mapping[str, Value]) -> _Marked:
    """Wrap a term, its roles and its numbers in markers; a leading `^` or `_` stays outside."""
    marked, open_roles, coming = _Marked(), list[Role | None](), None
    bare = markup.strip()
    script = bare[0] if bare[:1] in ("^", "_") else ""
    body = ""
    for token in _SYNTAX.finditer(bare[len(script) :]):
        role = next((r for r in reversed(open_roles) if r), None)
        if token["role"]:
            coming = next(r for r in ROLES if r == token["role"])
            body += _define(marked, place, coming, 0)
        elif token["name"]:
            value, spec = values[token["name"]], token["spec"] or ""
            name = _define(marked, place, role, len(marked.numbers) + 1)
            marked.numbers[list(marked.roles)[-1]] = (value, spec)
            body += f'{name}("{_format_number(value, spec)}")'
            marked.text += _format_number(value, spec)
            continue
        else:
            body += token[0]
            if token[0] == "(":
                open_roles.append(coming)
                coming = None
            elif token[0] == ")" and open_roles:
                open_roles.pop()
        marked.text += token[0]
    marked.markup = f"{script}{_define(marked, place, None, 0)}({body})"
    return marked


def _define(marked: _Marked, place: int, role: Role | None, number: int) -> str:
    """Define a Typst function that writes in a new marker colour; its name has only letters."""
    tone = 0 if role is None else ROLES.index(role) + 1
    marker = f"#{place + 1:02X}{tone:02X}{number:02X}"
    name = f"mark{_letters(place)}{_letters(tone)}{_letters(number)}"
    if marker not in marked.roles:
        marked.roles[marker] = role
        marked.definitions += (
            f'#let {name}(..parts) = text(fill: rgb("{marker}"), parts.pos().join($,$))\n'
        )
    return name


def _letters(number: int) -> str:
    return chr(ord("a") + number // 26) + chr(ord("a") + number % 26)


def _format_number(value: Value, spec: str) -> str:
    content = value.content
    return format_fact(content if isinstance(content, str) else float(content), spec, value.unit)


@cache
def _drawings(text: str) -> tuple[NDArray[np.float64], ...]:
    """Drawings of a text by Typst in a line, as a subscript, and as its subscript; height 1."""
    ways = (f'{style}("{text}")' for style in ("display", "script", "sscript"))
    lines = [typeset_paths(f"$ {way} $", size=100, color="#000000") for way in ways]
    return tuple(_normalize(paths[0].points) for paths in lines)


def _normalize(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scale a path to height 1, without the empty curves that rounding sometimes leaves."""
    low, high = points.min(axis=0), points.max(axis=0)
    curves = ((points - low) / max(float(high[1] - low[1]), 1e-9)).reshape(-1, 4, 3)
    return np.asarray(curves[np.ptp(curves, axis=1).max(axis=1) > _EMPTY].reshape(-1, 3))


def _is_drawing_of(drawn: NDArray[np.float64], text: str) -> bool:
    """Whether a path is the drawing of a text."""
    return any(
        drawn.shape == shape.shape and np.abs(drawn - shape).max(initial=0.0) < _SAME
        for shape in _drawings(text)
    )
