"""A card of the user's: a title, lines that appear one by one, and perhaps a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, ClassVar

import numpy as np
from manim import DOWN, RIGHT, UP, VGroup
from numpy.typing import NDArray
from pydantic import AfterValidator, BeforeValidator, Field

from clockhead.scenes.stage import CAPTION, Derived, Shot, Stage, StageInputs, Steps, beat
from clockhead.scenes.stage.contract import composed
from clockhead.scenes.stage.furniture import Furniture, stand
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, Gesture
from clockhead.scenes.style.pictures import PICTURE_FILES, PictureFile
from clockhead.scenes.style.placed_picture import PlacedPicture
from clockhead.scenes.style.shape import Shape, Shapes
from clockhead.scenes.style.text import Label, Paragraph
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import ASCENT, DESCENT

MAX_LINES, MAX_LINE = 6, 120
_TITLE, _LINE = 56.0, 32.0
"""Sizes of the title and of the lines, in pixels at 720p, before scaling."""
_MOST, _LEAST = 1.3, 0.66
"""Largest and smallest scale of the text."""
_AIRY = 0.6
"""Enlarged text may fill this fraction of the canvas's height."""
_WIDEST = 10.6
"""Largest width of a line, in units: longer ones are hard to read."""
_INDENT, _BAR = 0.42, 0.075
"""Distance from the bar to the lines, and width of the bar, in units."""
_UNDER_TITLE, _BETWEEN = 2.2, 1.75
"""Distances of the baselines after the title and between lines, in ems of lines."""
_RISE = 0.16
"""How far a line rises while it appears, in units."""
_SHARE = 0.44
"""Fraction of the canvas for a picture beside or above the lines."""
_GAP, _SLACK = 0.55, 0.01
"""Gap between picture and text, and tolerance when text is checked to fit, in units."""
_NO_ISOLATES = dict.fromkeys(map(ord, "\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}"))
"""Translation table that removes the isolates around text in the other direction."""
_SHAPE = "|".join(ending.removeprefix(".") for ending in PICTURE_FILES)


def _one_line(text: str) -> str:
    if not text.strip():
        raise ValueError("nothing but blanks; leave the line out, or write a text")
    return " ".join(text.split())


Line = Annotated[
    str,
    Field(min_length=1, max_length=MAX_LINE),
    AfterValidator(_one_line),
    BeforeValidator(composed),
]


@dataclass(frozen=True)
class CardText:
    """The lines of a card."""

    lines: tuple[str, ...]


def card_text(lines: tuple[str, ...]) -> CardText:
    """The lines of a card; nothing is computed."""
    return CardText(lines)


