"""The film as MP4 or WebM, encoded again for web pages, or to fit into a size.

Shots without their background are drawn again, and encoded with an alpha channel.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.video.frame import PictureType
from av.video.reformatter import Colorspace
from numpy.typing import NDArray

from clockhead import atomic
from clockhead.clips.areas import Area
from clockhead.clips.clip import ClipJob, Report
from clockhead.clips.scratch import scratch_directory
from clockhead.clips.stream import frame_rate, set_picture_format
from clockhead.export.edition import Edition, ExportError
from clockhead.export.formats import Choices
from clockhead.export.pauses import hold_steps, join_marks
from clockhead.production.publish import write_film

MEGABYTE = 1_000_000
"""In bytes, as disks, learning platforms and mail count."""
_ROOM = 0.94
"""Fraction of a size to aim at; containers take some of it, and encoders miss it a little."""
_SOUND_RATE = 64_000
"""Bits per second of the voice."""
_MIN_BITS_PER_PIXEL = 0.004
"""With fewer bits, fewer pixels look better."""
_MIN_RATE = 8_000.0
"""Bits per second below which there is no picture."""
_ATTEMPTS = 4
_ALPHA_OPTIONS = {"crf": "4", "b": "0", "deadline": "good", "cpu-used": "5", "auto-alt-ref": "0"}
"""VP9 allows no alternate reference frames with alpha. A coarser quantiser makes files a third
smaller, but leaves visible edges on a background of another colour."""
_FAINT = 8 / 255
"""Alpha below which the colour of a pixel is too coarsely rounded to be used."""


@dataclass(frozen=True, slots=True)
class Codec:
    """Container, encoders and their options."""

    container: str
    video: str
    sound: str
    sound_rate: int
    samples: str
    """Sample format of the sound encoder."""
    options: dict[str, str] = field(default_factory=dict)
    """Without a size limit."""
    limited: dict[str, str] = field(default_factory=dict)
    """With a size limit."""


MP4 = Codec("mp4", "libx264", "aac", 44_100, "fltp", {"crf": "21"}, {"preset": "slow"})
WEBM = Codec(
    "webm",
    "libvpx-vp9",
    "libopus",
    48_000,
    "flt",
    {"crf": "32", "b": "0", "deadline": "good", "cpu-used": "4", "row-mt": "1"},
    {"deadline": "good", "cpu-used": "4", "row-mt": "1"},
)


def write_mp4(edition: Edition, target: Path, choices: Choices) -> Iterator[Path]:
    """Write the film, or each chosen shot, unchanged unless it is larger than `max_mb`.

    With `pause`, it is `NAME-paused.mp4`, and its chapters are its beats and questions.

    Raises:
        ExportError: if it does not fit into `max_mb`.
    """
    with scratch_directory() as folder:
        for source in _paused(edition, choices.pause, folder) if choices.pause else edition.files:
            file = target / f"{_stem(edition, source)}.mp4"
            if choices.max_mb is None or source.stat().st_size <= choices.max_mb * MEGABYTE:
                atomic.write(file, source.read_bytes())
            else:
                encode(source, file, MP4, choices.max_mb, edition.say)
            yield file
            yield from _copy_captions(source, file)


def _paused(edition: Edition, seconds: float, folder: Path) -> Iterator[Path]:
    """The film, or each chosen shot, with its steps held; written into `folder`."""
    held, film = hold_steps(edition, seconds), edition.film
    if [source.stem for source in edition.files] == [edition.name]:
        file = folder / f"{edition.name}-paused.mp4"
        write_film(film, [chapter for chapter, _ in held], file, film.title, join_marks(held))
        yield file
        return
    for shot, (chapter, marks) in zip(edition.shots, held, strict=True):
        file = folder / f"{shot.stem}-paused.mp4"
        write_film(film, [chapter], file, f"{film.title}: {chapter.title}", marks)
        yield file


def write_webm(edition: Edition, target: Path, choices: Choices) -> Iterator[Path]:
    """Write the film as VP9; with `transparent`, each shot without its background.

    Raises:
        ExportError: if it does not fit into `max_mb`, or a shot cannot be drawn.
    """
    if choices.transparent:
        look = edition.film.look
        jobs = {s.id: ClipJob(s.stage, s.shot, look) for s in edition.film.shots}
        work = "rendering without background"
        videos = edition.run_jobs(render_transparent, jobs, work, "frames").values()
        for shot, video in zip(edition.shots, videos, strict=True):
            file = target / f"{edition.name}-{shot.stem}.webm"
            if choices.max_mb is not None and len(video) > choices.max_mb * MEGABYTE:
                raise too_large(file, choices.max_mb, len(video))
            atomic.write(file, video)
            yield file
        return
    for source in edition.files:
        file = target / f"{_stem(edition, source)}.webm"
        encode(source, file, WEBM, choices.max_mb, edition.say)
        yield file
        yield from _copy_captions(source, file)


def _stem(edition: Edition, source: Path) -> str:
    """The name of an exported file without its suffix."""
    whole = (edition.name, f"{edition.name}-paused")
    return source.stem if source.stem in whole else f"{edition.name}-{source.stem}"


def _copy_captions(source: Path, target: Path) -> Iterator[Path]:
    """Copy the captions beside a film to those beside its export."""
    for suffix in (".vtt", ".srt"):
        file = target.with_suffix(suffix)
        atomic.write(file, source.with_suffix(suffix).read_bytes())
        yield file


def encode(
    source: Path,
    target: Path,
    codec: Codec,
    max_mb: float | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> None:
    """Encode a film again, into at most `max_mb` megabytes.

    Says so if the picture had to become smaller.

    Raises:
        ExportError: if the film cannot be that small.
    """
    with av.open(str(source)) as film:
        video = film.streams.video[0]
        width, height = video.width, video.height
        seconds, rate = float((film.duration or 0) / av.time_base), float(video.average_rate or 1)
        sound = _SOUND_RATE if film.streams.audio else 0
    with atomic.replacement(target) as temporary:
        if max_mb is None:
            _transcode(source, temporary, codec, width, height)
            return
        size, sizes = max_mb * MEGABYTE, list[int]()
        bits = max(_MIN_RATE, size * 8 * _ROOM / seconds - sound)
        for _ in range(_ATTEMPTS):
            share = min(1.0, (bits / (_MIN_BITS_PER_PIXEL * width * height * rate)) ** 0.5)
            across, down = (
                max(2, 2 * round(side * max(share, 0.2) / 2)) for side in (width, height)
            )
            _transcode(source, temporary, codec, across, down, int(bits))
            sizes.append(temporary.stat().st_size)
            if sizes[-1] <= size:
                if across < width:
                    say(smaller_message(target, across, width, max_mb))
                return
            if bits <= _MIN_RATE:
                break
            bits = max(_MIN_RATE, bits * min(0.8, size * _ROOM / sizes[-1]))
        raise too_large(target, max_mb, min(sizes))


def too_large(target: Path, max_mb: float, least: int) -> ExportError:
    """The error of a file that cannot be small enough; `least` is the smallest size, in bytes."""
    return ExportError(
        f"{target.name} cannot be made to fit into {max_mb:g} MB; the smallest usable file has "
        f"{least / MEGABYTE:.2g} MB: export fewer shots with --shot"
    )


def smaller_message(target: Path, width: int, wanted: int, max_mb: float) -> str:
    """The message when a picture had to become smaller."""
    return f"{target.name}: {width} pixels wide and not {wanted}, to fit into {max_mb:g} MB"


def _transcode(
    source: Path, target: Path, codec: Codec, width: int, height: int, bits: int | None = None
) -> None:
    """Encode a film in a size, with so many bits per second (None for the usual quality)."""
    with av.open(str(source)) as film, av.open(str(target), "w", format=codec.container) as made:
        made.metadata.update(film.metadata)
        made.set_chapters(film.chapters())
        pictures = film.streams.video[0]
        pictures.thread_type = "AUTO"
        options = codec.options
        if bits is not None:
            # One second may have twice its share of the bits, four seconds only theirs.
            limits = {"maxrate": str(2 * bits), "bufsize": str(4 * bits)}
            options = codec.limited | limits
        video: Any = made.add_stream(codec.video, rate=frame_rate(film), options=options)
        set_picture_format(video.codec_context, width, height)
        if bits is not None:
            video.bit_rate = bits
        heard = film.streams.audio[0] if film.streams.audio else None
        sound: Any = None
        if heard:
            sound = made.add_stream(codec.sound, rate=codec.sound_rate, layout="mono")
            sound.bit_rate = _SOUND_RATE
        resampler = av.AudioResampler(codec.samples, "mono", codec.sound_rate)
        for frame in film.decode(*filter(None, [pictures, heard])):
            if isinstance(frame, av.VideoFrame):
                picture = frame.reformat(width, height, "yuv420p")
                picture.pts, picture.time_base = frame.pts, frame.time_base
                picture.duration = frame.duration
                # A key frame, at which a beat begins, remains one.
                picture.pict_type = PictureType.I if frame.key_frame else PictureType.NONE
                made.mux(video.encode(picture))
            elif isinstance(frame, av.AudioFrame):
                for piece in resampler.resample(frame):
                    made.mux(sound.encode(piece))
        made.mux(video.encode(None))
        if sound:
            made.mux(sound.encode(None))


# Without a background


def render_transparent(job: ClipJob, report: Report = lambda _: None) -> bytes:
    """Draw one shot without its background: a WebM of VP9 with an alpha plane."""
    from clockhead.clips.drawing import ClipRenderer, manim_settings
    from clockhead.scenes.stage import find_stage

    report(0)
    look = job.look
    encoder: Any = _AlphaEncoder(look.width, look.height, look.fps)
    with (
        scratch_directory() as media,
        manim_settings(look, media, format="mov", background_opacity=0.0),
    ):
        find_stage(job.stage)(job.shot, renderer=ClipRenderer(encoder, report)).render()
    video: bytes = encoder.finish()
    return video


class _AlphaEncoder:
    """Encodes frames as cairo draws them, with premultiplied alpha."""

    def __init__(self, width: int, height: int, fps: int) -> None:
        self.frames = 0
        self._file = io.BytesIO()
        self._film = av.open(self._file, "w", format="webm")
        stream: Any = self._film.add_stream("libvpx-vp9", rate=fps, options=_ALPHA_OPTIONS)
        set_picture_format(stream.codec_context, width, height, "yuva420p")
        stream.metadata["alpha_mode"] = "1"
        self._stream = stream
        self._picture: av.VideoFrame | None = None

    def write(
        self, pixels: NDArray[np.uint8], repeat: int = 1, changed: Sequence[Area] | None = None
    ) -> None:
        """Add a frame, (height, width, 4), `repeat` times."""
        if self._picture is None or changed is None or changed:
            picture = av.VideoFrame.from_ndarray(unpremultiply(pixels), format="rgba")
            self._picture = picture.reformat(format="yuva420p", dst_colorspace=Colorspace.ITU709)
        for _ in range(repeat):
            self._picture.pts = self.frames
            self._film.mux(self._stream.encode(self._picture))
            self.frames += 1

    def begin_beat(self) -> None:
        """Do nothing: these clips need no key frames at beats."""

    def finish(self) -> bytes:
        """Finish and return the WebM."""
        self._film.mux(self._stream.encode(None))
        self._film.close()
        return self._file.getvalue()


def unpremultiply(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Colours divided by alpha: (height, width, 4), as `pixels`.

    Nearly transparent pixels take the colour of what is drawn next to them: an encoder mixes the
    colours of neighbours, so the colour of transparent pixels would show around letters.
    """
    height, width, _ = pixels.shape
    near = _double(_spread_colours(_halve(pixels.astype(np.float32) / 255)), height, width)
    found = np.where(pixels[..., 3:] == 255, pixels[..., :3], np.rint(255 * near))
    edges = (pixels[..., 3] > 0) & (pixels[..., 3] < 255)
    found[edges] = np.rint(255 * _fill(pixels[edges].astype(np.float32) / 255, near[edges]))
    colours = np.clip(found, 0, 255).astype(np.uint8)
    return np.concatenate([colours, pixels[..., 3:]], axis=2)


