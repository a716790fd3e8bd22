"""The fixed parts of every frame: a title, its question, and the band for sentences."""

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
"""Distances between title, question, canvas, rule and sentences, in units."""
_SLACK = 0.02
"""Overhangs over a margin of less than this, in units, are ignored."""
_MOST = 0.4
"""Fraction of the page's height that a sentence with formulas may take."""
_IN_FRONT = 10
"""The z-index of the fixed parts while the camera is zoomed in."""

LOGO_HEIGHT = 0.56
"""Largest height of a logo, in units."""
LOGO_WIDTH = 0.25
"""Largest width of a logo, as a fraction of the page's."""
LOGO_RISE = 0.24
"""Distance by which a logo extends into the margin above the page, in units."""

_HEAD = 24.0
"""Size of a title without a question, in pixels at 720p."""

_Setting = tuple[float, Weight, float]
_TITLE: _Setting = (TITLE, "semibold", 0.0)
_QUESTION: _Setting = (SUBTITLE, "regular", 0.0)
_SENTENCE: _Setting = (CAPTION, "regular", 0.6)
"""Size, weight, and how much narrower than the page it is."""


class Furniture:
    """Title and question at the top left, a band at the bottom, and the canvas between them.

    `sentences` replace each other in the band, whose height is that of the longest one; so does the
    `credit`, muted. With captions other than "burnt", only the credit is drawn: "off" gives the
    room of the sentences to the canvas, and with "track" a player shows them there. A `logo` is at
    the top right, in the margin and beside the title. All of this is fixed when the camera zooms
    in.
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
        self._current: Paragraph | None = None
        self.opening = VGroup(self.heading, self.rule)
        if logo is not None:
            self.opening.add(PlacedPicture(logo).fit_into(logo_region(page, logo)))
        self.canvas = Region(page.left, bottom, page.right, top)
        self._covers = self._plates()
        for part in (self.opening, self._covers, *self.sentences.values()):
            fix(part)

    def say(self, sentence: str) -> Animation:
        """Replace the sentence in the band by another one."""
        before = self._current
        self._current = self.sentences.get(sentence, Paragraph("", width=1.0))
        appear = FadeIn(self._current, run_time=0.5)
        return appear if before is None else Succession(FadeOut(before, run_time=0.3), appear)

    def cover(self, scene: Scene) -> None:
        """Cover everything outside the canvas, so that a zoomed canvas does not extend over it."""
        scene.add(self._covers)
        for part in (self.opening, *self.sentences.values()):
            part.set_z_index(_IN_FRONT)

    def uncover(self, scene: Scene) -> None:
        """Remove the covers, because the camera shows the whole canvas again."""
        if self._covers in scene.mobjects:
            scene.remove(self._covers)
            for part in (self.opening, *self.sentences.values()):
                part.set_z_index(0)

    def _plates(self) -> VGroup:
        """Plates in the background colour above and below the canvas."""
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
    """The region of a logo: at the right, reaching into the margin above the page."""
    ratio = logo.ratio
    height = min(LOGO_HEIGHT, LOGO_WIDTH * page.width / ratio)
    top = page.top + LOGO_RISE
    middle = top - LOGO_HEIGHT / 2
    return Region(page.right - ratio * height, middle - height / 2, page.right, middle + height / 2)


def heading_width(page: Region, logo: PictureFile | None) -> float:
    """The maximum width of titles: the part of the page's width that a logo leaves."""
    return page.width - (logo_region(page, logo).width + GAP if logo else 0.0)


def too_large(text: str, part: str, frame: Region, logo: PictureFile | None = None) -> bool:
    """Whether a formula makes a title, question or sentence too large for its place in a frame.

    Any other text is within the margins.
    """
    if not any(run.is_math for run in split_math(text)):
        return False
    page = frame.inset(MARGIN)
    size, weight, width = {"title": _TITLE, "question": _QUESTION}.get(part, _SENTENCE)
    room = heading_width(page, logo) if part in ("title", "question") else page.width
    drawn = Paragraph(text, width=room - width, size=size, weight=weight)
    return drawn.width > room or drawn.height > _MOST * page.height


def _heading(title: str, question: str, page: Region, width: float) -> tuple[VGroup, float]:
    """Title and question, with their baselines at the same heights in every stage.

    A title without a question has the size of a running head.
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
    """The sentences below a rule; those with equally many lines have the same baselines."""
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
        if page.bottom - paragraph.get_bottom()[1] > _SLACK:  # limits of a sum, a deep fraction
            paragraph.align_to(page.point(0, 0), DOWN)
    y = page.bottom + height + _RULE
    ends = (page.left, y, 0.0), (page.right, y, 0.0)
    rule = Line(*ends, stroke_width=1.5, stroke_color=theme().hairline)
    return said, rule, y + _RULE


def _rise(paragraph: Paragraph, size: float) -> float:
    """Height of the first line above its baseline; larger with accents on capitals."""
    usual = ASCENT * size * PX
    first = paragraph[0] if len(paragraph) else None
    if not isinstance(first, Label):
        return usual
    reach = float(first.get_top()[1] - first.anchor[1])
    return reach if reach > usual + _SLACK else usual


def stand(paragraph: Paragraph, size: float, y: float) -> float:
    """Move the first baseline to height `y`; returns the height of the last one.

    Typst does not report baselines, so a typeset paragraph is placed by its tallest letters.
    """
    if len(paragraph) == 0:
        return y
    first, last = paragraph[0], paragraph[-1]
    if isinstance(first, Label) and isinstance(last, Label):
        paragraph.shift(UP * (y - first.anchor[1]))
        return float(last.anchor[1])
    paragraph.shift(UP * (y + ASCENT * size * PX - paragraph.get_top()[1]))
    return float(paragraph.get_bottom()[1]) + DESCENT * size * PX
