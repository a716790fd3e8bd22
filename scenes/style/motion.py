"""Animations of parts. They draw states and do not copy mobjects, as Manim's animations do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from manim import Animation, Group, Mobject, Scene, VMobject, smooth
from numpy.typing import ArrayLike, NDArray

from clockhead.scenes.style.shape import fill_of, stroke_of
from clockhead.scenes.style.theme import mix

_OLD_GONE = 0.45
"""Fraction of the run time after which old words are gone; new ones mirror it at the end."""
_SAME_PLACE = 0.08
"""Words that are closer than this, in units, count as being in one place."""


@dataclass(frozen=True, eq=False)
class Moves:
    """Simultaneous animations. `3 * moves` gives them weight 3 in the time of their sentence."""

    animations: tuple[Any, ...]
    weight: float | None = None
    """None if each animation keeps its own run time."""

    def __rmul__(self, weight: float) -> Moves:
        return Moves(self.animations, weight)

    def last(self, seconds: float) -> tuple[Any, ...]:
        """The animations, with their run time set to this number of seconds."""
        for animation in self.animations:
            animation.run_time = seconds
        return self.animations


def together(*moves: Any, run_time: float | None = None) -> Moves:
    """Animations that begin together, all with `run_time` if given.

    Raises:
        TypeError: if one of them has a weight; only the group as a whole can have one.
    """
    found = Moves(tuple(_animations(moves)))
    if run_time is not None:
        found.last(run_time)
    return found


def _animations(moves: Iterable[Any]) -> Iterable[Any]:
    """The animations of nested groups."""
    for move in moves:
        if isinstance(move, tuple | list):
            yield from _animations(move)
        elif not isinstance(move, Moves):
            yield move
        elif move.weight is None:
            yield from move.animations
        else:
            raise TypeError(f"weight {move.weight:g} within a group that has no weights inside")


class Drive(Animation):
    """Animate a part between two states: `show` is called with arrays from `start` to `end`.

    The last call gets `end` itself and not a rounded sum, so that the final picture shows exactly
    the number of the model.

    Followers of the part get an updater: Manim draws mobjects that precede the first moving one
    only once for a whole play, and a wedge may precede the hands that it follows.
    """

    def __init__(
        self,
        part: Mobject,
        show: Callable[[NDArray[np.float64]], object],
        start: ArrayLike,
        end: ArrayLike,
        *,
        run_time: float = 1.0,
        rate_func: Callable[[float], float] = smooth,
        **options: Any,
    ) -> None:
        self._show = show
        self._start = np.asarray(start, dtype=float)
        self._end = np.asarray(end, dtype=float)
        super().__init__(part, run_time=run_time, rate_func=rate_func, **options)

    def __rmul__(self, weight: float) -> Moves:
        return weight * together(self)

    def create_starting_mobject(self) -> Any:
        return self.mobject

    def begin(self) -> None:
        for follower in _all_followers(self.mobject):
            follower.add_updater(_keep_awake)
        super().begin()

    def finish(self) -> None:
        super().finish()
        for follower in _all_followers(self.mobject):
            follower.remove_updater(_keep_awake)

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        state = self._end if share == 1 else self._start + (self._end - self._start) * share
        self._show(state)


class Gesture(Drive):
    """A motion from 0 to 1 with a function that prepares it and one that completes it.

    It is prepared when it begins and not when it is created, so that several gestures can be
    created before the first one is played.
    """

    def __init__(
        self,
        part: Mobject,
        prepare: Callable[[], Callable[[float], None]],
        settle: Callable[[], object] | None = None,
        **options: Any,
    ) -> None:
        self._prepare, self._settle = prepare, settle
        self._at: Callable[[float], None] = stay
        super().__init__(part, lambda share: self._at(float(share)), 0.0, 1.0, **options)

    def begin(self) -> None:
        self._at = self._prepare()
        super().begin()

    def finish(self) -> None:
        super().finish()
        if self._settle:
            self._settle()


def stay(_: float) -> None:
    """Do nothing."""


def _all_followers(part: Any) -> Iterator[Any]:
    """The followers of a part, and their followers."""
    for follower in getattr(part, "followers", ()):
        yield follower
        yield from _all_followers(follower)


def _keep_awake(_: Mobject) -> None:
    """An updater that does nothing; Manim draws mobjects with updaters in every frame."""


class Fade(Drive):
    """Change the opacity of parts without copying them, as Manim's fades do."""

    window = 0.0, 1.0
    """The part of the run time in which the opacity changes."""

    def __init__(self, *parts: Mobject, start: float, end: float, **options: Any) -> None:
        if not parts:
            raise ValueError("nothing is given that fades")
        self._inks: list[tuple[VMobject, tuple[NDArray[np.float64], ...]]] = []
        self._part = parts[0] if len(parts) == 1 else Group(*parts)
        super().__init__(self._part, self._apply_opacity, start, end, **options)

    def begin(self) -> None:
        """Record the current colours."""
        pieces: list[Mobject] = self._part.family_members_with_points()
        self._inks = [
            (piece, (piece.fill_rgbas, piece.stroke_rgbas, piece.background_stroke_rgbas))
            for piece in pieces
            if isinstance(piece, VMobject)
        ]
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        start, end = self.window
        super().interpolate_mobject(min(1.0, max(0.0, (alpha - start) / (end - start))))

    def texts(self) -> list[Mobject]:
        """Its words, numbers and formulas."""
        return [piece for piece in self._part.get_family() if hasattr(piece, "text")]

    def _apply_opacity(self, share: NDArray[np.float64]) -> None:
        """Apply an opacity to new arrays of colours; the original ones are not modified."""
        opacity = np.array([1, 1, 1, float(share)])
        for piece, (fill, stroke, halo) in self._inks:
            piece.fill_rgbas, piece.stroke_rgbas = fill * opacity, stroke * opacity
            piece.background_stroke_rgbas = halo * opacity


