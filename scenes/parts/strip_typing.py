"""Words that are added to a strip: typed behind a caret, or as the answer to a "?" tile."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Animation
from numpy.typing import ArrayLike, NDArray

from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.parts.strip import Motion, Show, Strip
from clockhead.scenes.parts.tile import Paint, Tile
from clockhead.scenes.stage import Value
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.type import ASCENT, DESCENT, X_HEIGHT, is_rtl, letters_of, outline

_ROOM_SHARE = 0.25
"""Fraction of the typing time in which the other tiles make room."""
_ARCH = 1.3
"""Largest height to which an answer rises on its path, in units."""
_BLINKS_A_SECOND = 1.2


def type_in(strip: Strip, k: int, *, run_time: float = 1.2, **options: Any) -> Animation:
    """Type the word of a hidden tile: it grows behind a caret, letter by letter.

    A letter appears together with its combining marks. If the strip fills a region, the other tiles
    make room first.
    """

    def prepare() -> Show:
        tile = strip.tiles[k]
        move, goal = strip.make_room(k)
        letters = letters_of(tile.label.text)
        strip.moving |= set(range(len(strip.tiles)))

        def at(share: float) -> None:
            move(min(1.0, share / _ROOM_SHARE))
            typed = round(max(0.0, share - _ROOM_SHARE) / (1 - _ROOM_SHARE) * len(letters))
            if share >= _ROOM_SHARE:
                _draw_typed(strip, tile, goal, "".join(letters[:typed]))

        return at

    def settle() -> None:
        strip.moving.clear()

    return Motion(strip, prepare, settle, run_time=run_time, **options)


def blink(strip: Strip, *, run_time: float = 1.5) -> Animation:
    """Blink the caret, then hide it."""

    def prepare() -> Show:
        def at(share: float) -> None:
            lit = int(2 * _BLINKS_A_SECOND * run_time * share) % 2 == 0 and share < 1
            strip.caret.set_fill(opacity=float(lit))

        return at

    return Motion(strip, prepare, run_time=run_time, rate_func=lambda x: x)


def ask_next(strip: Strip, *, run_time: float = 0.8, **options: Any) -> Animation:
    """Add the dashed "?" tile after the last one, replacing an answer that has left."""

    def prepare() -> Show:
        move, goal = strip.make_room(k := len(strip.tiles) - 1)
        if strip.answer_value is not None:
            _restore_question(strip, strip.tiles[k])
        strip.moving |= set(range(len(strip.tiles)))

        def at(share: float) -> None:
            move(share)
            tile = strip.tiles[k]
            part = max(0.0, 2 * share - 1)  # the others have made room after half of the time
            strip.caret.set_fill(opacity=0.0)
            tile.present = part
            tile.draw(goal * np.array([1, 1, 0.3 + 0.7 * part, 1, 1]))
            tile.dress()

        return at

    return Motion(strip, prepare, lambda: strip.moving.clear(), run_time=run_time, **options)


def answer(
    strip: Strip,
    value: Value,
    source: ArrayLike | None = None,
    *,
    role: Paint = "correct",
    run_time: float = 1.2,
) -> Animation:
    """Replace the "?" by a word that flies in from a point."""
    last = len(strip.tiles) - 1

    def prepare() -> Show:
        tile, waits = strip.tiles[last], strip.tiles[last].state
        tile.dashed, strip.answer_value = False, value
        tile.label.text, tile.role = str(value.content), role
        tile.label.clear_points()
        tile.look = tile.worn_look
        start = waits.copy()
        if source is not None:
            start[:2] = np.asarray(source, dtype=float)[:2]
        strip.moving.add(last)
        lift = np.array([0.0, min(_ARCH, 0.2 * abs(start[0] - waits[0])), 0.0, 0.0, 0.0])

        def at(share: float) -> None:
            arch = np.sin(np.pi * share) if 0 < share < 1 else 0.0
            tile.draw(start + (waits - start) * share + lift * arch)
            tile.present = 1.0 if source is not None else max(share, 0.01)
            tile.dress()

        return at

    return Motion(strip, prepare, lambda: strip.moving.discard(last), run_time=run_time)


def _restore_question(strip: Strip, tile: Tile) -> None:
    """Turn the tile of an answer back into the dashed "?" tile."""
    strip.answer_value, tile.dashed, tile.role = None, True, None
    tile.label.text = "?"
    tile.label.clear_points()
    tile.look = tile.worn_look


def _draw_typed(strip: Strip, tile: Tile, goal: NDArray[np.float64], letters: str) -> None:
    """Draw a tile with the first letters of its word, with a width to match.

    It grows in the direction of writing: to the right, or to the left.
    """
    word, rtl = tile.label, is_rtl(tile.label.text)
    done = letters == word.text
    x, y, width, height, size = goal
    shape, whole = outline(letters, rtl=rtl), outline(word.text)
    narrow = 0.35 * width + 0.65 * width * shape.advance / max(whole.advance, 1e-9)
    pen = _pen(goal, word)
    if rtl:
        pen += (whole.advance - shape.advance) * size * PX
    tile.present = 1.0
    tile.draw(goal, None if done else letters)
    if not done:
        aside = (width - narrow) / 2 * (1 if rtl else -1)
        tile.draw(np.array([x + aside, y, narrow, height, size]), letters)
        word.set_points(shape.points * size * PX + np.array([pen, y - _half(size), 0.0]))
    tile.dress()
    at = pen - 0.06 if rtl else pen + shape.advance * size * PX + 0.03
    ends = y - _half(size) + np.array([-DESCENT, ASCENT + 0.1]) * size * PX
    strip.caret.set_points(rectangles(at, ends[0], at + 0.03, ends[1])).set_fill(opacity=1.0)


def _pen(goal: NDArray[np.float64], label: Label) -> float:
    """The x coordinate at which the first letter of a centred word begins."""
    points = outline(label.text).points * goal[4] * PX
    return float(goal[0] - (points[:, 0].min() + points[:, 0].max()) / 2)


def _half(size: float) -> float:
    """The distance from the middle of a line of letters down to its baseline."""
    return X_HEIGHT / 2 * size * PX
