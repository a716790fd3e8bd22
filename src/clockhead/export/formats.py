"""The formats of `clockhead export`, and their options. Importing this imports none of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from clockhead.export.edition import Edition

Per = Literal["shot", "beat"]


@dataclass(frozen=True, slots=True)
class Choices:
    """The options of all formats. The command refuses those that no chosen format knows."""

    per: Per = "beat"
    """What a slide holds."""
    single_file: bool = False
    fragment: bool = False
    max_mb: float | None = None
    transparent: bool = False
    width: int | None = None
    arrays: bool = False
    reduced_motion: bool = False
    pause: float | None = None
    """Seconds for which the last picture of every step stays."""
    no_handles: bool = False
    title: str = ""
    """What a page of several films is called."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format: `module:function` in this package, and the options that it knows."""

    writer: str
    choices: tuple[str, ...] = ()
    plays: bool = True
    """Whether it needs the rendered film."""
    together: bool = False
    """Whether it takes several films; it is then a function of a sequence of editions."""
    redrawn: str = ""
    """An option with which it does not, because all of it is drawn again."""

    def __post_init__(self) -> None:
        assert set(self.choices) <= set(Choices.__slots__)

    def needs_film(self, choices: Choices) -> bool:
        """Whether the film must be rendered for these options."""
        return self.plays and not (self.redrawn and getattr(choices, self.redrawn))


FORMATS: dict[str, Format] = {
    "html": Format("html:write", ("single_file", "reduced_motion", "no_handles")),
    "scorm": Format("scorm:write", ("reduced_motion", "no_handles")),
    "site": Format("site:write_site", ("no_handles", "title"), together=True),
    "reveal": Format("reveal:write", ("per", "fragment", "reduced_motion", "no_handles")),
    "pptx": Format("pptx:write", ("per", "reduced_motion")),
    "mp4": Format("video:write_mp4", ("max_mb", "pause")),
    "webm": Format("video:write_webm", ("max_mb", "transparent"), redrawn="transparent"),
    "gif": Format("animation:write_gif", ("max_mb", "width")),
    "webp": Format("animation:write_webp", ("max_mb", "width")),
    "beamer": Format("beamer:write", plays=False),
    "figures": Format("figures:write", ("width", "transparent"), plays=False),
    "handout": Format("handout:write", plays=False),
    "numbers": Format("numbers:write", ("arrays",), plays=False),
}
"""By name, as in `--to NAME`."""


def write(name: str, editions: Sequence[Edition], target: Path, choices: Choices) -> list[Path]:
    """Write a format into the folder `target`; return the files, the one to open first.

    A format that does not take several films together is of one film.

    Raises:
        ExportError: if it cannot be done, with the reason.
    """
    module, _, function = FORMATS[name].writer.partition(":")
    writer = getattr(import_module(f"clockhead.export.{module}"), function)
    together = FORMATS[name].together
    written: Iterable[Path] = writer(editions if together else editions[0], target, choices)
    return list(written)