class FadeIn(Fade):
    """Fade in parts."""

    def __init__(self, *parts: Mobject, **options: Any) -> None:
        super().__init__(*parts, start=0.0, end=1.0, introducer=True, **options)


class FadeOut(Fade):
    """Fade out parts; afterwards they have their original colours again, to be reused."""

    def __init__(self, *parts: Mobject, **options: Any) -> None:
        super().__init__(*parts, start=1.0, end=0.0, remover=True, **options)

    def is_of(self, there: Collection[Mobject]) -> bool:
        """Whether everything that fades is among these mobjects."""
        return all(piece in there for piece in self._part.family_members_with_points())

    def clean_up_from_scene(self, scene: Scene) -> None:
        """Remove the parts from the scene."""
        super().clean_up_from_scene(scene)
        scene.remove(*self._part.get_family())
        self.interpolate(0)


def fade_in_turn(animations: Iterable[Animation]) -> None:
    """Fade out words before others fade in at the same place, in the same play.

    Words that are replaced by equal ones may fade at the same time, because that is invisible.
    """
    fades = [animation for animation in animations if isinstance(animation, Fade)]
    for going in (fade for fade in fades if isinstance(fade, FadeOut)):
        for coming in (fade for fade in fades if isinstance(fade, FadeIn)):
            if _overlap(going.texts(), coming.texts()):
                shorter = min(going.run_time, coming.run_time)
                going.window = 0.0, _OLD_GONE * shorter / going.run_time
                coming.window = (1 - _OLD_GONE) * shorter / coming.run_time, 1.0


def _overlap(going: Sequence[Mobject], coming: Sequence[Mobject]) -> bool:
    """Whether a text overlaps another one with other words or at another place."""
    if not going or not coming:
        return False
    old, new = (np.array([_box(text) for text in texts]) for texts in (going, coming))  # (n, 4)
    low = np.maximum(old[:, None, :2], new[None, :, :2])
    high = np.minimum(old[:, None, 2:], new[None, :, 2:])
    over = (high > low).all(axis=-1)
    apart = np.abs(old[:, None] - new[None]).max(axis=-1) > _SAME_PLACE
    return any(
        apart[a, b] or going[a].text != coming[b].text for a, b in np.argwhere(over).tolist()
    )


def _box(text: Mobject) -> NDArray[np.float64]:
    """Left, bottom, right and top; NaN for an empty text."""
    points = text.get_all_points()[:, :2]
    if not len(points):
        return np.full(4, np.nan)
    return np.concatenate([points.min(axis=0), points.max(axis=0)])


def recolor(
    part: Mobject, color: str, *, opacity: float | None = None, run_time: float = 0.6
) -> Drive:
    """Change the colour of all pieces of `part`: of fills and of strokes that are visible."""
    pieces = [p for p in part.family_members_with_points() if isinstance(p, VMobject)]
    before = [(p, fill_of(p), stroke_of(p), p.get_fill_opacity()) for p in pieces]

    def show(share: NDArray[np.float64]) -> None:
        for piece, fill, stroke, was in before:
            if was > 0:
                to = was if opacity is None else opacity
                piece.set_fill(mix(fill, color, float(share)), was + (to - was) * float(share))
            if piece.get_stroke_width() > 0:
                piece.set_stroke(mix(stroke, color, float(share)))

    return Drive(part, show, 0.0, 1.0, run_time=run_time)


def in_turn(share: float, n: int, each: float) -> NDArray[np.float64]:
    """The progress of each of n parts that start one after another; (n,), 0 to 1.

    `share` is the elapsed fraction of the whole time, `each` the fraction that one part takes.
    """
    if share >= 1:
        return np.ones(n)
    leave = np.linspace(0.0, max(0.0, 1 - each), n)
    return np.clip((share - leave) / each, 0.0, 1.0)


def slide(part: Mobject, by: ArrayLike, *, run_time: float = 0.8) -> Drive:
    """Move `part` by a vector, without copying it."""
    way, gone = np.asarray(by, dtype=float), np.zeros(3)

    def show(share: NDArray[np.float64]) -> None:
        part.shift(way * float(share) - gone)
        gone[:] = way * float(share)

    return Drive(part, show, 0.0, 1.0, run_time=run_time)


def fly(part: Mobject, to: ArrayLike, *, scale: float = 1.0, run_time: float = 0.8) -> Drive:
    """Move the middle of `part` to a point and scale it, without copying it.

    The motion starts at the part's position when this function is called.
    """
    shapes = [(piece, piece.points.copy()) for piece in part.family_members_with_points()]
    start = part.get_center()
    way = np.asarray(to, dtype=float) - start

    def show(share: NDArray[np.float64]) -> None:
        size, middle = 1 + (scale - 1) * float(share), start + way * float(share)
        for piece, shape in shapes:
            piece.points = middle + (shape - start) * size

    return Drive(part, show, 0.0, 1.0, run_time=run_time)


def along(series: NDArray[np.float64], place: float) -> NDArray[np.float64]:
    """The element of a series at a fractional index, interpolated; exact at integers."""
    low = int(place)
    share = place - low
    if share == 0:
        return np.asarray(series[low])
    return np.asarray(series[low] * (1 - share) + series[low + 1] * share)
