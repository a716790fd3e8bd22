"""Titles and captions: facts filled in, and nothing in them that cannot be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pipeline.storyboard.formulas import FormulaChecker
from pipeline.storyboard.wording import count, gone_by, show
from scenes.facts import (
    Fact,
    TemplateError,
    UnknownFact,
    fill,
    misfits,
    split_math,
    without_fields,
)
from scenes.style.type import MissingGlyph, outline


def write(
    template: str, facts: Mapping[str, Fact], longest: int, formulas: FormulaChecker
) -> tuple[str, list[str]]:
    """The text for these facts, and what is wrong with it."""
    if wrong := misfits(template, facts):
        said = [_explained(error, facts) for error in wrong]
        return "", [*said, *_flaws(without_fields(template), formulas)]
    text = fill(template, facts)
    problems = list(_flaws(text, formulas))
    if len(text) > longest:
        problems.append(
            f"{count(len(text), 'character')} once the facts are in; at most {longest} fit"
        )
    return text, problems


def _explained(error: TemplateError, facts: Mapping[str, Fact]) -> str:
    """What is wrong; of a fact that earlier versions had, what to write instead."""
    gone: Mapping[str, str] = getattr(facts, "gone", {})
    if isinstance(error, UnknownFact) and error.name in gone:
        return gone_by(f"fact {{{error.name}}}", gone[error.name])
    return str(error)


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
