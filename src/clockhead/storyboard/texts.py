"""Titles and captions: fill in facts, and find what cannot be drawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from clockhead.scenes.facts import Fact, fill, fill_formula, misfits, without_fields
from clockhead.scenes.mathematics import DOLLAR, ESCAPED, Run, pieces, settle, typst_source
from clockhead.scenes.mathematics.latex import is_macro
from clockhead.scenes.mathematics.tree import MathError
from clockhead.scenes.style.type import MissingGlyph, advance
from clockhead.storyboard.formulas import formula_checker
from clockhead.storyboard.problems import count, show

Line = Callable[[str], str]
"""Writes the line of the storyboard with another text in place of this one."""

_UNKNOWN = re.compile(r"unknown variable: (\w+)")
_MOST_WORDS = 8
"""Unknown words of one formula that are put in quotes or taken apart."""
_SHORT = 3
"""Letters of a word that may as well be a product."""
_NO_SIGNS = re.compile(r"[^\\_^=()+*{}\[\]|<>]*")
_TAGS = "b|i|u|em|strong|code|sub|sup|span|small|mark|tt|p|div|font"
_MARKUP = {
    re.compile(pattern): kept
    for pattern, kept in (
        (r"(?<![\w*\\])(\*{1,3})(?=[^\s*])([^*]*[^\s*\\])\1(?![\w*])", r"\2"),
        (r"(?<![\w\\])(_{1,2})(?=[^\s_])([^_]*[^\s_\\])\1(?!\w)", r"\2"),
        (r"(?<!\\)`([^`]+)`", r"\1"),
        (r"(?<!\\)~~([^~]+)~~", r"\1"),
        (rf"(?<!\\)<({_TAGS})\b[^<>]*>(.*?)</\1>", r"\2"),
        (r"(?<!\\)<br ?/?>", " "),
        (r"\[([^\[\]]+)\]\((?:https?:|www\.|mailto:|[#/])[^()\s]*\)", r"\1"),
        (r"\\(?:textbf|textit|emph|texttt)\{([^{}]*)\}", r"\1"),
    )
}
"""Markdown, HTML and LaTeX for bold, links and the like, and the text without them."""
_OUTSIDE = re.compile(r"\\(?:([A-Za-z]{2,})|[(\[])")


@dataclass(frozen=True, slots=True)
class TextChecker:
    """Fills facts into texts, and finds what cannot be drawn and how it was probably meant."""

    facts: Mapping[str, Fact] = field(default_factory=dict)
    """The facts that a template may name; without any, a text is no template."""
    is_drawn: bool = True
    """If not, it may have any letters, and signs of other programs' markup."""
    line: Line | None = None
    """With it, messages say how the text would work where it is written."""

    def fill(self, template: str, longest: int) -> tuple[str, list[str]]:
        """The text with facts filled in, and its problems."""
        if wrong := misfits(template, self.facts):
            without = TextChecker(is_drawn=self.is_drawn).problems(without_fields(template))
            return "", [*map(str, wrong), *without]
        text = fill(template, self.facts)
        problems = self.problems(template)
        if len(text) > longest:
            problems.append(
                f"{count(len(text), 'character')} once the facts are in; at most {longest} fit"
            )
        return text, problems

    def problems(self, text: str) -> list[str]:
        """Problems with a text or a template."""
        if any(not piece.is_math and DOLLAR.search(piece.text) for piece in pieces(text)):
            return [f"a $ is opened and not closed{self._close_or_escape(text)}"]
        found, meant = _misunderstood(text, with_markup=not self.is_drawn)
        if found:
            helps = self.line and meant != text and self._is_sound(meant)
            return [message + self._offer(meant if helps else None) for message in found]
        filled = fill(text, self.facts) if self.facts else text
        missing = missing_letters(filled) if self.is_drawn else ()
        return [*self._wrong_formulas(text), *missing]

    def _is_sound(self, text: str) -> bool:
        return not misfits(text, self.facts) and not replace(self, line=None).problems(text)

    def _offer(self, text: str | None) -> str:
        """The end of a message that offers another text, if there is one."""
        return f": write {self.line(text)}" if self.line and text is not None else ""

    def _close_or_escape(self, template: str) -> str:
        """Advice to close a formula, or to escape a dollar sign, preferably one beside a number."""
        if self.line is None:
            return "; write \\$ for a dollar sign"
        places = [match.start() for match in DOLLAR.finditer(template)]
        for place in sorted(places, key=lambda at: not _is_amount(template, at)):
            escaped = f"{template[:place]}\\{template[place:]}"
            if self._is_sound(escaped):
                line = self.line(escaped)
                return f"; close the formula, or for a dollar sign write {line}"
        return "; close the formula"

    def _wrong_formulas(self, text: str) -> Iterator[str]:
        """Messages about wrong formulas, with a line in which they are corrected."""
        found, mended = dict[str, str](), dict[str, str | None]()
        for piece in pieces(text):
            math = piece.text
            if not piece.is_math or math in found:
                continue
            filled = self._fill_facts(math)
            message = f"the formula {show(f'${filled}$')}: "
            try:
                problem = formula_checker().problem(typst_source(filled))
            except MathError as error:
                found[math], mended[math] = f"{message}{error}{self._readings(math)}", None
                continue
            if problem:
                one, other = (self._repair(math, choice) for choice in (0, 1))
                both = f": write ${one}$ or ${other}$" if one and other and one != other else ""
                found[math], mended[math] = f"{message}{problem}{both}", None if both else one
        whole = text
        for math, better in mended.items():
            whole = whole.replace(f"${math}$", f"${better}$")
        offer = self._offer(whole if all(mended.values()) else None)
        for math, message in found.items():
            alone = f": write ${mended[math]}$" if self.line and mended[math] else ""
            yield message + (offer or alone)

    def _readings(self, math: str) -> str:
        """The two readings of a formula, with facts as they are named."""
        named = fill_formula(math, self.facts, named=True) if self.facts else math
        one, other = (settle(named, choice) for choice in (0, 1))
        if one is None or other is None:
            return ""
        either = f"write ${one}$ or ${other}$"
        return ": " + re.sub(r'\{?"(\{[^{}"]*\})"\}?', r"\1", either)

    def _repair(self, math: str, choice: int) -> str | None:
        """A corrected formula: signs escaped, unknown words in quotes or taken apart.

        Long words are taken for words, short ones for a product (0) or an index, a word or two (1).
        """
        math = re.sub(r"(?<!\\)#", r"\#", math)
        math = re.sub(r"(?<!\\)/(?=[/*])", r"\/", math)
        for _ in range(_MOST_WORDS):
            try:
                problem = formula_checker().problem(typst_source(self._fill_facts(math)))
            except MathError:
                return None
            if problem is None:
                return math
            unknown = _UNKNOWN.match(problem)
            if unknown is None:
                return None
            word, apart = unknown[1], " ".join(unknown[1])
            alone, index = (apart, f"({apart})") if choice == 0 else (f'"{word}"', apart)
            if len(word) > _SHORT:
                alone = index = f'"{word}"'
            here = rf'(?<![^\W_])(?<![".]){word}(?![^\W_]|[".])'
            math, attached = re.subn(rf"([_^/]\s*){here}", rf"\1{index}", math)
            if not attached:
                math = re.sub(here, alone, math)
        return None

    def _fill_facts(self, math: str) -> str:
        return fill_formula(math, self.facts) if self.facts else math


