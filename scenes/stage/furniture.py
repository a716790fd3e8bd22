"""What every frame has: a title, the question under it, and a band for what is said."""

from __future__ import annotations

from collections.abc import Sequence

from manim import DOWN, RIGHT, UP, Animation, Line, Rectangle, Scene, Succession, VGroup

from clockhead.scenes.mathematics import split_math
from clockhead.scenes.stage.camera import fix
from clockhead.scenes.style.layout import GAP, MARGIN, PX, Region
from clockhead.scenes.style.looks import Captions
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.pictures import PictureFile
from clockhead.scenes.style.placed_picture import PlacedPicture
from clockhead.scenes.style.text import Label, Paragraph
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import (
    ASCENT,
    CAPTION,
    DESCENT,
    LINE_HEIGHT,
    SUBTITLE,
    TITLE,
    Weight,
)

_TO_QUESTION = 0.41
_UNDER_QUESTION = 0.4
_UNDER_HEAD = 0.15
_RULE = 0.2
"""Distances, in units."""
_SLACK = 0.02
"""What reaches over a margin by less is not seen, in units."""
_MOST = 0.4
"""The share of the page's height that a sentence with formulas may take."""
_IN_FRONT = 10
"""The drawing order of the furniture while the camera looks closer."""

LOGO_HEIGHT, LOGO_WIDTH, LOGO_RISE = 0.56, 0.25, 0.24
"""A logo's most height, in units, and width, of the page; how far it stands in the margin."""

_HEAD = 24.0
"""The size of a title without a question, in pixels at 720p."""

_Setting = tuple[float, Weight, float]
_TITLE: _Setting = (TITLE, "semibold", 0.0)
_QUESTION: _Setting = (SUBTITLE, "regular", 0.0)
_SENTENCE: _Setting = (CAPTION, "regular", 0.6)
"""Size, weight, and how much narrower than the page it is."""


class Furniture:
    """Title and question at the top left, a band at the bottom, and the canvas between.

    `sentences` take each other's place in the band, which is as high as the longest needs; so does
    the `credit`, muted. Where captions are not burnt in, the credit alone is seen: off, the canvas
    has the room of the sentences; in a track, a player shows them there. A `logo` stands at the top
    right, in the margin and beside the title. All of it stays where it is when the camera looks
    closer.
    """

    def __init__(
        self,
        title: str,
        question: str,
        sentences: Sequence[str],
        frame: Region,
        *,
        credit: str = "",
        captions: Captions = "burnt",
        logo: PictureFile | None = None,
    ) -> None:
        self._frame, page = frame, frame.inset(MARGIN)
        self.heading, top = _heading(title, question, page, heading_width(page, logo))
        spoken = [] if captions == "off" else list(sentences)
        spoken += [credit] if credit else []
        said, self.rule, bottom = _band(spoken, page)
        if credit:
            said[-1].set_color(theme().muted)
        seen = {credit} if captions != "burnt" else set(spoken)
        self.sentences = {
            sentence: paragraph
            for sentence, paragraph in zip(spoken, said, strict=True)
            if sentence in seen
        }
        self._said: Paragraph | None = None
        self.opening = VGroup(self.heading, self.rule)
        if logo is not None:
            self.opening.add(PlacedPicture(logo).fit_into(logo_region(page, logo)))
        self.canvas = Region(page.left, bottom, page.right, top)
        self._covers = self._plates()
        for part in (self.opening, self._covers, *self.sentences.values()):
            fix(part)

    def say(self, sentence: str) -> Animation:
        """Let a sentence take the place of the one that stands in the band."""
        before = self._said
        self._said = self.sentences.get(sentence, Paragraph("", width=1.0))
        appear = FadeIn(self._said, run_time=0.5)
        return appear if before is None else Succession(FadeOut(before, run_time=0.3), appear)

    def cover(self, scene: Scene) -> None:
        """Keep what the camera enlarges behind title and sentences."""
        scene.add(self._covers)
        for part in (self.opening, *self.sentences.values()):
            part.set_z_index(_IN_FRONT)

    def uncover(self, scene: Scene) -> None:
        """The camera sees the whole canvas again, which keeps to itself."""
        if self._covers in scene.mobjects:
            scene.remove(self._covers)
            for part in (self.opening, *self.sentences.values()):
                part.set_z_index(0)

    def _plates(self) -> VGroup:
        """The ground above and below the canvas."""
        frame, canvas = self._frame, self.canvas
        bands = (
            Region(frame.left, canvas.top, frame.right, frame.top),
            Region(frame.left, frame.bottom, frame.right, canvas.bottom),
        )
        plates = VGroup(
            *(
                Rectangle(width=band.width, height=band.height, stroke_width=0)
                .set_fill(theme().ground, 1)
                .move_to(band.center)
                for band in bands
            )
        )
        return plates.set_z_index(_IN_FRONT - 1)


