"""Contact sheets: the start, middle and end of every beat, side by side, to look a film over.

A question that is held before a beat has a still of its own, in front of the beat.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

from clockhead.clips.clip import Clip
from clockhead.production.join import frames_at
from clockhead.production.steps import steps_of
from clockhead.scenes.style.face import FONT_DIR
from clockhead.scenes.style.theme import THEMES, Theme
from clockhead.storyboard.resolved import ResolvedShot

_LABEL = 26
_HEADER = 44
_GAP = 8
_WIDE = 16 / 9


@dataclass(frozen=True, slots=True)
class Cell:
    """A frame and what is written under it."""

    picture: Image.Image
    label: str


def draw_sheet(
    shots: Sequence[tuple[ResolvedShot, Clip]], fps: int, *, beats: int, width: int
) -> bytes:
    """Every beat of these shots, as a PNG of this width; `beats` wide ones stand side by side.

    It is in the theme of the shots, on a ground that their frames stand out from.
    """
    strips = []
    theme = THEMES[shots[0][0].shot.theme]
    for shot, clip in shots:
        header = f"{shot.number}  {shot.id}  ({clip.frames / fps:.1f} s)"
        strips.append(_strip(header, _cells(clip, fps), theme, beats, width))
    sheet = Image.new("RGB", (width, sum(strip.height for strip in strips)), theme.hairline)
    top = 0
    for strip in strips:
        sheet.paste(strip, (0, top))
        top += strip.height
    png = io.BytesIO()
    sheet.save(png, "png")
    return png.getvalue()


def _cells(clip: Clip, fps: int) -> list[Cell | None]:
    """Three to a step; a question stands at the end of three of its own."""
    moments: list[tuple[str, int] | None] = []
    for step in steps_of(clip):
        if step.question is not None:
            moments += [None, None, (f"{step.name}: question", step.question)]
        middle = (step.first + step.last) // 2
        for moment, frame in (("start", step.first), ("middle", middle), ("end", step.last)):
            moments.append((f"{step.name}: {moment}", frame))
    pictures = iter(frames_at(clip.video, [moment[1] for moment in moments if moment]))
    return [
        Cell(next(pictures), f"{moment[0]}, {moment[1] / fps:.1f} s") if moment else None
        for moment in moments
    ]


def _strip(
    header: str, cells: Sequence[Cell | None], theme: Theme, beats: int, whole: int
) -> Image.Image:
    """The cells of one shot in rows of whole beats; more of them when the pictures are tall."""
    seen = next(cell.picture for cell in cells if cell)
    ratio = seen.width / seen.height
    columns = 3 * max(1, round(beats * (_WIDE / ratio) ** 0.5))
    width = (whole - _GAP) // columns - _GAP
    height = round(width / ratio)
    rows = -(-len(cells) // columns)
    strip = Image.new("RGB", (whole, _HEADER + rows * (height + _LABEL + _GAP)), theme.hairline)
    pen = ImageDraw.Draw(strip)
    pen.text((_GAP, 8), header, theme.ink, _font(24))
    for index, cell in enumerate(cells):
        if cell is None:
            continue
        x = _GAP + index % columns * (width + _GAP)
        y = _HEADER + index // columns * (height + _LABEL + _GAP)
        strip.paste(cell.picture.resize((width, height), Image.Resampling.LANCZOS), (x, y))
        pen.text((x, y + height + 2), _fitting(cell.label, width), theme.ink, _font(17))
    return strip


def _fitting(label: str, width: int) -> str:
    """The label, its middle left out where the cell is too narrow for all of it."""
    head, tail = label, ""
    while head and _font(17).getlength(head + tail) > width - _GAP:
        if not tail:
            head, _, time = label.rpartition(",")
            tail = f"…,{time}"
        head = head[:-1]
    return head + tail


def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONT_DIR / "SourceSansPro-Regular.ttf"), size)
