"""The riddle's tiles, which three stages of this film show, and the name of its head."""

from __future__ import annotations

from typing import Any

from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import Stage

NAME = "The previous-token head"
LETTERS = 48.0
"""The size of the letters on the tiles of riddle and answer, in pixels."""
ROW = 34.0
"""The same in a row over clocks, at most."""
_OVER = 0.5
"""What stays free over them, where an eye goes along."""


def riddle_tiles(stage: Stage, path: str = "", size: float = LETTERS, **looks: Any) -> Strip:
    """The text, the word that is typed again and a “?”, of the second look at a path, placed."""
    tokens, typed = stage[path + "tokens"], stage[path + "typed"]
    tiles = Strip(tokens, after=[typed], wonder=True, size=size, gutter=_OVER, **looks)
    tiles.place(stage.canvas.inset(0.0, _OVER))
    return tiles
