r"""Mathematics in sentences: found between dollar signs, and read in Typst's notation or LaTeX's.

A formula is LaTeX where it has a macro (`\frac`) or braces after `_` or `^`, and Typst elsewhere.
LaTeX is written anew in Typst's notation, which is what pictures, plain text and voices start from.
A formula that the two notations, or two habits, read differently is refused with both readings.

    $frac(1, sqrt(d))$   $\frac{1}{\sqrt{d}}$   $Q K^T$   $QK^T$     meant, and the same twice
    $\alpha x_10$        $W_QK$                 $\alpha sqrt(d)$     refused
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from clockhead.scenes.mathematics.latex import picture, read_latex
from clockhead.scenes.mathematics.tree import MathError
from clockhead.scenes.mathematics.typst import with_products

_MOST_CHOICES = 20
"""As many ambiguities of one formula are settled, to offer whole formulas."""
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
    """A stretch of a sentence: words, or mathematics in Typst's notation."""

    text: str
    is_math: bool


def pieces(text: str) -> Iterator[Run]:
    """Words and formulas of a sentence or of a template, each as it is written."""
    end = 0
    for match in _FORMULA.finditer(text):
        if end < match.start():
            yield Run(text[end : match.start()], False)
        yield Run(next(group for group in match.groups() if group is not None), True)
        end = match.end()
    if end < len(text):
        yield Run(text[end:], False)


def split_math(text: str) -> list[Run]:
    r"""Cut a sentence at its formulas. A dollar sign is written `\$`.

    Raises:
        MathError: when a `$` is not closed, or a formula cannot be read.
    """
    runs = []
    for piece in pieces(text):
        if piece.is_math:
            runs.append(Run(in_typst(piece.text), True))
        elif DOLLAR.search(piece.text):
            raise MathError("a $ is opened and not closed")
        else:
            runs.append(Run(ESCAPED.sub(r"\1", piece.text), False))
    return runs


def is_latex(math: str, is_fact: Callable[[str], bool] = lambda _: False) -> bool:
    r"""Whether a formula has LaTeX's macros, or braces after `_` or `^` that hold no fact."""
    bare = _STRING.sub('""', math)
    return any(
        match[0][0] == "\\" or not is_fact(bare[match.end() :].partition("}")[0])
        for match in _MARKS.finditer(bare)
    )


@lru_cache(maxsize=1024)
def in_typst(math: str) -> str:
    """A formula in Typst's notation.

    Raises:
        MathError: when it is LaTeX that cannot be translated, or can be read in two ways.
    """
    if not math.strip():
        raise MathError("there is nothing between the dollar signs")
    return picture(read_latex(math)) if is_latex(math) else with_products(math)


def settled(math: str, choice: int) -> str | None:
    """A formula in which every ambiguity is read the first way (0) or the second (1)."""
    for _ in range(_MOST_CHOICES):
        try:
            in_typst(math)
        except MathError as error:
            if not error.readings:
                return None
            math = error.readings[choice]
        else:
            return math
    return None
