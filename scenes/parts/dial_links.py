"""Pictures that lie on each other: what lies on one is drawn anew when that one moves.

Manim draws what stands before the first moving thing once for a whole play. What lies on a picture
may stand before it (a wedge under its hands), so it is kept awake while the picture moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import Mobject, linear
from numpy.typing import NDArray

from clockhead.scenes.stage import Passage, Picture, Value
from clockhead.scenes.stage.shown import Passing
from clockhead.scenes.style.motion import Drive


class Linked(Picture):
    """A picture that others lie on: hands on dials, wedges on hands."""

    def __init__(self, value: Value) -> None:
        super().__init__(value)
        self.followers: list[Linked] = []

    def follow(self, follower: Linked) -> None:
        """Let another picture be drawn anew whenever this one moves."""
        self.followers.append(follower)

    def redraw(self) -> None:
        """Draw what is shown again, where it lies now."""
        self.show(self.state)

    def redraw_followers(self) -> None:
        """Draw anew all that lies on this one."""
        for follower in self.followers:
            follower.redraw()

    def to(self, value: Value, **options: Any) -> Passage:
        """Let it run to another value of the same shape."""
        return self.pass_through(value, np.stack([self.state, value.array]), **options)

    def through(self, series: Value, **options: Any) -> Passage:
        """Let it run through a series of values, (steps, ...), to the last of them."""
        end = series[len(series) - 1]
        return self.pass_through(end, series.array, **{"rate_func": linear} | options)

    def grow(self, **options: Any) -> Passage:
        """Let it grow from nothing to the value that it shows."""
        shown = self.shown
        value = shown.end if isinstance(shown, Passing) else shown
        return self.pass_through(value, np.stack([0 * value.array, value.array]), **options)

    def pass_through(self, end: Value, states: NDArray[np.float64], **options: Any) -> Passage:
        """Let it run through states to a value that is the last of them."""
        return LinkedPassage(self, end, states, **options)


class LinkedDrive(Drive):
    """A `Drive` of a picture that others lie on."""

    def begin(self) -> None:
        _wake(self.mobject)
        super().begin()

    def finish(self) -> None:
        super().finish()
        _let_rest(self.mobject)


class LinkedPassage(Passage):
    """A `Passage` of a picture that others lie on."""

    def begin(self) -> None:
        _wake(self.mobject)
        super().begin()

    def finish(self) -> None:
        super().finish()
        _let_rest(self.mobject)


def _stay(_: Mobject) -> None:
    """An updater that leaves everything as it is: what has one is drawn in every frame."""


def _all_on(picture: Any) -> Iterator[Linked]:
    for follower in picture.followers:
        yield follower
        yield from _all_on(follower)


def _wake(picture: Any) -> None:
    for follower in _all_on(picture):
        follower.add_updater(_stay)


def _let_rest(picture: Any) -> None:
    for follower in _all_on(picture):
        follower.remove_updater(_stay)
