"""What a worker does: perform a packed job, and render a shot.

Importing this module imports neither Manim nor a stage: commands that start workers need not wait
for them.
"""

from __future__ import annotations

import pickle
import sysconfig
import traceback
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from clockhead.clips.clip import Clip, ClipJob, Failure, Report
from clockhead.clips.fingerprint import sources_fingerprint
from clockhead.clips.scratch import scratch_directory
from clockhead.libraries import own_path, project_folder, use_project
from clockhead.places import display_path, is_ours
from clockhead.trust import private_umask

if TYPE_CHECKING:
    from clockhead.scenes.stage import Stage

_LIBRARIES = {
    Path(sysconfig.get_path(name)).resolve()
    for name in ("stdlib", "platstdlib", "purelib", "platlib")
}
"""Folders of code that is not ours."""
Job = TypeVar("Job")

_DRAWING = Lock()
"""Manim's settings belong to the whole process, so it draws one clip at a time."""
_SPARSE = 4
"""The poster is judged by every fourth pixel of every fourth row."""
_AS_GOOD = 0.9
"""A later frame becomes the poster if it is at least this share as rich as the richest."""


def pack(task: Callable[[Job, Report], Any], job: Job) -> bytes:
    """Pickle a task and its job for another process."""
    return pickle.dumps((project_folder(), bool(own_path()), pickle.dumps((task, job))))


def perform(packed: bytes, fingerprint: str, report: Report) -> Any:
    """Do a packed task, and return its result, or a `Failure` that says what went wrong.

    `fingerprint` is that of the sources for which the clip's key was computed. Other sources would
    make another clip, so they are refused.
    """
    with _DRAWING:
        try:
            own, is_trusted, packed_job = pickle.loads(packed)
            if own is not None and not own.is_dir():
                return Failure(f"your own stages are in {own}, which is not there")
            use_project(own, is_trusted=is_trusted)
            if sources_fingerprint() != fingerprint:
                return Failure("the project was edited after the command began; run it again")
            with private_umask():  # unpickling imports stages
                task, job = pickle.loads(packed_job)
            return task(job, report)
        except Exception as error:
            return Failure(reason_of(error))


def render_clip(job: ClipJob, report: Report = lambda _: None) -> Clip:
    """Draw and encode one shot."""
    from clockhead.clips.drawing import ClipRenderer, StockRenderer, manim_settings
    from clockhead.clips.encoder import ClipEncoder
    from clockhead.clips.stream import count_frames, open_video
    from clockhead.scenes.stage import find_stage

    look, poster = job.look, _Poster()
    report(0)
    with scratch_directory() as media, manim_settings(look, media):
        encoder = ClipEncoder(look.width, look.height, look.fps, small=look.small)
        try:
            renderer: Any = (StockRenderer if look.stock else ClipRenderer)(encoder, report)
            stage = find_stage(job.stage)(job.shot, renderer=renderer, on_play=poster.consider)
            stage.render()
            video = encoder.finish()
        except BaseException:
            encoder.abort()
            raise
        with open_video(video) as film:
            frames = count_frames(film)
        if frames == 0 or frames != stage.frame:
            raise RuntimeError(f"{frames} frames were encoded and {stage.frame} were shown")
        return Clip(
            video=video,
            frames=frames,
            beats=tuple(stage.beats),
            lines=tuple(stage.lines),
            opened=stage.opened,
            poster=poster.frame,
            richness=poster.richness,
        )


class _Poster:
    """Chooses the last frame at the end of a play that shows about as much as any."""

    def __init__(self) -> None:
        self.frame, self.richness, self._most = 0, 0.0, 0.0

    def consider(self, stage: Stage) -> None:
        """Look at the frame that is drawn."""
        camera: Any = stage.camera
        pixels = camera.pixel_array
        sample = pixels[::_SPARSE, ::_SPARSE, :3]
        # The corner is ground.
        richness = float((sample != pixels[0, 0, :3]).any(axis=2).mean())
        self._most = max(self._most, richness)
        if richness >= _AS_GOOD * self._most:
            self.frame, self.richness = stage.frame - 1, richness


def reason_of(error: Exception) -> str:
    """An error as `ValueError: its message (scenes/rope/aliasing.py, line 12)`.

    The line is the last one of a stage in the traceback, followed by the last one of Clockhead or
    the user if that is another.
    """
    from clockhead.scenes.stage.flaws import own_frame, reason

    def is_own(frame: traceback.FrameSummary) -> bool:
        file = Path(frame.filename).resolve()
        return is_ours(file) or not any(map(file.is_relative_to, _LIBRARIES))

    ours = list(filter(is_own, traceback.extract_tb(error.__traceback__)))
    frames = [own_frame(error), *ours[-1:]]
    places = [f"{display_path(frame.filename)}, line {frame.lineno}" for frame in frames if frame]
    where = f" ({', through '.join(dict.fromkeys(places))})" if places else ""
    return f"{type(error).__name__}: {reason(error)}{where}"
