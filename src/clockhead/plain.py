# ruff: noqa: RUF001
"""Sentences as plain text, with their formulas in Unicode characters, and summaries of stages."""

from __future__ import annotations

import inspect
import re
import unicodedata
from contextlib import suppress

from clockhead.scenes.mathematics import split_math
from clockhead.scenes.mathematics.tree import (
    ACCENTS,
    Call,
    Fenced,
    Fraction,
    Leaf,
    MathError,
    Node,
    Row,
    Scripted,
    unwrap,
    visible_parts,
)
from clockhead.scenes.mathematics.typst import read_typst
from clockhead.scenes.style.theme import ROLES

_LOOKS = "bold upright italic sans mono cal scr frak bb op lr mid limits scripts display inline"
STYLES = frozenset([*_LOOKS.split(), "cancel", "underline", "underbrace", "overbrace", *ROLES])
"""What only changes how something looks: its face, its place, or the colour of its role."""
_RAISED = str.maketrans(
    "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW⊤′†*∗",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵀ′†**",
)
_LOWERED = str.maketrans("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
_PAIRS = {"abs": "||", "norm": "‖‖", "floor": "⌊⌋", "ceil": "⌈⌉", "mat": "()", "vec": "()"}
_FENCES = {name: tuple(pair) for name, pair in {**_PAIRS, "cases": "{}"}.items()}


def summary(stage: type) -> str:
    """The first paragraph of a stage's docstring, on one line."""
    return (inspect.getdoc(stage) or "").partition("\n\n")[0].replace("\n", " ")


def plain_text(text: str) -> str:
    """A sentence on one line, its formulas written with the signs that plain text has.

    One with a formula that cannot be read stays as it is typed.
    """
    try:
        runs = [plain_math(read_typst(r.text)) if r.is_math else r.text for r in split_math(text)]
    except MathError:
        runs = [text]
    return re.sub(r"[ \t\n]+", " ", "".join(runs)).strip()


def plain_math(node: Node) -> str:
    """A formula in the signs that plain text has."""
    match node:
        case Leaf(text):
            return {"⋅": "·", "&": ""}.get(text, text)
        case Row(parts):
            return "".join(map(plain_math, parts))
        case Scripted(base, low, high, primes):
            return (
                plain_math(base)
                + "′" * primes
                + _index("_", low, _LOWERED)
                + _index("^", high, _RAISED)
            )
        case Fraction(top, bottom):
            return f"{_group(top, plain_math(top))}/{_group(bottom, plain_math(bottom))}"
        case Fenced(left, inside, right):
            return f"{left}{plain_math(inside)}{right}"
    return _call(node)


def _index(sign: str, index: Node | None, small: dict[int, int]) -> str:
    """What is raised or lowered, in small signs if Unicode has them all; words stay words."""
    if index is None:
        return ""
    one, text = unwrap(index), plain_math(index)
    tight = text.replace(" ", "")
    if all(ord(letter) in small for letter in tight) and not _is_word(one):
        return tight.translate(small)
    return f"{sign}{text}" if isinstance(one, Leaf) or _is_word(one) else f"{sign}({text})"


def _is_word(node: Node) -> bool:
    if isinstance(node, Call) and node.name in STYLES and node.arguments:
        node = unwrap(node.arguments[0])
    return isinstance(node, Leaf) and node.kind in ("word", "name")


def _group(node: Node, text: str) -> str:
    """The text of a node, in parentheses if it has more than one symbol."""
    return f"({text})" if len(visible_parts(unwrap(node))) > 1 else text


def _call(call: Call) -> str:
    rows = [[plain_math(argument) for argument in row] for row in call.rows]
    first, last = (rows[0][0], rows[-1][-1]) if all(rows) and rows else ("", "")
    if call.name == "bb" and len(first) == 1:
        for script in ("DOUBLE-STRUCK CAPITAL", "MATHEMATICAL DOUBLE-STRUCK CAPITAL"):
            with suppress(KeyError):
                return unicodedata.lookup(f"{script} {first}")
    if call.name in STYLES:
        return first
    if call.name in ACCENTS and len(first) == 1:
        return unicodedata.normalize("NFC", first + ACCENTS[call.name])
    if call.name in ("sqrt", "root") and last:
        order = first.translate(_RAISED) if call.name == "root" else ""
        return f"{order}√{_group(call.arguments[-1], last)}"
    left, right = _FENCES.get(call.name, (f"{call.name}(", ")"))
    return f"{left}{'; '.join(map(', '.join, rows))}{right}"
