"""A deck for reveal.js that needs no network: a slide for each shot or beat.

In `assets/reveal/`, `slides.html.jinja` and `slides.css` are the slides, which any deck can take
over, `deck.*` the deck around them, and `dist/` is reveal.js itself; see `dist/README.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from clockhead.export.edition import Edition
from clockhead.export.formats import Choices
from clockhead.export.handles import HANDLE_TEXTS, turn_handles
from clockhead.export.pages import PageFiles, data_address, read_asset, render_page
from clockhead.export.quiz import QUIZ_TEXTS
from clockhead.export.segments import Segment, divide, movie, pictures, segment_cues
from clockhead.production.timeline import webvtt

_DIST = ("reset.css", "reveal.css", "reveal.js", "notes.js", "LICENSE")
_SHORT_SIDE = 720
"""Of a slide, in reveal.js's pixels, which scale with the window."""


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
    files = PageFiles()
    shots = _make_slides(edition, choices, files)
    handles = {} if choices.no_handles else turn_handles(edition)
    has_quiz = any(slide.segment.quiz for slides in shots for slide in slides)
    if choices.fragment:
        page, template, fonts = "reveal-fragment/slides.html", "fragment.html.jinja", {}
    else:
        page, template = "reveal/index.html", "deck.html.jinja"
        fonts = files.add_fonts(edition.film.look_file.fonts)
        assets = {f"dist/{name}": f"reveal/dist/{name}" for name in _DIST}
        assets |= {name: f"reveal/{name}" for name in ("deck.css", "deck.js")}
        assets |= {"handles.js": "handles/handles.js"} if handles else {}
        assets |= {"quiz.js": "quiz/quiz.js"} if has_quiz else {}
        for name, asset in assets.items():
            files.add(name, read_asset(asset))
    look = edition.film.look
    scale = _SHORT_SIDE / min(look.width, look.height)
    # The window of notes is a text in reveal.js, with scripts in it and styles in attributes.
    notes = read_asset("reveal/dist/notes.js").decode()
    window = notes[notes.rindex("document.write(") :]
    window = window.replace("<\\/script>", "</script>").replace("\\\\", "\\")
    html = render_page(
        f"reveal/{template}",
        look,
        HANDLE_TEXTS | QUIZ_TEXTS,
        policy={"window": window, "styles": "'self' 'unsafe-inline'", "own": "'self'"},
        edition=edition,
        shots=shots,
        has_sound=bool(edition.speech),
        width=round(look.width * scale),
        height=round(look.height * scale),
        handles=handles,
        has_quiz=has_quiz,
        **fonts,
    )
    yield from files.write(target / page, html)


def _make_slides(edition: Edition, choices: Choices, files: PageFiles) -> list[list[Slide]]:
    """The slides of each shot; their pictures and movies become files of the page."""
    moves = not choices.reduced_motion
    has_track = edition.film.look.captions == "track"
    shots: list[list[Slide]] = []
    end = ""

    def add(name: str, content: bytes) -> str:
        return files.add(f"{edition.name}/{name}", content)

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
                track = webvtt(segment_cues(segment), edition.fps).encode()
                captions = data_address("captions.vtt", track)
            slides.append(Slide(segment, start, end, film, captions))
        shots.append(slides)
    return shots
