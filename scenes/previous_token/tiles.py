"""Pictures that stages of this film share: the riddle's tiles, and the query's first hand."""

from __future__ import annotations

from typing import Any

from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_turns import Turns
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import Column, Stage, Value
from clockhead.scenes.style.layout import Region

NAME = "The previous-token head"
LETTERS = 84.0
"""Letter size of the tiles of riddle and answer, in pixels."""
NOTE = 38.0
"""Letter size of notes, in pixels."""
ONE = 44.0
"""Letter size of a key's number under its tile, in pixels."""
ROW = 34.0
"""Largest letter size of tiles in a row over clocks, in pixels."""
_OVER = 0.5
"""Free space over the tiles, for the eye that moves along them, in units."""


def riddle_tiles(stage: Stage, path: str = "", **looks: Any) -> Strip:
    """The tiles of a text, of the word typed again and of a “?”, already placed.

    `path` is the path of the text's values in the stage. The tiles are in two lines on a wide
    canvas, and in as many as fill it on a tall one.
    """
    looks |= {"wonder": True, "size": LETTERS, "gutter": _OVER, "note_size": NOTE}
    looks["lines"] = 2 if stage.canvas.wide else None
    tiles = Strip(stage[path + "tokens"], after=[stage[path + "typed"]], **looks)
    tiles.place(stage.canvas.inset(0.0, _OVER))
    return tiles


class TurnedBack:
    """The first hand of the query on a large dial, turned back from upright by `phases` (hands,).

    `steps` is the offset of the query, which is written below.
    """

    def __init__(self, phases: Value, steps: Value, room: Region) -> None:
        self.dials = Dials(len(phases), labels="the fastest hand", chosen=[0], largest=1.5)
        self.steps = Figure(
            steps, ".0f", size=40, prefix=f"{said('steps back:')} ", color="position"
        )
        Column(self.dials, self.steps, weights=(1.0, 0.0)).place(room)
        self.hands = Hands(phases, self.dials, "query", angles=True)
        self.turns = Turns(phases, self.dials)
