"""Handles of pages: a still, a sentence and the numbers for every value of an input.

Nothing between two values is made up: a handle has stops, and each is drawn when the page is
exported. `assets/handles/` has the script and the style that show them, on a page and in a deck.
"""

from __future__ import annotations

import gzip
import json
import unicodedata
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import isfinite
from operator import ne
from typing import Any

from clockhead.clips.clip import ClipJob, Report
from clockhead.clips.render import reason_of
from clockhead.clips.stills import Paper, Still, draw_still
from clockhead.export.alt import alt_of_still
from clockhead.export.edition import Edition, EditionShot, ExportError
from clockhead.export.pages import select_texts
from clockhead.export.vectors import SharedPictures, UnknownDrawing
from clockhead.look import Aspect, FilmLook
from clockhead.plain import plain_text
from clockhead.scenes.language import language, speaking
from clockhead.scenes.stage import Shot
from clockhead.storyboard.problems import count, join_names
from clockhead.storyboard.resolved import Turned
from clockhead.storyboard.scalars import is_number

_MOST_STOPS = 1000
"""Stops of one page."""
_MOST_TOGETHER = 150
"""Handles of a shot that have at most so many stops together are turned independently."""
_BATCH = 25
"""Stops that one worker draws."""
_MOST_ROWS = 6
"""Numbers beside a picture: those that change with the handle, the expected ones first."""
_ROUNDING = 1e-9
"""Below this, numbers differ from 0 by rounding alone."""
_NARROW: Aspect = "1:1"
"""The shape for phones, in which letters are twice as large as in a wide one."""
PAPER = Paper("svg", picture_only=True, areas_only=True)

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


At = tuple[int, ...]
"""Where the handles of a shot stand: the index of a value of each."""


@dataclass(frozen=True, slots=True)
class HandleSet:
    """The handles of one shot, as its page needs them."""

    handles: Sequence[Mapping[str, Any]]
    """Name, hint, and the texts of the stops of each."""
    packed: str
    """Pictures, sentences and numbers of all stops: JSON, compressed with gzip, in base64."""


@dataclass(frozen=True, slots=True)
class _Stop:
    """Values of all handles of a shot, and what is shown for them."""

    values: Mapping[str, Any]
    turned: Turned
    stills: Sequence[Still] = ()
    """The picture in every view; none if nothing can be drawn for these values."""

    @property
    def alone(self) -> Shot:
        """What is drawn: its still depends on no other shot, and its sentence stands beside it."""
        assert self.turned.shot is not None
        return replace(self.turned.shot.shot, after=None, captions="track", is_last=False)

    def with_stills(self, shot: str, stills: Sequence[Still] | str) -> _Stop:
        """The stop with its stills, or without, if values that are refused cannot be drawn.

        Raises:
            ExportError: with the reason, if they should have been drawn.
        """
        if not isinstance(stills, str):
            return replace(self, stills=stills)
        if not self.turned.refusals:
            values = ", ".join(f"{name}={value}" for name, value in self.values.items())
            raise ExportError(f"{shot} with {values}: {stills}")
        return self


