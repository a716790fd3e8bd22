"""Our writer and renderers for Manim, and its settings. Importing this imports Manim."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from configparser import ConfigParser
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

import manim
import numpy as np
from manim import config
from manim._config.utils import ManimConfig
from manim.renderer.cairo_renderer import CairoRenderer
from manim.scene.scene_file_writer import SceneFileWriter
from manim.utils.iterables import list_update
from numpy.typing import NDArray

from clockhead.clips.areas import Area
from clockhead.clips.clip import Report
from clockhead.clips.encoder import ClipEncoder
from clockhead.clips.repaint import PaintedMobject, RepaintCamera
from clockhead.look import FilmLook
from clockhead.scenes.stage.camera import StageCamera
from clockhead.scenes.style.layout import SHORT_SIDE

_REPORT_EVERY = 5
"""Number of frames between two reports of progress."""


@contextmanager
def manim_settings(look: FilmLook, media: Path, **changes: Any) -> Iterator[None]:
    """Set Manim's options for a look, whatever the user's own are, and restore those afterwards.

    Scenes seed the random generators of the whole process, which are restored, too.
    """
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
    state, numpy_state = random.getstate(), np.random.get_state()
    try:
        with manim_options(**library_defaults()), manim_options(**{**ours, **changes}):
            yield
    finally:
        random.setstate(state)
        np.random.set_state(numpy_state)


@contextmanager
def manim_options(**options: Any) -> Iterator[None]:
    """Set some of Manim's options, and restore them afterwards.

    Manim's own `tempconfig` sets every option there is. That includes the renderer, which changes
    the base classes of all mobjects and takes as long as playing a beat.
    """
    before = dict(config.items())
    _set(options)
    try:
        yield
    finally:
        _set(before)


def _set(options: Mapping[str, Any]) -> None:
    changed = {name: value for name, value in options.items() if config[name] != value}
    config.update(changed)
    if "seed" in changed:
        config._d["seed"] = changed["seed"]  # the setter ignores None


@cache
def library_defaults() -> Mapping[str, Any]:
    """Manim's own default options."""
    parser = ConfigParser()
    with (Path(manim.__file__).parent / "_config" / "default.cfg").open() as file:
        parser.read_file(file)
    return dict(ManimConfig().digest_parser(parser))


class ClipWriter(SceneFileWriter):
    """Sends all frames of a scene to an encoder, and writes no files."""

    def __init__(self, settings: Any, encoder: ClipEncoder, report: Report) -> None:
        self._encoder = encoder  # before super(), which opens a section
        self._report = report
        super().__init__(settings)

    def begin_animation(self, *_: Any, **__: Any) -> None:
        """Do nothing: the stream goes on."""

    def end_animation(self, *_: Any, **__: Any) -> None:
        """Do nothing: the stream goes on."""

    def next_section(self, *args: Any, **options: Any) -> None:
        """Begin a beat."""
        super().next_section(*args, **options)
        self._encoder.begin_beat()

    def write_frame(
        self, pixels: NDArray[Any], *, repeat: int = 1, changed: Sequence[Area] | None = None
    ) -> None:
        """Encode a frame, and report the number of frames from time to time."""
        before = self._encoder.frames
        self._encoder.write(pixels, repeat, changed)
        if before // _REPORT_EVERY != self._encoder.frames // _REPORT_EVERY:
            self._report(self._encoder.frames)

    def finish(self) -> None:
        """Do nothing: the owner of the encoder finishes it."""

    def abort_encode_jobs(self, *_: Any, **__: Any) -> None:
        """Do nothing: the owner of the encoder aborts it."""


class StockRenderer(CairoRenderer):
    """Manim's renderer with a `ClipWriter`."""

    def __init__(
        self, encoder: ClipEncoder, report: Report, camera: type[StageCamera] = StageCamera
    ) -> None:
        writer: Any = partial(ClipWriter, encoder=encoder, report=report)
        super().__init__(file_writer_class=writer, camera_class=camera)


class ClipRenderer(StockRenderer):
    """Draws and converts only what changed since the frame before."""

    def __init__(self, encoder: ClipEncoder, report: Report) -> None:
        super().__init__(encoder, report, RepaintCamera)
        self._canvas: Any = self.camera
        self._static: list[PaintedMobject] = []
        self._changed: list[Area] = []

    def save_static_frame_data(self, scene: Any, static_mobjects: Any) -> None:
        """Keep what does not move during a play as it looks at the beginning."""
        self._static = self._canvas.freeze(static_mobjects)

    def update_frame(self, scene: Any, mobjects: Any = None, *_: Any, **__: Any) -> None:
        """Draw what changed."""
        drawn = mobjects or list_update(scene.mobjects, scene.foreground_mobjects)
        self._changed += self._canvas.repaint(self._static, drawn)

    def render(self, scene: Any, time: float, moving_mobjects: Any = None) -> None:
        """Draw a frame and write it."""
        self.update_frame(scene, moving_mobjects)
        self.add_frame(self.camera.pixel_array)

    def get_frame(self) -> Any:
        """The frame itself, not a copy: the encoder copies what it needs."""
        return self.camera.pixel_array

    def add_frame(self, frame: Any, num_frames: int = 1) -> None:
        """Write the current frame, which is shown `num_frames` times."""
        if self.skip_animations:
            return
        self.time += num_frames * (1 / self.camera.frame_rate)
        self.file_writer.write_frame(frame, repeat=num_frames, changed=self._changed)
        self._changed = []
