"""The language of a film: whether there is such a one, and what it makes of a storyboard's texts.

What a storyboard itself says is taken as it stands, in its author's language; those that come with
stages are translated where the stages are.
"""

from __future__ import annotations

from dataclasses import replace

from clockhead.look import Wish
from clockhead.scenes.catalogues import CatalogueError, languages, storyboard_texts
from clockhead.scenes.language import DEFAULT_LANGUAGE
from clockhead.storyboard.models import Draft
from clockhead.storyboard.problems import (
    Place,
    Problem,
    StoryboardError,
    join_names,
    nearest_name,
    show,
)
from clockhead.storyboard.yaml_reader import Tree


def translate_draft(draft: Draft, tree: Tree, wish: Wish) -> Draft:
    """A storyboard whose title, credit, and titles and captions of shots are in its language.

    Raises:
        StoryboardError: when there is no such language, or its catalogues cannot be read.
    """
    code = wish.apply_to(draft.look).language
    try:
        known = languages()
        if code not in known:
            place = Place(f"--lang {code}"[:80]) if wish.language else tree.place(("language",))
            raise StoryboardError([Problem.at(place, _unknown(code, known))])
        if code == DEFAULT_LANGUAGE:
            return draft
        films = (spec.stage.partition(".")[0] for _, spec in draft.shots)
        told = storyboard_texts(code, films)
    except CatalogueError as error:
        raise StoryboardError([catalogue_problem(error)]) from None
    shots = tuple(
        (
            index,
            spec.model_copy(
                update={
                    "title": told.get(spec.title, spec.title),
                    "caption": told.get(spec.caption, spec.caption),
                }
            ),
        )
        for index, spec in draft.shots
    )
    title, credit = (told.get(text, text) for text in (draft.title, draft.credit))
    return replace(draft, title=title, credit=credit, shots=shots)


def catalogue_problem(error: CatalogueError) -> Problem:
    """What is wrong with a catalogue."""
    return Problem.at(Place(error.file, error.line, 1), str(error))


def _unknown(code: str, known: dict[str, str]) -> str:
    by_name = {name.lower(): code for code, name in known.items()} | {c: c for c in known}
    near = nearest_name(code, by_name)
    hint = f"; did you mean {by_name[near]}?" if near else ""
    there = join_names(f"{code} for {name}" for code, name in known.items())
    return f"there is no language {show(code)}{hint} (languages: {there})"