def turn_handles(edition: Edition) -> dict[str, HandleSet]:
    """Draw every stop of the handles of a film; by the shot's id, only of shots with handles.

    Raises:
        ExportError: if a picture cannot be drawn although everything holds for its values.
    """
    shots = [shot for shot in edition.shots if shot.resolved.handles]
    axes = {shot.id: _axes(edition, shot) for shot in shots}
    stops = {shot.id: _stops(shot, axes[shot.id]) for shot in shots if axes[shot.id]}
    if (number := sum(map(len, stops.values()))) > _MOST_STOPS:
        raise ExportError(
            f"the handles have {count(number, 'stop')}, and a page takes at most {_MOST_STOPS}; "
            "give them fewer in `handles`, or leave them out with --no-handles"
        )
    look = edition.film.look
    views = [look, replace(look, aspect=_NARROW)] if look.width > look.height else [look]
    jobs, batches = {}, {}
    for shot in shots:
        drawable = [at for at, stop in stops.get(shot.id, {}).items() if stop.turned.shot]
        beats = next((handle.beats for handle in shot.resolved.handles if handle.beats), ())
        for first in range(0, len(drawable), _BATCH):
            batch = drawable[first : first + _BATCH]
            key = f"{shot.id} ({first // _BATCH + 1})" if len(drawable) > _BATCH else shot.id
            alone = tuple(stops[shot.id][at].alone for at in batch)
            jobs[key] = _TurnJob(shot.resolved.stage, alone, tuple(views), beats)
            batches[key] = shot.id, batch
    drawn = edition.run_jobs(_draw_stops, jobs, "drawing what handles show", "stops")
    for key, (shot_id, batch) in batches.items():
        for at, stills in zip(batch, drawn[key], strict=True):
            stops[shot_id][at] = stops[shot_id][at].with_stills(shot_id, stills)
    try:
        return {
            shot.id: _pack(shot, axes[shot.id], stops[shot.id]) for shot in shots if axes[shot.id]
        }
    except UnknownDrawing as error:
        raise ExportError(f"{error}; handles turn pictures that are drawn") from error


def _axes(edition: Edition, shot: EditionShot) -> dict[str, list[Any]]:
    """The values of each handle; those for which nothing can be computed are left out, and named.

    A handle whose only value is the film's own is left out.
    """
    found = {}
    for handle in shot.resolved.handles:
        turned = {
            n: shot.resolved.turn({handle.input: value}) for n, value in enumerate(handle.stops)
        }
        refused = [n for n, one in turned.items() if one.shot is None]
        if refused:
            names = join_names(str(handle.stops[n]) for n in refused)
            why = "; ".join(problem.message for problem in turned[refused[0]].refusals)
            edition.say(f"{shot.id}: the handle {handle.input} leaves out {names}: {why}")
        values = [handle.stops[n] for n in turned if n not in refused]
        if len(values) > 1:
            found[handle.input] = values
    return found


def _stops(shot: EditionShot, axes: Mapping[str, Sequence[Any]]) -> dict[At, _Stop]:
    """All values together; if these are too many, those with one handle away from the film's."""
    own = _own_place(shot, axes)
    places = list(product(*(range(len(values)) for values in axes.values())))
    if len(places) > _MOST_TOGETHER:
        places = [at for at in places if sum(map(ne, at, own)) <= 1]
    found = {}
    for at in places:
        values = {name: axis[n] for (name, axis), n in zip(axes.items(), at, strict=True)}
        found[at] = _Stop(values, shot.resolved.turn(values))
    return found


def _own_place(shot: EditionShot, axes: Mapping[str, Sequence[Any]]) -> At:
    own = {handle.input: handle.stops[handle.own] for handle in shot.resolved.handles}
    return tuple(values.index(own[name]) for name, values in axes.items())


@dataclass(frozen=True, slots=True)
class _TurnJob:
    """Some stops of a shot, in all views."""

    stage: str
    shots: tuple[Shot, ...]
    views: tuple[FilmLook, ...]
    beats: tuple[str, ...]


def _draw_stops(job: _TurnJob, report: Report) -> list[list[Still] | str]:
    """The stills of every stop, or why there are none."""
    found: list[list[Still] | str] = []
    report(0)
    for number, shot in enumerate(job.shots, 1):
        jobs = [ClipJob(job.stage, shot, look) for look in job.views]
        try:
            found.append([draw_still(one, paper=PAPER, beats=job.beats) for one in jobs])
        except Exception as error:
            found.append(reason_of(error))
        report(number)
    return found