def missing_letters(text: str) -> Iterator[str]:
    """A message with all letters of a text that the fonts cannot draw."""
    words = (ESCAPED.sub(r"\1", piece.text) for piece in pieces(text) if not piece.is_math)
    try:
        advance("".join(words))
    except MissingGlyph as error:
        yield str(error)


def _misunderstood(text: str, *, with_markup: bool) -> tuple[list[str], str]:
    """Messages about markup of other programs, and the text as it was probably meant.

    A text `with_markup` may have signs for bold, links and the like.
    """
    found, meant = [], text
    for math in _amounts(text):
        meant = meant.replace(f"${math}$", rf"\${math}\$")
        found.append(
            f"{show(f'${math}$')} may be dollars or a formula; \\$ is a dollar sign, and a formula "
            "has no blanks or amounts beside its own signs"
        )
    formulas = [f"${piece.text}$" for piece in pieces(meant) if piece.is_math]
    words = "".join("\0" if piece.is_math else piece.text for piece in pieces(meant))
    for pattern, kept in () if with_markup else _MARKUP.items():
        for match in pattern.finditer(words):
            found.append(
                f"{show(match[0].replace(chr(0), '$…$'))} would be shown with its signs; "
                "a text has one face, and no bold, italic, code or links"
            )
        words = pattern.sub(kept, words)
    for match in _OUTSIDE.finditer(words):
        if match[1] is None or is_macro(match[1]):
            found.append(f"{match[0]} stands outside of a formula; LaTeX goes between dollar signs")
    first, *others = words.split("\0")
    meant = first + "".join(map("".join, zip(formulas, others, strict=True)))
    return list(dict.fromkeys(found)), meant


def _amounts(text: str) -> Iterator[str]:
    """Texts between two dollar signs that are probably amounts of money, not formulas."""
    parts = [Run("", False), *pieces(text), Run("", False)]
    for before, part, after in zip(parts, parts[1:], parts[2:], strict=False):
        math = part.text
        if not part.is_math or not _NO_SIGNS.fullmatch(math):
            continue
        paid, pays = re.search(r"\d ?$", before.text), re.match(r" ?\d", after.text)
        if (
            (paid and re.search(r"\d ?$", math))
            or (pays and re.match(r" ?\d", math))
            or (before.text[-1:].isalnum() and math[:1] == " ")
            or (after.text[:1].isalnum() and math[-1:] == " ")
            or re.fullmatch(r" ?\d[\d.,]* (?:and|or) \d[\d.,]* ?", math)
        ):
            yield math


def _is_amount(text: str, dollar: int) -> bool:
    return bool(re.search(r"\d\s?$", text[:dollar]) or re.match(r"\s?\d", text[dollar + 1 :]))
