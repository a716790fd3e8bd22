r"""Formulas in sentences: find them between dollar signs, and read Typst's or LaTeX's notation.

A formula is LaTeX if it has a macro (`\frac`) or braces after `_` or `^`, and otherwise Typst.
LaTeX is translated to Typst's notation, from which pictures, plain text and speech are made.
A formula with two possible readings is refused, and the error has both of them.

    $frac(1, sqrt(d))$   $\frac{1}{\sqrt{d}}$   $Q K^T$   $QK^T$     accepted: two formulas
    $\alpha x_10$        $W_QK$                 $\alpha sqrt(d)$     refused
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from clockhead.scenes.mathematics.latex import read_latex, to_typst
from clockhead.scenes.mathematics.tree import MathError
from clockhead.scenes.mathematics.typst import split_products

_MOST_CHOICES = 20
"""Largest number of ambiguities in one formula that `settle` resolves."""
_FORMULA = re.compile(
    r"(?<!\\)\$\$(?P<shown>[^$]+)(?<!\\)\$\$|(?<!\\)\$(?P<math>(?:.*?[^\\])??)\$"
    r"|\\\((?P<round>.+?)\\\)|\\\[(?P<square>.+?)\\\]",
    re.DOTALL,
)
DOLLAR = re.compile(r"(?<!\\)\$")
_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
_MARKS = re.compile(r"\\[A-Za-z]{2,}|[_^]\s*\{")
ESCAPED = re.compile(r"\\([$*_`<~])")


@dataclass(frozen=True, slots=True)
class Run:
    """Part of a sentence: words, or a formula in Typst's notation."""

    text: str
    is_math: bool


def pieces(text: str) -> Iterator[Run]:
    """Split a sentence or a template into words and formulas, without translating them."""
    end = 0
    for match in _FORMULA.finditer(text):
        if end < match.start():
            yield Run(text[end : match.start()], False)
        yield Run(next(group for group in match.groups() if group is not None), True)
        end = match.end()
    if end < len(text):
        yield Run(text[end:], False)


def split_math(text: str) -> list[Run]:
    r"""Split a sentence into words and formulas, in Typst's notation. `\$` is a dollar sign.

    Raises:
        MathError: if a `$` is not closed, or a formula cannot be read.
    """
    runs = []
    for piece in pieces(text):
        if piece.is_math:
            runs.append(Run(typst_source(piece.text), True))
        elif DOLLAR.search(piece.text):
            raise MathError("a $ is opened and not closed")
        else:
            runs.append(Run(ESCAPED.sub(r"\1", piece.text), False))
    return runs


def is_latex(math: str, is_fact: Callable[[str], bool] = lambda _: False) -> bool:
    r"""Whether a formula has LaTeX macros, or braces after `_` or `^` that are not a fact."""
    bare = _STRING.sub('""', math)
    return any(
        match[0][0] == "\\" or not is_fact(bare[match.end() :].partition("}")[0])
        for match in _MARKS.finditer(bare)
    )


@lru_cache(maxsize=1024)
def typst_source(math: str) -> str:
    """A formula in Typst's notation, translated if it is LaTeX.

    Raises:
        MathError: if the formula is empty, unknown LaTeX, or has two possible readings.
    """
    if not math.strip():
        raise MathError("there is nothing between the dollar signs")
    return to_typst(read_latex(math)) if is_latex(math) else split_products(math)


def settle(math: str, choice: int) -> str | None:
    """A formula with all ambiguities resolved to their first (0) or second reading (1), or None."""
    for _ in range(_MOST_CHOICES):
        try:
            typst_source(math)
        except MathError as error:
            if not error.readings:
                return None
            math = error.readings[choice]
        else:
            return math
    return None
