"""Jobs of the worker that draws: read a storyboard, draw its stills, describe all stages.

The worker is kept, so Manim and the stages are imported once. A newer `draw` cancels the one before
at its next still.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from math import ceil, floor, inf, isfinite, log10
from typing import Any

from clockhead.clips.clip import ClipJob
from clockhead.clips.fingerprint import job_data
from clockhead.clips.render import reason_of
from clockhead.clips.stills import Paper, Still, draw_stills
from clockhead.export.alt import alt_of_still
from clockhead.plain import plain_text, summary
from clockhead.scenes.stage import (
    BrokenStage,
    Stage,
    StageInputs,
    UnknownStage,
    find_stage,
    stage_names,
)
from clockhead.scenes.stage.beats import beats_of
from clockhead.storyboard.films import ParsedStoryboard, read_film
from clockhead.storyboard.handles import read_stops, wanted_handles
from clockhead.storyboard.inputs import Given, inputs_in_file
from clockhead.storyboard.models import MAX_STOPS, Draft, ShotSpec
from clockhead.storyboard.problems import Place, Problem, StoryboardError
from clockhead.storyboard.resolved import ResolvedShot
from clockhead.storyboard.scalars import is_number, yaml_text
from clockhead.storyboard.validation import Schema, describe, schema_at, without_null
from clockhead.storyboard.yaml_reader import Tree
from clockhead.studio.messages import (
    DrawJob,
    DrawnStill,
    HelpEntry,
    InputControl,
    Remark,
    RemarkKind,
    ShotDrawn,
    ShotReport,
    StageHelp,
    StoryboardReport,
    limit_remarks,
    remark_of,
)
from clockhead.workers import RunningJob

_STEPS = 200
"""Approximate number of steps of a slider over real numbers."""
_FINEST = 10_000
"""An open bound is moved inwards by the range divided by this."""
_FEW_STOPS = 20
"""Approximate number of stops that are offered for a new handle."""

_KINDS = {"integer": "number", "number": "number", "boolean": "switch", "string": "text"}
"""Kinds of controls, by the type in a schema."""


def draw(job: RunningJob, wanted: DrawJob) -> None:
    """Report what a storyboard says, then its stills that are not drawn yet."""
    try:
        reading = read_film(wanted.file, wanted.data, wish=wanted.wish)
        jobs: dict[int, tuple[ResolvedShot, ClipJob]] = {}
        if film := reading.film:
            for shot in film.shots:
                alone = replace(shot.shot, after=None)  # no still shows anything of the shot before
                jobs[shot.number - 1] = shot, ClipJob(shot.stage, alone, film.look)
        job.report(_report(wanted, reading, {n: _key(still) for n, (_, still) in jobs.items()}))
        for _, (shot, still) in sorted(jobs.items(), key=lambda item: item[0] != wanted.first):
            _draw_shot(job, wanted, shot, still)
    except Exception as error:  # no storyboard should cause this; the studio goes on
        remark = Remark(0, 0, reason_of(error), "error", None, f"{wanted.file}: ")
        look = wanted.wish.apply_to({})
        job.report(StoryboardReport(wanted.number, (remark,), look.width, look.height))


def describe_stages(_: RunningJob) -> tuple[StageHelp, ...]:
    """Names, descriptions and inputs of all stages. This imports all of them."""
    described = []
    for name in stage_names():
        stage = find_stage(name)
        fields = stage.Inputs.model_fields.items()
        inputs = tuple(HelpEntry(field, known.description or "") for field, known in fields)
        beats = tuple(
            HelpEntry(spec.key, spec.sentence if isinstance(spec.sentence, str) else "")
            for spec in beats_of(stage)
        )
        described.append(StageHelp(name, summary(stage), inputs, beats))
    return tuple(described)


def _draw_shot(job: RunningJob, wanted: DrawJob, shot: ResolvedShot, clip: ClipJob) -> None:
    key, title = _key(clip), plain_text(shot.shot.title)
    if key in wanted.drawn:
        return
    places = iter(range(1000))

    def send(_: Paper, still: Still) -> None:
        sentence, alt = plain_text(still.sentence), alt_of_still(title, still)
        drawn = (still.beat, sentence, alt, still.picture)
        job.report(DrawnStill(wanted.number, key, next(places), *drawn))

    failure = ""
    try:
        draw_stills(clip, each=send)
    except Exception as error:
        failure = reason_of(error)
    job.report(ShotDrawn(key, failure))


def _key(job: ClipJob) -> str:
    """The same for the same stills, while this process lives: its sources do not change."""
    return hashlib.sha256(json.dumps(job_data(job), sort_keys=True).encode()).hexdigest()[:32]


def _report(wanted: DrawJob, reading: ParsedStoryboard, keys: dict[int, str]) -> StoryboardReport:
    film, draft, tree = reading.film, reading.draft, reading.tree
    look = film.look if film else wanted.wish.apply_to({})
    remarks = sorted(_remarks(wanted, reading), key=lambda r: (r.kind == "note", r.line, r.column))
    resolved = {shot.number - 1: shot for shot in film.shots} if film else {}
    shots = tuple(_shots(tree, draft, resolved, keys)) if tree and draft else ()
    return StoryboardReport(
        wanted.number,
        limit_remarks(remarks),
        look.width,
        look.height,
        plain_text(draft.title) if draft else "",
        shots,
    )


def _shots(
    tree: Tree, draft: Draft, resolved: dict[int, ResolvedShot], keys: dict[int, str]
) -> Iterator[ShotReport]:
    for place, spec in draft.shots:
        shot = resolved.get(place)
        facts = shot.facts.about.items() if shot else ()
        stage = _find_stage(spec)
        yield ShotReport(
            place,
            spec.shot_id,
            spec.stage,
            tree.place(("shots", place)).line,
            plain_text(shot.shot.title) if shot else "",
            plain_text(shot.shot.question) if shot else "",
            tuple(_controls(stage, tree, draft, place, shot)) if stage else (),
            keys.get(place),
            tuple(HelpEntry(path, fact.description or "") for path, fact in facts),
            {h.input: _plain_stops(h.stops) for h in stage.handles} if stage else {},
        )


def _remarks(wanted: DrawJob, reading: ParsedStoryboard) -> Iterator[Remark]:
    """Errors, failed claims and notes; each once."""
    film = reading.film
    kinds: dict[Problem, RemarkKind] = dict.fromkeys(reading.problems, "error")
    if film is not None:
        kinds |= dict.fromkeys(film.failures, "claim")
        kinds |= dict.fromkeys(film.warnings, "note")
    for problem, kind in kinds.items():
        yield remark_of(problem, kind, wanted.file)
    if film is not None:
        for line in film.adjustment_lines():
            yield Remark(0, 0, line, "note", None, f"{wanted.file}: ")


# Inputs of a shot as controls, made from the schema of its stage


def _find_stage(spec: ShotSpec) -> type[Stage] | None:
    try:
        return find_stage(spec.stage)
    except (UnknownStage, BrokenStage):
        return None


def _controls(
    stage: type[Stage], tree: Tree, draft: Draft, place: int, shot: ResolvedShot | None
) -> Iterator[InputControl]:
    """Every input of a shot, in the order of its stage; its handles come first."""
    spec = dict(draft.shots)[place]
    known = list(stage.Inputs.model_fields)
    given = inputs_in_file(tree, place, spec, draft.inputs, known)
    wanted = wanted_handles(stage, spec, given)
    handles = {name: stops for name, stops in wanted.items() if name in known}
    own = {handle.input: handle.stops for handle in stage.handles}
    controls = {
        control.name: control
        for control in stage_controls(stage, given, shot.shot.inputs if shot else None, place)
    }
    for name in (*handles, *(name for name in known if name not in handles)):
        control = controls[name]
        yield replace(
            control,
            is_handle=name in handles,
            stops=_stops(control, handles[name]) if name in handles else (),
            offered=_plain_stops(own[name]) if name in own else _offer_stops(control),
        )


def _plain_stops(stops: Any) -> Any:
    """Stops as a storyboard has them: lists instead of tuples."""
    return json.loads(json.dumps(stops))


def _stops(control: InputControl, written: Any) -> tuple[Any, ...]:
    """The values at which a control stops; none for switches and choices, which have few values."""
    try:
        stops = read_stops(written, Place(""))[:MAX_STOPS]
    except StoryboardError:
        return ()  # an error of the storyboard, which is reported there
    if control.kind == "number":
        return tuple(sorted(filter(isfinite, {stop for stop in stops if is_number(stop)})))
    if control.kind not in ("text", "list"):
        return ()
    texts = (s if isinstance(s, str) and control.kind == "text" else yaml_text(s) for s in stops)
    return tuple(dict.fromkeys(texts))


def _offer_stops(control: InputControl) -> Any:
    """Stops for a new handle: of numbers at even distances, or 1, 2, 5 and so on if far apart."""
    match control.kind:
        case "switch":
            return [False, True]
        case "choice":
            return list(control.choices)
        case "number":
            return _offer_numbers(control)
    known = [control.default, control.value if control.kind == "text" else None]
    return next(([one] for one in known if one not in (None, "")), None)


def _offer_numbers(control: InputControl) -> str:
    """A range over all values if there are not too many, or else numbers around the present one."""
    unit = control.step or 1.0 if control.whole else 0.0
    numbers = [one for one in (control.value, control.default) if isinstance(one, int | float)]
    least = -inf if control.least is None else control.least
    most = inf if control.most is None else control.most
    around = abs(float(next(filter(isfinite, numbers), 0))) or max(least, 1.0)
    if most <= least:
        return _digits(least)
    if isfinite(most - least) and least < 0:
        around = most - least
    if most - least <= max(_FEW_STOPS * around, _FEW_STOPS * unit):
        far = (most - least) / _FEW_STOPS
        tens = 10.0 ** floor(log10(far))
        step = next(tens * n for n in (1, 2, 5, 10) if tens * n >= far * (1 - 1e-9))
        step = max(ceil(step / unit) * unit, unit) if unit else step
        first = ceil(least / step - 1e-9) * step if unit <= 1 else least
        last = first + floor((most - first) / step + 1e-9) * step
        return ":".join(map(_digits, [first, last, step] if step != 1 else [first, last]))
    near = [n * 10.0**power for power in range(-8, 16) for n in (1, 2, 5)]
    near = [one for one in near if around / _FEW_STOPS <= one <= around * _FEW_STOPS]
    if unit:
        near = [max(round(one / unit), 1) * unit for one in near]
    kept = [one for one in near if least <= one <= most] or [around]
    return ",".join(dict.fromkeys(map(_digits, kept)))


def _digits(number: float) -> str:
    """A number in digits, without an exponent and without the traces of binary fractions."""
    return f"{Decimal(f'{number:.12g}').normalize():f}"


def stage_controls(
    stage: type[Stage], given: Mapping[str, Given], valid: StageInputs | None, place: int
) -> Iterator[InputControl]:
    """Every input of the stage, in its order.

    `valid` are the inputs after validation; without them, the control shows what is written.
    """
    schema = stage.Inputs.model_json_schema()
    known = valid.model_dump(mode="json") if valid else {}
    for name in stage.Inputs.model_fields:
        part = without_null(schema_at(schema, (name,)))
        source = given.get(name)
        at = source.at if source else ()
        value = source.value if source else known.get(name, part.get("default"))
        kind: Any = "choice" if "enum" in part else _KINDS.get(str(part.get("type")), "list")
        if kind == "list":
            value = "" if value is None else yaml_text(value)
        least, most = _bounds(part)
        yield InputControl(
            name=name,
            about=str(part.get("description", "")),
            allowed=describe({key: about for key, about in part.items() if key != "anyOf"}),
            kind=kind,
            value=value,
            default=part.get("default"),
            at=at or ("shots", place, "inputs", name),
            given="" if not at else "shot" if at[0] == "shots" else "film",
            least=least,
            most=most,
            step=_step(part, least, most),
            whole=part.get("type") == "integer",
            choices=tuple(part.get("enum", ())),
        )


def _bounds(part: Schema) -> tuple[float | None, float | None]:
    """Bounds of a number; an open bound is moved inwards a little."""
    low, high = part.get("minimum"), part.get("maximum")
    above, below = part.get("exclusiveMinimum"), part.get("exclusiveMaximum")
    whole = part.get("type") == "integer"
    ends = [end for end in (low, above, high, below) if end is not None]
    gap = 1.0 if whole else (max(ends) - min(ends) or 1.0) / _FINEST if ends else 0.0
    least = low if low is not None else None if above is None else above + gap
    most = high if high is not None else None if below is None else below - gap
    return (None if least is None else float(least), None if most is None else float(most))


def _step(part: Schema, least: float | None, most: float | None) -> float | None:
    """Step of a slider: 1, or a power of ten for real numbers."""
    if part.get("type") == "integer":
        return float(part.get("multipleOf", 1))
    if least is None or most is None or most <= least:
        return None
    return float(10.0 ** floor(log10((most - least) / _STEPS * 2)))
