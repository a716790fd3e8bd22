"""The layout check: at the end of every play, is everything legible and in its place?

It finds text over text, text or shapes outside the margins, text under the minimum size, and text
without contrast to what lies behind it. It cannot find ugliness: look at the frames.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from manim import ManimColor, Mobject, VMobject, config
from numpy.typing import NDArray

from scenes.parts.text import Formula, Label, TypesetText
from scenes.stage import Stage
from scenes.style.layout import MARGIN, PX, Region
from scenes.style.theme import MIN_CONTRAST, contrast, mix, theme
from scenes.style.type import MIN_SIZE

Text = Label | Formula | TypesetText

_SLACK = 0.02
"""Overlaps and overhangs smaller than this, in units, are not seen."""
_VISIBLE = 0.05


@dataclass(frozen=True, slots=True)
class _Shown:
    """A visible text, its box (left, bottom, right, top) and where it stands in drawing order."""

    text: Text
    box: NDArray[np.float64]
    order: int


class LayoutChecker:
    """Collects what is wrong, once each. Give it to a stage as `on_play`."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def __call__(self, stage: Stage) -> None:
        drawn = list(_drawn(stage.mobjects))
        texts = [
            _Shown(mobject, _box(mobject), order)
            for order, mobject in enumerate(drawn)
            if isinstance(mobject, Text) and _opacity(mobject) > _VISIBLE and _box(mobject).size
        ]
        where = f"in {stage.beats[-1].name!r}" if stage.beats else "at the start"
        for problem in [
            *_overlaps(texts),
            *_outside(drawn),
            *_too_small(texts),
            *_faint(texts, drawn),
        ]:
            if (line := f"{where}: {problem}") not in self.problems:
                self.problems.append(line)


def _drawn(mobjects: list[Mobject]) -> Iterator[Mobject]:
    """Every mobject in drawing order; a text stands for its own pieces."""
    for mobject in sorted(mobjects, key=lambda m: m.z_index):
        yield mobject
        if not isinstance(mobject, Text):
            yield from _drawn(mobject.submobjects)


def _box(mobject: Mobject) -> NDArray[np.float64]:
    points = mobject.get_all_points()
    if len(points) == 0:
        return np.array([])
    return np.concatenate([points[:, :2].min(axis=0), points[:, :2].max(axis=0)])


def _opacity(mobject: Mobject) -> float:
    pieces = [m for m in mobject.family_members_with_points() if isinstance(m, VMobject)]
    return max((float(m.get_fill_opacity()) for m in pieces), default=0.0)


def _overlaps(texts: list[_Shown]) -> Iterator[str]:
    for a, b in combinations(texts, 2):
        low = np.maximum(a.box[:2], b.box[:2])
        high = np.minimum(a.box[2:], b.box[2:])
        if np.all(high - low > _SLACK):
            yield f"{a.text.text!r} lies over {b.text.text!r}"


def _outside(drawn: list[Mobject]) -> Iterator[str]:
    page = Region.frame(config.frame_width, config.frame_height).inset(MARGIN - _SLACK)
    for mobject in drawn:
        box = _own_box(mobject)
        if box.size == 0:
            continue
        if box[0] < page.left or box[1] < page.bottom or box[2] > page.right or box[3] > page.top:
            name = repr(mobject.text) if isinstance(mobject, Text) else type(mobject).__name__
            yield f"{name} reaches outside the margins"


def _own_box(mobject: Mobject) -> NDArray[np.float64]:
    """The box of a text, or of a shape that is itself drawn (not of a group)."""
    if isinstance(mobject, Text):
        return _box(mobject) if _opacity(mobject) > _VISIBLE else np.array([])
    if not isinstance(mobject, VMobject) or len(mobject.points) == 0:
        return np.array([])
    ink = max(mobject.get_fill_opacity(), mobject.get_stroke_opacity() * mobject.get_stroke_width())
    if ink <= _VISIBLE:
        return np.array([])
    flat = mobject.points[:, :2]
    return np.concatenate([flat.min(axis=0), flat.max(axis=0)])


def _too_small(texts: list[_Shown]) -> Iterator[str]:
    for shown in texts:
        size = shown.text.em / PX
        if size < MIN_SIZE - 0.05:
            yield f"{shown.text.text!r} is {size:.1f} px tall at 720p; {MIN_SIZE:g} is the least"


def _faint(texts: list[_Shown], drawn: list[Mobject]) -> Iterator[str]:
    for shown in texts:
        ground = _ground(shown, drawn)
        for piece in shown.text.family_members_with_points():
            ink = mix(ground, _hex(piece.get_fill_color()), float(piece.get_fill_opacity()))
            if (ratio := contrast(ink, ground)) < MIN_CONTRAST:
                yield (
                    f"{shown.text.text!r} has contrast {ratio:.1f} : 1 to what is behind it; "
                    f"{MIN_CONTRAST} is the least"
                )
                break


def _ground(shown: _Shown, drawn: list[Mobject]) -> str:
    """The colour behind the middle of a text: fills laid over each other, in drawing order."""
    x, y = (shown.box[:2] + shown.box[2:]) / 2
    ground = theme().ground
    for mobject in drawn[: shown.order]:
        if isinstance(mobject, Text) or not isinstance(mobject, VMobject):
            continue
        opacity = float(mobject.get_fill_opacity()) if len(mobject.points) else 0.0
        if opacity <= _VISIBLE:
            continue
        if _covers(mobject.points, np.array([x, y])):
            ground = mix(ground, _hex(mobject.get_fill_color()), opacity)
    return ground


def _covers(points: NDArray[np.float64], point: NDArray[np.float64]) -> bool:
    """Whether the box of any piece of a path, such as one of many cells, holds `point` (2,)."""
    flat = points[: len(points) // 4 * 4, :2]  # four to a curve
    jumps = np.abs(flat[4::4] - flat[3:-1:4]).max(axis=1, initial=0.0) > 1e-6
    first = np.concatenate([[0], 4 * (np.flatnonzero(jumps) + 1)])
    low, high = np.minimum.reduceat(flat, first), np.maximum.reduceat(flat, first)
    return bool(((low <= point) & (point <= high)).all(axis=1).any())


def _hex(color: ManimColor) -> str:
    return color.to_hex().upper()[:7]
