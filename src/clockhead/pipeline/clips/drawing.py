"""Where the pipeline meets Manim: its settings, and what stands in for its writer and renderer.

Import this only in a process that draws: importing it imports Manim.
"""

from __future__ import annotations

from collections.abc import Iterator
from configparser import ConfigParser
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any

import manim
from manim import tempconfig
from manim._config.utils import ManimConfig
from manim.renderer.cairo_renderer import CairoRenderer
from manim.scene.scene_file_writer import SceneFileWriter
from numpy.typing import NDArray
from tqdm import tqdm  # type: ignore[import-untyped]

from clockhead.pipeline.clips.clip import Report
from clockhead.pipeline.clips.encoder import ClipEncoder
from clockhead.pipeline.look import Look
from clockhead.scenes.stage.camera import StageCamera
from clockhead.scenes.style.layout import SHORT_SIDE

_REPORT_EVERY = 5
"""Frames between two reports of progress."""

tqdm.set_lock(RLock())  # Manim's bars are off; their own lock is a semaphore that a kill leaks


@contextmanager
def manim_settings(look: Look, media: Path, **changes: Any) -> Iterator[None]:
    """Manim as this look wants it, whatever the user's own `manim.cfg` says."""
    unit = min(look.width, look.height) / SHORT_SIDE
    ours = {
        "media_dir": str(media),
        "format": "mp4",
        "disable_caching": True,
        "progress_bar": "none",
        "verbosity": "ERROR",
        "seed": 0,
        "pixel_width": look.width,
        "pixel_height": look.height,
        "frame_rate": look.fps,
        "frame_width": look.width / unit,
        "frame_height": look.height / unit,
    }
    with tempconfig(_library_defaults()), tempconfig({**ours, **changes}):
        yield


def _library_defaults() -> dict[str, Any]:
    parser = ConfigParser()
    with (Path(manim.__file__).parent / "_config" / "default.cfg").open() as file:
        parser.read_file(file)
    return dict(ManimConfig().digest_parser(parser))


class ClipWriter(SceneFileWriter):
    """Sends every frame of a scene to one encoder; writes no file."""

    def __init__(self, settings: Any, encoder: ClipEncoder, report: Report) -> None:
        self._encoder = encoder  # first: Manim's writer opens a section at once
        self._report = report
        super().__init__(settings)

    def begin_animation(self, *_: Any, **__: Any) -> None:
        """Nothing to open: the stream goes on."""

    def end_animation(self, *_: Any, **__: Any) -> None:
        """Nothing to close: the stream goes on."""

    def next_section(self, *args: Any, **options: Any) -> None:
        """A beat begins."""
        super().next_section(*args, **options)
        self._encoder.begin_beat()

    def write_frame(self, pixels: NDArray[Any], *, repeat: int = 1) -> None:
        """Encode a frame, and say how many there are now and then."""
        before = self._encoder.frames
        self._encoder.write(pixels, repeat)
        if before // _REPORT_EVERY != self._encoder.frames // _REPORT_EVERY:
            self._report(self._encoder.frames)

    def finish(self) -> None:
        """Nothing to put together; whoever made the encoder finishes it."""

    def abort_encode_jobs(self, *_: Any, **__: Any) -> None:
        """Whoever made the encoder aborts it."""


class ClipRenderer(CairoRenderer):
    """Manim's renderer, writing through a `ClipWriter` and copying no frame on the way."""

    def __init__(self, encoder: ClipEncoder, report: Report) -> None:
        writer: Any = partial(ClipWriter, encoder=encoder, report=report)
        super().__init__(file_writer_class=writer, camera_class=StageCamera)

    def render(self, scene: Any, time: float, moving_mobjects: Any = None) -> None:
        """Draw a frame and write it before the next is drawn over it."""
        self.update_frame(scene, moving_mobjects)
        self.add_frame(self.camera.pixel_array)
