"""An equation with named terms, which can move, merge, fade and become another equation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from manim import UP, VGroup, there_and_back
from numpy.typing import NDArray

from clockhead.scenes.parts.terms import Point, Term, typeset_terms
from clockhead.scenes.stage import Size, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, Gesture, in_turn, recolor
from clockhead.scenes.style.shape import Shapes, fill_of
from clockhead.scenes.style.theme import mix, theme
from clockhead.scenes.style.type import FORMULA, MIN_SIZE

_SCRIPT = 0.7
"""Size of a subscript or superscript, in ems of the formula."""
_EACH = 0.5
"""Fraction of the time in which one of several terms appears."""
Pose = tuple[Point, float]
"""The left end of a baseline, and the em at that position."""


class Equation(Shapes):
    r"""One typeset line of named terms: `Equation([("left", "query(q_m)"), ("key", "^top k_n")])`.

    Names of roles are functions that colour their argument. A term that begins with `^` or `_` is
    attached to the one before it; a lone parenthesis is written `\(`. `{name:format}` in a term is
    a number of the model, `values[name]`, and is read back from the picture.
    """

    def __init__(
        self,
        terms: Sequence[tuple[str, str]],
        *,
        values: Mapping[str, Value] | None = None,
        size: float = FORMULA,
        color: str | None = None,
    ) -> None:
        super().__init__()
        self.terms = {
            term.name: term
            for term in typeset_terms(terms, values or {}, size, color or theme().ink)
        }
        if len(self.terms) != len(terms):
            raise ValueError("two terms of an equation have one name")
        whole = VGroup(*self.terms.values())
        has_scripts = any("_" in markup or "^" in markup for _, markup in terms)
        self._shrink = min(1.0, MIN_SIZE / (_SCRIPT if has_scripts else 1.0) / size)
        self._natural = Size(whole.width, whole.height)
        self.region: Region | None = None

    # Position

    @property
    def least(self) -> Size:
        """The size at which a subscript has the smallest size that text may have."""
        return Size(self._natural.width * self._shrink, self._natural.height * self._shrink)

    @property
    def most(self) -> Size:
        return self._natural

    def place(self, region: Region) -> None:
        """Centre it in a region, no larger than typeset."""
        room = min(region.width / self._natural.width, region.height / self._natural.height)
        whole = VGroup(*self.terms.values())
        whole.scale(min(1.0, max(self._shrink, room)) * self._natural.width / whole.width)
        whole.move_to(region.center)
        self.region = region
        self.add(*self.terms.values())

    def term(self, name: str) -> Term:
        """A term, to point at, look at or move to."""
        return self.terms[name]

    # Motion

    def hide(self, *names: str) -> Self:
        """Hide terms (default: all) until they appear."""
        for term in self._named(names):
            term.fade_to(0)
        return self

    def appear(self, *names: str, run_time: float = 0.8) -> Drive:
        """Fade in terms one after another, in the order in which they are given."""
        return self._fade(self._named(names), 1.0, run_time)

    def vanish(self, *names: str, run_time: float = 0.6) -> Drive:
        """Fade out terms."""
        return self._fade(self._named(names), 0.0, run_time)

    def pulse(self, name: str, *, run_time: float = 0.8) -> Drive:
        """Highlight a term once; it keeps its size, so that it covers no other term."""
        flash = recolor(self.terms[name], theme().text_color("attention"), run_time=run_time)
        flash.rate_func = there_and_back
        return flash

    def take(self, other: Equation) -> None:
        """Take over the terms of another equation."""
        self.terms, self._natural, self._shrink = other.terms, other._natural, other._shrink
        self.region = other.region
        self.submobjects = list(other.terms.values())

    def _named(self, names: Sequence[str]) -> list[Term]:
        return [self.terms[name] for name in names or self.terms]

    def _fade(self, terms: list[Term], end: float, run_time: float) -> Drive:
        starts = [term.opacity for term in terms]

        def show(share: NDArray[np.float64]) -> None:
            for term, start, part in zip(
                terms, starts, in_turn(float(share), len(terms), _EACH), strict=True
            ):
                term.fade_to(start + (end - start) * float(part))

        return Drive(self, show, 0.0, 1.0, run_time=run_time)


@dataclass(eq=False)
class Way:
    """The path of a term from one pose to another, with its opacity and colours."""

    term: Term
    start: Pose
    end: Pose
    fade: Callable[[float], float] | None = None
    hop: float = 0.0
    inks: list[tuple[str, str]] | None = None

    def go(self, share: float) -> None:
        """Move the term to the fraction `share` of its path."""
        (a, small), (b, large) = self.start, self.end
        rise = UP * self.hop * 4 * share * (1 - share)
        if share == 1:
            self.term.stand(b, large)
        else:
            place = a + (b - a) * share + rise
            self.term.stand(place, small + (large - small) * share)
        if self.fade is not None:
            self.term.fade_to(self.fade(share))
        for piece, (before, after) in zip(self.term.pieces, self.inks or (), strict=False):
            piece.set_fill(mix(before, after, share))


def become(
    equation: Equation,
    other: Equation,
    *,
    origins: Mapping[str, Sequence[str]] | None = None,
    hops: Mapping[str, float] | None = None,
    run_time: float = 1.5,
) -> Gesture:
    """Turn an equation into another one, whose terms it then has.

    Terms with the same name move to their new places; the others fade. `origins` maps a new term to
    the old terms that merge into it. A single origin with the same text moves there, and also stays
    if its name does. `hops` gives heights by which terms rise on their path. If `other` has no
    place, it gets that of `equation`.
    """
    sources, rises = origins or {}, hops or {}

    def prepare() -> Callable[[float], None]:
        if other.region is None and equation.region is not None:
            other.place(equation.region)
        seen = {name: term.opacity for name, term in equation.terms.items()}
        ways = [
            way
            for name in other.terms
            for way in _ways_to(name, equation, other, sources, rises, seen)
        ]
        named = {name for names in sources.values() for name in names}
        for name, term in equation.terms.items():
            if name not in other.terms and name not in named:
                ways.append(_fade_path(term, lambda was, s: was * max(0, 1 - 2 * s)))
        equation.add(*other.terms.values())

        def go(share: float) -> None:
            for way in ways:
                way.go(share)

        return go

    return Gesture(equation, prepare, lambda: equation.take(other), run_time=run_time)


def _ways_to(
    name: str,
    equation: Equation,
    other: Equation,
    origins: Mapping[str, Sequence[str]],
    hops: Mapping[str, float],
    seen: Mapping[str, float],
) -> list[Way]:
    """The paths that lead to a new term: its own, and those of the old terms that it comes from.

    `seen` gives the opacity of the old terms.
    """
    old, term = equation.terms, other.terms[name]
    end, goal, hop = (term.anchor, term.em), term.opacity, hops.get(name, 0.0)
    sources = list(origins.get(name, [name] if name in old else []))
    alike = [old[source] for source in sources if old[source].text == term.text]
    if name in origins and not (len(sources) == 1 and alike):
        coming = [
            _merge_path(old[source], term, seen[source], hops.get(source, 0.0))
            for source in sources
        ]
        return [*coming, _fade_path(term, lambda was, s: was * max(0.0, 4 * s - 3))]
    if not sources:
        return [_fade_path(term, lambda was, s: was * max(0.0, 2 * s - 1))]
    before = old[sources[0]]
    start, was = (before.anchor, before.em), seen[before.name]
    if before.text == term.text and len(before.pieces) == len(term.pieces):
        inks = [(fill_of(a), fill_of(b)) for a, b in zip(before.pieces, term.pieces, strict=True)]
        before.fade_to(0)
        return [Way(term, start, end, lambda s: was + (goal - was) * s, hop, inks)]
    return [
        Way(before, start, end, lambda s: was * max(0.0, 1 - 2 * s), hop),
        Way(term, start, end, lambda s: goal * max(0.0, 2 * s - 1), hop),
    ]


def _merge_path(before: Term, term: Term, was: float, hop: float) -> Way:
    """The path of an old term that moves onto the middle of a new one, and fades there."""
    end = before.anchor + term.get_center() - before.get_center()
    pose, there = (before.anchor, before.em), (end, before.em)
    return Way(before, pose, there, lambda s: was * min(1.0, max(0.0, 3 - 4 * s)), hop)


def _fade_path(term: Term, fade: Callable[[float, float], float]) -> Way:
    """A term that fades in place; `fade` gets its current opacity and the fraction of the time."""
    pose, was = (term.anchor, term.em), term.opacity
    return Way(term, pose, pose, lambda share: fade(was, share))
