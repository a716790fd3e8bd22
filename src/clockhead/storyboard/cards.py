"""The cards that a look.yaml puts before and after a film, as shots."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clockhead.look import FilmLook
from clockhead.scenes.stage import FilmCredits, find_stage, translations
from clockhead.scenes.style.fonts import Font, drawing_with
from clockhead.scenes.style.layout import Region
from clockhead.storyboard.inputs import validate
from clockhead.storyboard.models import Draft
from clockhead.storyboard.own_look import CARD_STAGE, MAX_CARD_LINE, MAX_CARD_TITLE, LookFile
from clockhead.storyboard.problems import Problem
from clockhead.storyboard.resolved import ResolvedShot
from clockhead.storyboard.texts import TextChecker
from clockhead.storyboard.validation import explain_error

if TYPE_CHECKING:
    from clockhead.storyboard.yaml_reader import KeyPath


def around_film(
    look_file: LookFile,
    draft: Draft,
    look: FilmLook,
    fonts: tuple[Font, ...],
    shots: tuple[ResolvedShot, ...],
) -> tuple[tuple[ResolvedShot, ...], list[Problem]]:
    """The shots of a film between the cards of its look, and what is wrong with these."""
    if not look_file.cards or not shots:
        return shots, []
    problems: list[Problem] = []
    found: dict[str, list[ResolvedShot]] = {"intro": [], "end": []}
    taken = {spec.shot_id for _, spec in draft.shots}
    for key in look_file.cards:
        card, wrong = _card_shot(look_file, key, draft, look, fonts)
        problems += wrong
        if card is not None:
            id = key if key not in taken else f"{key}_card"
            number = 0 if key == "intro" else 2 + max(index for index, _ in draft.shots)
            found[key].append(replace(card, id=id, number=number))
    return (*found["intro"], *shots, *found["end"]), problems


def _card_shot(
    look_file: LookFile, key: str, draft: Draft, look: FilmLook, fonts: tuple[Font, ...]
) -> tuple[ResolvedShot | None, list[Problem]]:
    """The card of a key for a film, with the film's texts filled in; None if something is wrong.

    `draft` has the film's title, and its credit with the name of the look.
    """
    spec, tree = look_file.cards[key], look_file.tree
    facts = {"title": draft.title, "credit": draft.credit, "name": look_file.name}
    problems: list[Problem] = []

    def filled(template: str, longest: int, *at: str | int) -> str:
        place: KeyPath = (key, *at)
        text, wrong = TextChecker(facts).fill(template, longest)
        problems.extend(Problem.at(tree.place(place), message) for message in wrong)
        return "" if wrong else text

    stage = find_stage(CARD_STAGE)
    with drawing_with(fonts):
        title = filled(spec.title, MAX_CARD_TITLE, "title")
        every = [filled(one, MAX_CARD_LINE, "lines", k) for k, one in enumerate(spec.lines)]
        lines = [line for line in every if line.strip()]
        if problems:
            return None, problems
        if not lines:
            message = "nothing is left of its lines: give other `lines`, or a `name`"
            return None, [Problem.at(tree.place((key,)), message)]
        inputs, errors = validate(stage, {"lines": lines, "picture": spec.picture or ""})
        if inputs is None:
            schema = stage.Inputs.model_json_schema()
            return None, [
                Problem.at(tree.place((key,)), explain_error(error, schema)) for error in errors
            ]
        language = translations.spoken_by(stage, look.language)
        shot = stage.shot(
            inputs,
            language=language,
            title=title,
            fonts=fonts,
            hold=spec.hold,
            theme=look.theme,
            own=look.own,
            pictures=tuple(
                look_file.pictures[name] for name in [key] if name in look_file.pictures
            ),
            captions=look.captions,
            pace=look.pace,
            film=FilmCredits(draft.title, draft.credit),
        )
        if refusal := stage.refusal(shot, Region.of(look.width, look.height)):
            return None, [Problem.at(tree.place((key,)), refusal)]
    values = shot.values
    return (
        ResolvedShot(
            id=key,
            number=0,
            stage=CARD_STAGE,
            shot=shot,
            facts=stage.facts_of(inputs, values),
            values=values,
            card_place=tree.place((key,)),
        ),
        [],
    )
