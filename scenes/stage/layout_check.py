"""The layout check: whether everything is legible and in its place.

At the end of every play it finds overlapping texts, text or shapes outside the margins, text below
the minimum size, and text without contrast to its background; at the end of beats, subjects that
are too small; and within plays, double exposures. It cannot judge beauty: look at the frames.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import TypeGuard

import numpy as np
from manim import Mobject, VMobject, config
from numpy.typing import NDArray

from clockhead.scenes.stage.beats import beats_of
from clockhead.scenes.stage.camera import View, is_fixed
from clockhead.scenes.stage.carry import TakeOver
from clockhead.scenes.stage.stage import Stage
from clockhead.scenes.style.fonts import fonts
from clockhead.scenes.style.layout import MARGIN, PX, Region
from clockhead.scenes.style.placed_picture import PlacedPicture
from clockhead.scenes.style.shape import fill_of, is_a
from clockhead.scenes.style.text import Formula, Label, TypesetText
from clockhead.scenes.style.theme import MIN_CONTRAST, contrast, mix, theme
from clockhead.scenes.style.type import CAP_HEIGHT, MIN_SIZE

Text = Label | Formula | TypesetText

_SLACK = 0.02
"""Overlaps and overhangs smaller than this, in units, are ignored."""
_OWN_SLACK = 0.12
"""The same at margins with a font of the user's, whose digits may be wider."""
_VISIBLE = 0.05
_NOTICED = 0.2
"""Opacity below which a piece is not noticed within a play."""
_OPAQUE = 0.5
"""Opacity from which on a fill hides what is behind it."""
_AT_REST = 0.01
"""A mobject that moves less than this between moments is at rest, in units."""
_SAME_PLACE = 0.08
"""Mobjects that are closer than this are in one place, in units."""
_NEGLIGIBLE = 0.05
"""A shape hides nothing of a word if it overlaps it by less than this, in units."""
_NEAR = 0.15
"""Words whose middles are closer than this, in units, emerge from each other."""
_GLIMPSE = 0.09
"""Seconds for which words may pass over others: two to three frames at 30 frames a second."""
_BACKGROUND_RATIO = 3.0
"""Minimum ratio of sizes for a shape to count as another's background; hands may cross."""
_FOCUS = 20.0
"""Minimum height of letters and digits in the subject of a beat, in pixels at 720p."""
_LEAST = 16.0
"""Minimum height of letters and digits elsewhere."""
_FILLED = 1 / 3
"""Fraction of the canvas's area that the subject of a beat must fill."""
_FILLED_SIDE = 0.7
"""Fraction of the canvas's width or height that is enough otherwise."""
_z_index = attrgetter("z_index")


@dataclass(frozen=True, slots=True)
class _Shown:
    """A visible text, its box (left, bottom, right, top) and its place in the drawing order."""

    text: Text
    box: NDArray[np.float64]
    order: int
    zoom: float


