"""The formats there are, and what one may ask of them. Importing this imports none of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from clockhead.export.edition import Edition

Per = Literal["shot", "beat"]


@dataclass(frozen=True, slots=True)
class Choices:
    """What a command asks of a format. What a format does not know, the command refuses."""

    per: Per = "beat"
    """What a slide holds."""
    single_file: bool = False
    fragment: bool = False
    max_mb: float | None = None
    transparent: bool = False
    width: int | None = None
    arrays: bool = False
    reduced_motion: bool = False


@dataclass(frozen=True, slots=True)
class Format:
    """A format: what it is, which choices it knows, and whether it plays the film's clips."""

    summary: str
    choices: frozenset[str] = frozenset()
    plays: bool = True
    """Whether it needs the film; the others are drawn or written without rendering it."""
    redrawn: str = ""
    """The choice with which it needs no film either, because all of it is drawn anew."""

    def __post_init__(self) -> None:
        assert self.choices <= set(Choices.__slots__)

    def needs_film(self, choices: Choices) -> bool:
        """Whether the film has to be rendered for what is asked of it."""
        return self.plays and not (self.redrawn and getattr(choices, self.redrawn))


def _format(summary: str, *choices: str, plays: bool = True, redrawn: str = "") -> Format:
    return Format(summary, frozenset(choices), plays, redrawn)


FORMATS: dict[str, Format] = {
    "html": _format(
        "One page: player, transcript, numbers, stills.", "single_file", "reduced_motion"
    ),
    "reveal": _format("A reveal.js deck.", "per", "fragment", "reduced_motion"),
    "pptx": _format("A PowerPoint deck.", "per", "reduced_motion"),
    "mp4": _format("The film alone.", "max_mb"),
    "webm": _format(
        "The film for pages, perhaps without its ground.",
        *("max_mb", "transparent"),
        redrawn="transparent",
    ),
    "gif": _format("A moving picture of each shot that plays anywhere.", "max_mb", "width"),
    "webp": _format("The same, smaller and finer.", "max_mb", "width"),
    "figures": _format("Stills of every beat: PNG, SVG, PDF.", "width", "transparent", plays=False),
    "handout": _format("A PDF with stills, sentences and numbers, for print.", plays=False),
    "numbers": _format("Facts as csv, json, LaTeX, Typst; arrays as npz.", "arrays", plays=False),
}
"""By name: what `--to` takes. `name` is `export.<name>.write`."""


def write(name: str, edition: Edition, target: Path, choices: Choices) -> list[Path]:
    """Write an edition into the folder `target`: what was written, the file to open first.

    Raises:
        ExportError: when it cannot be done, with the reason.
    """
    written: Iterable[Path] = import_module(f"clockhead.export.{name}").write(
        edition, target, choices
    )
    return list(written)
