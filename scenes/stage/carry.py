"""What is carried over: a shot begins with the last picture of the shot before, and changes it.

The shot before is played blindly: every animation jumps to its end, and nothing is drawn. Pictures
that it leaves and the new stage opens with, under one name, become each other piece by piece; the
rest of the old picture fades, and so does the old title; what stands in both pictures, unchanged,
stays. A tile goes as one: word, box and note, and on its way passes over no other word (`ways`).
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

_LONGER = 1.25
"""So many times as long it takes where words go in turn, or around corners."""
_APART = 0.1
"""Seconds between moments within a play that are looked at, at most."""
_MOST_WORDS = 2
"""A word and its number are carried as one."""
_SAME_PLACE, _SAME_COLOR = 0.01, 0.02
"""How far pieces that look the same may differ, in units and of 1."""


def moments(seconds: float) -> list[float]:
    """The moments of a play that are looked at besides its end: 0.1 s apart at most."""
    n = max(10, math.ceil(seconds / _APART))
    return [seconds * k / n for k in range(1, n)]


class BlindRenderer(CairoRenderer):
    """Plays every animation straight to its end and draws nothing.

    `on_moment` sees the scene at moments within each play.
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
        """Begin each animation, take it to its end, and finish it."""
        jump(scene, *animations, through=self.go_through, **options)
        self.time += scene.duration
        self.num_plays += 1

    def go_through(self, scene: Any) -> None:
        """Show moments within a play to who wants to see them, and its end to updaters."""
        if self._on_moment is not None:
            moving, static = scene.get_moving_and_static_mobjects(scene.animations)
            scene.moving_mobjects, scene.static_mobjects = moving, static
            for moment in moments(scene.duration):
                scene.update_to_time(moment)
                self._on_moment(scene)
        to_the_end(scene)

    def update_frame(self, *_: Any, **__: Any) -> None:
        """There is no picture."""


def to_the_end(scene: Any) -> None:
    """Show updaters, if there are any, the end of a play; animations get there as they finish."""
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
    """How a piece of a picture looks: its points, its colours and the width of its line.

    A halo is what a word covers of the lines behind it; it fades with the word.
    """

    points: NDArray[np.float64]
    fill: NDArray[np.float64]
    stroke: NDArray[np.float64]
    halo: NDArray[np.float64]
    width: float

    @classmethod
    def of(cls, piece: VMobject) -> _Look:
        return cls(
            piece.points.copy(),
            piece.fill_rgbas.copy(),
            piece.stroke_rgbas.copy(),
            piece.background_stroke_rgbas.copy(),
            float(piece.get_stroke_width()),
        )

    def towards(self, end: _Look, share: float) -> _Look:
        """The look `share` of the way to another one with as many points and colours."""
        return _Look(
            self.points + (end.points - self.points) * share,
            self.fill + (end.fill - self.fill) * share,
            self.stroke + (end.stroke - self.stroke) * share,
            self.halo + (end.halo - self.halo) * share,
            self.width + (end.width - self.width) * share,
        )

    def faint(self, share: float) -> _Look:
        """The same, with `share` of its opacity."""
        fill, stroke, halo = (colors * [1, 1, 1, share] for colors in self._colors)
        return _Look(self.points, fill, stroke, halo, self.width)

    def moved(self, way: Any) -> _Look:
        """The same, elsewhere."""
        return _Look(self.points + way, self.fill, self.stroke, self.halo, self.width)

    def like(self, other: _Look) -> _Look:
        """The same, with as many rows of colours as another one."""
        pairs = zip(self._colors, other._colors, strict=True)
        fill, stroke, halo = (_rows(colors, others) for colors, others in pairs)
        return _Look(self.points, fill, stroke, halo, self.width)

    @property
    def _colors(self) -> tuple[NDArray[np.float64], ...]:
        return self.fill, self.stroke, self.halo

    def put_on(self, piece: VMobject) -> None:
        piece.points, piece.stroke_width = self.points, self.width
        piece.fill_rgbas, piece.stroke_rgbas = self.fill, self.stroke
        piece.background_stroke_rgbas = self.halo


