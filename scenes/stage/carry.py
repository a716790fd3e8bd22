"""Carry-over: a shot begins with the last picture of the shot before, and transforms it.

The shot before is played without drawing: every animation jumps to its end. Pictures that it leaves
and that the new stage opens with, under the same name, morph into each other piece by piece. The
rest of the old picture fades out, as does the old title; pieces that are equal in both pictures
stay. A tile moves as one (word, box and note), and does not pass over other words (`ways`).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from manim import Group, Mobject, VMobject, linear
from manim.renderer.cairo_renderer import CairoRenderer
from numpy.typing import NDArray

from clockhead.scenes.stage.camera import BlindCamera
from clockhead.scenes.stage.ways import Boxes, Way, plan_ways
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.placed_picture import PixelShape
from clockhead.scenes.style.text import Label

_DETOUR_FACTOR = 1.25
"""Factor on the run time if words move in turn, or around corners."""
_INTERVAL = 0.1
"""Largest interval, in seconds, between the moments of a play that are checked."""
_MOST_WORDS = 2
"""A word and its number are carried over as one."""
_SAME_PLACE = 0.01
"""Tolerance for equal positions of two pieces, in units."""
_SAME_COLOR = 0.02
"""Tolerance for equal colours of two pieces, from 0 to 1."""


def moments(seconds: float) -> list[float]:
    """Times within a play that are checked, besides its end: at most 0.1 s apart."""
    n = max(10, math.ceil(seconds / _INTERVAL))
    return [seconds * k / n for k in range(1, n)]


class BlindRenderer(CairoRenderer):
    """A renderer that plays every animation straight to its end and draws nothing.

    `on_moment` is called with the scene at moments within each play.
    """

    def __init__(
        self,
        camera: type[BlindCamera] = BlindCamera,
        *,
        on_moment: Callable[[Any], None] | None = None,
    ) -> None:
        super().__init__(skip_animations=True, camera_class=camera)
        self._on_moment = on_moment

    def play(self, scene: Any, *animations: Any, **options: Any) -> None:
        """Begin each animation, move it to its end, and finish it."""
        jump(scene, *animations, through=self.go_through, **options)
        self.time += scene.duration
        self.num_plays += 1

    def go_through(self, scene: Any) -> None:
        """Call `on_moment` at moments within a play, and run updaters at its end."""
        if self._on_moment is not None:
            moving, static = scene.get_moving_and_static_mobjects(scene.animations)
            scene.moving_mobjects, scene.static_mobjects = moving, static
            for moment in moments(scene.duration):
                scene.update_to_time(moment)
                self._on_moment(scene)
        to_the_end(scene)

    def update_frame(self, *_: Any, **__: Any) -> None:
        """Do nothing: no picture is drawn."""


def to_the_end(scene: Any) -> None:
    """Run updaters, if there are any, at the end of a play; animations arrive when they finish."""
    if scene.updaters or any(piece.updaters for m in scene.mobjects for piece in m.get_family()):
        scene.update_to_time(scene.duration)


def jump(
    scene: Any, *animations: Any, through: Callable[[Any], None] = to_the_end, **options: Any
) -> None:
    """Play animations straight to their end."""
    scene.compile_animation_data(*animations, **options)
    for animation in scene.animations:
        animation._setup_scene(scene)
        animation.begin()
    if not scene.is_current_animation_frozen_frame():
        through(scene)
    for animation in scene.animations:
        animation.finish()
        animation.clean_up_from_scene(scene)


@dataclass(frozen=True, eq=False)
class _Look:
    """The look of a piece of a picture: its points, colours and line width.

    The halo is the outline that separates a word from lines behind it; it fades with the word.
    """

    points: NDArray[np.float64]
    fill: NDArray[np.float64]
    stroke: NDArray[np.float64]
    halo: NDArray[np.float64]
    width: float

    @classmethod
    def from_piece(cls, piece: VMobject) -> _Look:
        return cls(
            piece.points.copy(),
            piece.fill_rgbas.copy(),
            piece.stroke_rgbas.copy(),
            piece.background_stroke_rgbas.copy(),
            float(piece.get_stroke_width()),
        )

    def towards(self, end: _Look, share: float) -> _Look:
        """The look interpolated towards one with the same numbers of points and colours."""
        return _Look(
            self.points + (end.points - self.points) * share,
            self.fill + (end.fill - self.fill) * share,
            self.stroke + (end.stroke - self.stroke) * share,
            self.halo + (end.halo - self.halo) * share,
            self.width + (end.width - self.width) * share,
        )

    def fade(self, share: float) -> _Look:
        """The same look with its opacity multiplied by `share`."""
        fill, stroke, halo = (colors * [1, 1, 1, share] for colors in self._colors)
        return _Look(self.points, fill, stroke, halo, self.width)

    def shift(self, way: Any) -> _Look:
        """The same look, moved by a vector."""
        return _Look(self.points + way, self.fill, self.stroke, self.halo, self.width)

    def match_rows(self, other: _Look) -> _Look:
        """The same look with at least as many rows of colours as another one."""
        pairs = zip(self._colors, other._colors, strict=True)
        fill, stroke, halo = (_rows(colors, others) for colors, others in pairs)
        return _Look(self.points, fill, stroke, halo, self.width)

    @property
    def _colors(self) -> tuple[NDArray[np.float64], ...]:
        return self.fill, self.stroke, self.halo

    def apply_to(self, piece: VMobject) -> None:
        piece.points, piece.stroke_width = self.points, self.width
        piece.fill_rgbas, piece.stroke_rgbas = self.fill, self.stroke
        piece.background_stroke_rgbas = self.halo


_Ride: TypeAlias = tuple[NDArray[np.float64], Way]
_NO_RIDE: _Ride = np.zeros(3), Way()
"""The displacement of a piece, and when it happens."""


class TakeOver(Drive):
    """Animation from the last picture of the shot before to the first picture of this one.

    `old` is everything in the old picture, `new` everything in the new one; `carried` are pairs of
    an old and a new picture that morph into each other. Everything else that leaves fades out
    before anything new fades in.
    """

    def __init__(
        self,
        old: Sequence[Mobject],
        new: Sequence[Mobject],
        carried: Sequence[tuple[Mobject, Mobject]],
        *,
        run_time: float,
    ) -> None:
        pairs = [pair for a, b in carried for pair in _pair_pieces(a, b)]
        pairs += _pair_equal(_drop_paired(_all(old), pairs), _drop_paired(_all(new), pairs))
        cards = _cards(carried, pairs)
        together = _word_rides(
            [picture for both in carried for picture in both],
            dict.fromkeys((id(piece) for pair in pairs for piece in pair), _NO_RIDE),
        )
        going, coming = (
            [p for p in _drop_paired(_all(side), pairs) if _is_word(p) and id(p) not in together]
            for side in (old, new)
        )
        self._plan = plan_ways(
            _boxes([_word_and_background([a for a, _ in card]) for card in cards]),
            _boxes([_word_and_background([b for _, b in card]) for card in cards]),
            _boxes([[piece] for piece in going]),
            _boxes([[piece] for piece in coming]),
        )
        rides: dict[int, _Ride] = {}
        leave = {id(a) for a, _ in _crossing_numbers(cards)}
        for card, way in zip(cards, self._plan.ways, strict=True):
            if way is None:
                leave |= {id(a) for a, _ in card}
            else:
                go = card[0][1].get_center() - card[0][0].get_center()
                rides |= {id(a): (go, way) for a, _ in card}
        pairs = [(a, b) for a, b in pairs if id(a) not in leave]
        back = {id(b): (-go, way) for a, b in pairs for go, way in [rides.get(id(a), _NO_RIDE)]}
        self._morphs = [
            (_align_looks(a, b), _Look.from_piece(b), b, rides.get(id(a), _NO_RIDE))
            for a, b in pairs
        ]
        self._rides = _word_rides([a for a, _ in carried], rides)
        self._rides |= _word_rides([b for _, b in carried], back)
        self._going = [(_Look.from_piece(p), p) for p in _drop_paired(_all(old), pairs)]
        self._coming = [(_Look.from_piece(p), p) for p in _drop_paired(_all(new), pairs)]
        for before, _ in pairs:
            _Look.from_piece(before).fade(0).apply_to(before)
        super().__init__(
            Group(*_drawing_order(old, new, pairs)),
            lambda time: self._go(float(time)),
            0,
            1,
            run_time=run_time if self._plan.is_plain else _DETOUR_FACTOR * run_time,
            rate_func=linear,
        )

    def _go(self, time: float) -> None:
        for (start, end), look, piece, (go, way) in self._morphs:
            shares = way.at(time)
            aside = go * (shares - shares[2])
            (look if time == 1 else start.towards(end, shares[2]).shift(aside)).apply_to(piece)
        for look, piece in self._going:
            go, way = self._rides.get(id(piece), _NO_RIDE)
            look.fade(self._plan.old(time)).shift(go * way.at(time)).apply_to(piece)
        for look, piece in self._coming:
            go, way = self._rides.get(id(piece), _NO_RIDE)
            moved = look.fade(self._plan.new(time)).shift(go * (1 - way.at(time)))
            (look if time == 1 else moved).apply_to(piece)


def _cards(
    carried: Sequence[tuple[Mobject, Mobject]], pairs: Sequence[tuple[VMobject, VMobject]]
) -> list[list[tuple[VMobject, VMobject]]]:
    """Pieces that move as one: a word, its number, and the shapes in the same group."""
    homes = _groups([picture for both in carried for picture in both])

    def place(pair: tuple[VMobject, VMobject]) -> Any:
        return tuple(id(homes.get(id(piece))) for piece in pair)

    words = [pair for pair in pairs if isinstance(pair[0], Label)]
    known = Counter(map(place, words))
    cards: dict[Any, list[tuple[VMobject, VMobject]]] = defaultdict(list)
    for pair in words:
        cards[place(pair) if known[place(pair)] <= _MOST_WORDS else id(pair[0])].append(pair)
    for pair in pairs:
        if not isinstance(pair[0], Label) and place(pair) in cards:
            cards[place(pair)].append(pair)
    return list(cards.values())


def _crossing_numbers(
    cards: Sequence[Sequence[tuple[VMobject, VMobject]]],
) -> Iterator[tuple[VMobject, VMobject]]:
    """Numbers that would pass through the word of their card, to its other side."""
    for card in cards:
        (word, *numbers) = [pair for pair in card if isinstance(pair[0], Label)]
        for number in numbers:
            both = [_boxes([[word[k]], [number[k]]]) for k in (0, 1)]
            halfway = (both[0] + both[1]) / 2
            if (np.minimum(*halfway[:, 2:]) > np.maximum(*halfway[:, :2])).all():
                yield number


def _word_and_background(pieces: Sequence[VMobject]) -> list[VMobject]:
    """The words of a card, and those of its shapes that are behind the first word."""
    words = [piece for piece in pieces if isinstance(piece, Label)]
    middle = words[0].get_center()[:2]
    boxes = _boxes([[piece] for piece in pieces])
    holds = np.all((boxes[:, :2] <= middle) & (middle <= boxes[:, 2:]), axis=1)
    return [*words, *(pieces[int(k)] for k in np.flatnonzero(holds))]


def _boxes(groups: Sequence[Sequence[VMobject]]) -> Boxes:
    """Left, bottom, right and top of each group of pieces, (n, 4)."""
    found = []
    for pieces in groups:
        points = np.vstack([piece.points[:, :2] for piece in pieces])
        found.append(np.concatenate([points.min(axis=0), points.max(axis=0)]))
    return np.array(found).reshape(-1, 4)


def _is_word(piece: VMobject) -> bool:
    return isinstance(piece, Label) and _is_visible(piece)


def _groups(pictures: Sequence[Mobject]) -> dict[int, Mobject]:
    """The group that contains each piece, by the id of the piece."""
    return {id(p): group for m in pictures for group in m.get_family() for p in group.submobjects}


def _word_rides(pictures: Sequence[Mobject], rides: dict[int, _Ride]) -> dict[int, _Ride]:
    """The rides of all pieces in a group with a word (and perhaps its number) that is carried."""
    found: dict[int, _Ride] = {}
    for group in (group for picture in pictures for group in picture.get_family()):
        words = [rides[id(p)] for p in group.submobjects if isinstance(p, Label) and id(p) in rides]
        if 1 <= len(words) <= _MOST_WORDS:
            found.update((id(piece), words[0]) for piece in _pieces(group))
    return found


def _drawing_order(
    old: Sequence[Mobject], new: Sequence[Mobject], pairs: Sequence[tuple[VMobject, VMobject]]
) -> list[VMobject]:
    """The pieces in drawing order: carried ones in their old places, new ones on top."""
    instead = {id(before): piece for before, piece in pairs}
    seen = [instead.get(id(piece), piece) for piece in _all(old)]
    there = {id(piece) for piece in seen}
    return [*seen, *(piece for piece in _all(new) if id(piece) not in there)]


def _all(mobjects: Sequence[Mobject]) -> list[VMobject]:
    """Every piece once."""
    return list({id(p): p for m in mobjects for p in _pieces(m)}.values())


def _pieces(mobject: Mobject) -> list[VMobject]:
    return [m for m in mobject.family_members_with_points() if isinstance(m, VMobject)]


def _pair_pieces(old: Mobject, new: Mobject) -> list[tuple[VMobject, VMobject]]:
    """Pairs of visible pieces that morph into each other.

    First labels with the same text in groups of the same class; then shapes in the same groups as
    those labels; last labels with the same text and shapes of the same class anywhere, except
    shapes that belong to another word. Each time in order.
    """
    homes = _groups([old, new])
    left, right = ([p for p in _pieces(m) if _is_visible(p)] for m in (old, new))
    pairs: list[tuple[VMobject, VMobject]] = []
    same: dict[int, int] = {}

    def by_word(piece: VMobject) -> Any:
        known = isinstance(piece, Label)
        return (_kind(piece), type(homes.get(id(piece)))) if known else id(piece)

    def by_home(piece: VMobject) -> Any:
        home = id(homes.get(id(piece)))
        return _kind(piece), same.get(home, home)

    def by_kind(piece: VMobject) -> Any:
        beside = getattr(homes.get(id(piece)), "submobjects", [])
        n_words = sum(isinstance(p, Label) and _is_visible(p) and p.has_points() for p in beside)
        belongs = not isinstance(piece, Label) and 1 <= n_words <= _MOST_WORDS
        return id(piece) if belongs else _kind(piece)

    for key in (by_word, by_home, by_kind):
        waiting: dict[Any, list[VMobject]] = defaultdict(list)
        for piece in left:
            waiting[key(piece)].append(piece)
        found = [(queue.pop(0), piece) for piece in right if (queue := waiting[key(piece)])]
        for pair in found:
            before, after = (id(homes.get(id(piece))) for piece in pair)
            if before not in same.values():
                same.setdefault(after, before)
        pairs += found
        taken = {id(piece) for pair in found for piece in pair}
        left, right = ([p for p in side if id(p) not in taken] for side in (left, right))
    return pairs


def _drop_paired(
    pieces: Sequence[VMobject], pairs: Sequence[tuple[VMobject, VMobject]]
) -> list[VMobject]:
    paired = {id(piece) for pair in pairs for piece in pair}
    return [piece for piece in pieces if id(piece) not in paired]


def _pair_equal(
    old: Sequence[VMobject], new: Sequence[VMobject]
) -> list[tuple[VMobject, VMobject]]:
    """Pairs of visible pieces with the same look and position, which can be swapped unnoticed."""
    waiting: dict[Any, list[VMobject]] = defaultdict(list)
    for piece in old:
        if _is_visible(piece):
            waiting[_kind(piece), piece.points.shape].append(piece)
    pairs = []
    for piece in new:
        if not _is_visible(piece):
            continue
        same = waiting[_kind(piece), piece.points.shape]
        for before in same:
            if _looks_equal(before, piece):
                same.remove(before)
                pairs.append((before, piece))
                break
    return pairs


def _looks_equal(a: VMobject, b: VMobject) -> bool:
    return all(
        x.shape == y.shape and np.allclose(x, y, atol=tolerance)
        for x, y, tolerance in (
            (a.points, b.points, _SAME_PLACE),
            (a.fill_rgbas, b.fill_rgbas, _SAME_COLOR),
            (a.stroke_rgbas, b.stroke_rgbas, _SAME_COLOR),
        )
    )


def _is_visible(piece: VMobject) -> bool:
    """Whether a piece is visible, so that it can be carried over."""
    line = piece.get_stroke_width() > 0 and piece.get_stroke_opacity() > 0
    return bool(piece.get_fill_opacity() > 0 or line)


def _kind(piece: VMobject) -> Any:
    if isinstance(piece, PixelShape):
        return "pixels", piece.kind
    return ("text", piece.text) if isinstance(piece, Label) else type(piece).__name__


def _align_looks(old: VMobject, new: VMobject) -> tuple[_Look, _Look]:
    """The looks of two pieces, with the same numbers of points and colours."""
    a, b = old, new
    if len(a.points) != len(b.points):
        a, b = old.copy(), new.copy()
        a.align_points(b)
    start, end = _Look.from_piece(a), _Look.from_piece(b)
    return start.match_rows(end), end.match_rows(start)


def _rows(colors: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Colours with at least as many rows as `other`, the last row repeated."""
    missing = len(other) - len(colors)
    return np.vstack([colors, np.repeat(colors[-1:], missing, axis=0)]) if missing > 0 else colors
