"""A few words in two orders, which the first and the last stage of this film show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.rope.score_arcs import ScoreArcs
from clockhead.scenes.spelling import counted, said
from clockhead.scenes.stage import Derived, Stage
from clockhead.scenes.style.layout import Region

SCORES = 48.0
"""The size of scores, in pixels at 720p."""
_ARCHED, _STEPPED = 0.74, 0.88
"""The share of the room over the tiles that arcs rise to, which is more where they are crowded:
what bends them reaches further."""


def of_example(line: str, general: str) -> Callable[[Any], str]:
    """What is said of the dog and the man, and what is said of other words in its place."""
    return lambda values: line if values.words.words == ("dog", "bites", "man") else general


_HEADING = of_example("Who bit whom?", "The order of the words")


class OrderStage(Stage):
    """A few words, the outer two of which change places, and their scores on arcs over them."""

    derived = {
        "n_words": Derived("how many words, spelled", lambda v: counted(v.words.n_words)),
        "heading": Derived("what the shot is called", lambda v: said(_HEADING(v))),
    }

    tiles: Strip
    values: Any

    def arcs_over_tiles(self, tiles: Strip, path: str, room: Region, size: float) -> ScoreArcs:
        """The scores at a path on arcs that are hidden yet, and lie behind words that pass."""
        foot = float(tiles.top(0)[1])
        above = room.top - foot
        asks = self.values.words.asks
        arcs = ScoreArcs(self[path], tiles, asks, size=size, high=_STEPPED * above)
        high = foot + above * (_STEPPED if arcs.is_crowded else _ARCHED)
        arcs.place(Region(room.left, room.bottom, room.right, high))
        arcs.set_z_index(-1)
        return arcs.hide()
