"""How far a head reaches back: what its last token sees of every token before it."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import FadeIn, VGroup, VMobject, linear
from numpy.typing import ArrayLike, NDArray

from scenes.parts.clocks.clock import ClockRow
from scenes.parts.paths import straight
from scenes.parts.sentence import Sentence
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.text import Label, Number
from scenes.style.theme import theme
from scenes.style.type import LABEL, SMALL

BIG = 28.0
_WORDS = 26.0
_UNDER = 0.38
_HEADING = 0.45
_BETWEEN = 0.4
_APART = 0.6


class Reach(VGroup):
    """The attention of the last token, and the hands for two of the tokens it looks at.

    `pattern` is the causal pattern (T, T) of the longest text, row n - 1 being that of `n` tokens;
    `angles` (T, hands) says where the hands stand for each token of it. Both are seen from the last
    token, at the right end: the wanted one before it keeps its place, and older ones come in from
    the left. The clocks at the right are those of the wanted token. Those at the left follow the
    oldest token, up to `furthest` places before the wanted one.
    """

    def __init__(
        self, pattern: ArrayLike, angles: ArrayLike, furthest: int, shown: str, region: Region
    ) -> None:
        super().__init__()
        look = theme()
        self._rows = _from_the_right(np.asarray(pattern, dtype=float))
        self._angles = np.asarray(angles, dtype=float)
        self._furthest = furthest
        dials, self.area = _dials_and_bars(region, self._angles.shape[1])
        self._step = self.area.width / len(self._rows)
        self._make_clocks(dials)
        self.bars = VMobject(stroke_width=0, fill_color=look.attention, fill_opacity=1)
        self.furthest_bar = self.bars.copy()
        self.line = VMobject(stroke_color=look.muted, stroke_width=2)
        self.add(self.bars, self.furthest_bar, self.line, *self._notes(shown))
        self.n = 2.0

    def show(self, n: float) -> None:
        """Show a text of `n` tokens; between whole numbers, on the way from one to the next."""
        self.n = n
        heights, count = self.heights(n), int(np.ceil(n))
        places = range(len(self._rows) - count, len(self._rows))
        apart = len(self._rows) - 2 - self._furthest
        self.bars.set_points(
            np.concatenate([self._bar(k, heights[k]) for k in places if k != apart])
        )
        if apart in places:
            self.furthest_bar.set_points(self._bar(apart, heights[apart]))
        y, right = self.area.bottom, self.area.right
        ends = [np.array([x, y, 0.0]) for x in (right - n * self._step, right)]
        self.line.set_points_as_corners(ends)
        self.wanted_link.set_points_as_corners(self._corners(self.wanted_clocks, 0))
        self._show_oldest(min(n - 2, float(self._furthest)))

    def heights(self, n: float) -> NDArray[np.float64]:
        """The attention on each place, the last token at the end; shape (T,)."""
        return _between(self._rows, n - 1)

    @property
    def wanted(self) -> float:
        """The attention on the token before the last."""
        return float(self.heights(self.n)[-2])

    def grow(self, n: float, **options: Any) -> Drive:
        """Let the text grow to `n` tokens."""
        return Drive(self, lambda x: self.show(float(x)), self.n, n, rate_func=linear, **options)

    def become(self, pattern: ArrayLike, angles: ArrayLike, **options: Any) -> Drive:
        """Let the hands turn to other angles, and the attention follow."""
        before, after = self._rows, _from_the_right(np.asarray(pattern, dtype=float))
        start, end = self._angles, np.asarray(angles, dtype=float)

        def show(share: NDArray[np.float64]) -> None:
            part = float(share)
            self._rows = after if part == 1 else before + (after - before) * part
            self._angles = end if part == 1 else start + (end - start) * part
            self.show(self.n)

        return Drive(self, show, 0.0, 1.0, **options)

    def _place(self, back: float) -> float:
        return len(self._rows) - 2 - back

    def _make_clocks(self, dials: Region) -> None:
        look, n_hands = theme(), self._angles.shape[1]
        left, right = dials.columns(1, 1, gap=_APART)
        rows = []
        for cell in (left, right):
            below = Region(cell.left, cell.bottom, cell.right, cell.top - _HEADING)
            rows.append(ClockRow(n_hands, below, most_radius=0.8))
        self.oldest, wanted = rows
        y = dials.top - 0.26
        self.back = Number(0, ".0f", color=look.ink, size=_WORDS, suffix=" further back")
        self.back.put(np.array([left.center[0], y, 0.0]))
        name = Label("previous token", size=_WORDS, color=look.text_color("value"), align="center")
        name.put(np.array([right.center[0], y, 0.0]))
        self.link = VMobject(stroke_color=look.muted, stroke_width=2)
        self.wanted_clocks = wanted
        self.wanted_link = VMobject(stroke_color=look.value, stroke_width=2)
        self.add(self.oldest, wanted, self.back, name, self.link, self.wanted_link)

    def _show_oldest(self, back: float) -> None:
        self.oldest.show(_between(self._angles, self._place(back)))
        self.back.set_value(back)
        self.link.set_points_as_corners(self._corners(self.oldest, back))

    def _corners(self, clocks: ClockRow, back: float) -> list[NDArray[np.float64]]:
        """From the clocks of a token to over its bar, and down to its tip."""
        x = self.area.left + (self._place(back) + 0.5) * self._step
        height = float(_between(self.heights(self.n), self._place(back)))
        tip = self.area.bottom + height * self.area.height + 0.08
        foot = np.array(clocks.get_bottom() - np.array([0.0, 0.08, 0.0]))
        return [foot, np.array([x, self.area.top + 0.1, 0.0]), np.array([x, tip, 0.0])]

    def _bar(self, k: int, height: float) -> NDArray[np.float64]:
        left = self.area.left + (k + 0.14) * self._step
        right = left + 0.72 * self._step
        low, high = self.area.bottom, self.area.bottom + max(height * self.area.height, 0.015)
        corners = np.array(
            [(left, low, 0), (left, high, 0), (right, high, 0), (right, low, 0), (left, low, 0)]
        )
        return straight(corners[:-1], corners[1:])

    def _notes(self, shown: str) -> list[Label]:
        """Under the bars: what they are, and how many of the hands are shown above."""
        color, y = theme().muted, self.area.bottom - _UNDER + 0.06
        left = Label("attention of the last token", color=color)
        right = Label(f"clocks: {shown}", color=color, align="right")
        return [
            left.put(np.array([self.area.left, y, 0.0])),
            right.put(np.array([self.area.right, y, 0.0])),
        ]


def _dials_and_bars(region: Region, n_hands: int) -> tuple[Region, Region]:
    room = region.height - _BETWEEN - _UNDER
    dials = float(np.clip(0.56 * room, 1.0, 3.6))
    if region.wide:
        in_one_row = _HEADING + (region.width - _APART) / (2 * n_hands)
        dials = min(dials, in_one_row)
    bars = min(room - dials, 4.0)
    top = region.top - (room - dials - bars) / 2
    low = top - dials - _BETWEEN
    return (
        Region(region.left, top - dials, region.right, top),
        Region(region.left, low - bars, region.right, low),
    )


def _between(rows: NDArray[np.float64], place: float) -> NDArray[np.float64]:
    """The row at a fractional place, on the way from one to the next."""
    below, share = int(place), place - int(place)
    row = rows[below]
    return np.asarray(row if share == 0 else row + (rows[below + 1] - row) * share)


def _from_the_right(pattern: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows (T, T) moved so that every row ends at the right; what does not exist is 0."""
    n_tokens = len(pattern)
    rows = np.zeros_like(pattern)
    for m in range(n_tokens):
        rows[m, n_tokens - 1 - m :] = pattern[m, : m + 1]
    return rows


