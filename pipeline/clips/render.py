"""What a worker does with a job: a shot in, a clip out; or a shot in, layout problems out.

Importing this module imports neither Manim nor a stage, so that a command that starts workers need
not wait for them.
"""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from pipeline.clips.clip import Clip, ClipJob, Failure, Report
from pipeline.clips.fingerprint import project_fingerprint
from pipeline.clips.scratch import scratch_directory

if TYPE_CHECKING:
    from scenes.stage import Stage

_ROOT = Path(__file__).resolve().parents[2]
Task = Callable[[ClipJob, Report], Any]

_DRAWING = Lock()
"""Manim's settings belong to the whole process, so one clip at a time is drawn in it."""
_SPARSE = 4
"""The poster is judged by every fourth pixel of every fourth row."""
_AS_GOOD = 0.9
"""A later frame is preferred as the poster when it is nearly as rich as the richest."""


def pack(task: Task, job: ClipJob) -> bytes:
    """A task and its job, to be performed in another process."""
    return pickle.dumps((task, job))


def perform(packed: bytes, fingerprint: str, report: Report) -> Any:
    """Do a packed task here: its result, or a `Failure` that says what went wrong.

    `fingerprint` is of the project as the key of the clip has it; from other sources, another
    clip would come.
    """
    with _DRAWING:
        try:
            if project_fingerprint() != fingerprint:
                return Failure("the project was edited after the command began; run it again")
            task, job = pickle.loads(packed)
            return task(job, report)
        except Exception as error:
            return Failure(_reason(error), traceback.format_exc())


def render_clip(job: ClipJob, report: Report = lambda _: None) -> Clip:
    """Draw and encode one shot."""
    from pipeline.clips.drawing import ClipRenderer, manim_settings
    from pipeline.clips.encoder import ClipEncoder

    report(0)
    with scratch_directory() as media, manim_settings(job.look, media):
        encoder = ClipEncoder(job.look.width, job.look.height, job.look.fps)
        poster = _Poster()
        try:
            stage = _stage(job, ClipRenderer(encoder, report), poster)
            stage.render()
            return _clip(stage, encoder.finish(), poster)
        except BaseException:
            encoder.abort()
            raise


def find_layout_problems(job: ClipJob, report: Report = lambda _: None) -> tuple[str, ...]:
    """What one shot shows badly or wrongly, found without drawing it.

    What the layout check finds, and pictures that do not say what they stand for.
    """
    from pipeline.clips.drawing import manim_settings
    from scenes.stage.carry import BlindRenderer
    from scenes.stage.layout_check import LayoutChecker
    from scenes.stage.shown import misread

    with scratch_directory() as media, manim_settings(job.look, media, dry_run=True):
        checker, wrong = LayoutChecker(), dict[str, None]()

        def look(stage: Stage) -> None:
            checker(stage)
            wrong.update(dict.fromkeys(misread(stage)))

        _stage(job, BlindRenderer(), look).render()
        return (*checker.problems, *wrong)


def _stage(job: ClipJob, renderer: Any, on_play: Callable[[Stage], None]) -> Stage:
    from scenes.stage import find_stage

    return find_stage(job.stage)(job.shot, on_play=on_play, renderer=renderer)


def _clip(stage: Stage, video: bytes, poster: _Poster) -> Clip:
    from pipeline.clips.encoder import count_frames

    frames = count_frames(video)
    if frames == 0 or frames != stage.frame:
        raise RuntimeError(f"{frames} frames were encoded and {stage.frame} were shown")
    return Clip(
        video=video,
        frames=frames,
        beats=tuple(stage.beats),
        lines=tuple(stage.lines),
        poster=poster.frame,
        richness=poster.richness,
    )


class _Poster:
    """Looks at the end of every play for the last frame that shows about as much as any."""

    def __init__(self) -> None:
        self.frame = 0
        self.richness = 0.0
        self._most = 0.0

    def __call__(self, stage: Stage) -> None:
        camera: Any = stage.camera
        richness = _ink(camera.pixel_array)
        self._most = max(self._most, richness)
        if richness >= _AS_GOOD * self._most:
            self.frame, self.richness = stage.frame - 1, richness


def _ink(pixels: NDArray[Any]) -> float:
    """The share of pixels whose colour is not that of the corner, which is ground."""
    sample = pixels[::_SPARSE, ::_SPARSE, :3]
    return float((sample != pixels[0, 0, :3]).any(axis=2).mean())


def _reason(error: Exception) -> str:
    """`ValueError: what it says (scenes/rope/aliasing.py, line 12)`.

    The line is the last of a stage that ran, and then the last of ours, if that is another.
    """
    from scenes.stage.flaws import own_frame, reason

    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_ours(frame)]
    told = [own_frame(error), *ours[-1:]]
    places = [f"{_short(frame.filename)}, line {frame.lineno}" for frame in told if frame]
    where = f" ({', through '.join(dict.fromkeys(places))})" if places else ""
    return f"{type(error).__name__}: {reason(error)}{where}"


def _is_ours(frame: traceback.FrameSummary) -> bool:
    return Path(frame.filename).resolve().is_relative_to(_ROOT)


def _short(filename: str) -> str:
    return str(Path(filename).resolve().relative_to(_ROOT))
