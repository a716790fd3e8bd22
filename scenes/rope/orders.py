"""Base of the first and the last stage of this film, with a few words in two orders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.rope.score_arcs import ScoreArcs
from clockhead.scenes.spelling import counted, said
from clockhead.scenes.stage import Derived, Stage
from clockhead.scenes.style.layout import Region

SCORES = 48.0
"""Letter size of scores, in pixels at 720p."""
_ARCHED, _STEPPED = 0.74, 0.88
"""Height of arcs relative to the space over the tiles, usual and with crowded numbers."""


def example_or(line: str, general: str) -> Callable[[Any], str]:
    """A sentence that is `line` for the words "dog bites man", and `general` for other words."""
    return lambda values: line if values.words.words == ("dog", "bites", "man") else general


_HEADING = example_or("Who bit whom?", "The order of the words")


class OrderStage(Stage):
    """A few words, the outer two of which swap places, with their scores on arcs over them."""

    derived = {
        "n_words": Derived("number of words, spelled out", lambda v: counted(v.words.n_words)),
        "heading": Derived("title of the shot", lambda v: said(_HEADING(v))),
    }

    tiles: Strip
    values: Any

    def arcs_over_tiles(self, tiles: Strip, path: str, room: Region, size: float) -> ScoreArcs:
        """Arcs with the scores at a path, hidden at first, and behind the words."""
        foot = float(tiles.top(0)[1])
        above = room.top - foot
        asks = self.values.words.asks
        arcs = ScoreArcs(self[path], tiles, asks, size=size, high=_STEPPED * above)
        high = foot + above * (_STEPPED if arcs.is_crowded else _ARCHED)
        arcs.place(Region(room.left, room.bottom, room.right, high))
        arcs.set_z_index(-1)
        return arcs.hide()