class MassTable(VGroup):
    """What the previous token gets: a row for each name, a column for each length of the text.

    Where the region is tall, a name stands over its numbers. `open_row`, `follow` and `write` bring
    the rows in; the table itself is its heading.
    """

    def __init__(self, names: tuple[str, str], lengths: tuple[int, int], region: Region) -> None:
        super().__init__()
        tall = region.height > region.width
        muted, line = theme().muted, SMALL * PX * 1.7
        self._edges = region.right - 0.5 * region.width, region.right
        if not tall:
            self._edges = region.right - 0.24 * region.width, region.right
        top = region.top - 0.28
        heading = Label("on the previous token", color=muted)
        self.add(heading.put(np.array([region.left, top, 0.0])))
        top -= line if tall else 0.0
        for edge, length in zip(self._edges, lengths, strict=True):
            words = Sentence((length, "d"), " tokens", size=SMALL, color=muted, align="right")
            self.add(words.put(np.array([edge, top, 0.0])))
        step = min(1.35, (region.height - 2 * line) / 2) if tall else line
        size = BIG if tall else LABEL
        self._numbers = []
        self._names = []
        for i, name in enumerate(names):
            y = top - (i + 1) * step + (0.62 * step if tall else 0.0) - 0.1
            label = Label(name, size=_WORDS if tall else LABEL, weight="semibold").put(
                np.array([region.left, y, 0.0])
            )
            base = y - size * PX * 1.35 if tall else y
            self._names.append(label)
            self._numbers.append([self._number(edge, base, size) for edge in self._edges])

    def open_row(self, i: int) -> FadeIn:
        """Let the name of a row appear."""
        return FadeIn(self._names[i], run_time=0.5)

    def write(self, i: int, k: int, mass: float) -> FadeIn:
        """Let the number of a row for the text of length `k` appear."""
        return FadeIn(self._numbers[i][k].set_value(mass).set_fill(opacity=1), run_time=0.5)

    def follow(self, i: int, k: int, reach: Reach, **options: Any) -> Drive:
        """Let such a number say what the wanted token gets, as long as the picture changes."""
        number = self._numbers[i][k]

        def read(share: NDArray[np.float64]) -> None:
            number.set_value(reach.wanted).set_fill(opacity=min(1.0, 5 * float(share)))

        return Drive(number, read, 0.0, 1.0, rate_func=linear, **options)

    def _number(self, edge: float, base: float, size: float) -> Number:
        number = Number(0.0, ".1%", size=size, weight="semibold", align="right")
        return number.put(np.array([edge, base, 0.0]))
