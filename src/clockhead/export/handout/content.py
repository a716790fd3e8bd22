"""What stands in the handout, as plain data for its template, and the pictures it shows."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from clockhead.clips.stills import Paper, Still
from clockhead.export.alt import alt_of_still
from clockhead.export.edition import Edition, ExportError, Part, Sheet
from clockhead.export.handout.words import words_in
from clockhead.plain import plain_text
from clockhead.scenes.facts import format_fact
from clockhead.scenes.language import speaking
from clockhead.scenes.mathematics import split_math
from clockhead.scenes.stage import Shot
from clockhead.scenes.style.fonts import Font, drawing_with
from clockhead.scenes.style.theme import PAPER, ROLES
from clockhead.scenes.style.type import is_rtl
from clockhead.scenes.style.typeset import family_of
from clockhead.storyboard.films import Film
from clockhead.storyboard.problems import show
from clockhead.storyboard.texts import missing_letters

_ASPECT: Final = "4:3"
"""The shape in which two pictures beside each other can be read on a sheet, whatever the film's."""
_PICTURES = Paper("svg", transparent=True, picture_only=True)
_SHADOWS = Paper("png", 240, transparent=True, picture_only=True)
"""The same, small, to find out where something is."""
_LONGEST = 60
"""Letters of an input that still has its place in a table."""
_MOST_INPUTS = 24
_AIR = 0.02
"""The share of a picture's height that is left above and below what is in it."""
_SIZE = re.compile(rb'width="([\d.]+)(?:pt)?" height="([\d.]+)(?:pt)?" viewBox="[^"]*"')
_TO = "\N{EN DASH}"

Told = dict[str, Any]
"""What goes to the template as JSON."""


@dataclass(frozen=True)
class Handout:
    """What Typst is given."""

    told: Told
    pictures: dict[str, bytes] = field(repr=False)
    """By the names under which `told` has them."""
    fonts: tuple[Font, ...] = ()
    """The user's."""


def gather(edition: Edition) -> Handout:
    """The handout of a film, its stills drawn anew for paper.

    Raises:
        ExportError: when a shot cannot be drawn, or the title of the film.
    """
    fonts = edition.film.shots[0].shot.fonts if edition.film.shots else ()
    with drawing_with(fonts):
        for problem in missing_letters(edition.film.title):
            raise ExportError(f"the title {show(edition.title)}: {problem}")
    drawn = replace(edition, film=_on_paper(edition.film), clips=()).stills([_PICTURES, _SHADOWS])
    pictures: dict[str, bytes] = {}
    shots = [_shot(part, _trimmed(drawn[part.id]), pictures) for part in edition.parts]
    film = edition.film
    told = {
        "title": _runs(film.title),
        "plain_title": edition.title,
        "credit": edition.credit,
        "language": film.look.language,
        "families": [family_of(font) for font in fonts],
        "words": words_in(film.look.language),
        "colors": {name: getattr(PAPER, name) for name in ("ink", "muted", "hairline", "panel")},
        "roles": {role: PAPER.text_color(role) for role in ROLES},
        "shots": shots,
        "inputs": list(_inputs(film)),
    }
    return Handout(told, pictures, fonts)


def _on_paper(film: Film) -> Film:
    """The film as it is drawn for paper: each shot by itself, and without its words."""
    look = replace(film.look, theme="paper", aspect=_ASPECT, captions="off")
    shots = tuple(replace(shot, shot=_alone(shot.shot)) for shot in film.shots)
    return replace(film, look=look, shots=shots)


def _alone(shot: Shot) -> Shot:
    return replace(shot, theme="paper", captions="off", after=None, is_last=False)


def _shot(part: Part, stills: Sequence[Still], pictures: dict[str, bytes]) -> Told:
    figures = []
    said = iter([*part.shot.shot.notes, part.shot.shot.caption])
    for number, still in enumerate(_one_to_a_sentence(stills), 1):
        name = f"{part.shot.number:02}-{number:02}.svg"
        pictures[name] = still.picture
        alt = alt_of_still(part.title, still)
        asked = list(_until(still.sentence, said))
        figures.append(
            {
                "picture": name,
                "alt": alt,
                "asked": [_runs(sentence) for sentence in asked],
                "said": _runs(still.sentence),
            }
        )
    return {
        "number": part.shot.number,
        "title": _runs(part.shot.shot.title),
        "question": _runs(part.shot.shot.question),
        "figures": figures,
        "numbers": list(_numbers(part)),
    }


