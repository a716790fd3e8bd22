"""How a notebook shows films, stills and facts: as self-contained HTML."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, cast

from clockhead.notebook.request import ClockheadError, draw_beats

if TYPE_CHECKING:
    from PIL.Image import Image

    from clockhead.clips.clip import ClipJob
    from clockhead.clips.stills import Form
    from clockhead.scenes.facts import Fact
    from clockhead.storyboard.resolved import ResolvedShot

_WIDEST = 854
"""Width of a film on the page, in pixels."""


class FactTable(dict[str, "Fact"]):
    """The facts of a shot by path, such as `head.alpha`, shown as a table."""

    def __init__(self, shot: ResolvedShot) -> None:
        super().__init__(shot.facts)
        self._about = shot.facts.about

    def rows(self) -> Iterator[tuple[str, Fact, str, str]]:
        """Path, value, unit and description of each fact."""
        for path, value in self.items():
            about = self._about[path]
            yield path, value, about.unit or "", about.description

    def __repr__(self) -> str:
        lines = [f"{path} = {value} {unit}".rstrip() for path, value, unit, _ in self.rows()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        def row(tag: str, *cells: str) -> str:
            style = ' style="text-align:left"'
            return f"<tr>{''.join(f'<{tag}{style}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"

        head = row("th", "fact", "value", "unit", "description")
        body = "".join(
            row("td", path, f"{value:.6g}" if isinstance(value, float) else str(value), unit, about)
            for path, value, unit, about in self.rows()
        )
        return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


class FilmFacts(dict[str, FactTable]):
    """The facts of a film: those of every shot, by its id."""

    def __repr__(self) -> str:
        return "\n\n".join(f"{name}:\n{facts!r}" for name, facts in self.items())

    def _repr_html_(self) -> str:
        return "".join(
            f"<details><summary>{escape(name)}</summary>{facts._repr_html_()}</details>"
            for name, facts in self.items()
        )


@dataclass(frozen=True, repr=False)
class NotebookStill:
    """The picture at the end of a beat, with its alternative text."""

    beat: str
    sentence: str
    """The sentence of the beat."""
    alt: str
    """A description of the picture, for those who cannot see it."""
    png: bytes
    _job: ClipJob
    _index: int
    _transparent: bool

    @property
    def image(self) -> Image:
        """The picture as pixels."""
        from PIL import Image

        return Image.open(io.BytesIO(self.png))

    @property
    def svg(self) -> str:
        """The picture as an SVG, with letters as outlines."""
        return self._draw("svg").decode()

    def save(self, file: str | Path) -> Path:
        """Write the picture as PNG, SVG or PDF, according to the file name.

        Raises:
            ClockheadError: for another kind of file.
        """
        from clockhead import atomic
        from clockhead.storyboard.problems import unknown_name

        file = Path(file)
        form = file.suffix.lower().lstrip(".")
        if form not in ("png", "svg", "pdf"):
            raise ClockheadError(unknown_name("kind of picture", form, ["png", "svg", "pdf"]))
        atomic.write(file, self.png if form == "png" else self._draw(cast("Form", form)))
        return file

    def _draw(self, form: Form) -> bytes:
        from clockhead.clips.stills import Paper

        return draw_beats(self._job, Paper(form, transparent=self._transparent))[
            self._index
        ].picture

    def __repr__(self) -> str:
        return self.alt

    def _repr_html_(self) -> str:
        return (
            f'<img src="{_address("image/png", self.png)}" alt="{escape(self.alt)}" '
            f'style="width:100%;max-width:{_WIDEST}px;height:auto">'
        )


@dataclass(frozen=True)
class Player:
    """A film on the page: video, captions and poster, all inside the HTML."""

    film: Path
    title: str
    language: str
    captions_on: bool
    """Whether captions are switched on at first; no if they are burnt into the picture."""

    def _repr_html_(self) -> str:
        poster, captions = (self.film.with_suffix(kind).read_bytes() for kind in (".png", ".vtt"))
        default = " default" if self.captions_on else ""
        return (
            f'<video controls preload="metadata" playsinline aria-label="{escape(self.title)}" '
            f'style="width:100%;max-width:{_WIDEST}px" poster="{_address("image/png", poster)}">'
            f'<source src="{_address("video/mp4", self.film.read_bytes())}" type="video/mp4">'
            f'<track kind="captions" srclang="{escape(self.language)}" label="Captions"{default} '
            f'src="{_address("text/vtt", captions)}"></video>'
        )

    def __repr__(self) -> str:
        return str(self.film)


def refusal(problems: list[str]) -> str:
    """HTML of what is wrong with a film, shown instead of it."""
    return f'<pre role="alert">{escape(chr(10).join(problems))}</pre>'


def _address(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{b64encode(content).decode()}"
