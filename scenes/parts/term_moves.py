"""How the terms of an equation move: each on its way, and all of them to another equation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from manim import UP

from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.terms import Point, Term
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.shape import fill_of
from clockhead.scenes.style.theme import mix

Pose = tuple[Point, float]
"""The left end of a baseline, and the em there."""


@dataclass(eq=False)
class Way:
    """How a term gets from one pose to another, and from one opacity to another."""

    term: Term
    start: Pose
    end: Pose
    fade: Callable[[float], float] | None = None
    hop: float = 0.0
    inks: list[tuple[str, str]] | None = None

    def go(self, share: float) -> None:
        """Stand `share` of the way."""
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
) -> Become:
    """Turn an equation into another one, whose terms it then has.

    Terms of one name move to their new places; the rest fades. `origins` names the old terms
    that come together in a new one; a single one of the same text flies there, and stays as
    well if its name does. `hops` lets terms rise on their way.
    An equation without a place of its own gets that of the first.
    """
    return Become(equation, other, origins or {}, hops or {}, run_time=run_time)


class Become(Drive):
    """An equation on its way to another one, whose terms it ends with."""

    def __init__(
        self,
        equation: Equation,
        other: Equation,
        origins: Mapping[str, Sequence[str]],
        hops: Mapping[str, float],
        **options: Any,
    ) -> None:
        self._old, self._new = equation, other
        self._origins, self._hops = origins, hops
        self._ways: list[Way] = []
        self._seen: dict[str, float] = {}
        super().__init__(equation, lambda share: self._go(float(share)), 0.0, 1.0, **options)

    def begin(self) -> None:
        """Look where everything stands now, and bring the new terms in."""
        old, new = self._old, self._new
        if new.region is None and old.region is not None:
            new.place(old.region)
        self._seen = {name: term.opacity for name, term in old.terms.items()}
        self._ways = [way for name in new.terms for way in self._to(name)]
        gone = (
            set(old.terms) - set(new.terms) - {n for names in self._origins.values() for n in names}
        )
        for name in old.terms:
            if name in gone:
                self._ways.append(_still(old.terms[name], lambda was, s: was * max(0, 1 - 2 * s)))
        old.add(*new.terms.values())
        super().begin()

    def finish(self) -> None:
        """Arrive, and have the new terms."""
        super().finish()
        self._old.take(self._new)

    def _go(self, share: float) -> None:
        for way in self._ways:
            way.go(share)

    def _to(self, name: str) -> list[Way]:
        """The ways that lead to a new term: its own, and those of the old ones it comes from."""
        old, term = self._old.terms, self._new.terms[name]
        end, seen = (term.anchor, term.em), term.opacity
        options: dict[str, Any] = {"hop": self._hops.get(name, 0.0)}
        sources = list(self._origins.get(name, [name] if name in old else []))
        alike = [old[source] for source in sources if old[source].text == term.text]
        if name in self._origins and not (len(sources) == 1 and alike):
            coming = [self._onto(old[source], term) for source in sources]
            return [*coming, _still(term, lambda was, s: was * max(0.0, 4 * s - 3))]
        if not sources:
            return [_still(term, lambda was, s: was * max(0.0, 2 * s - 1))]
        before = old[sources[0]]
        start, was = (before.anchor, before.em), self._seen[before.name]
        if before.text == term.text and len(before.pieces) == len(term.pieces):
            inks = [
                (fill_of(a), fill_of(b)) for a, b in zip(before.pieces, term.pieces, strict=True)
            ]
            before.fade_to(0)
            return [Way(term, start, end, lambda s: was + (seen - was) * s, inks=inks, **options)]
        return [
            Way(before, start, end, lambda s: was * max(0.0, 1 - 2 * s), **options),
            Way(term, start, end, lambda s: seen * max(0.0, 2 * s - 1), **options),
        ]

    def _onto(self, before: Term, term: Term) -> Way:
        """An old term that moves onto the middle of a new one, and fades there."""
        was = self._seen[before.name]
        end = before.anchor + term.get_center() - before.get_center()
        return Way(
            before,
            (before.anchor, before.em),
            (end, before.em),
            lambda s: was * min(1.0, max(0.0, 3 - 4 * s)),
            hop=self._hops.get(before.name, 0.0),
        )


def _still(term: Term, fade: Callable[[float, float], float]) -> Way:
    """A term that fades where it stands; `fade` gets its opacity now and the share of the time."""
    pose, was = (term.anchor, term.em), term.opacity
    return Way(term, pose, pose, lambda share: fade(was, share))