_Ride: TypeAlias = tuple[NDArray[np.float64], Way]
_STAYS: _Ride = np.zeros(3), Way()
"""How far something goes, and when."""


class TakeOver(Drive):
    """The picture of the shot before becomes the first picture of this one.

    `old` is all that stood there, `new` what will stand there; `carried` are pairs of pictures, the
    first of `old` and the second of `new`, that become each other. All else that goes leaves
    before anything else comes.
    """

    def __init__(
        self,
        old: Sequence[Mobject],
        new: Sequence[Mobject],
        carried: Sequence[tuple[Mobject, Mobject]],
        *,
        run_time: float,
    ) -> None:
        pairs = [pair for a, b in carried for pair in _paired(a, b)]
        pairs += _equal(_unpaired(_all(old), pairs), _unpaired(_all(new), pairs))
        cards = _cards(carried, pairs)
        together = _with_words(
            [picture for both in carried for picture in both],
            dict.fromkeys((id(piece) for pair in pairs for piece in pair), _STAYS),
        )
        going, coming = (
            [p for p in _unpaired(_all(side), pairs) if _is_word(p) and id(p) not in together]
            for side in (old, new)
        )
        self._plan = plan_ways(
            _boxes([_ground([a for a, _ in card]) for card in cards]),
            _boxes([_ground([b for _, b in card]) for card in cards]),
            _boxes([[piece] for piece in going]),
            _boxes([[piece] for piece in coming]),
        )
        rides: dict[int, _Ride] = {}
        leave = {id(a) for a, _ in _through_their_word(cards)}
        for card, way in zip(cards, self._plan.ways, strict=True):
            if way is None:
                leave |= {id(a) for a, _ in card}
            else:
                go = card[0][1].get_center() - card[0][0].get_center()
                rides |= {id(a): (go, way) for a, _ in card}
        pairs = [(a, b) for a, b in pairs if id(a) not in leave]
        back = {id(b): (-go, way) for a, b in pairs for go, way in [rides.get(id(a), _STAYS)]}
        self._morphs = [
            (_aligned(a, b), _Look.of(b), b, rides.get(id(a), _STAYS)) for a, b in pairs
        ]
        self._rides = _with_words([a for a, _ in carried], rides)
        self._rides |= _with_words([b for _, b in carried], back)
        self._going = [(_Look.of(p), p) for p in _unpaired(_all(old), pairs)]
        self._coming = [(_Look.of(p), p) for p in _unpaired(_all(new), pairs)]
        for before, _ in pairs:
            _Look.of(before).faint(0).put_on(before)
        super().__init__(
            Group(*_in_order(old, new, pairs)),
            lambda time: self._go(float(time)),
            0,
            1,
            run_time=run_time if self._plan.is_plain else _LONGER * run_time,
            rate_func=linear,
        )

    def _go(self, time: float) -> None:
        for (start, end), look, piece, (go, way) in self._morphs:
            shares = way.at(time)
            aside = go * (shares - shares[2])
            (look if time == 1 else start.towards(end, shares[2]).moved(aside)).put_on(piece)
        for look, piece in self._going:
            go, way = self._rides.get(id(piece), _STAYS)
            look.faint(self._plan.old(time)).moved(go * way.at(time)).put_on(piece)
        for look, piece in self._coming:
            go, way = self._rides.get(id(piece), _STAYS)
            moved = look.faint(self._plan.new(time)).moved(go * (1 - way.at(time)))
            (look if time == 1 else moved).put_on(piece)


def _cards(
    carried: Sequence[tuple[Mobject, Mobject]], pairs: Sequence[tuple[VMobject, VMobject]]
) -> list[list[tuple[VMobject, VMobject]]]:
    """What goes as one: a word, with its number and the shapes that stand in one group with it."""
    homes = _homes([picture for both in carried for picture in both])

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


