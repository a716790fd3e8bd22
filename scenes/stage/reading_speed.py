"""Reading speeds that the sentences of a stage require."""

from __future__ import annotations

from collections.abc import Sequence

from clockhead.scenes.stage.contract import CaptionLine


def reading_speeds(
    question: str, lines: Sequence[CaptionLine], *, opened: int, frames: int, fps: float
) -> list[float]:
    """Characters per second: for the title's question, and then for every line.

    A line is visible until the next one appears, or until the last of all `frames`. The question is
    visible from the frame `opened` on; it is read together with the first line.
    """
    ends = [*(line.frame for line in lines[1:]), frames]
    alone = [
        len(line.text) * fps / (end - line.frame) for line, end in zip(lines, ends, strict=True)
    ]
    if not lines:
        return []
    together = (len(question) + len(lines[0].text)) * fps / (ends[0] - opened)
    return [together, *alone]
