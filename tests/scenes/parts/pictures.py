"""Plays the animations of a part, and compares what it says with what it was made from."""

from collections.abc import Iterable, Sequence
from typing import Any, Self

import pytest
from manim import Animation, Mobject

from clockhead.scenes.stage import Picture, Value
from clockhead.scenes.stage.shown import Passing, misread
from clockhead.scenes.style.layout import Region


class Screen:
    """A stage as far as `misread` and the layout check ask for one: values by path, and parts."""

    def __init__(self, values: dict[str, Any], shares: Sequence[str] = ()) -> None:
        self.values, self.shares, self.mobjects = values, shares, []
        self.beats, self.camera, self.canvas = [], None, Region.frame(14, 14)

    def __getitem__(self, path: str) -> Value:
        return Value(path, self.values[path], unit="share" if path in self.shares else None)

    def show(self, *parts: Mobject) -> Self:
        """Show these parts and nothing else."""
        self.mobjects = list(parts)
        return self

    def misread(self, *parts: Mobject) -> list[str]:
        """What is misread while these parts are shown."""
        return misread(self.show(*parts))


def at(animation: Animation, share: float) -> None:
    """Play an animation as far as this share of its time."""
    animation.begin()
    animation.interpolate(share)


def done(animations: Animation | Iterable[Animation], *shares: float) -> None:
    """Play animations to their end, by way of these shares of their time."""
    for animation in [animations] if isinstance(animations, Animation) else animations:
        animation.begin()
        for share in (*shares, 1.0):
            animation.interpolate(share)
        animation.finish()


def wrong(*pictures: Picture) -> list[str]:
    """The names of the values that the pictures misreport."""
    found = []
    for reading in (reading for picture in pictures for reading in picture.readings()):
        meant, says = reading.meant, reading.says
        truth = meant.content
        if isinstance(says, str) or isinstance(truth, str):
            fits = says == truth
        else:
            fits = abs(float(says) - float(truth)) <= max(reading.within, 1e-9)
            if isinstance(meant, Passing):
                low, high = float(meant.low) - reading.within, float(meant.high) + reading.within
                fits = fits and low <= says <= high
        found += [] if fits else [meant.name]
    return found


def says(*pictures: Picture) -> list:
    """All that the pictures say."""
    return [reading.says for picture in pictures for reading in picture.readings()]


def assert_inside(region: Region, *mobjects: Mobject, slack: float = 1e-6) -> None:
    """Nothing of these is drawn outside a region."""
    for mobject in mobjects:
        (left, bottom, _), (right, top, _) = map(mobject.get_corner, ([-1, -1, 0], [1, 1, 0]))
        assert left >= region.left - slack
        assert bottom >= region.bottom - slack
        assert right <= region.right + slack
        assert top <= region.top + slack


def exchange(one: Mobject, other: Mobject) -> None:
    """Put two mobjects in each other's place."""
    way = other.get_center() - one.get_center()
    one.shift(way)
    other.shift(-way)


on_each_theme = pytest.mark.parametrize("name", ["chalk", "paper"])
