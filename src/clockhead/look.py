"""How a film looks and sounds: quality, shape, colours, captions, pace, language, voice, fonts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from clockhead.scenes.language import DEFAULT_LANGUAGE
from clockhead.scenes.style.looks import Captions, ThemeName
from clockhead.scenes.style.own_look import CLOCKHEAD_LOOK, OwnLook
from clockhead.scenes.style.theme import Theme

Voice = bool | str
"""False: none; True: the built-in one; str: the file of a Piper voice."""
PIPER_FILE = ".onnx"
"""The suffix of Piper voices."""
Aspect = Literal["16:9", "4:3", "1:1", "9:16"]
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)
DEFAULT_ASPECT: Aspect = "16:9"
THEME_NAMES: tuple[ThemeName, ...] = get_args(ThemeName)
DEFAULT_THEME: ThemeName = "chalk"
CAPTIONS: tuple[Captions, ...] = get_args(Captions)
DEFAULT_CAPTIONS: Captions = "burnt"
MAX_FONTS = 8
"""Maximum number of font files of a film."""
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
class FilmLook:
    """The look of a film. Width and height are even, as H.264 requires."""

    quality: Quality = DEFAULT_QUALITY
    theme: ThemeName = DEFAULT_THEME
    aspect: Aspect = DEFAULT_ASPECT
    captions: Captions = DEFAULT_CAPTIONS
    pace: float = DEFAULT_PACE
    language: str = DEFAULT_LANGUAGE
    """Its code, such as `de`."""
    voice: Voice = False
    font: tuple[str, ...] = ()
    """The user's font files, for letters that the text font lacks."""
    small: bool = False
    """Encode more slowly, into about half the bytes."""
    stock: bool = False
    """Draw every frame completely, with Manim's own renderer."""
    look_file: str | None = None
    """The file that `--look` names; None is the look.yaml of the home, "" is none."""
    own: OwnLook = CLOCKHEAD_LOOK
    """What the look.yaml changes."""

    @property
    def colors(self) -> Theme:
        """The colours of its theme."""
        return self.own.theme(self.theme)

    @property
    def width(self) -> int:
        """Width in pixels."""
        return self._size[0]

    @property
    def height(self) -> int:
        """Height in pixels."""
        return self._size[1]

    @property
    def fps(self) -> int:
        """Frames per second."""
        return self.quality.fps

    @property
    def folder(self) -> str:
        """The folder of films of this look: `720p30`, `720p30-paper-1x1-pace-0.8-de`."""
        voice = [self.voice] if isinstance(self.voice, str) else []
        own_look = _file_folder("look", self.look_file) if self.look_file else "no-look"
        unusual = {
            self.theme: self.theme != DEFAULT_THEME,
            self.aspect.replace(":", "x"): self.aspect != DEFAULT_ASPECT,
            f"captions-{self.captions}": self.captions != DEFAULT_CAPTIONS,
            f"pace-{self.pace:g}": self.pace != DEFAULT_PACE,
            self.language: self.language != DEFAULT_LANGUAGE,
            _file_folder("voice", *voice): bool(self.voice),
            _file_folder("font", *self.font): bool(self.font),
            own_look: self.look_file is not None,
            "small": self.small,
            "stock": self.stock,
        }
        parts = [part for part, differs in unusual.items() if differs]
        return "-".join([str(self.quality), *parts])

    @property
    def making(self) -> dict[str, bool]:
        """How clips are drawn and encoded, which does not change what they show."""
        return {"small": self.small, "stock": self.stock}

    @property
    def _size(self) -> tuple[int, int]:
        across, down = map(int, self.aspect.split(":"))
        half = self.quality.lines / min(across, down) / 2
        return 2 * round(half * across), 2 * round(half * down)


def _file_folder(what: str, *files: str) -> str:
    """`voice`, `voice-thorsten` or `font-NotoSansHebrew`, a part of a folder's name."""
    return re.sub(r"[^\w.-]", "_", "-".join([what, *(Path(file).stem for file in files)]))


LOOK_FIELDS = ("theme", "aspect", "captions", "pace", "language", "voice", "font")
"""The fields of a look that a storyboard may set."""


@dataclass(frozen=True, slots=True)
class Wish:
    """The look that a command asks for; None leaves a field to the storyboard or the default."""

    quality: Quality = DEFAULT_QUALITY
    theme: ThemeName | None = None
    aspect: Aspect | None = None
    captions: Captions | None = None
    pace: float | None = None
    language: str | None = None
    voice: Voice | None = None
    font: tuple[str, ...] | None = None
    small: bool = False
    stock: bool = False
    look_file: str | None = None
    """A look.yaml to use instead of the home's; "" for none."""

    def apply_to(self, storyboard: Mapping[str, Any]) -> FilmLook:
        """The look of a film whose storyboard sets some of the fields."""
        given = {name: getattr(self, name) for name in LOOK_FIELDS}
        fields = {
            name: storyboard[name] for name in LOOK_FIELDS if storyboard.get(name) is not None
        }
        fields |= {name: value for name, value in given.items() if value is not None}
        return FilmLook(
            self.quality,
            **fields,
            small=self.small,
            stock=self.stock,
            look_file=self.look_file,
        )


DEFAULT_WISH = Wish()
