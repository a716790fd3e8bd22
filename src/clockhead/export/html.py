"""A page that shows the film, to play, step through, read or print; it needs no network.

`assets/html/` has its template, style and player.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from PIL import Image

from clockhead.clips.scratch import scratch_directory
from clockhead.clips.stills import Paper, Still
from clockhead.export.alt import alt_of_still
from clockhead.export.edition import Edition, EditionShot, FactRow, slug, still_index
from clockhead.export.formats import Choices
from clockhead.export.handles import HANDLE_TEXTS, HandleSet, turn_handles
from clockhead.export.numbers import facts_csv, facts_json
from clockhead.export.pages import FONT_LICENCE, PageFiles, data_address, render_page, to_webp
from clockhead.export.quiz import QUIZ_TEXTS, quiz_at
from clockhead.production.join import frame_at, join
from clockhead.production.timeline import chapters
from clockhead.scenes.style.face import FONT_DIR
from clockhead.scenes.style.theme import PAPER

_TEXTS = {
    "player": ("Film", "Film"),
    "play": ("Play", "Abspielen"),
    "pause": ("Pause", "Anhalten"),
    "back": ("Previous beat", "Ein Schritt zurück"),
    "next": ("Next beat", "Nächster Schritt"),
    "position": ("Position in the film", "Stelle im Film"),
    "mode": ("Mode", "Art der Vorführung"),
    "through": ("Play through", "Am Stück"),
    "steps": ("Step by step", "Schritt für Schritt"),
    "stills": ("Stills", "Standbilder"),
    "captions": ("Captions", "Untertitel"),
    "sound": ("Sound", "Ton"),
    "whole_screen": ("Full screen", "Vollbild"),
    "keys": (
        "Space, the arrow keys and a presenter's remote go from beat to beat.",
        "Leertaste, Pfeiltasten und Presenter führen von Schritt zu Schritt.",
    ),
    "transcript": ("Transcript", "Text zum Mitlesen"),
    "details": ("Pictures and numbers", "Bilder und Zahlen"),
    "numbers": ("Numbers", "Zahlen"),
    "numbers_of": ("Numbers of", "Zahlen zu"),
    "what": ("What", "Was"),
    "value": ("Value", "Wert"),
    "unit": ("Unit", "Einheit"),
    "download": ("Download", "Herunterladen"),
    "all_numbers": ("All numbers of the film", "Alle Zahlen des Films"),
    "unplayable": (
        "This browser cannot play the film. Its pictures and sentences are below.",
        "Dieser Browser kann den Film nicht zeigen. Bilder und Sätze stehen darunter.",
    ),
}
"""The page's own texts, in English and German."""


@dataclass(frozen=True, slots=True)
class FilmPage:
    """The page of a film."""

    html: str
    files: PageFiles
    sections: Sequence[Mapping[str, Any]]
    """Its shots, with the sentences of their beats."""
    handles: Mapping[str, HandleSet]
    poster: str
    """The address of its poster."""


def write(edition: Edition, target: Path, choices: Choices) -> Iterator[Path]:
    """Write `html/index.html` and its files; with `single_file`, only `NAME.html`.

    With `reduced_motion` the page has no film: its stills are stepped through.

    Raises:
        ExportError: if a shot cannot be drawn.
    """
    page = make_page(edition, choices)
    file = target / f"{edition.name}.html" if choices.single_file else target / "html/index.html"
    yield from page.files.write(file, page.html)


def make_page(
    edition: Edition, choices: Choices, *, site_title: str = "", script: str = ""
) -> FilmPage:
    """The page of a film; on a site of this title, it leads there and uses the fonts of the site.

    `script` is one more of the scripts in `assets/`.

    Raises:
        ExportError: if a shot cannot be drawn.
    """
    media = PageFiles(inside=choices.single_file)
    handles = {} if choices.no_handles else turn_handles(edition)
    moves = not choices.reduced_motion
    sections = list(_sections(edition, media))
    figures = [figure for section in sections for figure in section["figures"]]
    own_fonts = edition.film.look_file.fonts
    fonts = PageFiles().add_fonts(own_fonts, "../") if site_title else media.add_fonts(own_fonts)
    richest = max(edition.clips, key=lambda clip: clip.richness)
    poster = media.add("poster.webp", _lossless(frame_at(richest.video, richest.poster)))
    name, shots = edition.name, edition.shots
    parts = ["quiz/quiz"] if any(figure["quiz"] for figure in figures) else []
    parts += ["html/player", *(["handles/handles"] if handles else [])]
    html = render_page(
        "html/page.html.jinja",
        edition.film.look,
        _TEXTS | HANDLE_TEXTS | QUIZ_TEXTS,
        edition=edition,
        sections=sections,
        handles=handles,
        beats=[figure["beat"] for figure in figures],
        seconds=_seconds(edition, edition.n_frames),
        film=media.add(f"{name}.mp4", _read_film(edition)) if moves else "",
        has_sound=bool(edition.speech) and moves,
        captions=data_address("captions.vtt", edition.captions),
        poster=poster,
        csv=media.add(f"{name}-numbers.csv", facts_csv(shots).encode()),
        json=media.add(f"{name}-numbers.json", facts_json(name, shots).encode()),
        **fonts,
        font_licence=(FONT_DIR / FONT_LICENCE).read_text("utf-8"),
        site_title=site_title,
        is_single=media.inside,
        parts=parts,
        script=script,
    )
    return FilmPage(html, media, sections, handles, poster)