def _pack(
    shot: EditionShot, axes: Mapping[str, Sequence[Any]], stops: Mapping[At, _Stop]
) -> HandleSet:
    """The handles of a shot and everything that they show, for its page."""
    spoken, shared = shot.resolved.shot.language, SharedPictures()
    own_text = select_texts(HANDLE_TEXTS, spoken.code)[1]["as_in_the_film"]
    handles = []
    about = {handle.input: handle.description for handle in shot.resolved.handles}
    for (name, values), own in zip(axes.items(), _own_place(shot, axes), strict=True):
        is_number = all(isinstance(value, int | float) for value in values)
        hint = (spoken.find(about[name]) or about[name]).partition(";")[0]
        with speaking(spoken):
            texts = [_text(value) or own_text for value in values]
        handles.append(
            {
                "name": name,
                "label": _label(name),
                "hint": hint if is_number else "",
                "own": own,
                "numbers": is_number,
                "values": values,
                "texts": texts,
            }
        )
    rows = _changing_rows(list(stops.values()))
    shown = {
        ",".join(map(str, at)): {
            "pictures": [
                shared.add(view, still.picture)
                for view, still in zip(("usual", "narrow"), stop.stills, strict=False)
            ]
            or None,
            "alt": alt_of_still(shot.title, stop.stills[0]) if stop.stills else "",
            "said": plain_text(stop.stills[0].sentence) if stop.stills else "",
            "untrue": stop.turned.breaks_claim or not stop.turned.shot,
            "refusals": [plain_text(problem.message) for problem in stop.turned.refusals],
            "adjusted": [
                f"{one.name} = {_text(one.value)}"
                for one in (stop.turned.shot.adjustments if stop.turned.shot else ())
            ],
            "rows": row,
        }
        for (at, stop), row in zip(stops.items(), rows, strict=True)
    }
    data = {"handles": handles, "stops": shown, **shared.data()}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    return HandleSet(handles, b64encode(gzip.compress(text, 9, mtime=0)).decode())


def _label(name: str) -> str:
    """The name of an input, with its Greek letter if it is called after one."""
    try:
        return f"{unicodedata.lookup(f'GREEK SMALL LETTER {name.upper()}')} ({name})"
    except KeyError:
        return name


def _text(value: Any) -> str:
    """A value as the film's language writes it; "" for an input that the film leaves out."""
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    if isinstance(value, bool):
        return language().yes if value else language().no
    return language().number(f"{value:g}") if isinstance(value, float) else str(value)


def _changing_rows(stops: Sequence[_Stop]) -> Iterator[list[tuple[str, str, str]]]:
    """For each stop, the numbers that are not the same at all stops: what, value and unit.

    They are facts that the storyboard expects something of, and then those that sentences mention.
    The turned inputs are none of them: they stand at the handles.
    """
    shots = [EditionShot(stop.turned.shot) if stop.turned.shot else None for stop in stops]
    described = [
        {row.name: row for row in shot.facts if row.description} if shot else {} for shot in shots
    ]
    drawn = [stop for stop in stops if stop.turned.shot]
    expected = [name for shot in shots if shot for name in shot.resolved.expected]
    mentioned = [name for shot in shots if shot for name in shot.resolved.fact_names]
    names = []
    for name in dict.fromkeys([*expected, *mentioned]):
        rows = [
            (shot, rows[name])
            for shot, rows in zip(shots, described, strict=True)
            if shot and name in rows
        ]
        values = [row.value for _, row in rows]
        texts = {shot.localize(row) for shot, row in rows}
        is_input = any([stop.values[one] for stop in drawn] == values for one in stops[0].values)
        if (
            all(map(is_number, values))
            and len(texts) > 1
            and not is_input
            and max(map(abs, values)) > _ROUNDING
        ):
            names.append(name)
    for shot, rows_of in zip(shots, described, strict=True):
        found = [rows_of[name] for name in names[:_MOST_ROWS] if name in rows_of]
        yield [shot.localize(row) for row in found if isfinite(row.value)] if shot else []