def _trimmed(sheet: Sheet) -> list[Still]:
    """The pictures of a shot, without what is empty above and below all of them."""
    shown = np.max([_cover(shadow.picture) for shadow in sheet[_SHADOWS]], axis=0)
    rows = np.flatnonzero(shown.any(axis=1)) / len(shown)
    top, bottom = (max(0.0, rows[0] - _AIR), min(1.0, rows[-1] + _AIR)) if len(rows) else (0.0, 1.0)
    return [replace(still, picture=_cut(still.picture, top, bottom)) for still in sheet[_PICTURES]]


def _cover(png: bytes) -> NDArray[np.uint8]:
    """How much of each pixel is covered, (height, width)."""
    return np.asarray(Image.open(io.BytesIO(png)).getchannel("A"))


def _cut(svg: bytes, top: float, bottom: float) -> bytes:
    """A drawing from one share of its height to another."""
    found = _SIZE.search(svg)
    assert found is not None
    width, height = float(found[1]), float(found[2])
    tall = height * (bottom - top)
    size = f'width="{width}" height="{tall}" viewBox="0 {height * top} {width} {tall}"'
    return svg[: found.start()] + size.encode() + svg[found.end() :]


def _one_to_a_sentence(stills: Sequence[Still]) -> Iterator[Still]:
    """The last still of each sentence, which has all that it tells of."""
    following = [*(still.sentence for still in stills[1:]), None]
    for still, after in zip(stills, following, strict=True):
        if still.sentence != after:
            yield still


def _until(sentence: str, said: Iterator[str]) -> Iterator[str]:
    """What is said before a sentence: the questions that it answers."""
    for other in said:
        if other == sentence:
            return
        yield other


def _runs(text: str) -> list[Told]:
    """A sentence in pieces: words, and formulas with how they are read aloud.

    One that is read from right to left is so in a page that is not.
    """
    runs: list[Told] = [
        {"math": run.text, "alt": plain_text(f"${run.text}$")}
        if run.is_math
        else {"text": run.text}
        for run in split_math(text)
    ]
    return [{"text": "\u2067"}, *runs, {"text": "\u2069"}] if is_rtl(text) else runs


def _numbers(part: Part) -> Iterator[Told]:
    """The numbers that the sentences use, and what they are, where that is known."""
    language = part.shot.shot.language
    for number in part.told:
        what, value, unit = part.in_words(number)
        english = language.find(number.description) is None
        yield {"what": what, "english": english, "value": value, "unit": unit}


def _inputs(film: Film) -> Iterator[Told]:
    """What the film is made of: each input once, with the shots that have it so."""
    found: dict[tuple[str, str], list[int]] = {}
    what: dict[str, str] = {}
    for shot in film.shots:
        fields = type(shot.shot.inputs).model_fields
        for name, value in shot.shot.inputs.model_dump(mode="json").items():
            with speaking(shot.shot.language):
                written = _written(value)
            if written and len(written) <= _LONGEST:
                found.setdefault((name, written), []).append(shot.number)
                what.setdefault(name, _about(fields[name].description or "", value))
    words = words_in(film.look.language)
    for (name, written), numbers in list(found.items())[:_MOST_INPUTS]:
        where = words["all"] if len(numbers) == len(film.shots) else _where(numbers, words)
        yield {"name": name, "value": written, "what": what[name], "where": where}


def _where(numbers: Sequence[int], words: Mapping[str, str]) -> str:
    """`parts 2, 5-8`, with the longer dash of numbers."""
    stretches: list[list[int]] = []
    for number in numbers:
        if stretches and stretches[-1][-1] == number - 1:
            stretches[-1].append(number)
        else:
            stretches.append([number])
    told = (f"{s[0]}{_TO}{s[-1]}" if len(s) > 1 else f"{s[0]}" for s in stretches)
    return f"{words['part' if len(numbers) == 1 else 'parts']} {', '.join(told)}"


def _about(description: str, value: Any) -> str:
    """What an input is. Of a text, a description says no more than what it may hold."""
    return "" if isinstance(value, str) else description


def _written(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_written, value))
    if isinstance(value, bool | int | float | str):
        return format_fact(value)
    return ""
