"""Values on screen: their origin, and the readings of their pictures.

A picture is made from values that know their path (`stage["head.scores"]`), and can be read back:
it measures its own geometry (the height of a bar, the angle of a hand, the shade of a cell, the
order of its rows) and reports the value that this represents. `misread` compares the two, and so
finds a bar of the wrong length, a hand turned the wrong way or a label on the wrong row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Protocol

import numpy as np
from manim import Mobject, linear, smooth
from numpy.typing import ArrayLike, NDArray

from clockhead.scenes.style.motion import Drive, along
from clockhead.scenes.style.shape import Shapes, has_ink, is_a
from clockhead.scenes.style.text import Number

Index = tuple[int | slice, ...]
_VISIBLE = 0.05


@dataclass(frozen=True, eq=False)
class Value:
    """A value of a stage, or an element of one: its path, content and description."""

    path: str
    content: Any = field(repr=False)
    description: str = ""
    unit: str | None = None
    index: Index = ()

    @property
    def array(self) -> NDArray[np.float64]:
        """The content as numbers."""
        return np.asarray(self.content, dtype=float)

    def __getitem__(self, index: int | slice | Index) -> Value:
        """An element, a row, or a slice."""
        steps = index if isinstance(index, tuple) else (index,)
        content = self.content
        for step in steps:
            content = content[step]
        return Value(self.path, content, self.description, self.unit, (*self.index, *steps))

    def __len__(self) -> int:
        return len(self.content)

    @property
    def low(self) -> Any:
        """The smallest value that a picture of it may show."""
        return self.content

    @property
    def high(self) -> Any:
        """The largest value that a picture of it may show."""
        return self.content

    @property
    def name(self) -> str:
        """`head.scores[5, 4]`."""
        inside = ", ".join(map(str, self.index))
        return f"{self.path}[{inside}]" if inside else self.path


@dataclass(frozen=True, eq=False)
class Passing:
    """The value of a picture during an animation: somewhere between `start` and `end`."""

    start: Value
    end: Value
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    content: NDArray[np.float64]
    """The current value."""

    def __getitem__(self, index: int | Index) -> Passing:
        return Passing(
            self.start[index],
            self.end[index],
            self.low[index],
            self.high[index],
            self.content[index],
        )

    @property
    def name(self) -> str:
        """`head.scores[5, 4] to head.pattern[5, 4]`."""
        return f"{self.start.name} to {self.end.name}"


Shown = Value | Passing


@dataclass(frozen=True, slots=True)
class Reading:
    """The value that a piece of a picture shows, as measured, and the one that it stands for.

    `within` is the tolerance: the width of a line, the step between two shades.
    """

    meant: Shown
    says: float | str
    within: float = 1e-6


@dataclass(frozen=True, slots=True)
class Readings:
    """The values that N pieces of a picture show, (N,), for elements of a value at `places`.

    All of them are compared at once; iterating gives a `Reading` for each.
    """

    meant: Shown
    places: tuple[NDArray[np.int64], ...]
    """Their index along each axis of the value, (N,) each."""
    says: NDArray[np.float64]
    within: float

    def __iter__(self) -> Iterator[Reading]:
        lists = (array.tolist() for array in (*self.places, self.says))
        for *place, says in zip(*lists, strict=True):
            yield Reading(self.meant[tuple(place)], says, self.within)


class Picture(Shapes):
    """A picture of a value. `show` draws a state of it; `readings` measures the drawing.

    `shown` is its current value; a picture that has not been placed shows nothing.
    """

    def __init__(self, value: Value) -> None:
        super().__init__()
        self.shown: Shown = value

    @property
    def state(self) -> NDArray[np.float64]:
        """The current numbers."""
        return np.asarray(self.shown.content, dtype=float)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw these numbers."""
        raise NotImplementedError

    def readings(self) -> Iterator[Reading]:
        """The readings of all its visible pieces."""
        raise NotImplementedError

    def read_together(self) -> Iterator[Reading | Readings]:
        """The same readings, with those of many similar pieces combined if possible."""
        return self.readings()

    def set_to(self, value: Value) -> None:
        """Show another value, without an animation."""
        self.shown = value
        self.show(value.array)

    def drive(self, attribute: str, start: ArrayLike, end: ArrayLike, **options: Any) -> Drive:
        """Animate an attribute that `show` uses, a number or an array, from `start` to `end`."""

        def draw(now: NDArray[np.float64]) -> None:
            setattr(self, attribute, now if now.ndim else float(now))
            self.show(self.state)

        return Drive(self, draw, start, end, **options)

    def to(self, value: Value, **options: Any) -> Passage:
        """Animate to another value of the same shape."""
        return Passage(self, value, np.stack([self.state, value.array]), **options)

    def through(self, series: Value, **options: Any) -> Passage:
        """Animate through a series of values, (steps, ...), to the last one."""
        return Passage(
            self, series[len(series) - 1], series.array, **{"rate_func": linear} | options
        )


