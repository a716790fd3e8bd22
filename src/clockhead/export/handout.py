"""A handout: a PDF of a film with its pictures, its sentences and the numbers they mention.

`assets/handout/handout.typ` is its template.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby, takewhile
from operator import ne
from pathlib import Path
from typing import Any, Final

import numpy as np
import typst
from numpy.typing import NDArray
from PIL import Image

from clockhead import atomic
from clockhead.clips.scratch import scratch_directory
from clockhead.clips.stills import Paper, Still
from clockhead.export.alt import alt_of_still
from clockhead.export.edition import Edition, EditionShot, ExportError, ShotStills
from clockhead.export.formats import Choices
from clockhead.export.pages import read_asset, select_texts
from clockhead.plain import plain_text
from clockhead.scenes.facts import format_fact
from clockhead.scenes.language import speaking
from clockhead.scenes.mathematics import split_math
from clockhead.scenes.style.face import FONT_DIR
from clockhead.scenes.style.fonts import Font, drawing_with
from clockhead.scenes.style.theme import ROLES
from clockhead.scenes.style.type import is_rtl
from clockhead.scenes.style.typeset import TEXT_FACE, family_of, write_fonts
from clockhead.storyboard.films import Film
from clockhead.storyboard.problems import show
from clockhead.storyboard.texts import missing_letters

_ASPECT: Final = "4:3"
"""The shape of the pictures, in which two fit side by side on a page."""
_STANDARD: Final = "ua-1"
"""PDF for screen readers: tagged, with a title and alternative texts."""
_PICTURES = Paper("svg", transparent=True, picture_only=True)
_SHADOWS = Paper("png", 240, transparent=True, picture_only=True)
"""Small copies of the pictures, to find where they are empty."""
_MAX_INPUT_LENGTH = 60
"""Longest input in the table of inputs."""
_MAX_INPUTS = 24
_MARGIN = 0.02
"""Of a trimmed picture, above and below, relative to its height."""
_SIZE = re.compile(rb'width="([\d.]+)(?:pt)?" height="([\d.]+)(?:pt)?" viewBox="[^"]*"')
_TEXTS = {
    "numbers": ("Numbers", "Zahlen"),
    "inputs": ("Inputs", "Eingaben"),
    "part": ("part", "Teil"),
    "parts": ("parts", "Teile"),
    "all": ("all parts", "alle Teile"),
}
"""The handout's own texts, in English and German."""

Json = dict[str, Any]


def write(edition: Edition, target: Path, _: Choices) -> Iterator[Path]:
    """Write `NAME-handout.pdf`, A4, for print. The same film makes the same bytes.

    Raises:
        ExportError: if a shot or the film's title cannot be drawn.
    """
    file = target / f"{edition.name}-handout.pdf"
    film = edition.film
    own = tuple(shot for shot in film.shots if shot.card_place is None)
    if own and len(own) < len(film.shots):  # the title page of a film is none of a handout
        film = replace(film, shots=own)
        edition = replace(edition, film=film, clips=(), speech=())
    fonts = film.shots[0].shot.fonts if film.shots else ()
    with drawing_with(fonts):
        for problem in missing_letters(film.title):
            raise ExportError(f"the title {show(edition.title)}: {problem}")
    # In light colours and without captions, each shot by itself.
    look = replace(film.look, theme="paper", aspect=_ASPECT, captions="off")
    settings: Json = {"theme": "paper", "captions": "off", "after": None, "is_last": False}
    shots = tuple(replace(shot, shot=replace(shot.shot, **settings)) for shot in film.shots)
    on_paper = replace(edition, film=replace(film, look=look, shots=shots), clips=())
    drawn = on_paper.stills([_PICTURES, _SHADOWS])
    texts, paper = select_texts(_TEXTS, film.look.language)[1], look.colors
    with scratch_directory() as folder:
        content = {
            "title": _runs(film.title),
            "plain_title": edition.title,
            "credit": edition.credit,
            "language": film.look.language,
            "families": _families(fonts),
            "texts": texts,
            "colors": {
                name: getattr(paper, name) for name in ("ink", "muted", "hairline", "panel")
            },
            "roles": {role: paper.text_color(role) for role in ROLES},
            "shots": [_shot(shot, _trim(drawn[shot.id]), folder) for shot in edition.shots],
            "inputs": list(_inputs(film, texts)),
        }
        (folder / "film.json").write_text(json.dumps(content), encoding="utf-8")
        template = folder / "handout.typ"
        template.write_bytes(read_asset("handout/handout.typ"))
        write_fonts(fonts, folder)
        compiler = typst.Compiler(
            root=str(folder), font_paths=[str(FONT_DIR), str(folder)], ignore_system_fonts=True
        )
        pdf = compiler.compile(
            input=str(template), format="pdf", pdf_standards=[_STANDARD], timestamp=0
        )
    assert isinstance(pdf, bytes)
    atomic.write(file, pdf)
    yield file


