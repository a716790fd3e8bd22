"""Captions and transcripts, timed by counting frames.

A cue is a stretch of whole frames, so nothing drifts however long the film is.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

_LINE = 42
"""Characters on a line of subtitles."""
_TAG = re.compile(r"<(?=\S|\s+[^\s\d])[^<>]*>")
_COMMAND = re.compile(r"\{(?=\\|\w:)")


@dataclass(frozen=True, slots=True)
class Cue:
    """Words to show from frame `start` up to frame `end`."""

    start: int
    end: int
    text: str


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
        f"{lines(_without_tags(cue.text))}\n"
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


def _without_tags(text: str) -> str:
    """A text for SubRip, which has no escapes: what a player takes for a tag, in signs like it.

    Players take `<`, a sign that is neither a blank nor a digit, and a later `>` for a tag, and a
    brace before a backslash or a letter and a colon for a command.
    """
    signs = _TAG.sub(lambda tag: f"\u2039{tag[0][1:-1]}\u203a", text.replace("-->", "→"))
    return _COMMAND.sub("{\N{WORD JOINER}", signs)


def _escape(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return lines(escaped)
