"""Draw stills of a shot without rendering it: one picture of the end of every beat.

Cairo draws them, as in the film, at any size: as pixels, or as vectors in which letters are
outlines.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import cairo

from clockhead.clips.clip import ClipJob, Report
from clockhead.clips.scratch import scratch_directory

if TYPE_CHECKING:
    from clockhead.scenes.stage import Stage

Form = Literal["png", "svg", "pdf"]
POINTS_WIDE = 960
"""Default width of vector stills, in points."""
_EDGE = 0.08
"""Units by which lines at the edge of a picture may extend beyond it."""


@dataclass(frozen=True, slots=True)
class Paper:
    """Format and size of stills."""

    form: Form = "png"
    width: int | None = None
    """In pixels, or points for vectors; by default that of the film, or `POINTS_WIDE`."""
    transparent: bool = False
    picture_only: bool = False
    """Whether to leave out title and sentences."""
    areas_only: bool = False
    """Whether cells are drawn as areas, not as pixels."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A value that a picture shows, with its path and description."""

    path: str
    description: str
    unit: str | None
    value: Any = field(repr=False)


@dataclass(frozen=True, slots=True)
class Still:
    """The picture at the end of a beat."""

    beat: str
    sentence: str
    """The sentence of the beat, as the stage gives it."""
    first: int
    """The first frame of the beat."""
    last: int
    """The frame that the picture shows."""
    shows: tuple[Sight, ...]
    """The values that it shows, for alt texts; new ones come first. Empty unless the film is in
    English, as descriptions are."""
    picture: bytes


def draw_stills(
    job: ClipJob,
    report: Report = lambda _: None,
    papers: Sequence[Paper] = (Paper(),),
    each: Callable[[Paper, Still], None] = lambda *_: None,
) -> dict[Paper, list[Still]]:
    """Draw the end of every beat of a shot on each kind of paper.

    `each` gets every still as soon as it is drawn; an exception in it ends the drawing.
    """
    report(0)
    drawn: dict[Paper, list[Still]] = {paper: [] for paper in papers}

    def keep(stage: Stage) -> None:
        for paper, stills in drawn.items():
            stills.append(_still(stage, paper, stills[-1].shows if stills else ()))
            each(paper, stills[-1])
        report(len(stage.beats))

    _play(job, keep)
    return drawn


def draw_still(job: ClipJob, paper: Paper, beats: Sequence[str] = ()) -> Still:
    """Draw the end of a beat of a shot: the first of `beats` that is told, or else the last."""
    from clockhead.scenes.stage import find_stage

    names = find_stage(job.stage).beat_names(job.shot.values)
    wanted = next((beat for beat in beats if beat in names), names[-1])
    found: list[Still] = []

    def keep(stage: Stage) -> None:
        if stage.beats[-1].name == wanted:
            found.append(_still(stage, paper, ()))

    _play(job, keep)
    return found[-1]


def _play(job: ClipJob, on_beat: Callable[[Stage], None]) -> None:
    """Play a shot without drawing it; `on_beat` can draw the end of every beat."""
    from clockhead.clips.drawing import manim_settings
    from clockhead.scenes.stage import find_stage
    from clockhead.scenes.stage.camera import StillCamera
    from clockhead.scenes.stage.carry import BlindRenderer

    with scratch_directory() as media, manim_settings(job.look, media, dry_run=True):
        renderer = BlindRenderer(StillCamera)
        find_stage(job.stage)(job.shot, on_beat=on_beat, renderer=renderer).render()


def _still(stage: Stage, paper: Paper, before: Sequence[Sight]) -> Still:
    beat = stage.beats[-1]
    said = stage.lines[-1].text if stage.lines else ""
    last = max(beat.frame, stage.frame - 1)
    sights = _sights(stage, before)
    return Still(beat.name, said, beat.frame, last, sights, draw_picture(stage, paper))


def _sights(stage: Stage, before: Sequence[Sight]) -> tuple[Sight, ...]:
    from clockhead.scenes.language import ENGLISH, language
    from clockhead.scenes.stage.shown import on_show

    shown = on_show(stage) if language() == ENGLISH else []
    sights = [Sight(v.path, v.description, v.unit, v.content) for v in shown]
    old = {sight.path for sight in before}
    return tuple(sorted(sights, key=lambda sight: sight.path in old))


def draw_picture(stage: Stage, paper: Paper) -> bytes:
    """A stage as it stands, played with a `StillCamera`, on a kind of paper."""
    from clockhead.scenes.stage.camera import is_fixed
    from clockhead.scenes.style.layout import Region

    camera: Any = stage.camera
    frame = Region.frame(camera.frame_width, camera.frame_height)
    region = stage.canvas.inset(-_EDGE) if paper.picture_only else frame
    usual = camera.pixel_width if paper.form == "png" else POINTS_WIDE
    width = paper.width or round(usual * region.width / camera.frame_width)
    height = round(width * region.height / region.width)
    file = io.BytesIO()
    surface: cairo.Surface
    if paper.form == "png":
        surface = cairo.ImageSurface(cairo.FORMAT_ARGB32, width, height)
    else:
        vectors = {"svg": cairo.SVGSurface, "pdf": cairo.PDFSurface}[paper.form]
        surface = vectors(file, width, height)
    context = cairo.Context(surface)
    # Vectors keep their background-coloured plates: erasing would turn them into pixels.
    camera.background_opacity = 0.0 if paper.transparent and paper.form == "png" else 1.0
    camera.draws_areas = paper.areas_only
    if not paper.transparent:
        context.set_source_rgba(*camera.background_color.to_rgba())
        context.paint()
    # The units of the frame, so that the picture shows the region.
    across, up = width / region.width, height / region.height
    x, y, _ = region.center
    context.set_matrix(cairo.Matrix(across, 0, 0, -up, width / 2 - across * x, height / 2 + up * y))
    mobjects = [*stage.mobjects, *stage.foreground_mobjects]
    for mobject in camera.get_mobjects_to_display(mobjects):
        # What stays on the frame, title, sentences and a logo, is outside of the canvas.
        if not (paper.picture_only and is_fixed(mobject)):
            camera.display_vectorized(mobject, context)
    if isinstance(surface, cairo.ImageSurface):
        surface.write_to_png(file)
    surface.finish()
    return file.getvalue()
