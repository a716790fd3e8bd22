"""The warm process: it has imported Manim and the stages, reads storyboards and draws their stills.

A question that comes while another is being answered takes its place at the next still.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import Any

from clockhead.clips import scratch
from clockhead.clips.clip import ClipJob
from clockhead.clips.fingerprint import describe
from clockhead.clips.render import reason_of
from clockhead.clips.stills import Paper, Still, StillsJob, draw_stills
from clockhead.export.alt import alt_of_still
from clockhead.plain import plain_text
from clockhead.scenes.stage import BrokenStage, UnknownStage, find_stage, stage_names
from clockhead.storyboard.films import Film, ParsedStoryboard, read_film
from clockhead.storyboard.formulas import FormulaChecker
from clockhead.storyboard.inputs import inputs_in_file
from clockhead.storyboard.models import Draft
from clockhead.storyboard.problems import Place, Problem
from clockhead.storyboard.resolved import ResolvedShot
from clockhead.storyboard.yaml_reader import Tree
from clockhead.studio.bench import connect
from clockhead.studio.controls import controls
from clockhead.studio.news import (
    AllDone,
    Ask,
    Control,
    Drawn,
    Kind,
    News,
    Read,
    Remark,
    ShotDone,
    ShotNews,
    Stages,
    StageWords,
    Word,
    first_of,
)


class _Newer(Exception):
    """Another question has come."""


def serve() -> None:
    """Answer questions until nobody is there to ask."""
    receiver, sender = connect()
    asked: SimpleQueue[Ask] = SimpleQueue()
    Thread(target=_listen, args=(receiver, asked), daemon=True).start()
    with FormulaChecker() as formulas:
        worker = _Worker(sender, asked, formulas)
        worker.answer()
        sender.send(Stages(tuple(map(_words_of, stage_names()))))  # which imports all of them
        while True:
            worker.answer()


def _listen(receiver: Connection[Any, Any], asked: SimpleQueue[Ask]) -> None:
    """Take in questions; end this process with the one that asks, however that ends."""
    try:
        while True:
            asked.put(receiver.recv())
    except (EOFError, OSError):
        scratch.discard()
        os._exit(0)


class _Worker:
    def __init__(
        self, sender: Connection[Any, Any], asked: SimpleQueue[Ask], formulas: FormulaChecker
    ) -> None:
        self._sender = sender
        self._asked = asked
        self._formulas = formulas

    def answer(self) -> None:
        """Wait for a question, and answer the latest there is."""
        ask = self._asked.get()
        while not self._asked.empty():
            ask = self._asked.get()
        try:
            reading = read_film(ask.file, ask.data, wish=ask.wish, formulas=self._formulas)
            jobs = dict(_jobs(reading.film)) if reading.film else {}
            self._say(_read(ask, reading, {n: _key(job) for n, (_, job) in jobs.items()}))
            for _, (shot, job) in sorted(jobs.items(), key=lambda item: item[0] != ask.first):
                self._draw(ask, shot, job)
        except _Newer:
            return
        except Exception as error:
            self._say(_unexpected(ask, error))
        self._say(AllDone(ask.number))

    def _draw(self, ask: Ask, shot: ResolvedShot, job: ClipJob) -> None:
        key, title = _key(job), plain_text(shot.shot.title)
        if key in ask.drawn:
            return
        places = iter(range(1000))

        def send(_: Paper, still: Still) -> None:
            if not self._asked.empty():
                raise _Newer
            alt, said = alt_of_still(title, still), plain_text(still.sentence)
            place = next(places)
            self._say(Drawn(ask.number, key, place, still.beat, said, alt, still.picture))

        try:
            draw_stills(StillsJob(job), each=send)
        except _Newer:
            raise
        except Exception as error:
            self._say(ShotDone(ask.number, key, reason_of(error)))
        else:
            self._say(ShotDone(ask.number, key))

    def _say(self, news: News) -> None:
        self._sender.send(news)


def _jobs(film: Film) -> Iterator[tuple[int, tuple[ResolvedShot, ClipJob]]]:
    """What is to be drawn, by the place in the file.

    The end of no beat shows anything of the shot before, so each is drawn by itself.
    """
    for shot in film.shots:
        alone = replace(shot.shot, after=None)
        yield shot.number - 1, (shot, ClipJob(shot.stage, alone, film.look))


def _key(job: ClipJob) -> str:
    """The same for the same stills, as long as this process lives: its sources do not change."""
    return hashlib.sha256(json.dumps(describe(job), sort_keys=True).encode()).hexdigest()[:32]


def _read(ask: Ask, reading: ParsedStoryboard, keys: dict[int, str]) -> Read:
    film, draft, tree = reading.film, reading.draft, reading.tree
    look = film.look if film else ask.wish.apply_to({})
    sound = {shot.number - 1: shot for shot in film.shots} if film else {}
    shots = tuple(_shots(tree, draft, sound, keys)) if tree and draft else ()
    return Read(
        ask.number,
        plain_text(draft.title) if draft else "",
        shots,
        first_of(sorted(_remarks(ask, reading), key=_in_order)),
        bool(shots),
        look.width,
        look.height,
    )


def _shots(
    tree: Tree, draft: Draft, sound: dict[int, ResolvedShot], keys: dict[int, str]
) -> Iterator[ShotNews]:
    for place, spec in draft.shots:
        shot = sound.get(place)
        yield ShotNews(
            place,
            spec.id or spec.stage.rpartition(".")[2],
            spec.stage,
            tree.place(("shots", place)).line,
            plain_text(shot.shot.title) if shot else "",
            plain_text(shot.shot.question) if shot else "",
            tuple(_controls(tree, draft, place, shot)),
            keys.get(place),
            tuple(_facts(shot)) if shot else (),
        )


def _controls(tree: Tree, draft: Draft, place: int, shot: ResolvedShot | None) -> Iterator[Control]:
    spec = dict(draft.shots)[place]
    try:
        stage = find_stage(spec.stage)
    except (UnknownStage, BrokenStage):
        return
    given = inputs_in_file(tree, place, spec, draft.inputs, list(stage.Inputs.model_fields))
    yield from controls(stage, given, shot.shot.inputs if shot else None, place)


def _facts(shot: ResolvedShot) -> Iterator[Word]:
    for path, fact in shot.facts.about.items():
        yield Word(path, fact.description or "")


def _words_of(name: str) -> StageWords:
    stage = find_stage(name)
    fields = stage.Inputs.model_fields.items()
    inputs = tuple(Word(field, known.description or "") for field, known in fields)
    return StageWords(name, (inspect.getdoc(stage) or "").partition("\n\n")[0], inputs)


def _remarks(ask: Ask, reading: ParsedStoryboard) -> Iterator[Remark]:
    """What is wrong, what does not hold and what is odd; each once."""
    film = reading.film
    said: dict[Problem, Kind] = dict.fromkeys(reading.problems, "error")
    if film is not None:
        said |= dict.fromkeys(film.failures, "claim")
        said |= dict.fromkeys(film.warnings, "note")
    for problem, kind in said.items():
        here = problem.file == str(ask.file)
        where = str(Place(problem.file, problem.line, problem.column, problem.path))
        yield Remark(
            problem.line if here else 0,
            problem.column if here else 0,
            problem.message if here else f"{where}{problem.message}",
            kind,
            _shot_of(problem) if here else None,
            where if here else "",
        )
    if film is not None:
        for line in film.adjustment_lines():
            yield Remark(0, 0, line, "note", None, f"{ask.file}: ")


def _in_order(remark: Remark) -> tuple[bool, int, int]:
    """As they stand in the file; what is only odd comes last."""
    return remark.kind == "note", remark.line, remark.column


def _shot_of(problem: Problem) -> int | None:
    head, _, rest = problem.path.partition("[")
    place = rest.partition("]")[0]
    return int(place) if head == "shots" and place.isdigit() else None


def _unexpected(ask: Ask, error: Exception) -> Read:
    """What no storyboard should be able to bring about, said without ending the workshop."""
    remark = Remark(0, 0, reason_of(error), "error", None, f"{ask.file}: ")
    look = ask.wish.apply_to({})
    return Read(ask.number, "", (), (remark,), False, look.width, look.height)