def _sections(edition: Edition, media: PageFiles) -> Iterator[dict[str, Any]]:
    """The shots as plain data for the template; their files go into `media`."""
    is_dark = edition.film.look.theme != PAPER.name
    drawn = edition.stills(wordless=True)
    light = edition.stills(wordless=True, theme=PAPER.name) if is_dark else None
    for shot in edition.shots:
        printed = light[shot.id][Paper()] if light else ()
        json = facts_json(edition.name, [shot])
        yield {
            "id": shot.id,
            "title": shot.title,
            "question": shot.question,
            "figures": list(_figures(edition, shot, drawn[shot.id][Paper()], printed, media)),
            "rows": [_table_row(shot, row) for row in shot.facts],
            "csv": media.add(f"numbers/{shot.id}.csv", facts_csv([shot]).encode()),
            "json": media.add(f"numbers/{shot.id}.json", json.encode()),
        }


def _figures(
    edition: Edition,
    shot: EditionShot,
    stills: Sequence[Still],
    printed: Sequence[Still],
    media: PageFiles,
) -> Iterator[dict[str, Any]]:
    """The beats of a shot, each with the still of its last frame. Times are seconds of the film.

    `printed` are stills in the light theme, for print, if the film is dark.
    """

    def time(frame: int) -> float:
        """The middle of a frame, which players find however they round."""
        return _seconds(edition, shot.start + frame + 0.5)

    def add(folder: str, still: Still) -> str:
        name = f"{folder}/{shot.id}-{slug(still.beat)}.webp"
        return media.add(name, _lossless(Image.open(io.BytesIO(still.picture)).convert("RGB")))

    edges = pairwise([0, *(beat.last + 1 for beat in shot.beats)])
    for beat, (first, end) in zip(shot.beats, edges, strict=True):
        index = still_index(stills, beat.last)
        still = stills[index]
        asks = beat.question is not None
        yield {
            "beat": {
                "id": f"{shot.id}/{slug(still.beat)}",
                "start": time(first),
                "asked_until": None if beat.question is None else time(beat.question),
                "answered_from": time(beat.first),
                "end": time(beat.last),
                "asked": " ".join(shot.sentences_in(first, beat.first)) if asks else "",
                "said": " ".join(shot.sentences_in(beat.first, end)),
            },
            "quiz": quiz_at(shot, beat, first),
            "alt": alt_of_still(shot.title, still),
            "picture": add("stills", still),
            "printed": add("print", printed[index]) if printed else "",
        }


def _seconds(edition: Edition, frame: float) -> float:
    return round(frame / edition.fps, 4)


def _table_row(shot: EditionShot, row: FactRow) -> dict[str, Any]:
    """A fact in the table of a shot. The name is empty where it stands in for a description."""
    language = shot.resolved.shot.language
    value = row.short_value
    if isinstance(row.value, bool):
        value = language.yes if row.value else language.no
    elif isinstance(row.value, float):
        value = language.number(value)
    what = language.find(row.description) or row.description or row.name
    return {
        "what": what,
        "name": row.name if row.description else "",
        "value": value,
        "unit": row.unit,
        "is_english": what == row.description,
    }


def _lossless(picture: Image.Image) -> bytes:
    """A picture as WebP without loss, in half the bytes of PNG."""
    return to_webp(picture, lossless=True, method=4)


def _read_film(edition: Edition) -> bytes:
    """The film; if only some shots are exported, these joined."""
    if len(edition.files) == 1:
        return edition.files[0].read_bytes()
    parts = chapters(edition.film.shots, edition.clips, edition.speech)
    with scratch_directory() as folder:
        joined = folder / "film.mp4"
        track = edition.film.shots[0].shot.language.track
        join(parts, edition.fps, joined, {"title": edition.title}, language=track)
        return joined.read_bytes()
