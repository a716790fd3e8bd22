"""A course page: films with their pages, a search in all they say, and files to take along.

It is a folder of plain files that any web space can hold, and it works from a disk, too.
`assets/site/` has the template, style and script of its first page; the pages of the films are
those of `html`, with the same look and the same fonts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from clockhead.export import handout
from clockhead.export.edition import Edition
from clockhead.export.formats import Choices
from clockhead.export.html import FilmPage, make_page
from clockhead.export.pages import PageFiles, render_page, select_texts

_TEXTS = {
    "search": ("Search in all films", "In allen Filmen suchen"),
    "found": ("places found", "Stellen gefunden"),
    "found_one": ("place found", "Stelle gefunden"),
    "too_many": ("The first {most} of", "Die ersten {most} von"),
    "nothing": ("Nothing found.", "Nichts gefunden."),
    "turn": ("To turn:", "Zum Drehen:"),
    "shots": ("Shots", "Kapitel"),
    "download": ("Download", "Herunterladen"),
    "film": ("film", "Film"),
    "captions": ("captions", "Untertitel"),
    "handout": ("handout", "Handzettel"),
    "numbers": ("numbers", "Zahlen"),
    "minutes": ("min", "min"),
    "course": ("Films", "Filme"),
}
"""The page's own texts, in English and German."""


def write_site(editions: Sequence[Edition], target: Path, choices: Choices) -> Iterator[Path]:
    """Write `index.html`, a folder for each film, and the fonts; return the first page first.

    Raises:
        ExportError: if a picture cannot be drawn.
    """
    look = editions[0].film.look
    title = choices.title or select_texts(_TEXTS, look.language)[1]["course"]
    files = PageFiles()
    fonts = [files.add_fonts(edition.film.look_file.fonts) for edition in editions]
    entries: list[dict[str, Any]] = []
    index: list[list[Any]] = []
    written: list[Path] = []
    for number, edition in enumerate(editions):
        page = make_page(edition, choices, site_title=title)
        folder = target / edition.name
        page.files.add(f"{edition.name}.vtt", edition.captions)
        written += page.files.write(folder / "index.html", page.html)
        [printed, *_] = handout.write(edition, folder, choices)
        written.append(printed)
        entries.append(_entry(edition, page, printed.relative_to(target).as_posix()))
        for section in page.sections:
            for figure in section["figures"]:
                beat = figure["beat"]
                if sentences := " ".join(filter(None, (beat["asked"], beat["said"]))):
                    index.append([number, beat["id"], section["title"], sentences])
    template = "site/index.html.jinja"
    html = render_page(template, look, _TEXTS, title=title, films=entries, index=index, **fonts[0])
    yield from files.write(target / "index.html", html)
    yield from written


def _entry(edition: Edition, page: FilmPage, printed: str) -> dict[str, Any]:
    """A film on the first page. Addresses are relative to it."""
    name = edition.name
    seconds = round(edition.n_frames / edition.fps)
    beats = [figure["beat"] for section in page.sections for figure in section["figures"]]
    questions = [page.sections[0]["question"], *(beat["asked"] for beat in beats)]
    said = (beat["said"] for beat in beats)
    return {
        "name": name,
        "title": edition.title,
        "credit": edition.credit,
        "language": edition.film.look.language,
        "teaser": next(filter(None, [*questions, *said]), ""),
        "length": f"{seconds // 60}:{seconds % 60:02}",
        "poster": f"{name}/{page.poster}",
        "shots": [{"id": shot.id, "title": shot.title} for shot in edition.shots],
        "turns": [
            {"shot": shot, "inputs": [handle["name"] for handle in made.handles]}
            for shot, made in page.handles.items()
        ],
        "downloads": [
            ("film", f"{name}/{name}.mp4"),
            ("captions", f"{name}/{name}.vtt"),
            ("handout", printed),
            ("numbers", f"{name}/{name}-numbers.csv"),
        ],
    }