@dataclass(frozen=True, eq=False)
class _Fill:
    """A filled shape: its colour, its box and its place in the drawing order."""

    points: NDArray[np.float64]
    box: NDArray[np.float64]
    color: str
    opacity: float
    order: int

    @cached_property
    def pieces(self) -> NDArray[np.float64]:
        """The box of every piece of the path, such as each of many cells; shape (n, 4)."""
        flat = self.points[: len(self.points) // 4 * 4, :2]  # four points for each curve
        jumps = np.abs(flat[4::4] - flat[3:-1:4]).max(axis=1, initial=0.0) > 1e-6
        first = np.concatenate([[0], 4 * (np.flatnonzero(jumps) + 1)])
        low, high = np.minimum.reduceat(flat, first), np.maximum.reduceat(flat, first)
        return np.hstack([low, high])


class LayoutChecker:
    """Collects layout problems, each once. Pass it to a stage as `on_play`."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def __call__(self, stage: Stage) -> None:
        drawn = _drawing_order(stage.mobjects)
        boxes, seen = _boxes(drawn), _CameraView(stage)
        texts = _texts(drawn, boxes, seen, _VISIBLE)
        where = _location(stage)
        for problem in [
            *_overlaps(texts),
            *(seen.cut(texts) if seen.view else _outside(drawn, boxes)),
            *_on_pictures(drawn, boxes, texts, seen),
            *_too_small(texts),
            *_low_contrast(texts, _fills(drawn, boxes, seen)),
        ]:
            if (line := f"{where}: {problem}") not in self.problems:
                self.problems.append(line)


_NAMED = 3
"""Number of words that a message about small words lists."""


class FocusChecker:
    """Collects the subjects of beats that are too small, each once. Pass it as `on_beat`.

    It checks the end of beats with a `focus`, as the camera sees it: the subject must fill a third
    of the canvas (or extend across most of it, as a row of words does), letters and digits in it
    must be at least 20 px high at 720p, and 16 px in the rest of the picture.
    """

    def __init__(self) -> None:
        self._beats: dict[str, list[str]] = {}
        """The problems, with the beats at whose end they occur."""

    @property
    def problems(self) -> list[str]:
        """The problems, each with its beats."""
        return [f"in {', '.join(beats)}: {problem}" for problem, beats in self._beats.items()]

    def __call__(self, stage: Stage) -> None:
        specs = {spec.name: spec for spec in beats_of(type(stage))}
        spec = specs.get(stage.beats[-1].name)
        if spec is None or not spec.focus:
            return
        seen, drawn = _CameraView(stage), _drawing_order(stage.mobjects)
        there = set(drawn)
        parts = [getattr(stage, name) for name in spec.focus]
        pieces = [
            piece
            for part in parts
            for piece in part.get_family()
            if piece in there and _has_ink(piece)
        ]
        found = [*self._small_subject(spec.focus, pieces, seen, stage.canvas)]
        focused = {id(piece) for piece in pieces}
        small: dict[tuple[str, float], list[str]] = {}
        for shown in _texts(drawn, _boxes(drawn), seen, _VISIBLE):
            least = _FOCUS if id(shown.text) in focused else _LEAST
            pixels = shown.text.em * shown.zoom * CAP_HEIGHT / PX
            if not is_fixed(shown.text) and pixels < least - 0.5:
                small.setdefault((f"{pixels:.0f}", least), []).append(repr(shown.text.text))
        for (height, least), words in small.items():
            named = dict.fromkeys(words)
            more = len(named) - _NAMED
            listed = ", ".join([*named][:_NAMED]) + (f" and {more} more" if more > 0 else "")
            found.append(
                f"{listed} {'are' if len(named) > 1 else 'is'} {height} px high at 720p; {least:g} "
                f"is the least {'in' if least == _FOCUS else 'beside'} what the beat speaks of"
            )
        for problem in found:
            self._beats.setdefault(problem, []).append(repr(stage.beats[-1].name))

    @staticmethod
    def _small_subject(
        names: tuple[str, ...], pieces: list[Mobject], seen: _CameraView, canvas: Region
    ) -> Iterator[str]:
        what = " and ".join(names)
        if not pieces:
            yield f"{what}, which the beat speaks of, is not there"
            return
        corners = np.vstack([seen.points(piece, piece.get_all_points()) for piece in pieces])
        box = Region.around(corners)
        wide, high = box.width / canvas.width, box.height / canvas.height
        if wide * high < _FILLED and max(wide, high) < _FILLED_SIDE:
            yield (
                f"{what}, which the beat speaks of, fills {wide * high:.0%} of the canvas; a third "
                "is the least"
            )


@dataclass
class _Meeting:
    """An overlap of two mobjects: its times, how often both were visible, and what they say."""

    since: float
    until: float
    shines_through: int = 0
    says_the_same: bool = False
    was_one: bool = False

    @property
    def lasts(self) -> bool:
        """Whether it is longer than a glimpse."""
        return self.shines_through > 1 and self.until - self.since > _GLIMPSE


class DoubleExposures:
    """Collects problems within plays, each once. Pass it to a renderer as `on_moment`.

    Words at rest must not overlap other words, not even while they fade: old ones disappear before
    new ones appear. Moving words and numbers may pass over others for two frames, or on an opaque
    background of their own, as a card does; they may emerge from or merge into words that say the
    same; and in beats that a stage lists in `crosses` they may pass over any words. Exempt are
    terms of formulas in motion, which change places and have numbers moving into them, and single
    letters, which fall like rain. Between shots, no moving background may hide moving words. And no
    filled shape may cover a shape that was drawn over it before, such as the face of a clock its
    hand.
    """

    def __init__(self) -> None:
        self.problems: list[str] = []
        self._last_boxes: dict[int, NDArray[np.float64]] = {}
        self._overlaps_now: dict[tuple[int, int], _Meeting] = {}
        self._last_order: dict[int, int] = {}

    def __call__(self, stage: Stage) -> None:
        drawn = _drawing_order(stage.mobjects)
        boxes, seen = _boxes(drawn), _CameraView(stage)
        texts = _texts(drawn, boxes, seen, _NOTICED)
        grounds = [
            (k, m)
            for k, m in enumerate(drawn)
            if _is_shape(m) and m.fill_rgbas[0, 3] > _OPAQUE and not is_fixed(m)
        ]
        now = stage.renderer.time + stage.last_t
        may_cross = bool(stage.beats) and stage.beats[-1].name in stage.crosses
        carries = any(isinstance(one, TakeOver) for one in stage.animations or ())
        met, self._overlaps_now = self._overlaps_now, {}
        found = {
            *self._words(texts, boxes, grounds, seen, met, now, may_cross),
            *(self._hidden(texts, boxes, grounds, met, now) if carries else ()),
            *self._covered(drawn, boxes),
        }
        for problem in sorted(found):
            if (line := f"{_location(stage)}, for a moment: {problem}") not in self.problems:
                self.problems.append(line)
        self._last_boxes = {id(mobject): box for mobject, box in zip(drawn, boxes, strict=True)}

    def _words(
        self,
        texts: list[_Shown],
        boxes: NDArray[np.float64],
        grounds: list[tuple[int, VMobject]],
        seen: _CameraView,
        met: dict[tuple[int, int], _Meeting],
        now: float,
        may_cross: bool,
    ) -> Iterator[str]:
        """Overlapping words; equal ones in the same place count as one."""
        stands = [not self._moves(shown.text, boxes[shown.order]) for shown in texts]
        for a, b in _overlapping(texts):
            first, second = texts[a], texts[b]
            if seen.view is not None and is_fixed(first.text) != is_fixed(second.text):
                continue  # what the camera leaves out is behind title and sentences
            is_one = first.text.text == second.text.text and _are_near(first.box, second.box)
            if stands[a] and stands[b] and not is_one:
                yield f"{first.text.text!r} lies over {second.text.text!r}"
            elif _are_words(first.text, second.text):
                meeting = self._meet(first.text, second.text, met, now)
                meeting.says_the_same |= _say_the_same(first.text.text, second.text.text)
                if not _has_background(first, second, grounds, boxes):
                    meeting.shines_through += 1
                meeting.was_one |= meeting.says_the_same and _meet_in_the_middle(first, second)
                if meeting.lasts and not meeting.says_the_same and not may_cross:
                    yield f"{first.text.text!r} lies over {second.text.text!r}"
        there = {id(shown.text): shown.text.text for shown in texts}
        for (one, other), meeting in met.items():
            is_over = (one, other) not in self._overlaps_now and one in there and other in there
            if (
                is_over
                and not may_cross
                and meeting.says_the_same
                and meeting.lasts
                and not meeting.was_one
            ):
                yield f"{there[one]!r} lies over {there[other]!r}"

    def _hidden(
        self,
        texts: list[_Shown],
        boxes: NDArray[np.float64],
        grounds: list[tuple[int, VMobject]],
        met: dict[tuple[int, int], _Meeting],
        now: float,
    ) -> Iterator[str]:
        """Moving words behind moving backgrounds, except backgrounds of words that say the same."""
        moving = [(k, ground) for k, ground in grounds if self._moves(ground, boxes[k])]
        for shown in texts if moving else ():
            word = boxes[shown.order]
            if not self._moves(shown.text, word):
                continue
            for k, ground in moving:
                low, high = np.maximum(boxes[k][:2], word[:2]), np.minimum(boxes[k][2:], word[2:])
                if k < shown.order or (high - low < _NEGLIGIBLE).any():
                    continue
                on_it = next((other for other in texts if other.order > k), shown)
                middle = _middle(boxes[on_it.order])
                is_card = (boxes[k][:2] <= middle).all() and (middle <= boxes[k][2:]).all()
                if is_card and on_it.text.text != shown.text.text:
                    meeting = self._meet(shown.text, ground, met, now)
                    meeting.shines_through += 1
                    if meeting.lasts:
                        yield f"{type(ground).__name__} passes over {shown.text.text!r}"

    def _moves(self, mobject: Mobject, box: NDArray[np.float64]) -> bool:
        """Whether a mobject has moved since the last moment."""
        return bool(np.abs(self._last_boxes.get(id(mobject), np.inf) - box).max() >= _AT_REST)

    def _meet(
        self, first: Mobject, second: Mobject, met: dict[tuple[int, int], _Meeting], now: float
    ) -> _Meeting:
        pair = id(first), id(second)
        meeting = self._overlaps_now[pair] = met.get(pair) or _Meeting(now, now)
        meeting.until = now
        return meeting

    def _covered(self, drawn: list[Mobject], boxes: NDArray[np.float64]) -> Iterator[str]:
        """Shapes inside a filled shape that were drawn over it a moment before."""
        shapes = [(k, m) for k, m in enumerate(drawn) if _is_shape(m) and _ink(m) > _NOTICED]
        before, self._last_order = self._last_order, {id(shape): k for k, shape in shapes}
        known = [(k, shape) for k, shape in shapes if id(shape) in before]
        if len(known) < 2:
            return
        now = np.array([k for k, _ in known])
        was = np.array([before[id(shape)] for _, shape in known])
        filled = np.array([shape.fill_rgbas[0, 3] > _OPAQUE for _, shape in known])
        passed = (now[:, None] > now) & (was[:, None] < was) & filled[:, None]
        for a, b in np.argwhere(passed):
            (k, ground), (j, shape) = known[a], known[b]
            outer, inner = boxes[k], boxes[j]
            is_within = (outer[:2] <= inner[:2]).all() and (inner[2:] <= outer[2:]).all()
            is_larger = np.prod(outer[2:] - outer[:2]) > _BACKGROUND_RATIO * np.prod(
                inner[2:] - inner[:2]
            )
            if is_within and is_larger and _is_inside(shape.points, ground.points):
                yield f"{type(ground).__name__} covers {type(shape).__name__}, which lay on it"


def _are_words(one: Text, other: Text) -> bool:
    """Whether both are words or numbers, and not both single letters."""
    single = all(len(text.text) == 1 and text.text.isalpha() for text in (one, other))
    return is_a(one, Label) and is_a(other, Label) and not single


def _say_the_same(one: str, other: str) -> bool:
    """Whether two texts are equal, or one is a word of the other."""
    return one == other or one in other.split() or other in one.split()


def _middle(box: NDArray[np.float64]) -> NDArray[np.float64]:
    return (box[:2] + box[2:]) / 2


def _meet_in_the_middle(first: _Shown, second: _Shown) -> bool:
    """Whether the middles of two texts are close, or one text is inside the other."""
    a, b = first.box, second.box
    is_near = np.abs(_middle(a) - _middle(b)).max() < _NEAR
    return bool(
        is_near
        or (a[:2] <= b[:2]).all() & (b[2:] <= a[2:]).all()
        or (b[:2] <= a[:2]).all() & (a[2:] <= b[2:]).all()
    )


def _has_background(
    first: _Shown,
    second: _Shown,
    grounds: list[tuple[int, VMobject]],
    boxes: NDArray[np.float64],
) -> bool:
    """Whether an opaque shape between two texts hides the overlap of the lower one."""
    below, above = sorted((first, second), key=lambda shown: shown.order)
    word, other = boxes[above.order], boxes[below.order]
    low, high = np.maximum(word[:2], other[:2]), np.minimum(word[2:], other[2:])
    return any(
        below.order < k < above.order
        and (boxes[k][:2] <= low + _SLACK).all()
        and (high - _SLACK <= boxes[k][2:]).all()
        for k, _ in grounds
    )


def _is_inside(inner: NDArray[np.float64], outer: NDArray[np.float64]) -> bool:
    """Whether all corners of a path are inside another one, by counting crossings of rays."""
    corners, starts, ends = inner[::4, :2], outer[::4, :2], outer[3::4, :2]
    (x, y), (x1, y1), (x2, y2) = corners.T[:, :, None], starts.T[:, None], ends.T[:, None]
    crosses = (y1 > y) != (y2 > y)  # (corners, edges)
    with np.errstate(divide="ignore", invalid="ignore"):
        to_the_right = x < x1 + (y - y1) / (y2 - y1) * (x2 - x1)
    return bool(((crosses & to_the_right).sum(axis=1) % 2 == 1).all())


def _texts(
    drawn: list[Mobject], boxes: NDArray[np.float64], seen: _CameraView, least: float
) -> list[_Shown]:
    """The texts in view whose opacity is more than `least`."""
    are_there = np.asarray(np.isfinite(boxes).all(axis=1))
    return [
        _Shown(mobject, box, order, seen.zoom(mobject))
        for order, mobject in enumerate(drawn)
        if are_there[order] and _is_text(mobject) and _opacity(mobject) > least
        for box in [seen.box(mobject, boxes[order])]
        if seen.reaches_into_view(mobject, box)
    ]


def _location(stage: Stage) -> str:
    return f"in {stage.beats[-1].name!r}" if stage.beats else "at the start"


def _are_near(a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
    return bool(np.abs(a - b).max() < _SAME_PLACE)


def _is_shape(mobject: Mobject) -> TypeGuard[VMobject]:
    return is_a(mobject, VMobject) and len(mobject.points) > 0 and not _is_text(mobject)


def _ink(mobject: VMobject) -> float:
    """The larger opacity of its fill and its line."""
    stroke = mobject.stroke_rgbas[0, 3] if mobject.get_stroke_width() > 0 else 0.0
    return float(max(mobject.fill_rgbas[0, 3], stroke))


def _is_text(mobject: Mobject) -> TypeGuard[Text]:
    """Whether it is a text that is checked as a whole."""
    return is_a(mobject, Label) or is_a(mobject, Formula) or is_a(mobject, TypesetText)


def _drawing_order(mobjects: list[Mobject]) -> list[Mobject]:
    """Every mobject in drawing order; a text without its pieces."""
    found: list[Mobject] = []

    def walk(mobjects: list[Mobject]) -> None:
        for mobject in sorted(mobjects, key=_z_index):
            found.append(mobject)
            if mobject.submobjects and not _is_text(mobject):
                walk(mobject.submobjects)

    walk(mobjects)
    return found


def _boxes(drawn: list[Mobject]) -> NDArray[np.float64]:
    """The box of each mobject's own points, and of all points of a text; (n, 4), NaN if none."""
    points = [m.get_all_points() if _is_text(m) else m.points for m in drawn]
    boxes = np.full((len(drawn), 4), np.nan)
    lengths = np.array([len(p) for p in points], dtype=int)
    there = np.flatnonzero(lengths)
    if there.size:
        flat = np.concatenate([points[index] for index in there])[:, :2]
        first = np.cumsum(lengths[there]) - lengths[there]
        boxes[there, :2] = np.minimum.reduceat(flat, first)
        boxes[there, 2:] = np.maximum.reduceat(flat, first)
    return boxes


class _CameraView:
    """Positions of mobjects as seen through the camera's view of the canvas."""

    def __init__(self, stage: Stage) -> None:
        self.view: View | None = getattr(stage.camera, "view", None)
        self._middle, self._canvas = stage.canvas.center, stage.canvas

    def zoom(self, mobject: Mobject) -> float:
        """The magnification of a mobject."""
        return 1.0 if self.view is None or is_fixed(mobject) else self.view.zoom

    def points(self, mobject: Mobject, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points of a mobject as seen through the view."""
        if self.view is None or is_fixed(mobject):
            return points
        return self.view.project(points, self._middle)

    def box(self, mobject: Mobject, box: NDArray[np.float64]) -> NDArray[np.float64]:
        """The box of a mobject as seen through the view: left, bottom, right, top."""
        if self.view is None or is_fixed(mobject):
            return box
        corners = np.column_stack([box.reshape(2, 2), np.zeros(2)])
        return self.points(mobject, corners)[:, :2].ravel()

    def reaches_into_view(self, mobject: Mobject, box: NDArray[np.float64]) -> bool:
        """Whether any part of a mobject's box is in the part of the frame that shows the canvas."""
        if self.view is None or is_fixed(mobject):
            return True
        half = config.frame_width / 2
        inside = box[0] < half and box[2] > -half
        return bool(inside and box[1] < self._canvas.top and box[3] > self._canvas.bottom)

    def cut(self, texts: list[_Shown]) -> Iterator[str]:
        """Texts that are partly outside the view."""
        half = config.frame_width / 2
        low, high = np.array([-half, self._canvas.bottom]), np.array([half, self._canvas.top])
        for shown in texts:
            whole = (shown.box[:2] >= low).all() and (shown.box[2:] <= high).all()
            if not is_fixed(shown.text) and not whole:
                yield f"{shown.text.text!r} is cut by the edge of the view"


def _opacity(mobject: Mobject) -> float:
    return max((float(m.fill_rgbas[0, 3]) for m in _pieces(mobject)), default=0.0)


def _pieces(mobject: Mobject) -> list[VMobject]:
    """The pieces of a mobject that are drawn; for most, the mobject itself."""
    family = mobject.get_family() if mobject.submobjects else [mobject]
    return [m for m in family if len(m.points) and is_a(m, VMobject)]


def _overlaps(texts: list[_Shown]) -> Iterator[str]:
    for a, b in _overlapping(texts):
        yield f"{texts[a].text.text!r} lies over {texts[b].text.text!r}"


def _overlapping(texts: list[_Shown]) -> Iterator[tuple[int, int]]:
    """Pairs of texts whose boxes overlap."""
    if not texts:
        return
    boxes = np.array([shown.box for shown in texts])  # (n, 4)
    low = np.maximum(boxes[:, None, :2], boxes[None, :, :2])  # (n, n, 2)
    high = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])  # (n, n, 2)
    over = np.triu((high - low > _SLACK).all(axis=-1), k=1)
    yield from ((int(a), int(b)) for a, b in np.argwhere(over))


