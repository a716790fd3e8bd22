"""How a film looks and reads: pixels and frames, shape, theme, captions, pace and language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args

from clockhead.scenes.language import DEFAULT_LANGUAGE
from clockhead.scenes.style.looks import Captions, ThemeName

Voice = bool | str
"""Nobody's, the one that comes (True), or a file for Piper."""
PIPER_FILE = ".onnx"
"""The ending of voices for Piper."""
Aspect = Literal["16:9", "4:3", "1:1", "9:16"]
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)
DEFAULT_ASPECT: Aspect = "16:9"
THEME_NAMES: tuple[ThemeName, ...] = get_args(ThemeName)
DEFAULT_THEME: ThemeName = "chalk"
CAPTIONS: tuple[Captions, ...] = get_args(Captions)
DEFAULT_CAPTIONS: Captions = "burnt"
MAX_FONTS = 8
"""As many fonts of the user's a film has at most."""
DEFAULT_PACE = 1.0
SLOWEST, QUICKEST = 0.5, 2.0
"""Bounds of the pace."""


@dataclass(frozen=True, slots=True)
class Quality:
    """Pixels along the short side of the frame, and frames per second."""

    lines: int
    fps: int

    def __str__(self) -> str:
        return f"{self.lines}p{self.fps}"


QUALITIES: dict[str, Quality] = {
    "l": Quality(480, 15),
    "m": Quality(720, 30),
    "h": Quality(1080, 60),
    "p": Quality(1440, 60),
    "k": Quality(2160, 60),
}
DEFAULT_QUALITY = QUALITIES["m"]


@dataclass(frozen=True, slots=True)
class Making:
    """How the clips of a look are made. What they show is the same."""

    small: bool = False
    """Encoded with more care, into about half the bytes."""
    stock: bool = False
    """Drawn by Manim's own renderer, every frame whole."""

    @property
    def folder(self) -> list[str]:
        """What is unusual about it, as parts of a folder's name."""
        return [field.name.replace("_", "-") for field in fields(self) if getattr(self, field.name)]


USUALLY_MADE = Making()


@dataclass(frozen=True, slots=True)
class Look:
    """One look of a film. Sizes are even, as H.264 wants them."""

    quality: Quality = DEFAULT_QUALITY
    theme: ThemeName = DEFAULT_THEME
    aspect: Aspect = DEFAULT_ASPECT
    captions: Captions = DEFAULT_CAPTIONS
    pace: float = DEFAULT_PACE
    language: str = DEFAULT_LANGUAGE
    """Its code, such as `de`."""
    voice: Voice = False
    font: tuple[str, ...] = ()
    """Files of the user's fonts, for letters that the text face lacks."""
    making: Making = USUALLY_MADE

    @property
    def width(self) -> int:
        """Pixels from left to right."""
        across, down = self._shape
        return _even(self.quality.lines * across / min(across, down))

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        across, down = self._shape
        return _even(self.quality.lines * down / min(across, down))

    @property
    def fps(self) -> int:
        """Frames per second."""
        return self.quality.fps

    @property
    def folder(self) -> str:
        """Where films of this look are kept: `720p30`, `720p30-paper-1x1-pace-0.8-de`."""
        unusual = {
            self.theme: self.theme != DEFAULT_THEME,
            self.aspect.replace(":", "x"): self.aspect != DEFAULT_ASPECT,
            f"captions-{self.captions}": self.captions != DEFAULT_CAPTIONS,
            f"pace-{self.pace:g}": self.pace != DEFAULT_PACE,
            self.language: self.language != DEFAULT_LANGUAGE,
            _voice_folder(self.voice): bool(self.voice),
            _file_folder("font", *self.font): bool(self.font),
        }
        parts = [part for part, said in unusual.items() if said]
        return "-".join([str(self.quality), *parts, *self.making.folder])

    @property
    def _shape(self) -> tuple[int, int]:
        across, down = self.aspect.split(":")
        return int(across), int(down)


def _voice_folder(voice: Voice) -> str:
    """`voice`, or `voice-thorsten` for one of the user's own."""
    return "voice" if isinstance(voice, bool) else _file_folder("voice", voice)


def _file_folder(what: str, *files: str) -> str:
    """`font-NotoSansHebrew`, a part of a folder's name."""
    return re.sub(r"[^\w.-]", "_", "-".join([what, *(Path(file).stem for file in files)]))


def _even(pixels: float) -> int:
    return 2 * round(pixels / 2)


OPEN = ("theme", "aspect", "captions", "pace", "language", "voice", "font")
"""What of a look a storyboard may tell."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a command asks for; what it leaves open is as the storyboard says, or as usual."""

    quality: Quality = DEFAULT_QUALITY
    theme: ThemeName | None = None
    aspect: Aspect | None = None
    captions: Captions | None = None
    pace: float | None = None
    language: str | None = None
    voice: Voice | None = None
    font: tuple[str, ...] | None = None
    making: Making = USUALLY_MADE

    def over(self, told: Mapping[str, Any]) -> Look:
        """The look of a film whose storyboard tells some of it."""
        wished = {name: getattr(self, name) for name in OPEN}
        told = {name: told[name] for name in OPEN if told.get(name) is not None}
        said = told | {name: value for name, value in wished.items() if value is not None}
        return Look(self.quality, **said, making=self.making)


USUAL = Wish()
