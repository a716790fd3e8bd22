"""What stands on the slides: stretches of the film, and the pictures at both ends of each."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from clockhead.export.edition import Edition, Part
from clockhead.export.formats import Per
from clockhead.export.stretches import Stretch, movie, pictures, stretches, words
from clockhead.production.timeline import webvtt


@dataclass(frozen=True, slots=True)
class Slide:
    """A slide; addresses are relative to the page."""

    stretch: Stretch
    start: str
    """The picture that it goes on from: where the slide before it stands."""
    end: str
    movie: str
    """Empty where nothing moves."""
    captions: str
    """What is said, as an address, where it is not in the picture."""


@dataclass(frozen=True)
class Shown:
    """Slides, shot by shot, and the files that they show, by their addresses."""

    shots: Sequence[Sequence[Slide]]
    files: dict[str, bytes] = field(repr=False)
    sound: bool


def slides_of(edition: Edition, per: Per, *, moving: bool) -> Shown:
    """The slides of a film. Without `moving` they are stills.

    Raises:
        ExportError: when a shot cannot be drawn.
    """
    gathered = _Gathered(edition, moving)
    told = groupby(stretches(edition, per), key=lambda stretch: stretch.part.id)
    shots = [list(gathered.shot(list(group))) for _, group in told]
    return Shown(shots, gathered.files, bool(edition.speech))


class _Gathered:
    """Slides one after the other, each of which goes on from the one before it."""

    def __init__(self, edition: Edition, moving: bool) -> None:
        self.files: dict[str, bytes] = {}
        self._edition = edition
        self._moving = moving
        self._last = ""

    def shot(self, told: Sequence[Stretch]) -> Iterator[Slide]:
        """The slides of a shot."""
        part = told[0].part
        drawn = pictures(part, [0, *(stretch.last for stretch in told)])
        if self._moving and not self._last:
            self._last = self._lay(f"{_stem(part)}-0.png", drawn[0])
        for stretch in told:
            end = self._lay(f"{_stem(part)}-{stretch.number}.png", drawn[stretch.last])
            yield Slide(stretch, self._last, end, self._movie(stretch), self._captions(stretch))
            self._last = end

    def _movie(self, stretch: Stretch) -> str:
        if not self._moving:
            return ""
        name = f"{_stem(stretch.part)}-{stretch.number}.mp4"
        return self._lay(name, movie(self._edition, stretch))

    def _captions(self, stretch: Stretch) -> str:
        """Within the page: a browser reads no track from a file beside it."""
        if self._edition.film.look.captions != "track":
            return ""
        track = webvtt(words(stretch), self._edition.fps).encode()
        return f"data:text/vtt;base64,{b64encode(track).decode()}"

    def _lay(self, name: str, content: bytes) -> str:
        """Lay a file down in a folder that is called like the film."""
        address = f"{self._edition.name}/{name}"
        self.files[address] = content
        return address


def _stem(part: Part) -> str:
    """`03-sub_diagonal`."""
    return f"{part.shot.number:02}-{part.id}"