def _on_pictures(
    drawn: list[Mobject], boxes: NDArray[np.float64], texts: list[_Shown], seen: _CameraView
) -> Iterator[str]:
    """Texts over pictures of the user's, whose colours are unknown."""
    for order, mobject in enumerate(drawn):
        if isinstance(mobject, PlacedPicture) and mobject.opacity > _VISIBLE:
            low, high = np.split(seen.box(mobject, boxes[order]), 2)
            for shown in texts:
                common = np.minimum(high, shown.box[2:]) - np.maximum(low, shown.box[:2])
                if (common > _SLACK).all():
                    yield f"{shown.text.text!r} lies over the picture {mobject.picture.name}"


def _outside(drawn: list[Mobject], boxes: NDArray[np.float64]) -> Iterator[str]:
    slack = _OWN_SLACK if any(font.replaces for font in fonts()) else _SLACK
    page = Region.frame(config.frame_width, config.frame_height).inset(MARGIN - slack)
    beyond = (boxes[:, :2] < (page.left, page.bottom)) | (boxes[:, 2:] > (page.right, page.top))
    for index in np.flatnonzero(beyond.any(axis=1)):
        mobject = drawn[index]
        is_logo = isinstance(mobject, PlacedPicture) and is_fixed(mobject)
        if _has_ink(mobject) and not is_logo:
            name = repr(mobject.text) if _is_text(mobject) else type(mobject).__name__
            yield f"{name} reaches outside the margins"


