"""The layout check: at the end of every play, is everything legible and in its place?

It finds text over text, text or shapes outside the margins, text under the minimum size, and text
without contrast to what lies behind it. It cannot find ugliness: look at the frames.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from manim import Mobject, VMobject, config
from numpy.typing import NDArray

from clockhead.scenes.stage.camera import View, is_fixed
from clockhead.scenes.stage.stage import Stage
from clockhead.scenes.style.layout import MARGIN, PX, Region
from clockhead.scenes.style.shape import fill_of
from clockhead.scenes.style.text import Formula, Label, TypesetText
from clockhead.scenes.style.theme import MIN_CONTRAST, contrast, mix, theme
from clockhead.scenes.style.type import MIN_SIZE

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
    zoom: float


@dataclass(frozen=True, eq=False)
class _Fill:
    """A filled shape, its colour, its whole box, and where it stands in drawing order."""

    points: NDArray[np.float64]
    box: NDArray[np.float64]
    color: str
    opacity: float
    order: int

    @cached_property
    def pieces(self) -> NDArray[np.float64]:
        """The box of every piece of the path, such as one of many cells; shape (n, 4)."""
        flat = self.points[: len(self.points) // 4 * 4, :2]  # four to a curve
        jumps = np.abs(flat[4::4] - flat[3:-1:4]).max(axis=1, initial=0.0) > 1e-6
        first = np.concatenate([[0], 4 * (np.flatnonzero(jumps) + 1)])
        low, high = np.minimum.reduceat(flat, first), np.maximum.reduceat(flat, first)
        return np.hstack([low, high])


class LayoutChecker:
    """Collects what is wrong, once each. Give it to a stage as `on_play`."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def __call__(self, stage: Stage) -> None:
        drawn = list(_drawn(stage.mobjects))
        boxes, seen = _boxes(drawn), _Seen(stage)
        texts = [
            _Shown(mobject, box, order, seen.zoom(mobject))
            for order, mobject in enumerate(drawn)
            if isinstance(mobject, Text) and _opacity(mobject) > _VISIBLE
            for box in [seen.box(mobject, boxes[order])]
            if np.isfinite(box).all() and seen.reaches_into_view(mobject, box)
        ]
        where = f"in {stage.beats[-1].name!r}" if stage.beats else "at the start"
        for problem in [
            *_overlaps(texts),
            *(seen.cut(texts) if seen.view else _outside(drawn, boxes)),
            *_too_small(texts),
            *_faint(texts, _fills(drawn, boxes, seen)),
        ]:
            if (line := f"{where}: {problem}") not in self.problems:
                self.problems.append(line)


def _drawn(mobjects: list[Mobject]) -> Iterator[Mobject]:
    """Every mobject in drawing order; a text stands for its own pieces."""
    for mobject in sorted(mobjects, key=lambda m: m.z_index):
        yield mobject
        if not isinstance(mobject, Text):
            yield from _drawn(mobject.submobjects)


def _boxes(drawn: list[Mobject]) -> NDArray[np.float64]:
    """The box of each mobject's own points, and of all of a text's; (n, 4), not finite if it has
    none."""
    points = [m.get_all_points() if isinstance(m, Text) else m.points for m in drawn]
    boxes = np.full((len(drawn), 4), np.nan)
    lengths = np.array([len(p) for p in points], dtype=int)
    there = np.flatnonzero(lengths)
    if there.size:
        flat = np.concatenate([points[index] for index in there])[:, :2]
        first = np.cumsum(lengths[there]) - lengths[there]
        boxes[there, :2] = np.minimum.reduceat(flat, first)
        boxes[there, 2:] = np.maximum.reduceat(flat, first)
    return boxes


