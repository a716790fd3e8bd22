"""How fast a viewer has to read what a stage said."""

from __future__ import annotations

from collections.abc import Sequence

from clockhead.scenes.stage.contract import CaptionLine


def reading_speeds(
    question: str, lines: Sequence[CaptionLine], *, opened: int, frames: int, fps: float
) -> list[float]:
    """Characters a second: for the title's question, and then for every line.

    A line is read until the next one comes, or to the end of all `frames`. The question is there
    from the frame `opened` on; it and the first line are read by the time that line goes.
    """
    ends = [*(line.frame for line in lines[1:]), frames]
    alone = [
        len(line.text) * fps / (end - line.frame) for line, end in zip(lines, ends, strict=True)
    ]
    if not lines:
        return []
    together = (len(question) + len(lines[0].text)) * fps / (ends[0] - opened)
    return [together, *alone]