class Linked(Picture):
    """A picture with followers, which are redrawn when it moves, as wedges are with hands."""

    def __init__(self, value: Value) -> None:
        super().__init__(value)
        self.followers: list[Linked] = []

    def follow(self, follower: Linked) -> None:
        """Redraw another picture whenever this one moves."""
        self.followers.append(follower)

    def redraw(self) -> None:
        """Draw the current value again, at its current position."""
        self.show(self.state)

    def redraw_followers(self) -> None:
        """Redraw all followers."""
        for follower in self.followers:
            follower.redraw()

    def grow(self, **options: Any) -> Passage:
        """Animate from zero to the current value."""
        shown = self.shown
        value = shown.end if isinstance(shown, Passing) else shown
        return Passage(self, value, np.stack([0 * value.array, value.array]), **options)


class Passage(Drive):
    """Animation of a picture through states, (steps, ...), to a value that is the last of them."""

    def __init__(
        self,
        picture: Picture,
        end: Value,
        states: NDArray[np.float64],
        *,
        run_time: float = 1.0,
        rate_func: Callable[[float], float] = smooth,
        **options: Any,
    ) -> None:
        self._picture, self._goal, self._states = picture, end, states
        start = picture.shown
        self._origin = start if isinstance(start, Value) else start.end
        super().__init__(
            picture,
            lambda place: self._go(float(place)),
            0.0,
            float(len(states) - 1),
            run_time=run_time,
            rate_func=rate_func,
            **options,
        )

    def _go(self, place: float) -> None:
        if place >= len(self._states) - 1:
            self._picture.set_to(self._goal)
            return
        low, high = self._states.min(axis=0), self._states.max(axis=0)
        state = np.clip(
            along(self._states, place), low, high
        )  # rounding may leave it slightly outside
        self._picture.shown = Passing(self._origin, self._goal, low, high, state)
        self._picture.show(state)


class Valued(Protocol):
    """A scene with values by path: a stage."""

    @property
    def mobjects(self) -> Sequence[Mobject]: ...

    def __getitem__(self, path: str) -> Value: ...


def misread(stage: Valued) -> list[str]:
    """Descriptions of all pictures that do not show their value; empty if all are correct.

    Values are looked up again by path, so that a picture cannot supply its own truth. A number that
    has no value is reported too.
    """
    truths = _Truths(stage)
    pictures, own, others = dict[int, Picture](), set[int](), dict[int, Number]()
    for mobject, is_own in _walk_all(stage.mobjects):
        if is_a(mobject, Picture):
            pictures[id(mobject)] = mobject
        elif is_own:
            own.add(id(mobject))
        elif is_a(mobject, Number):
            others[id(mobject)] = mobject
    problems = [
        problem
        for picture in pictures.values()
        for read in picture.read_together()
        for reading in _to_judge(read, truths)
        if (problem := _judge(reading, truths, type(picture).__name__))
    ]
    strangers = (n for key, n in others.items() if key not in own and is_visible(n))
    return problems + [f"the number {n.text} stands for no value" for n in strangers]


