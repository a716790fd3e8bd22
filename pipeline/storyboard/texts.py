"""Titles and captions: facts filled in, and nothing in them that cannot be shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pipeline.storyboard.formulas import FormulaChecker
from pipeline.storyboard.wording import count, show
from scenes.facts import Fact, TemplateError, fill, split_math
from scenes.style.type import MissingGlyph, outline

_FIELD = re.compile(r"\{[^{}]*\}")


def write(
    template: str, facts: Mapping[str, Fact], longest: int, formulas: FormulaChecker
) -> tuple[str, list[str]]:
    """The text for these facts, and what is wrong with it."""
    try:
        text = fill(template, facts)
    except TemplateError as error:
        misfits = list(_misfits(template, facts)) or [str(error)]
        return "", [*misfits, *_flaws(_FIELD.sub("0", template), formulas)]
    problems = list(_flaws(text, formulas))
    if len(text) > longest:
        problems.append(
            f"{count(len(text), 'character')} once the facts are in; at most {longest} fit"
        )
    return text, problems


def _misfits(template: str, facts: Mapping[str, Fact]) -> Iterator[str]:
    """What is wrong with each field of a template, once."""
    for part in dict.fromkeys(_FIELD.findall(template)):
        try:
            fill(part, facts)
        except TemplateError as error:
            yield str(error)


def _flaws(text: str, formulas: FormulaChecker) -> Iterator[str]:
    """What keeps a text from being shown."""
    try:
        runs = split_math(text)
    except ValueError as error:
        yield str(error)
        return
    for run in runs:
        if run.is_math:
            if problem := formulas.problem(run.text):
                yield f"the formula {show(f'${run.text}$')}: {problem}"
            continue
        try:
            outline(run.text)
        except MissingGlyph as error:
            yield str(error)
