"""What stands on the page: the film, its beats with their pictures and sentences, its numbers."""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import pairwise
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from PIL import Image

from clockhead.clips.scratch import scratch_directory
from clockhead.clips.stills import Still
from clockhead.export.alt import alt_of_still
from clockhead.export.edition import Edition, Number, Part
from clockhead.export.html.places import Beside, as_address
from clockhead.export.html.words import words_in
from clockhead.export.numbers import as_csv, as_json, shown
from clockhead.export.policy import with_policy
from clockhead.production.join import frame_at, join
from clockhead.production.timeline import chapters, cues, webvtt
from clockhead.scenes.style.face import FONT_DIR
from clockhead.scenes.style.looks import ThemeName
from clockhead.scenes.style.theme import PAPER, THEMES

_TEMPLATES = Environment(
    loader=PackageLoader("clockhead.export.html", ""),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_FACES = {400: "SourceSansPro-Regular.otf", 600: "SourceSansPro-Semibold.otf"}


@dataclass(frozen=True, slots=True)
class Moment:
    """A beat on the page; times are seconds of the film."""

    id: str
    """`shot/beat`, by which links find it."""
    start: float
    asked_until: float | None
    """How long the question stands that the beat begins with, if it does."""
    answered_from: float
    end: float
    """In its last frame, when all that it brings is there."""
    asked: str
    said: str
    alt: str
    picture: str
    """The address of its still."""
    printed: str
    """The same, dark on light, for paper; empty where the film is that itself."""


@dataclass(frozen=True, slots=True)
class Row:
    """A number in the table of a shot; a name is given beside a description only."""

    what: str
    name: str
    value: str
    unit: str
    is_english: bool
    """Whether nobody has put what it is into the film's language."""


@dataclass(frozen=True, slots=True)
class Section:
    """A shot on the page."""

    id: str
    number: int
    title: str
    question: str
    start: float
    moments: Sequence[Moment]
    rows: Sequence[Row]
    csv: str
    json: str


def page(edition: Edition, places: Beside, *, moving: bool) -> str:
    """The page as HTML; what it shows is laid into `places`. Without `moving` it has no film.

    Raises:
        ExportError: when a shot cannot be drawn.
    """
    look = edition.film.look
    language, words = words_in(look.language)
    sections = list(_sections(edition, places))
    font_licence = _face("LICENSE.txt")
    if not places.single:
        places.link("fonts/LICENSE.txt", font_licence)
    html = _TEMPLATES.get_template("page.html.jinja").render(
        edition=edition,
        look=look,
        language=language,
        words=words,
        sections=sections,
        beats=[_for_player(moment) for section in sections for moment in section.moments],
        seconds=_seconds(edition, sum(part.frames for part in edition.parts)),
        film=_film(edition, places) if moving else "",
        sound=bool(edition.speech) and moving,
        captions=as_address("captions.vtt", _captions(edition)),
        poster=places.link("poster.webp", _poster(edition)),
        csv=places.link(f"{edition.name}-numbers.csv", as_csv(edition.parts).encode()),
        json=places.link(
            f"{edition.name}-numbers.json", as_json(edition.name, edition.parts).encode()
        ),
        colors=THEMES[look.theme],
        paper=PAPER,
        faces={weight: places.link(f"fonts/{n}", _face(n)) for weight, n in _FACES.items()},
        font_licence=font_licence.decode().replace("\r\n", "\n"),
        single=places.single,
        style=_own("player.css"),
        script=_own("player.js"),
    )
    return with_policy(html)


def _for_player(moment: Moment) -> dict[str, Any]:
    """What the player knows of a beat; its picture stands on the page already."""
    known = ("id", "start", "asked_until", "answered_from", "end", "asked", "said")
    return {name: getattr(moment, name) for name in known}


def _own(name: str) -> str:
    """The page's own style or script, which its policy allows by its hash."""
    return resources.files("clockhead.export.html").joinpath(name).read_text("utf-8")


def _face(name: str) -> bytes:
    return (FONT_DIR / name).read_bytes()


def _sections(edition: Edition, places: Beside) -> Iterator[Section]:
    drawn = _stills(edition)
    light = _stills(edition, PAPER.name) if edition.film.look.theme != PAPER.name else None
    for part in edition.parts:
        stills, printed = drawn[part.id], light[part.id] if light else ()
        yield Section(
            id=part.id,
            number=part.shot.number,
            title=part.title,
            question=part.question,
            start=_seconds(edition, part.start),
            moments=list(_moments(edition, part, stills, printed, places)),
            rows=[_row(part, number) for number in part.numbers],
            csv=places.link(f"numbers/{part.id}.csv", as_csv([part]).encode()),
            json=places.link(f"numbers/{part.id}.json", as_json(edition.name, [part]).encode()),
        )


def _stills(edition: Edition, theme: ThemeName | None = None) -> dict[str, Sequence[Still]]:
    """The stills of each shot; their sentences stand below them."""
    drawn = edition.stills(wordless=True, theme=theme)
    return {shot: next(iter(sheet.values())) for shot, sheet in drawn.items()}


def _moments(
    edition: Edition,
    part: Part,
    stills: Sequence[Still],
    printed: Sequence[Still],
    places: Beside,
) -> Iterator[Moment]:
    """Its beats. Each still is of the last frame of one."""
    begins = [0, *(step.last + 1 for step in part.steps)]
    for step, (first, end) in zip(part.steps, pairwise(begins), strict=True):
        place = bisect_right([still.first for still in stills], step.last) - 1
        still = stills[place]
        name = f"{part.id}/{still.beat.replace(' ', '-')}"
        asked = _said(part, first, step.first) if step.question is not None else ""
        yield Moment(
            id=name,
            start=_within(edition, part, first),
            asked_until=None if step.question is None else _within(edition, part, step.question),
            answered_from=_within(edition, part, step.first),
            end=_within(edition, part, step.last),
            asked=asked,
            said=_said(part, step.first, end),
            alt=alt_of_still(part.title, still),
            picture=_laid(places, "stills", name, still),
            printed=_laid(places, "print", name, printed[place]) if printed else "",
        )


def _laid(places: Beside, folder: str, name: str, still: Still) -> str:
    return places.link(f"{folder}/{name.replace('/', '-')}.webp", _webp(still.picture))


def _said(part: Part, first: int, end: int) -> str:
    """What begins to be said from frame `first` up to frame `end` of a clip."""
    return " ".join(cue.text for cue in part.cues if first <= cue.start < end)


def _seconds(edition: Edition, frame: float) -> float:
    return round(frame / edition.fps, 4)


def _within(edition: Edition, part: Part, frame: int) -> float:
    """The middle of a frame of a clip: players find it whichever way they round."""
    return _seconds(edition, part.start + frame + 0.5)


def _row(part: Part, number: Number) -> Row:
    language = part.shot.shot.language
    value = shown(number)
    if isinstance(number.value, bool):
        value = language.yes if number.value else language.no
    elif isinstance(number.value, float):
        value = language.number(value)
    name = number.name if number.description else ""
    what = language.find(number.description) or number.description or number.name
    return Row(what, name, value, number.unit, what == number.description)


def _webp(png: bytes) -> bytes:
    """The same picture, to the pixel, in half the bytes."""
    return _as_webp(Image.open(io.BytesIO(png)).convert("RGB"))


def _as_webp(picture: Image.Image) -> bytes:
    file = io.BytesIO()
    picture.save(file, "webp", lossless=True, method=4)
    return file.getvalue()


def _poster(edition: Edition) -> bytes:
    """The richest of the clips' own posters."""
    best = max(edition.clips, key=lambda clip: clip.richness)
    return _as_webp(frame_at(best.video, best.poster))


def _captions(edition: Edition) -> bytes:
    parts = chapters(edition.film.shots, edition.clips)
    return webvtt(cues(parts), edition.fps).encode()


def _film(edition: Edition, places: Beside) -> str:
    """The film; of some of its shots, these in a row."""
    if len(edition.files) == 1:
        return places.link(f"{edition.name}.mp4", edition.files[0].read_bytes())
    parts = chapters(edition.film.shots, edition.clips, edition.speech)
    with scratch_directory() as folder:
        joined = folder / "film.mp4"
        join(parts, edition.fps, joined, {"title": edition.title})
        return places.link(f"{edition.name}.mp4", joined.read_bytes())