def _walk_all(mobjects: Sequence[Mobject]) -> list[tuple[Mobject, bool]]:
    """Everything on screen in drawing order, and whether it belongs to a picture."""
    found: list[tuple[Mobject, bool]] = []

    def walk(mobjects: Sequence[Mobject], is_own: bool) -> None:
        for mobject in mobjects:
            found.append((mobject, is_own))
            if mobject.submobjects:
                walk(mobject.submobjects, is_own or is_a(mobject, Picture))

    walk(mobjects, False)
    return found


def on_show(stage: Valued) -> list[Value]:
    """The values whose pictures are visible now, each once, in drawing order.

    Of a value that is partly visible (the last step of many, one row), only that part.
    """
    seen = (m for mobject in stage.mobjects for m in mobject.get_family())
    shown = (m.shown for m in seen if isinstance(m, Picture) and is_visible(m))
    parts: dict[str, list[Index]] = {}
    for value in shown:
        if isinstance(value, Value):
            parts.setdefault(value.path, []).append(value.index)
    found = []
    for path, indices in parts.items():
        with suppress(KeyError):  # labels have no value of the stage
            steps = zip(*indices, strict=False)
            common = tuple(all_of[0] for all_of in takewhile(_are_equal, steps))
            found.append(stage[path][common] if common else stage[path])
    return found


def _are_equal(steps: Sequence[int | slice]) -> bool:
    return all(step == steps[0] for step in steps)


def is_visible(mobject: Mobject) -> bool:
    """Whether any piece of a mobject is visible."""
    if not mobject.submobjects:
        return has_ink(mobject, _VISIBLE)
    return any(has_ink(piece, _VISIBLE) for piece in mobject.get_family())


class _Truths(dict[str, Value]):
    """The values of a stage by path, each looked up once."""

    def __init__(self, stage: Valued) -> None:
        super().__init__()
        self._stage = stage

    def __missing__(self, path: str) -> Value:
        self[path] = self._stage[path]
        return self[path]


def _to_judge(read: Reading | Readings, truths: Mapping[str, Value]) -> Iterable[Reading]:
    """The readings to judge one by one: none if combined readings are all correct."""
    if isinstance(read, Reading):
        return (read,)
    meant = read.meant
    if isinstance(meant, Passing):
        now, low, high = (array[read.places] for array in (meant.content, meant.low, meant.high))
        are_so = (low - read.within <= read.says) & (read.says <= high + read.within)
        are_so &= np.abs(read.says - now) <= read.within
    else:
        now = np.asarray(_truth(meant, truths), dtype=float)[read.places]
        are_so = np.abs(read.says - now) <= read.within
    return () if are_so.all() else read


def _judge(reading: Reading, truths: Mapping[str, Value], part: str) -> str | None:
    meant, says = reading.meant, reading.says
    if isinstance(meant, Passing):
        now, low, high = (float(x) for x in (meant.content, meant.low, meant.high))
        if isinstance(says, float | int) and (
            abs(says - now) <= reading.within
            and low - reading.within <= says <= high + reading.within
        ):
            return None
        wanted = f"{now:.6g}, between {low:.6g} and {high:.6g}"
    else:
        truth = _truth(meant, truths)
        are_words = isinstance(says, str) or isinstance(truth, str)
        if says == truth if are_words else abs(float(says) - float(truth)) <= reading.within:
            return None
        wanted = repr(truth)
    said = says if isinstance(says, str) else f"{says:.6g}"
    return f"{part} says {said} for {meant.name}, which is {wanted}"


def _truth(value: Value, truths: Mapping[str, Value]) -> Any:
    """The value at a path, looked up again."""
    found = truths[value.path].content
    for step in value.index:
        found = found[step]
    return found