class _Seen:
    """Where mobjects are seen, through the view that the camera has of the canvas."""

    def __init__(self, stage: Stage) -> None:
        self.view: View | None = getattr(stage.camera, "view", None)
        self._middle, self._canvas = stage.canvas.center, stage.canvas

    def zoom(self, mobject: Mobject) -> float:
        """How much larger a mobject is seen than it is."""
        return 1.0 if self.view is None or is_fixed(mobject) else self.view.zoom

    def points(self, mobject: Mobject, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where points of a mobject are seen."""
        if self.view is None or is_fixed(mobject):
            return points
        return self.view.project(points, self._middle)

    def box(self, mobject: Mobject, box: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where the box of a mobject is seen: left, bottom, right, top."""
        if self.view is None or is_fixed(mobject):
            return box
        corners = np.column_stack([box.reshape(2, 2), np.zeros(2)])
        return self.points(mobject, corners)[:, :2].ravel()

    def reaches_into_view(self, mobject: Mobject, box: NDArray[np.float64]) -> bool:
        """Whether any of a mobject is in the part of the frame that shows the canvas."""
        if self.view is None or is_fixed(mobject):
            return True
        half = config.frame_width / 2
        inside = box[0] < half and box[2] > -half
        return bool(inside and box[1] < self._canvas.top and box[3] > self._canvas.bottom)

    def cut(self, texts: list[_Shown]) -> Iterator[str]:
        """Texts of which the view shows a part only."""
        half = config.frame_width / 2
        low, high = np.array([-half, self._canvas.bottom]), np.array([half, self._canvas.top])
        for shown in texts:
            whole = (shown.box[:2] >= low).all() and (shown.box[2:] <= high).all()
            if not is_fixed(shown.text) and not whole:
                yield f"{shown.text.text!r} is cut by the edge of the view"


def _opacity(mobject: Mobject) -> float:
    return max((float(m.get_fill_opacity()) for m in _pieces(mobject)), default=0.0)


def _pieces(mobject: Mobject) -> list[VMobject]:
    """What is drawn of a mobject; of most that is the mobject itself."""
    family = mobject.get_family() if mobject.submobjects else [mobject]
    return [m for m in family if isinstance(m, VMobject) and len(m.points)]


def _overlaps(texts: list[_Shown]) -> Iterator[str]:
    if not texts:
        return
    boxes = np.array([shown.box for shown in texts])  # (n, 4)
    low = np.maximum(boxes[:, None, :2], boxes[None, :, :2])  # (n, n, 2)
    high = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])  # (n, n, 2)
    over = np.triu((high - low > _SLACK).all(axis=-1), k=1)
    for a, b in np.argwhere(over):
        yield f"{texts[a].text.text!r} lies over {texts[b].text.text!r}"


def _outside(drawn: list[Mobject], boxes: NDArray[np.float64]) -> Iterator[str]:
    page = Region.frame(config.frame_width, config.frame_height).inset(MARGIN - _SLACK)
    beyond = (boxes[:, :2] < (page.left, page.bottom)) | (boxes[:, 2:] > (page.right, page.top))
    for index in np.flatnonzero(beyond.any(axis=1)):
        mobject = drawn[index]
        if _has_ink(mobject):
            name = repr(mobject.text) if isinstance(mobject, Text) else type(mobject).__name__
            yield f"{name} reaches outside the margins"


def _has_ink(mobject: Mobject) -> bool:
    """Whether a text, or a shape that is itself drawn (not a group), can be seen."""
    if isinstance(mobject, Text):
        return _opacity(mobject) > _VISIBLE
    if not isinstance(mobject, VMobject):
        return False
    stroke = mobject.get_stroke_opacity() * mobject.get_stroke_width()
    return bool(max(mobject.get_fill_opacity(), stroke) > _VISIBLE)


def _too_small(texts: list[_Shown]) -> Iterator[str]:
    for shown in texts:
        size = shown.text.em * shown.zoom / PX
        if size < MIN_SIZE - 0.05:
            yield f"{shown.text.text!r} is {size:.1f} px tall at 720p; {MIN_SIZE:g} is the least"


def _faint(texts: list[_Shown], fills: list[_Fill]) -> Iterator[str]:
    middles = np.array([(shown.box[:2] + shown.box[2:]) / 2 for shown in texts]).reshape(-1, 2)
    under = _hold(np.array([fill.box for fill in fills]).reshape(-1, 4), middles)
    for shown, middle, beneath in zip(texts, middles, under, strict=True):
        ground = _ground(shown, middle, [fills[index] for index in np.flatnonzero(beneath)])
        for piece in _pieces(shown.text):
            ink = mix(ground, fill_of(piece), float(piece.get_fill_opacity()))
            if (ratio := contrast(ink, ground)) < MIN_CONTRAST:
                yield (
                    f"{shown.text.text!r} has contrast {ratio:.1f} : 1 to what is behind it; "
                    f"{MIN_CONTRAST} is the least"
                )
                break


def _fills(drawn: list[Mobject], boxes: NDArray[np.float64], seen: _Seen) -> list[_Fill]:
    """What can lie behind a text: every filled shape that is no text itself."""
    return [
        _Fill(
            seen.points(m, m.points),
            seen.box(m, boxes[order]) if seen.view else boxes[order],
            fill_of(m),
            float(m.get_fill_opacity()),
            order,
        )
        for order, m in enumerate(drawn)
        if isinstance(m, VMobject)
        and not isinstance(m, Text)
        and len(m.points)
        and m.get_fill_opacity() > _VISIBLE
    ]


def _ground(shown: _Shown, middle: NDArray[np.float64], fills: list[_Fill]) -> str:
    """The colour behind the middle of a text: fills laid over each other, in drawing order."""
    ground = theme().ground
    for fill in fills:
        if fill.order < shown.order and _hold(fill.pieces, middle).any():
            ground = mix(ground, fill.color, fill.opacity)
    return ground


def _hold(boxes: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which of `boxes` (n, 4) hold which of `points` (..., 2); shape (..., n)."""
    points = points[..., None, :]
    return np.asarray(((boxes[:, :2] <= points) & (points <= boxes[:, 2:])).all(axis=-1))
