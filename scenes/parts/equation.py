"""An equation whose terms have names, and can move, fuse, be dimmed and be pointed at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np
from manim import DOWN, VGroup, there_and_back
from numpy.typing import NDArray

from clockhead.scenes.parts.terms import Point, Term, typeset_terms
from clockhead.scenes.stage import Size, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, in_turn, recolor
from clockhead.scenes.style.shape import Shapes
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import FORMULA, MIN_SIZE

_SCRIPT = 0.7
"""Size of an index or an exponent, in ems of the formula."""
_AIR = 0.1
_EACH = 0.5
"""The share of the time in which one of several terms appears."""


class Equation(Shapes):
    """One typeset line of named terms: `Equation([("left", "query(q_m)"), ("key", "^top k_n")])`.

    Roles are functions that colour. A term that begins with `^` or `_` is attached to the one
    before it; a lone parenthesis is written `\\(`. `{name:format}` in a term is a number of the
    model: `values[name]`, which can be read back from what is drawn.
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

    # Where it stands

    @property
    def least(self) -> Size:
        """At this size an index is as small as text may be."""
        return Size(self._natural.width * self._shrink, self._natural.height * self._shrink)

    @property
    def most(self) -> Size:
        return self._natural

    def place(self, region: Region) -> None:
        """Stand in the middle of a region, no larger than typeset."""
        room = min(region.width / self._natural.width, region.height / self._natural.height)
        whole = VGroup(*self.terms.values())
        whole.scale(min(1.0, max(self._shrink, room)) * self._natural.width / whole.width)
        whole.move_to(region.center)
        self.region = region
        self.add(*self.terms.values())

    def term(self, name: str) -> Term:
        """A term, to be pointed at, looked at or flown to."""
        return self.terms[name]

    def anchor(self, name: str, side: Point = DOWN) -> Point:
        """Where an arrow to a term ends: beside the middle of one of its sides."""
        return np.array(self.terms[name].get_edge_center(side) + _AIR * np.asarray(side))

    # How its terms change

    def hide(self, *names: str) -> Self:
        """Let terms (all, if none is named) be unseen until they appear."""
        for term in self._named(names):
            term.fade_to(0)
        return self

    def appear(self, *names: str, run_time: float = 0.8) -> Drive:
        """Let terms appear one after another, in the order in which they are named."""
        return self._fade(self._named(names), 1.0, run_time)

    def vanish(self, *names: str, run_time: float = 0.6) -> Drive:
        """Let terms fade."""
        return self._fade(self._named(names), 0.0, run_time)

    def highlight(self, *names: str, role: Role = "attention", run_time: float = 0.6) -> Drive:
        """Write terms in the colour of a role."""
        terms = VGroup(*self._named(names))
        return recolor(terms, theme().text_color(role), run_time=run_time)

    def pulse(self, name: str, *, run_time: float = 0.8) -> Drive:
        """Let a term light up once; it keeps its size, so that it covers none beside it."""
        flash = recolor(self.terms[name], theme().text_color("attention"), run_time=run_time)
        flash.rate_func = there_and_back
        return flash

    def take(self, other: Equation) -> None:
        """Have another equation's terms from now on."""
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