def logo_region(page: Region, logo: PictureFile) -> Region:
    """Where a logo stands: at the right, reaching into the margin above the page."""
    ratio = logo.ratio
    height = min(LOGO_HEIGHT, LOGO_WIDTH * page.width / ratio)
    top = page.top + LOGO_RISE
    middle = top - LOGO_HEIGHT / 2
    return Region(page.right - ratio * height, middle - height / 2, page.right, middle + height / 2)


def heading_width(page: Region, logo: PictureFile | None) -> float:
    """How wide titles may be: what a logo leaves of the page."""
    return page.width - (logo_region(page, logo).width + GAP if logo else 0.0)


def too_large(text: str, part: str, frame: Region, logo: PictureFile | None = None) -> bool:
    """Whether a formula makes a title, a question or a sentence larger than its place in a frame.

    What is not, never reaches outside the margins.
    """
    if not any(run.is_math for run in split_math(text)):
        return False
    page = frame.inset(MARGIN)
    size, weight, width = {"title": _TITLE, "question": _QUESTION}.get(part, _SENTENCE)
    room = heading_width(page, logo) if part in ("title", "question") else page.width
    drawn = Paragraph(text, width=room - width, size=size, weight=weight)
    return drawn.width > room or drawn.height > _MOST * page.height


def _heading(title: str, question: str, page: Region, width: float) -> tuple[VGroup, float]:
    """Title and question, their baselines on the same heights in every stage.

    A title without a question is as small as a running head.
    """
    if not question:
        head = Paragraph(title, width=width, size=_HEAD, weight="semibold", color=theme().muted)
        line = stand(head, _HEAD, page.top - _rise(head, _HEAD))
        head.shift(RIGHT * (page.left - head.get_left()[0]))
        return VGroup(head), line - DESCENT * _HEAD * PX - _UNDER_HEAD
    big = Paragraph(title, width=width, size=TITLE, weight="semibold")
    small = Paragraph(question, width=width, size=SUBTITLE, color=theme().muted)
    line = stand(big, TITLE, page.top - _rise(big, TITLE))
    line = stand(small, SUBTITLE, line - _TO_QUESTION)
    for paragraph in (big, small):
        paragraph.shift(RIGHT * (page.left - paragraph.get_left()[0]))
    return VGroup(big, small), line - DESCENT * SUBTITLE * PX - _UNDER_QUESTION


def _band(sentences: Sequence[str], page: Region) -> tuple[list[Paragraph], Line, float]:
    """Sentences under a rule, all that have as many lines on the same heights."""
    if not sentences:
        return [], Line(page.point(0, 0), page.point(1, 0), stroke_width=0), page.bottom
    room = page.width - _SENTENCE[2]
    said = [Paragraph(s, width=room, size=CAPTION, align="center") for s in sentences]
    line = CAPTION * PX * LINE_HEIGHT
    lines = [max(1, round(paragraph.height / line + 0.3)) for paragraph in said]
    height = max(max(lines) * line, *(paragraph.height for paragraph in said))
    for paragraph, n_lines in zip(said, lines, strict=True):
        paragraph.move_to(page.point(0.5, 0) + UP * height / 2)
        top = page.bottom + (height + n_lines * line) / 2
        stand(paragraph, CAPTION, top - (line + (ASCENT - DESCENT) * CAPTION * PX) / 2)
        if page.bottom - paragraph.get_bottom()[1] > _SLACK:  # a sum's limits, a deep fraction
            paragraph.align_to(page.point(0, 0), DOWN)
    y = page.bottom + height + _RULE
    ends = (page.left, y, 0.0), (page.right, y, 0.0)
    rule = Line(*ends, stroke_width=1.5, stroke_color=theme().hairline)
    return said, rule, y + _RULE


def _rise(paragraph: Paragraph, size: float) -> float:
    """How far the first line reaches over its baseline: with accents on capitals, further."""
    usual = ASCENT * size * PX
    first = paragraph[0] if len(paragraph) else None
    if not isinstance(first, Label):
        return usual
    reach = float(first.get_top()[1] - first.anchor[1])
    return reach if reach > usual + _SLACK else usual


def stand(paragraph: Paragraph, size: float, y: float) -> float:
    """Put the first baseline on height `y`; returns the height of the last one.

    What Typst has set does not tell its baselines: it stands where its tallest letters would.
    """
    if len(paragraph) == 0:
        return y
    first, last = paragraph[0], paragraph[-1]
    if isinstance(first, Label) and isinstance(last, Label):
        paragraph.shift(UP * (y - first.anchor[1]))
        return float(last.anchor[1])
    paragraph.shift(UP * (y + ASCENT * size * PX - paragraph.get_top()[1]))
    return float(paragraph.get_bottom()[1]) + DESCENT * size * PX