def _has_ink(mobject: Mobject) -> bool:
    """Whether a text, or a shape that is itself drawn (not a group), is visible."""
    if _is_text(mobject):
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


def _low_contrast(texts: list[_Shown], fills: list[_Fill]) -> Iterator[str]:
    for shown, ground in zip(texts, _grounds(texts, fills), strict=True):
        for piece in _pieces(shown.text):
            ink = mix(ground, fill_of(piece), float(piece.fill_rgbas[0, 3]))
            if (ratio := contrast(ink, ground)) < MIN_CONTRAST:
                yield (
                    f"{shown.text.text!r} has contrast {ratio:.1f} : 1 to what is behind it; "
                    f"{MIN_CONTRAST} is the least"
                )
                break


def _fills(drawn: list[Mobject], boxes: NDArray[np.float64], seen: _CameraView) -> list[_Fill]:
    """Everything that can be behind a text: filled shapes that are not texts."""
    return [
        _Fill(
            seen.points(m, m.points),
            seen.box(m, boxes[order]) if seen.view else boxes[order],
            fill_of(m),
            float(m.fill_rgbas[0, 3]),
            order,
        )
        for order, m in enumerate(drawn)
        if len(m.points)
        and is_a(m, VMobject)
        and m.fill_rgbas[0, 3] > _VISIBLE
        and not (_is_text(m) or isinstance(m, PlacedPicture))
    ]


def _grounds(texts: list[_Shown], fills: list[_Fill]) -> list[str]:
    """The colour behind the middle of each text: overlaid fills in drawing order."""
    grounds = [theme().ground] * len(texts)
    if not texts or not fills:
        return grounds
    boxes, orders = np.array([shown.box for shown in texts]), [shown.order for shown in texts]
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2  # (T, 2)
    may = _contain(np.array([fill.box for fill in fills]), middles)  # (T, F)
    may &= np.array([fill.order for fill in fills]) < np.array(orders)[:, None]
    for index in np.flatnonzero(may.any(axis=0)):
        fill, over = fills[index], np.flatnonzero(may[:, index])
        for text in over[_contain(fill.pieces, middles[over]).any(axis=1)]:
            grounds[text] = mix(grounds[text], fill.color, fill.opacity)
    return grounds


def _contain(boxes: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which of `boxes` (n, 4) contain which of `points` (..., 2); shape (..., n)."""
    points = points[..., None, :]
    return np.asarray(((boxes[:, :2] <= points) & (points <= boxes[:, 2:])).all(axis=-1))
