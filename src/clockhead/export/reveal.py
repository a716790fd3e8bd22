"""A deck for reveal.js that needs no network: a slide for each shot or beat.

In `assets/reveal/`, `slides.html.jinja` and `slides.css` are the slides, which any deck can take
over, `deck.*` the deck around them, and `dist/` is reveal.js itself; see `dist/README.md`.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from clockhead import atomic
from clockhead.export.edition import Edition
from clockhead.export.formats import Choices
from clockhead.export.handles import HANDLE_TEXTS, HandleSet, turn_handles
from clockhead.export.pages import (
    FACES,
    FONT_LICENCE,
    add_policy,
    mark_language,
    own_font_files,
    read_asset,
    read_font_file,
    select_texts,
    templates,
)
from clockhead.export.quiz import QUIZ_TEXTS
from clockhead.export.segments import Segment, divide, movie, pictures, segment_cues
from clockhead.production.timeline import webvtt

_DIST = ("reset.css", "reveal.css", "reveal.js", "notes.js", "LICENSE")
_SHORT_SIDE = 720
"""Of a slide, in reveal.js's pixels, which scale with the window."""
_TEMPLATES = templates("clockhead.export", "assets")


@dataclass(frozen=True, slots=True)
class Slide:
    """A slide; addresses are relative to the page."""

    segment: Segment
    start: str
    """The picture that it begins with: the end of the slide before."""
    end: str
    movie: str
    """Empty if nothing moves."""
    captions: str
    """The sentences, as an address; empty if they are in the picture."""


def write(edition: Edition, target: Path, choices: Choices) -> Iterator[Path]:
    """Write `reveal/index.html` and its files; with `fragment`, only the slides and their media.

    Each slide plays its segment of the film once and stops at its end. With `reduced_motion`, or if
    the viewer's system asks for that, it shows only the end.

    Raises:
        ExportError: if a shot cannot be drawn.
    """
    media: dict[str, bytes] = {}
    shots = _make_slides(edition, choices, media)
    handles = {} if choices.no_handles else turn_handles(edition)
    if choices.fragment:
        folder, page, template = target / "reveal-fragment", "slides.html", "fragment.html.jinja"
        files = media
    else:
        folder, page, template = target / "reveal", "index.html", "deck.html.jinja"
        files = {
            **{f"dist/{name}": read_asset(f"reveal/dist/{name}") for name in _DIST},
            **{name: read_asset(f"reveal/{name}") for name in ("deck.css", "deck.js")},
            **({"handles.js": read_asset("handles/handles.js")} if handles else {}),
            **({"quiz.js": read_asset("quiz/quiz.js")} if _has_quiz(shots) else {}),
            **{f"fonts/{name}": read_font_file(name) for name in (*FACES.values(), FONT_LICENCE)},
            **dict(own_font_files(edition.film.look_file.fonts).values()),
            **media,
        }
    for name, content in files.items():
        atomic.write(folder / name, content)
    atomic.write(folder / page, _render(edition, shots, handles, template))
    yield folder / page
    yield from (folder / name for name in files)


def _make_slides(edition: Edition, choices: Choices, media: dict[str, bytes]) -> list[list[Slide]]:
    """The slides of each shot; their pictures and movies go into `media`, by address."""
    moves = not choices.reduced_motion
    fps, has_track = edition.fps, edition.film.look.captions == "track"
    shots: list[list[Slide]] = []
    end = ""

    def add(name: str, content: bytes) -> str:
        address = f"{edition.name}/{name}"
        media[address] = content
        return address

    for segments in divide(edition, choices.per):
        shot = segments[0].shot
        drawn = pictures(shot, [0, *(segment.last for segment in segments)])
        if moves and not end:
            end = add(f"{shot.stem}-0.png", drawn[0])
        slides = []
        for segment in segments:
            start, name = end, f"{shot.stem}-{segment.number}"
            end = add(f"{name}.png", drawn[segment.last])
            film = add(f"{name}.mp4", movie(edition, segment)) if moves else ""
            captions = ""
            if has_track:  # in the page: browsers load no track from a local file
                track = b64encode(webvtt(segment_cues(segment), fps).encode()).decode()
                captions = f"data:text/vtt;base64,{track}"
            slides.append(Slide(segment, start, end, film, captions))
        shots.append(slides)
    return shots


def _has_quiz(shots: list[list[Slide]]) -> bool:
    return any(slide.segment.quiz for slides in shots for slide in slides)


def _render(
    edition: Edition, shots: list[list[Slide]], handles: Mapping[str, HandleSet], template: str
) -> bytes:
    look = edition.film.look
    language, texts = select_texts(HANDLE_TEXTS | QUIZ_TEXTS, look.language)
    scale = _SHORT_SIDE / min(look.width, look.height)
    page = _TEMPLATES.get_template(f"reveal/{template}").render(
        edition=edition,
        shots=shots,
        has_sound=bool(edition.speech),
        language=look.language,
        width=round(look.width * scale),
        height=round(look.height * scale),
        colors=look.colors,
        faces={weight: f"fonts/{file}" for weight, file in FACES.items()},
        own_faces={
            weight: name
            for weight, (name, _) in own_font_files(edition.film.look_file.fonts).items()
        },
        style=read_asset("reveal/slides.css").decode(),
        handles=handles,
        texts=texts,
        own=mark_language(language, look.language),
        handles_style=read_asset("handles/handles.css").decode(),
        handles_script=read_asset("handles/handles.js").decode(),
        has_quiz=_has_quiz(shots),
        quiz_style=read_asset("quiz/quiz.css").decode(),
        quiz_script=read_asset("quiz/quiz.js").decode(),
    )
    # The window of notes is a text in reveal.js, with scripts in it and styles in attributes.
    notes = read_asset("reveal/dist/notes.js").decode()
    window = notes[notes.rindex("document.write(") :]
    window = window.replace("<\\/script>", "</script>").replace("\\\\", "\\")
    return add_policy(page, window=window, styles="'self' 'unsafe-inline'", own="'self'").encode()
