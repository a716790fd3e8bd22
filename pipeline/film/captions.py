"""Captions and transcripts, timed by counting frames.

A cue is a stretch of whole frames, so nothing drifts however long the film is.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scenes.facts import split_math
from scenes.style.theme import ROLES

_LINE = 42
"""Characters on a line of subtitles."""

_GREEK = {
    unicodedata.name(letter).split()[-1].lower(): letter for letter in "αβγδεζηθικλμνξοπρστυφχψω"
}
_SYMBOLS = {
    **_GREEK,
    **{name.capitalize(): letter.upper() for name, letter in _GREEK.items()},
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
_STYLES = re.compile(
    rf"\b(?:{'|'.join(['bold', 'upright', 'italic', 'sans', 'mono', 'cal', 'bb', *ROLES])})"
    r"\(([^()]*)\)"
)
"""What only changes how something looks: its face, or the colour of its role."""
_RAISED = str.maketrans("0123456789-()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁽⁾")
_LOWERED = str.maketrans("0123456789-()", "₀₁₂₃₄₅₆₇₈₉₋₍₎")
_INDEX = re.compile(r"([_^])(?:\(((?:-?\d+)|\(\d+\))\)|(\d+))")
"""A power or an index of digits, such as `^2`, `^(-17)`, `_1` or `^((0))`."""
_FRACTION = re.compile(r"\bfrac\(([^(),]*),\s*([^(),]*)\)")
_TOKEN = re.compile(r'"[^"]*"|[A-Za-z]+(?:\.[a-z]+)*|<=|>=|!=|->|-')


@dataclass(frozen=True, slots=True)
class Cue:
    """Words to show from frame `start` up to frame `end`."""

    start: int
    end: int
    text: str


def plain(text: str) -> str:
    """A sentence on one line, its `$...$` written with the signs that plain text has."""
    runs = (_plain_math(run.text) if run.is_math else run.text for run in split_math(text))
    return " ".join("".join(runs).split())


def lines(text: str) -> str:
    """Break a plain sentence into lines of subtitles."""
    return "\n".join(textwrap.wrap(text, _LINE, break_on_hyphens=False))


def webvtt(cues: Iterable[Cue], fps: int) -> str:
    """The cues as WebVTT."""
    blocks = (
        f"{_clock(cue.start, fps, '.')} --> {_clock(cue.end, fps, '.')}\n{_escape(cue.text)}\n"
        for cue in cues
    )
    return "\n".join(["WEBVTT\n", *blocks])


def subrip(cues: Iterable[Cue], fps: int) -> str:
    """The cues as SubRip (.srt)."""
    blocks = (
        f"{number}\n{_clock(cue.start, fps, ',')} --> {_clock(cue.end, fps, ',')}\n"
        f"{lines(cue.text).replace('-->', '→')}\n"
        for number, cue in enumerate(cues, 1)
    )
    return "\n".join(blocks)


def transcript(
    heading: Sequence[str], sections: Iterable[tuple[int, Sequence[str]]], fps: int
) -> str:
    """What the film says, as text: its heading, and each section with the frame it starts at."""
    blocks = ["\n".join(filter(None, heading))]
    for frame, (title, *rest) in sections:
        minutes, seconds = divmod(frame // fps, 60)
        blocks.append("\n".join(filter(None, [f"[{minutes}:{seconds:02}] {title}", *rest])))
    return "\n\n".join(blocks) + "\n"


def _clock(frame: int, fps: int, point: str) -> str:
    milliseconds = round(Fraction(1000 * frame, fps))
    seconds, milliseconds = divmod(milliseconds, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}{point}{milliseconds:03}"


def _escape(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return lines(escaped)


def _plain_math(markup: str) -> str:
    bare = _FRACTION.sub(r"\1/\2", _STYLES.sub(r"\1", markup))
    indexed = _INDEX.sub(lambda match: _plain_index(match[1], match[2] or match[3]), bare)
    return _TOKEN.sub(lambda match: _plain_token(match[0]), indexed)


def _plain_index(sign: str, digits: str) -> str:
    return digits.translate(_RAISED if sign == "^" else _LOWERED)


def _plain_token(token: str) -> str:
    if token.startswith('"'):
        return token[1:-1]
    return _SIGNS.get(token) or _SYMBOLS.get(token, token)
