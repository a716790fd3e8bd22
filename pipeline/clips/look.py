"""How a film looks: how many pixels and frames, which shape, which theme."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from scenes.style.theme import ThemeName

Aspect = Literal["16:9", "4:3", "1:1", "9:16"]
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)
DEFAULT_ASPECT: Aspect = "16:9"
DEFAULT_THEME: ThemeName = "chalk"


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
class Look:
    """One look of a film. Sizes are even, as H.264 wants them."""

    quality: Quality = DEFAULT_QUALITY
    theme: ThemeName = DEFAULT_THEME
    aspect: Aspect = DEFAULT_ASPECT

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
        """Where films of this look are kept: `720p30`, `720p30-paper-1x1`."""
        theme = "" if self.theme == DEFAULT_THEME else f"-{self.theme}"
        aspect = "" if self.aspect == DEFAULT_ASPECT else f"-{self.aspect.replace(':', 'x')}"
        return f"{self.quality}{theme}{aspect}"

    @property
    def _shape(self) -> tuple[int, int]:
        across, down = self.aspect.split(":")
        return int(across), int(down)


def _even(pixels: float) -> int:
    return 2 * round(pixels / 2)
