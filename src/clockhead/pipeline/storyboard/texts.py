"""Titles and captions: facts filled in, and nothing in them that cannot be shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from clockhead.pipeline.storyboard.formulas import FormulaChecker
from clockhead.pipeline.storyboard.latex import replaced, translations
from clockhead.pipeline.storyboard.wording import count, gone_by, show
from clockhead.scenes.facts import (
    Fact,
    TemplateError,
    UnknownFact,
    fill,
    misfits,
    split_math,
    without_fields,
)
from clockhead.scenes.style.type import MissingGlyph, advance

Line = Callable[[str], str]
"""How another text is written where this one was."""

_DOLLAR = re.compile(r"(?<!\\)\$")
_UNKNOWN = re.compile(r"unknown variable: (\w+)")
_MOST_WORDS = 8
"""As many unknown words of one formula are put in quotes."""


def write(
    template: str,
    facts: Mapping[str, Fact],
    longest: int,
    formulas: FormulaChecker,
    line: Line | None = None,
) -> tuple[str, list[str]]:
    """The text for these facts, and what is wrong with it.

    With `line`, messages say how the text would work where it is written.
    """
    latex = dict(translations(template, facts, formulas))
    template = replaced(template, latex)
    text, problems = _filled_in(template, facts, longest, formulas, line)
    # A line is offered only where it would work as it stands.
    mended = line(template) if line and not problems and None not in latex.values() else ""
    return text, [*_of_latex(latex, mended), *problems]


def _filled_in(
    template: str,
    facts: Mapping[str, Fact],
    longest: int,
    formulas: FormulaChecker,
    line: Line | None,
) -> tuple[str, list[str]]:
    """The same of a template without LaTeX."""
    if wrong := misfits(template, facts):
        said = [_explained(error, facts) for error in wrong]
        return "", [*said, *_flaws(without_fields(template), formulas)]
    text = fill(template, facts)
    try:
        split_math(text)
    except ValueError as error:
        return text, [f"{error}{_close_or_escape(template, facts, formulas, line)}"]
    problems = [*_wrong_formulas(template, facts, formulas, line), *undrawn(text)]
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


def _of_latex(found: Mapping[str, str | None], line: str) -> Iterator[str]:
    """That formulas are LaTeX's, what they are in Typst's notation, and the line as it works."""
    for math, typst in found.items():
        other = f", in which this is ${typst}$" if typst else ""
        offer = f": write {line}" if line else ""
        yield (
            f"the formula {show(f'${math}$')} is LaTeX; mathematics goes in Typst's notation"
            f"{other}{offer}"
        )


def _flaws(text: str, formulas: FormulaChecker) -> Iterator[str]:
    """What keeps a text from being shown."""
    try:
        split_math(text)
    except ValueError as error:
        yield str(error)
        return
    yield from _wrong_formulas(text, {}, formulas)
    yield from undrawn(text)


def undrawn(text: str) -> Iterator[str]:
    """That letters of a text cannot be drawn, all of them at once; or its mathematics be found."""
    try:
        advance("".join(run.text for run in split_math(text) if not run.is_math))
    except MissingGlyph as error:
        yield str(error)
    except ValueError as error:
        yield f"{error}; write \\$ for a dollar sign"


def _wrong_formulas(
    template: str, facts: Mapping[str, Fact], formulas: FormulaChecker, line: Line | None = None
) -> Iterator[str]:
    """What is wrong with formulas; with the line in which all are mended that can be."""
    found = {}
    for run in split_math(template):
        problem = formulas.problem(_filled(run.text, facts)) if run.is_math else None
        if problem:
            found[run.text] = problem
    mended = {math: _mended(math, facts, formulas) for math in found}
    whole = replaced(template, {math: new for math, new in mended.items() if new})
    for math, problem in found.items():
        message = f"the formula {show(f'${_filled(math, facts)}$')}: {problem}"
        yield f"{message}: write {line(whole)}" if line and all(mended.values()) else message


def _mended(math: str, facts: Mapping[str, Fact], formulas: FormulaChecker) -> str | None:
    """A formula with its signs escaped and its unknown words in quotes, if that helps."""
    math = re.sub(r"(?<!\\)#", r"\#", math)
    math = re.sub(r"(?<!\\)/(?=[/*])", r"\/", math)
    for _ in range(_MOST_WORDS):
        problem = formulas.problem(_filled(math, facts))
        if problem is None:
            return math
        word = _UNKNOWN.match(problem)
        if word is None:
            return None
        math = re.sub(rf'(?<![^\W_])(?<![".]){word[1]}(?![^\W_]|[".])', f'"{word[1]}"', math)
    return None


def _close_or_escape(
    template: str, facts: Mapping[str, Fact], formulas: FormulaChecker, line: Line | None
) -> str:
    """Where a dollar sign can be meant as one: best beside a number."""
    if line is None:
        return "; write \\$ for a dollar sign"
    places = [match.start() for match in _DOLLAR.finditer(template)]
    for place in sorted(places, key=lambda at: not _is_amount(template, at)):
        escaped = f"{template[:place]}\\{template[place:]}"
        if not list(_flaws(_filled(escaped, facts), formulas)):
            return f"; close the formula, or for a dollar sign write {line(escaped)}"
    return "; close the formula"


def _is_amount(text: str, dollar: int) -> bool:
    return bool(re.search(r"\d\s?$", text[:dollar]) or re.match(r"\s?\d", text[dollar + 1 :]))


def _filled(template: str, facts: Mapping[str, Fact]) -> str:
    return fill(template, facts) if facts else template