class CardBlock(Shapes):
    """A title and lines below it, with a bar at the left that marks the lines being read."""

    def __init__(self, title: str, lines: Sequence[str], width: float, scale: float) -> None:
        super().__init__()
        em, room = _LINE * scale * PX, min(width, _WIDEST) - _INDENT
        self.title = Paragraph(title, width=width, size=_TITLE * scale, weight="semibold")
        self.lines = [Paragraph(line, width=room, size=_LINE * scale) for line in lines]
        self.bar = Shape(stroke_width=0, fill_color=theme().accent, fill_opacity=1)
        self.heading = VGroup(self.title)
        self._em, self._left = em, 0.0
        y = stand(self.title, _TITLE * scale, 0.0) - _UNDER_TITLE * em
        self._rows = []
        """First and last baseline of each line, which may be broken."""
        for part in (self.title, *self.lines):
            if not isinstance(part[0], Label):  # text set by Typst is centred at first
                part.shift(RIGHT * -part.get_left()[0])
        for line in self.lines:
            end = stand(line.shift(RIGHT * _INDENT), _LINE * scale, y)
            self._rows.append((y, end))
            y = end - _BETWEEN * em
        self.add(self.heading, *self.lines)

    @property
    def is_unbroken(self) -> bool:
        """Whether neither the title nor any line is broken."""
        heights = [
            (self.title, self._em * _TITLE / _LINE),
            *((line, self._em) for line in self.lines),
        ]
        return all(part.height < 1.5 * em for part, em in heights)

    def put(self, left: float, top: float) -> None:
        """Move the block so that its left edge and the top of its title are here."""
        up = top - float(self.get_top()[1])
        self.shift(RIGHT * (left - self._left) + UP * up)
        self._left = left
        self._rows = [(first + up, last + up) for first, last in self._rows]

    def mark(self, first: int, last: int, *, begins: bool = False, run_time: float) -> Gesture:
        """Move the bar beside lines `first` to `last`; if it `begins`, grow it there."""

        def prepare() -> Callable[[float], None]:
            end = self._ends_beside(first, last)
            start = np.array([end[0], end[0]]) if begins else self._bar_ends

            def show(share: float) -> None:
                self._draw_bar(end if share == 1 else start + (end - start) * share)

            show(0.0)
            return show

        return Gesture(self.bar, prepare, introducer=begins, run_time=run_time)

    def write(self, number: int, *, run_time: float) -> Drive:
        """Fade in a line while it rises into place."""
        line = self.lines[number]
        pieces = [(piece, piece.points.copy()) for piece in line.family_members_with_points()]

        def show(share: NDArray[np.float64]) -> None:
            shown = float(share)
            for piece, points in pieces:
                piece.points = points + DOWN * _RISE * (1 - shown) if shown < 1 else points
                piece.set_fill(opacity=shown)

        return Drive(line, show, 0.0, 1.0, introducer=True, run_time=run_time)

    def _ends_beside(self, first: int, last: int) -> NDArray[np.float64]:
        """Top and bottom of a bar beside these lines."""
        return np.array(
            [self._rows[first][0] + ASCENT * self._em, self._rows[last][1] - DESCENT * self._em]
        )

    @property
    def _bar_ends(self) -> NDArray[np.float64]:
        return np.array([self.bar.get_top()[1], self.bar.get_bottom()[1]])

    def _draw_bar(self, ends: NDArray[np.float64]) -> None:
        (top, bottom), left, right = ends, self._left, self._left + _BAR
        corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
        self.bar.set_points_as_corners([(x, y, 0.0) for x, y in corners])


def _line(number: int, values: CardText) -> str:
    """Line `number` of a card, from 0.

    Raises:
        ValueError: if the card has fewer lines.
    """
    if number >= len(values.lines):
        raise ValueError(f"the card has {len(values.lines)} lines")
    return values.lines[number]


def _line_beat(number: int) -> Any:
    """The beat of a line; the last line has its own."""

    def line(self: Text) -> Steps:
        yield from self.bring(number)

    line.__name__ = line.__qualname__ = f"line_{number + 1}"
    return beat(f"{{line_{number + 1}}}", when=lambda values: number + 1 < len(values.lines))(line)