def _through_their_word(
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


def _ground(pieces: Sequence[VMobject]) -> list[VMobject]:
    """The words among pieces of a card, and those shapes in which the first of them stands."""
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
    return isinstance(piece, Label) and _is_seen(piece)


def _homes(pictures: Sequence[Mobject]) -> dict[int, Mobject]:
    """The group that each piece stands in."""
    return {id(p): group for m in pictures for group in m.get_family() for p in group.submobjects}


def _with_words(pictures: Sequence[Mobject], rides: dict[int, _Ride]) -> dict[int, _Ride]:
    """How pieces go in one group with a word that is carried, and perhaps its number."""
    found: dict[int, _Ride] = {}
    for group in (group for picture in pictures for group in picture.get_family()):
        words = [rides[id(p)] for p in group.submobjects if isinstance(p, Label) and id(p) in rides]
        if 1 <= len(words) <= _MOST_WORDS:
            found.update((id(piece), words[0]) for piece in _pieces(group))
    return found


def _in_order(
    old: Sequence[Mobject], new: Sequence[Mobject], pairs: Sequence[tuple[VMobject, VMobject]]
) -> list[VMobject]:
    """The pieces as they are drawn: what is carried in its old place, what is new over all."""
    instead = {id(before): piece for before, piece in pairs}
    seen = [instead.get(id(piece), piece) for piece in _all(old)]
    there = {id(piece) for piece in seen}
    return [*seen, *(piece for piece in _all(new) if id(piece) not in there)]


def _all(mobjects: Sequence[Mobject]) -> list[VMobject]:
    """Every piece once."""
    return list({id(p): p for m in mobjects for p in _pieces(m)}.values())


def _pieces(mobject: Mobject) -> list[VMobject]:
    return [m for m in mobject.family_members_with_points() if isinstance(m, VMobject)]


def _paired(old: Mobject, new: Mobject) -> list[tuple[VMobject, VMobject]]:
    """Visible pieces that become each other.

    First labels of one text in groups of one kind; then shapes that stand in one group with such
    labels; last labels of one text and shapes of one kind wherever they are, unless they are what
    another word stands on. Each time in order.
    """
    homes = _homes([old, new])
    left, right = ([p for p in _pieces(m) if _is_seen(p)] for m in (old, new))
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
        n_words = sum(isinstance(p, Label) and _is_seen(p) and p.has_points() for p in beside)
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


def _unpaired(
    pieces: Sequence[VMobject], pairs: Sequence[tuple[VMobject, VMobject]]
) -> list[VMobject]:
    paired = {id(piece) for pair in pairs for piece in pair}
    return [piece for piece in pieces if id(piece) not in paired]


def _equal(old: Sequence[VMobject], new: Sequence[VMobject]) -> list[tuple[VMobject, VMobject]]:
    """Visible pieces that look the same and stand in the same place: exchanged unseen."""
    waiting: dict[Any, list[VMobject]] = defaultdict(list)
    for piece in old:
        if _is_seen(piece):
            waiting[_kind(piece), piece.points.shape].append(piece)
    pairs = []
    for piece in new:
        if not _is_seen(piece):
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


def _is_seen(piece: VMobject) -> bool:
    """Whether there is anything of a piece to be carried over."""
    line = piece.get_stroke_width() > 0 and piece.get_stroke_opacity() > 0
    return bool(piece.get_fill_opacity() > 0 or line)


def _kind(piece: VMobject) -> Any:
    if isinstance(piece, PixelShape):
        return "pixels", piece.kind
    return ("text", piece.text) if isinstance(piece, Label) else type(piece).__name__


def _aligned(old: VMobject, new: VMobject) -> tuple[_Look, _Look]:
    """The looks of two pieces, with as many points and colours in both."""
    a, b = old, new
    if len(a.points) != len(b.points):
        a, b = old.copy(), new.copy()
        a.align_points(b)
    start, end = _Look.of(a), _Look.of(b)
    return start.like(end), end.like(start)


def _rows(colors: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Colours in as many rows as the other has, the last repeated."""
    missing = len(other) - len(colors)
    return np.vstack([colors, np.repeat(colors[-1:], missing, axis=0)]) if missing > 0 else colors
