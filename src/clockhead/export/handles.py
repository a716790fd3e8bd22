"""Handles of pages: a still, a sentence and the numbers for every value of an input.

Nothing between two values is made up: a handle has stops, and each is drawn when the page is
exported. `assets/handles/` has the script and the style that show them, on a page and in a deck.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from clockhead.clips.clip import ClipJob, Report
from clockhead.clips.render import reason_of
from clockhead.clips.stills import Paper, Still, draw_still
from clockhead.export.alt import alt_of_still
from clockhead.export.edition import Edition, EditionShot, ExportError, FactRow
from clockhead.export.vectors import SharedPictures
from clockhead.look import Aspect, FilmLook
from clockhead.plain import plain_text
from clockhead.scenes.stage import Shot
from clockhead.storyboard.problems import count, join_names
from clockhead.storyboard.resolved import ResolvedHandle, ResolvedShot

_MOST_STOPS = 600
"""Stops of one page."""
_MOST_ROWS = 6
"""Numbers beside a picture: those that change with the handle, the expected ones first."""
_NARROW: Aspect = "1:1"
"""The shape for phones, in which letters are twice as large as in a wide one."""
_PAPER = Paper("svg", picture_only=True)

HANDLE_TEXTS = {
    "turn": ("Turn it", "Zum Drehen"),
    "adjusted": ("To fit, also:", "Damit es passt, auch:"),
    "as_in_the_film": ("As in the film", "Wie im Film"),
    "refused": (
        "what the film says does not hold.",
        "was der Film sagt, gilt nicht.",
    ),
    "no_picture": ("There is no picture for this value.", "Für diesen Wert gibt es kein Bild."),
}
"""The texts of handles, in English and German."""


@dataclass(frozen=True, slots=True)
class _Stop:
    """A value of a handle, and its picture, if one can be drawn."""

    value: Any
    shot: ResolvedShot
    refusals: tuple[str, ...]
    """What does not hold for this value."""
    stills: Sequence[Still] = ()
    """Its picture in every view."""

    @property
    def alone(self) -> Shot:
        """What is drawn: its still depends on no other shot, and its sentence stands beside it."""
        return replace(self.shot.shot, after=None, captions="track", is_last=False)

    def with_stills(self, handle: str, stills: Sequence[Still] | str) -> _Stop:
        """The stop with its stills, or without, if a value that is refused cannot be drawn.

        Raises:
            ExportError: with the reason, if it should have been drawn.
        """
        if not isinstance(stills, str):
            return replace(self, stills=stills)
        if not self.refusals:
            raise ExportError(f"{handle}={self.value}: {stills}")
        return self


@dataclass(frozen=True, slots=True)
class HandleSet:
    """The handles of one shot, as its page needs them."""

    handles: Sequence[Mapping[str, Any]]
    """Name, hint, and the texts of the stops of each."""
    packed: str
    """Pictures, sentences and numbers of all stops: JSON, compressed with gzip, in base64."""


def turn_handles(edition: Edition) -> dict[str, HandleSet]:
    """Draw every stop of every handle of a film; by the shot's id, only of shots with handles.

    Raises:
        ExportError: if a picture cannot be drawn although everything holds for its value.
    """
    handles = {f"{s.id}.{h.input}": (s, h) for s in edition.shots for h in s.shot.handles}
    if (stops := sum(len(handle.stops) for _, handle in handles.values())) > _MOST_STOPS:
        raise ExportError(
            f"the handles have {count(stops, 'stop')}, and a page takes at most {_MOST_STOPS}; "
            "give them fewer in `handles`, or leave them out with --no-handles"
        )
    look = edition.film.look
    is_wide = look.width > look.height
    views = (look, replace(look, aspect=_NARROW)) if is_wide else (look,)
    turned = {key: _turn(edition, shot, handle) for key, (shot, handle) in handles.items()}
    jobs = {
        key: _TurnJob(shot.shot.stage, tuple(one.alone for one in turned[key]), views, handle.beat)
        for key, (shot, handle) in handles.items()
    }
    drawn = edition.run_jobs(_draw_stops, jobs, "drawing what handles show", "stops")
    sets = {}
    for shot in edition.shots:
        shared = SharedPictures()
        described = []
        for handle in shot.shot.handles:
            key = f"{shot.id}.{handle.input}"
            stops_drawn = [
                stop.with_stills(key, stills)
                for stop, stills in zip(turned[key], drawn[key], strict=True)
            ]
            if len(stops_drawn) > 1:
                described.append(_describe(shot, handle, stops_drawn, shared))
        if described:
            data = {"handles": described, **shared.data()}
            text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
            packed = b64encode(gzip.compress(text, 9, mtime=0)).decode()
            sets[shot.id] = HandleSet(described, packed)
    return sets


def _turn(edition: Edition, shot: EditionShot, handle: ResolvedHandle) -> list[_Stop]:
    """The stops of a handle; those for which nothing can be computed are left out, and named."""
    found, refused = [], []
    for value in handle.stops:
        turned = shot.shot.turn({handle.input: value})
        reasons = tuple(problem.message for problem in turned.refusals)
        if turned.shot is None:
            refused.append((value, reasons))
        else:
            found.append(_Stop(value, turned.shot, reasons))
    if refused:
        values = join_names(str(value) for value, _ in refused)
        why = "; ".join(refused[0][1])
        edition.say(f"{shot.id}: the handle {handle.input} leaves out {values}: {why}")
    return found


@dataclass(frozen=True, slots=True)
class _TurnJob:
    """All stops of one handle, in all views."""

    stage: str
    shots: tuple[Shot, ...]
    views: tuple[FilmLook, ...]
    beat: str


def _draw_stops(job: _TurnJob, report: Report) -> list[list[Still] | str]:
    """The stills of every stop, or why there are none."""
    found: list[list[Still] | str] = []
    report(0)
    for number, shot in enumerate(job.shots, 1):
        jobs = [ClipJob(job.stage, shot, look) for look in job.views]
        try:
            found.append([draw_still(one, paper=_PAPER, beat=job.beat) for one in jobs])
        except Exception as error:
            found.append(reason_of(error))
        report(number)
    return found


def _describe(
    shot: EditionShot, handle: ResolvedHandle, stops: Sequence[_Stop], shared: SharedPictures
) -> dict[str, Any]:
    """A handle as data for the page; its pictures go into `shared`."""
    language = shot.shot.shot.language
    is_number = all(isinstance(stop.value, int | float) for stop in stops)
    texts = [language.number(f"{s.value:g}") if is_number else _text(s.value) for s in stops]
    rows = list(_changing_rows(stops))
    about = language.find(handle.description) or handle.description
    hint = about.partition(";")[0] if is_number else ""
    own_value = handle.stops[handle.own]
    return {
        "name": handle.input,
        "hint": hint,
        "own": next((n for n, stop in enumerate(stops) if stop.value == own_value), 0),
        "numbers": is_number,
        "values": [stop.value for stop in stops],
        "texts": texts,
        "stops": [
            {
                "pictures": [
                    shared.add(view, still.picture)
                    for view, still in zip(("usual", "narrow"), stop.stills, strict=False)
                ]
                or None,
                "alt": alt_of_still(shot.title, stop.stills[0]) if stop.stills else "",
                "said": plain_text(stop.stills[0].sentence) if stop.stills else "",
                "refusals": [plain_text(refusal) for refusal in stop.refusals],
                "adjusted": [f"{one.name} = {_text(one.value)}" for one in stop.shot.adjustments],
                "rows": row,
            }
            for stop, row in zip(stops, rows, strict=True)
        ],
    }


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)


def _changing_rows(stops: Sequence[_Stop]) -> Iterator[list[tuple[str, str, str]]]:
    """For each stop, the numbers that are not the same at all stops: what, value and unit."""
    tables: list[dict[str, tuple[str, str, str]]] = []
    for stop in stops:
        shot = EditionShot(stop.shot)
        tables.append({row.name: shot.localize(row) for row in _key_facts(shot)})
    names = list(dict.fromkeys(name for table in tables for name in table))
    changing = [name for name in names if len({table.get(name) for table in tables}) > 1]
    given = [stop.value for stop in stops]
    changing = [name for name in changing if [s.shot.facts.get(name) for s in stops] != given]
    for table in tables:
        yield [table[name] for name in changing[:_MOST_ROWS] if name in table]


def _key_facts(shot: EditionShot) -> list[FactRow]:
    """The facts that the storyboard expects something of, and those that its sentences mention."""
    facts = {row.name: row for row in shot.facts if row.description}
    expected = [facts[name] for name in shot.shot.expected if name in facts]
    mentioned = [row for row in shot.mentioned_facts if row not in expected]
    return [row for row in (*expected, *mentioned) if not isinstance(row.value, bool | str)]