def _spread_colours(pixels: NDArray[np.floating]) -> NDArray[np.floating]:
    """The colour of each pixel, or of what is drawn nearest to it; (height, width, 3).

    `pixels` are (height, width, 4) with premultiplied alpha, from 0 to 1.
    """
    height, width, _ = pixels.shape
    if height == width == 1:
        return _fill(pixels, np.zeros((1, 1, 3), np.float32))
    return _fill(pixels, _double(_spread_colours(_halve(pixels)), height, width))


def _fill(pixels: NDArray[np.floating], near: NDArray[np.floating]) -> NDArray[np.floating]:
    """The colours of pixels (..., 4); the lower their alpha, the more they take from `near`."""
    alpha = pixels[..., 3:]
    weight = _FAINT * (1 - alpha)
    filled: NDArray[np.floating] = (pixels[..., :3] + weight * near) / (alpha + weight)
    return filled


def _halve(pixels: NDArray[np.floating]) -> NDArray[np.floating]:
    """The mean of every four pixels."""
    height, width, _ = pixels.shape
    even = np.pad(pixels, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
    four = even[::2, ::2] + even[1::2, ::2] + even[::2, 1::2] + even[1::2, 1::2]
    mean: NDArray[np.floating] = four / 4
    return mean


def _double(pixels: NDArray[np.floating], height: int, width: int) -> NDArray[np.floating]:
    return pixels.repeat(2, 0).repeat(2, 1)[:height, :width]
