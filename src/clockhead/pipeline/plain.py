"""Sentences in plain text: what they hold of mathematics, in the signs that Unicode has."""

from __future__ import annotations

import re
import unicodedata

from clockhead.scenes.facts import split_math
from clockhead.scenes.style.theme import ROLES

GREEK = {
    unicodedata.name(letter).split()[-1].lower(): letter for letter in "αβγδεζηθικλμνξοπρστυφχψω"
}
_SYMBOLS = {
    **GREEK,
    **{name.capitalize(): letter.upper() for name, letter in GREEK.items()},
    "lambda": "λ",
    "Lambda": "Λ",
    "approx": "≈",
    "arrow": "→",
    "arrow.r": "→",
    "dot": "·",
    "dot.op": "·",
    "dots": "…",
    "dots.c": "⋯",
    "dots.h": "…",
    "in": "∈",
    "infinity": "∞",
    "oo": "∞",
    "prod": "∏",
    "quad": " ",
    "sqrt": "√",
    "sum": "∑",
    "times": "×",
    "top": "ᵀ",
}
_SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "-": "−"}
STYLES = ("bold", "upright", "italic", "sans", "mono", "cal", "bb", *ROLES)
"""What only changes how something looks: its face, or the colour of its role."""
_RAISED = str.maketrans(
    "0123456789+-()abcdefghijklmnoprstuvwxyzT",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀ",
)
_LOWERED = str.maketrans("0123456789+-()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
_INDEX = re.compile(r"([_^])(?:\(([^()]*|\([^()]*\))\)|(top\b|[A-Za-z]|\d+)(?![A-Za-z]))")
"""What is raised or lowered, such as `^2`, `^(-17)`, `_i` or `^((0))`."""
_STYLED = re.compile(rf"\b(?:{'|'.join(STYLES)})\(((?:[^()]|\([^()]*\))*)\)")
_FRACTION = re.compile(r"\bfrac\(([^(),]*),\s*([^(),]*)\)")
_ROOT = re.compile(r"\bsqrt\((\w+)\)")
_TOKEN = re.compile(r'"[^"]*"|[A-Za-z]+(?:\.[a-z]+)*|<=|>=|!=|->|-')


def plain(text: str) -> str:
    """A sentence on one line, its `$...$` written with the signs that plain text has."""
    runs = (_plain_math(run.text) if run.is_math else run.text for run in split_math(text))
    return re.sub(r"[ \t\n]+", " ", "".join(runs)).strip()


def _plain_math(markup: str) -> str:
    while (bare := _STYLED.sub(r"\1", markup)) != markup:
        markup = bare
    flat = _ROOT.sub(r"√\1", _FRACTION.sub(r"\1/\2", bare))
    indexed = _INDEX.sub(lambda match: _plain_index(match[0], match[1], match[2] or match[3]), flat)
    return _TOKEN.sub(lambda match: _plain_token(match[0]), indexed)


def _plain_index(written: str, sign: str, index: str) -> str:
    """A raised or lowered index in small signs, if Unicode has them all."""
    table = _RAISED if sign == "^" else _LOWERED
    index = {"top": "T"}.get(index, index.replace(" ", ""))
    return index.translate(table) if all(ord(letter) in table for letter in index) else written


def _plain_token(token: str) -> str:
    if token.startswith('"'):
        return token[1:-1]
    return _SIGNS.get(token) or _SYMBOLS.get(token, token)
