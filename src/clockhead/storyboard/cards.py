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
from clockhead.storyboard.problems import Problem, StoryboardError
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
    problems: list[Problem] = []
    taken = {spec.shot_id for _, spec in draft.shots}
    for key in look_file.cards if shots else ():
        try:
            card = _card_shot(look_file, key, draft, look, fonts)
        except StoryboardError as error:
            problems += error.problems
            continue
        card = replace(card, id=key if key not in taken else f"{key}_card")
        if key == "intro":
            shots = (card, *shots)
        else:
            shots = (*shots, replace(card, number=2 + max(index for index, _ in draft.shots)))
    return shots, problems


def _card_shot(
    look_file: LookFile, key: str, draft: Draft, look: FilmLook, fonts: tuple[Font, ...]
) -> ResolvedShot:
    """The card of a key for a film, with the film's texts filled in.

    `draft` has the film's title, and its credit with the name of the look.

    Raises:
        StoryboardError: with everything that is wrong with it.
    """
    spec, tree = look_file.cards[key], look_file.tree
    here = tree.place((key,))
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
            raise StoryboardError(problems)
        if not lines:
            message = "nothing is left of its lines: give other `lines`, or a `name`"
            raise StoryboardError.at(here, message)
        inputs, errors = validate(stage, {"lines": lines, "picture": spec.picture or ""})
        if inputs is None:
            schema = stage.Inputs.model_json_schema()
            raise StoryboardError(
                Problem.at(here, explain_error(error, schema)) for error in errors
            )
        shot = stage.shot(
            inputs,
            language=translations.spoken_by(stage, look.language),
            title=title,
            fonts=fonts,
            hold=spec.hold,
            theme=look.theme,
            own=look.own,
            pictures=(look_file.pictures[key],) if key in look_file.pictures else (),
            captions=look.captions,
            pace=look.pace,
            film=FilmCredits(draft.title, draft.credit),
        )
        if refusal := stage.refusal(shot, Region.of(look.width, look.height)):
            raise StoryboardError.at(here, refusal)
    return ResolvedShot(
        id=key,
        number=0,
        stage=CARD_STAGE,
        shot=shot,
        facts=stage.facts_of(inputs, shot.values),
        values=shot.values,
        card_place=here,
    )