class Text(Stage[CardText]):
    """A card with your own text: a title, lines that appear one by one, and a picture."""

    class Inputs(StageInputs):
        """The lines and the picture below the shot's title."""

        lines: tuple[Line, ...] = Field(
            ("Each line is one sentence, and stays on the card.", "With formulas: $e^(i phi)$."),
            min_length=1,
            max_length=MAX_LINES,
            description="the sentences, one per line; mathematics in dollar signs",
        )
        picture: str = Field(
            "",
            max_length=300,
            pattern=rf"^$|\.({_SHAPE}|{_SHAPE.upper()})$",
            description="a picture beside the lines: the path of a .png, .jpg or .svg file, "
            "relative to the folder that contains `storyboards`",
        )

    title = "In your own words"
    caption = "{last_line}"
    opens = ("heading", "picture")
    free_texts: ClassVar = ("lines",)
    picture_files: ClassVar = ("picture",)
    has_heading: ClassVar = False
    derived = {
        **{
            f"line_{k + 1}": Derived(f"line {k + 1}", partial(_line, k))
            for k in range(MAX_LINES - 1)
        },
        "last_line": Derived("the last line", lambda values: values.lines[-1]),
    }
    compute = card_text

    line_1, line_2, line_3, line_4, line_5 = map(_line_beat, range(MAX_LINES - 1))

    @classmethod
    def refusal(cls, shot: Shot, frame: Region) -> str:
        """An error message if the text does not fit even in the smallest size, else empty."""
        furniture = Furniture(
            "",
            "",
            cls.in_band(shot),
            frame,
            credit=shot.film.credit,
            captions=shot.captions,
            logo=shot.own.logo(shot.theme),
        )
        if any(True for _ in _arrangements(shot, furniture.canvas)):
            return ""
        what = " beside the picture" if shot.pictures else ""
        return f"the card's words do not fit into the frame{what}: write fewer or shorter lines"

    @classmethod
    def in_band(cls, shot: Shot) -> list[str]:
        """The sentences of the caption band: only a storyboard's own caption.

        The lines are on the card already. With a caption track, a player shows all sentences over
        the band, so there must be room for them.
        """
        if shot.captions == "track":
            return super().in_band(shot)
        last = shot.inputs.lines[-1]  # type: ignore[attr-defined]
        return [] if shot.caption.translate(_NO_ISOLATES) == last else [shot.caption]

    def layout(self) -> None:
        found = next(_arrangements(self._shot, self.canvas), None)
        block, picture = found or _arrange(self._shot, self.canvas, _LEAST, wide=True)
        self.block, self.heading = block, block.heading
        self.picture = VGroup(*([picture] if picture else []))

    def bring(self, number: int) -> Iterator[Any]:
        """Fade in a line, and move the bar to it."""
        time = min(1.2, 0.5 * self.reading)
        mark = self.block.mark(number, number, begins=number == 0, run_time=time)
        yield mark, self.block.write(number, run_time=time)

    @beat(CAPTION)
    def last(self) -> Steps:
        number = len(self.values.lines) - 1
        yield from self.bring(number)
        if number:
            yield self.block.mark(0, number, run_time=0.8)


def _arrangements(shot: Shot, canvas: Region) -> Iterator[tuple[CardBlock, PlacedPicture | None]]:
    """Yield the arrangements that fit, those with the largest letters and picture first."""
    for scale in np.linspace(1.0 if shot.pictures else _MOST, _LEAST, 12):
        ways = (True, False) if shot.pictures else (True,)
        each = (_arrange(shot, canvas, float(scale), wide=wide) for wide in ways)
        found = [arranged for arranged in each if _fits(*arranged, canvas)]
        if scale > 1:
            most = _AIRY * canvas.height
            found = [one for one in found if one[0].is_unbroken and one[0].height < most]
        yield from sorted(found, key=lambda one: -one[1].width * one[1].height if one[1] else 0)


def _fits(block: CardBlock, picture: PlacedPicture | None, canvas: Region) -> bool:
    """Whether the text, and the picture beside or above it, stay inside the canvas."""
    top = max(float(part.get_top()[1]) for part in (block, *([picture] if picture else [])))
    bottom, right = float(block.get_bottom()[1]), float(block.get_right()[0])
    end = canvas.right
    if picture is not None and picture.get_bottom()[1] < block.get_top()[1]:
        end = min(end, float(picture.get_left()[0]) - _GAP / 2)
    return top < canvas.top + _SLACK and bottom > canvas.bottom - _SLACK and right < end + _SLACK


def _arrange(
    shot: Shot, canvas: Region, scale: float, *, wide: bool
) -> tuple[CardBlock, PlacedPicture | None]:
    """Place the text at the left and the picture beside it, or above it if not `wide`."""
    lines = shot.inputs.lines  # type: ignore[attr-defined]
    picture: PictureFile | None = next(iter(shot.pictures), None)
    words = canvas
    placed = None
    if picture is not None:
        share = _SHARE * (canvas.width if wide else canvas.height)
        if wide:
            region = Region(canvas.right - share, canvas.bottom, canvas.right, canvas.top)
            words = Region(canvas.left, canvas.bottom, region.left - _GAP, canvas.top)
        else:
            region = Region(canvas.left, canvas.top - share, canvas.right, canvas.top)
        placed = PlacedPicture(picture).fit_into(region)
    block = CardBlock(shot.title, lines, words.width, scale)
    top = canvas.center[1] + block.height / 2
    if placed is not None and not wide:
        top = canvas.center[1] + (placed.height + _GAP + block.height) / 2
        placed.shift(UP * (top - placed.get_top()[1]))
        top -= placed.height + _GAP
    block.put(words.left, top)
    return block, placed
