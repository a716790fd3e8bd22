"""Contact sheets: the start, middle and end of every beat, side by side, to look a film over."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

from pipeline.clips.clip import Clip
from pipeline.film.join import frames_at
from pipeline.storyboard.resolved import ResolvedShot
from scenes.stage import Beat
from scenes.style.type import FONT_DIR

_LABEL = 26
_HEADER = 44
_GAP = 8
_WIDE = 16 / 9
_GROUND, _INK, _MUTED = "#20242b", "#f2efe6", "#9aa4b0"


@dataclass(frozen=True, slots=True)
class Cell:
    """A frame and what is written under it."""

    picture: Image.Image
    label: str


def draw_sheet(
    shots: Sequence[tuple[ResolvedShot, Clip]], fps: int, *, beats: int, width: int
) -> bytes:
    """Every beat of these shots, as a PNG of this width; `beats` wide ones stand side by side."""
    strips = []
    for shot, clip in shots:
        header = f"{shot.number}  {shot.id}  ({clip.frames / fps:.1f} s)"
        strips.append(_strip(header, _cells(clip, fps), beats, width))
    sheet = Image.new("RGB", (width, sum(strip.height for strip in strips)), _GROUND)
    top = 0
    for strip in strips:
        sheet.paste(strip, (0, top))
        top += strip.height
    png = io.BytesIO()
    sheet.save(png, "png")
    return png.getvalue()


def spans(clip: Clip) -> Iterator[tuple[str, int, int]]:
    """Each step of a clip with its first and last frame; the caption is a step of its own."""
    caption = [Beat("caption", line.frame) for line in clip.lines[-1:]]
    steps = sorted([*clip.beats, *caption], key=lambda step: step.frame)
    if not steps or steps[0].frame > 0:
        steps.insert(0, Beat("opening", 0))
    ends = [*(step.frame for step in steps[1:]), clip.frames]
    for step, end in zip(steps, ends, strict=True):
        if end > step.frame:
            yield step.name, step.frame, end - 1


def _cells(clip: Clip, fps: int) -> list[Cell]:
    moments = [
        (f"{name}: {moment}", frame)
        for name, first, last in spans(clip)
        for moment, frame in (("start", first), ("middle", (first + last) // 2), ("end", last))
    ]
    pictures = frames_at(clip.video, [frame for _, frame in moments])
    return [
        Cell(picture, f"{label}, {frame / fps:.1f} s")
        for picture, (label, frame) in zip(pictures, moments, strict=True)
    ]


def _strip(header: str, cells: Sequence[Cell], beats: int, whole: int) -> Image.Image:
    """The cells of one shot in rows of whole beats; more of them when the pictures are tall."""
    ratio = cells[0].picture.width / cells[0].picture.height
    columns = 3 * max(1, round(beats * (_WIDE / ratio) ** 0.5))
    width = (whole - _GAP) // columns - _GAP
    height = round(width / ratio)
    rows = -(-len(cells) // columns)
    strip = Image.new("RGB", (whole, _HEADER + rows * (height + _LABEL + _GAP)), _GROUND)
    pen = ImageDraw.Draw(strip)
    pen.text((_GAP, 8), header, _INK, _font(24))
    for index, cell in enumerate(cells):
        x = _GAP + index % columns * (width + _GAP)
        y = _HEADER + index // columns * (height + _LABEL + _GAP)
        strip.paste(cell.picture.resize((width, height), Image.Resampling.LANCZOS), (x, y))
        pen.text((x, y + height + 2), _fitting(cell.label, width), _MUTED, _font(17))
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
