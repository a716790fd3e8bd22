"""Contact sheets: the start, middle and end of every beat, side by side, to review a film.

A question before a beat has a still of its own.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from clockhead.clips.clip import Clip
from clockhead.production.join import frames_at
from clockhead.production.timeline import beat_spans
from clockhead.scenes.style.face import FONT_DIR
from clockhead.scenes.style.theme import Theme
from clockhead.storyboard.resolved import ResolvedShot

_LABEL_HEIGHT = 26
_HEADER_HEIGHT = 44
_GAP = 8
_WIDE = 16 / 9


Cell = tuple[Image.Image, str]
"""A frame and its label."""


def draw_sheet(
    shots: Sequence[tuple[ResolvedShot, Clip]], fps: int, *, beats: int, width: int
) -> bytes:
    """The contact sheet of some shots: a PNG, `width` pixels wide, in the theme of the shots.

    A row has `beats` beats if the frames are 16:9, more if they are narrower.
    """
    strips = []
    first = shots[0][0].shot
    theme = first.own.theme(first.theme)
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
    """Three cells for each beat; before it, for its question, two empty cells and one."""
    moments: list[tuple[str, int] | None] = []
    for beat in beat_spans(clip):
        if beat.question is not None:
            moments += [None, None, (f"{beat.name}: question", beat.question)]
        middle = (beat.first + beat.last) // 2
        for moment, frame in (("start", beat.first), ("middle", middle), ("end", beat.last)):
            moments.append((f"{beat.name}: {moment}", frame))
    pictures = iter(frames_at(clip.video, [moment[1] for moment in moments if moment]))
    return [
        (next(pictures), f"{moment[0]}, {moment[1] / fps:.1f} s") if moment else None
        for moment in moments
    ]


def _strip(
    header: str, cells: Sequence[Cell | None], theme: Theme, beats: int, sheet_width: int
) -> Image.Image:
    """The cells of one shot in rows of whole beats."""
    first = next(cell[0] for cell in cells if cell)
    ratio = first.width / first.height
    columns = 3 * max(1, round(beats * (_WIDE / ratio) ** 0.5))
    width = (sheet_width - _GAP) // columns - _GAP
    height = round(width / ratio)
    rows = -(-len(cells) // columns)
    row_height = height + _LABEL_HEIGHT + _GAP
    strip = Image.new("RGB", (sheet_width, _HEADER_HEIGHT + rows * row_height), theme.hairline)
    pen = ImageDraw.Draw(strip)
    pen.text((_GAP, 8), header, theme.ink, _font(24))
    for index, cell in enumerate(cells):
        if cell is None:
            continue
        x = _GAP + index % columns * (width + _GAP)
        y = _HEADER_HEIGHT + index // columns * row_height
        picture, label = cell
        strip.paste(picture.resize((width, height), Image.Resampling.LANCZOS), (x, y))
        pen.text((x, y + height + 2), _shorten(label, width), theme.ink, _font(17))
    return strip


def _shorten(label: str, width: int) -> str:
    """The label, without its middle if the cell is too narrow."""
    head, tail = label, ""
    while head and _font(17).getlength(head + tail) > width - _GAP:
        if not tail:
            head, _, time = label.rpartition(",")
            tail = f"…,{time}"
        head = head[:-1]
    return head + tail


def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONT_DIR / "SourceSansPro-Regular.ttf"), size)