def _families(fonts: Sequence[Font]) -> list[str]:
    """What Typst calls the fonts of the handout, the first choice first."""
    instead = [family_of(font) for font in fonts if font.replaces]
    others = [family_of(font) for font in fonts if not font.replaces]
    return list(dict.fromkeys([*instead, TEXT_FACE, *others]))


def _shot(shot: EditionShot, stills: Sequence[Still], folder: Path) -> Json:
    """A shot as plain data for the template; its pictures are written into `folder`."""
    figures = []
    sentences = iter([*shot.resolved.shot.sentences, shot.resolved.shot.caption])
    # The last still of each sentence shows everything that the sentence is about.
    last_stills = [list(group)[-1] for _, group in groupby(stills, lambda still: still.sentence)]
    for number, still in enumerate(last_stills, 1):
        # The sentences before its own are the questions that it answers.
        asked = takewhile(partial(ne, still.sentence), sentences)
        name = f"{shot.resolved.number:02}-{number:02}.svg"
        (folder / name).write_bytes(still.picture)
        figures.append(
            {
                "picture": name,
                "alt": alt_of_still(shot.title, still),
                "asked": [_runs(question) for question in asked],
                "said": _runs(still.sentence),
            }
        )
    numbers = []
    for row in shot.mentioned_facts:
        what, value, unit = shot.localize(row)
        english = shot.resolved.shot.language.find(row.description) is None
        numbers.append({"what": what, "english": english, "value": value, "unit": unit})
    return {
        "number": shot.resolved.number,
        "title": _runs(shot.resolved.shot.title),
        "question": _runs(shot.resolved.shot.question),
        "figures": figures,
        "numbers": numbers,
    }


def _trim(stills: ShotStills) -> list[Still]:
    """The pictures of a shot, without the space above and below that is empty in all of them."""
    covers = [Image.open(io.BytesIO(still.picture)).getchannel("A") for still in stills[_SHADOWS]]
    cover: NDArray[np.uint8] = np.max([np.asarray(image) for image in covers], axis=0)
    rows = np.flatnonzero(cover.any(axis=1)) / len(cover)
    top, bottom = 0.0, 1.0
    if len(rows):
        top, bottom = max(top, rows[0] - _MARGIN), min(bottom, rows[-1] + _MARGIN)

    def crop(svg: bytes) -> bytes:
        found = _SIZE.search(svg)
        assert found is not None
        width, height = float(found[1]), float(found[2])
        tall = height * (bottom - top)
        size = f'width="{width}" height="{tall}" viewBox="0 {height * top} {width} {tall}"'
        return svg[: found.start()] + size.encode() + svg[found.end() :]

    return [replace(still, picture=crop(still.picture)) for still in stills[_PICTURES]]


def _runs(text: str) -> list[Json]:
    """A sentence as runs of words and of formulas, which have an alternative text.

    Right-to-left sentences are isolated from the page around them.
    """
    runs: list[Json] = [
        {"math": run.text, "alt": plain_text(f"${run.text}$")}
        if run.is_math
        else {"text": run.text}
        for run in split_math(text)
    ]
    return [{"text": "\u2067"}, *runs, {"text": "\u2069"}] if is_rtl(text) else runs


def _inputs(film: Film, texts: Mapping[str, str]) -> Iterator[Json]:
    """Each input and value once, with the shots that have it."""
    found: dict[tuple[str, str], list[int]] = {}
    descriptions: dict[str, str] = {}
    for shot in film.shots:
        fields = type(shot.shot.inputs).model_fields
        for name, value in shot.shot.inputs.model_dump(mode="json").items():
            with speaking(shot.shot.language):
                text = _format_input(value)
            if text and len(text) <= _MAX_INPUT_LENGTH:
                found.setdefault((name, text), []).append(shot.number)
                # The description of a text input only says which texts are allowed.
                about = "" if isinstance(value, str) else fields[name].description or ""
                descriptions.setdefault(name, about)
    for (name, text), numbers in list(found.items())[:_MAX_INPUTS]:
        where = texts["all"] if len(numbers) == len(film.shots) else list_parts(numbers, texts)
        yield {"name": name, "value": text, "what": descriptions[name], "where": where}


def list_parts(numbers: Sequence[int], texts: Mapping[str, str]) -> str:
    """`parts 2, 5-8`, with en dashes."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and ranges[-1][-1] == number - 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    listed = (f"{r[0]}\N{EN DASH}{r[-1]}" if len(r) > 1 else f"{r[0]}" for r in ranges)
    return f"{texts['part' if len(numbers) == 1 else 'parts']} {', '.join(listed)}"


def _format_input(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_format_input, value))
    if isinstance(value, bool | int | float | str):
        return format_fact(value)
    return ""
