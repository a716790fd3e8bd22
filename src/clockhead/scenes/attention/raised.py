"""Softmax as bars: e to each score, laid end to end and divided by the sum."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import UP, VGroup, VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.parts.terms import TypesetNumber
from clockhead.scenes.stage import Picture, Reading, Stage
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, in_turn
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import mix, theme
from clockhead.scenes.style.type import CAP_HEIGHT, LABEL, MIN_SIZE, SMALL

_FORMULA = 28.0
_FOOT = 1.15
"""The room for the one bar and its length, in lanes."""
_MOST_LANE, _LINE, _BAR, _AIR = 1.15, 0.36, 0.3, 0.18
"""The most height of a lane, that of its words, of its bar, and between words and formula."""
_FEET = 0.42
"""How high the one bar stands, over its length."""
_LONG, _HUGE = 100.0, 1e5
"""Powers of e from here on are written with one decimal, and with none."""
_EXACT = 1e-6
_SIGN, _SIGN_SHARE = 34.0, 0.75
"""The size of “−∞”, in pixels, and at most so much of the height of its cell."""
_FORMATS = (
    *((decimals, ".1%", LABEL) for decimals in (4, 3, 2)),
    *((2, ".1%", MIN_SIZE), (2, ".0%", MIN_SIZE), (1, ".0%", MIN_SIZE)),
)
"""Decimals of numbers, how shares are written, and the size of words; the best first."""


class Raised(Picture):
    """e to the score of each token as a bar, over it the word and what is computed.

    A bar is as long as its share of the region: laid end to end they are as long as that is wide.
    """

    def __init__(self, stage: Stage, region: Region) -> None:
        super().__init__(stage["raised"])
        self._tokens, n = stage["tokens"], len(stage["tokens"])
        paths = ("powers", "total", "shares", "starts")
        self._powers, self._total, self._shares, self._starts = (stage[path] for path in paths)
        self._by_lane = {"power": self._powers, "raised": stage["raised"], "share": self._shares}
        lane = self._lane = min(region.height / (n + _FOOT), _MOST_LANE)
        middle, half = region.center[1], lane * (n + _FOOT) / 2
        self._area = Region(region.left, middle - half, region.right, middle + half)
        self._grown, self._laid, self._landed = np.zeros(n), np.zeros(n), 0.0
        self._places = self._standing(min(_BAR, lane - _LINE - 0.02))
        self._colors = [theme().attention] * n
        look: dict[str, Any] = {"stroke_width": 3, "stroke_color": theme().ground}
        self.bars = VGroup(*(VMobject(**look) for _ in range(n)))
        self.add(self.bars)
        self._write()
        self._draw()

    def _standing(self, high: float) -> NDArray[np.float64]:
        """The edges of bars so high in their lanes, and laid end to end; (2, T, 4)."""
        area, starts = self._area, self._starts.array
        lengths = self._shares.array * area.width
        tops = np.array([self._line(k) - 0.12 for k in range(len(starts))])
        lefts, foot = area.left + starts * area.width, np.full_like(tops, area.bottom + _FEET)
        lanes = (np.full_like(tops, area.left), tops - high, area.left + lengths, tops)
        return np.array(
            [np.transpose(lanes), np.transpose((lefts, foot, lefts + lengths, foot + _BAR))]
        )

    # Words and formulas

    def _write(self) -> None:
        """As exact as there is room for."""
        area, words = self._area, [str(word) for word in self._tokens.content]
        for decimals, spec, size in _FORMATS:
            left = area.left + max(text_width(word, size) for word in words) + _AIR
            self.raises = [self._raised(k, decimals) for k in range(len(words))]
            self.divides = [self._divided(k, decimals, spec) for k in range(len(words))]
            lines = [*self.raises, *self.divides]
            if max(line.least.width for line in lines) <= area.right - left:
                break
        share = min(1.0, (area.right - left) / max(line.most.width for line in lines))
        self.words = [Label(word, size=size) for word in words]
        for k, word in enumerate(self.words):
            word.put(np.array([area.left, self._line(k), 0.0])).set_fill(opacity=0)
            for line in (self.raises[k], self.divides[k]):
                _stand(line, left, self._line(k), share)
        self.sum = Figure(self._total, f".{decimals}f", size=SMALL, prefix="sum ", align="right")
        self.sum.put(np.array([area.right, area.bottom + 0.05, 0.0]))
        self.add(*self.words)

    def _raised(self, k: int, decimals: int) -> Equation:
        """e to the power of a score, and what it is."""
        size = np.abs(self._powers.array).max()
        spec = f".{decimals}f" if size < _LONG else ".1f" if size < _HUGE else ".0f"
        terms = [("base", "e"), ("power", f"^{{power:{spec}}}"), ("equals", "=")]
        return self._equation(k, *terms, ("raised", f"{{raised:.{decimals}f}}"))

    def _divided(self, k: int, decimals: int, percent: str) -> Equation:
        """The same, divided by the sum of all: the share."""
        spec = f".{decimals}f"
        terms = [("raised", f"{{raised:{spec}}}"), ("by", '"/"'), ("total", f"{{total:{spec}}}")]
        share = f"attention({{share:{percent}}})"
        return self._equation(k, *terms, ("equals", "="), ("share", share))

    def _equation(self, k: int, *terms: tuple[str, str]) -> Equation:
        values = {name: value[k] for name, value in self._by_lane.items()}
        return Equation(terms, values=values | {"total": self._total}, size=_FORMULA)

    def _line(self, k: int) -> float:
        """The height of the baseline in lane k."""
        return self._area.top - k * self._lane - _LINE + 0.08

    # How it moves

    def grow(self, k: int, *, run_time: float = 1.0) -> Drive:
        """Let the bar of a token grow, and its word and formula appear."""
        line = self.raises[k].hide()
        self.add(line)

        def show(share: NDArray[np.float64]) -> None:
            self._grown[k] = float(share)
            self.words[k].set_fill(opacity=float(share))
            for term in line.terms.values():
                term.fade_to(float(share))
            self._draw()

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def lay(self, *, run_time: float = 2.0) -> Drive:
        """Let the bars lie down end to end, one after another."""

        def show(share: NDArray[np.float64]) -> None:
            self._laid = in_turn(float(share), len(self._laid), 0.6)
            self._draw()

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def divide(self, *, run_time: float = 2.0) -> list[Drive]:
        """Let each formula go on to the share."""
        return [
            start.become(end, origins={"total": ()}, run_time=run_time)
            for start, end in zip(self.raises, self.divides, strict=True)
        ]

    def land(self, row: Matrix, i: int, *, run_time: float = 1.5) -> Drive:
        """Let the shares become the cells of a row."""
        n = len(self._laid)
        cells = [row.cell(i, j).inset(0.014) for j in range(n)]
        start = self._places[1].copy()
        end = np.array([[c.left, c.bottom, c.right, c.top] for c in cells])

        def show(share: NDArray[np.float64]) -> None:
            self._landed = float(share)
            self._places[1] = start + (end - start) * self._landed
            shades = (row.shade_of(i, j) for j in range(n))
            self._colors = [mix(theme().attention, shade, self._landed) for shade in shades]
            self._draw()

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def show(self, state: NDArray[np.float64]) -> None:
        """They do not run."""
        raise NotImplementedError("bars that are laid end to end do not run to other values")

    def _draw(self) -> None:
        lanes, laid = self._places
        edges = lanes + (laid - lanes) * self._laid[:, None]
        edges[:, 2] = edges[:, 0] + (edges[:, 2] - edges[:, 0]) * self._grown
        for k, path in enumerate(self.bars):
            path.set_points(rectangles(*edges[k]))
            path.set_fill(self._colors[k], float(self._shares.array[k] > 0))

    # What it says

    def readings(self) -> Iterator[Reading]:
        """The length of each bar; where it begins once it is laid; words and numbers by lane."""
        area = self._area
        unit = area.width / float(self._total.array)
        most = max(1.0, float(self.state.max()))
        for k, path in enumerate(self.bars):
            if self._landed or self._grown[k] < 1 or not is_visible(path):
                continue
            low, high = path.points.min(axis=0), path.points.max(axis=0)
            if self._laid[k] == 0:
                slot = self._slot(float(high[1]))
                yield Reading(self.shown[slot], (high[0] - low[0]) / unit, _EXACT * most)
            elif self._laid[k] == 1:
                yield Reading(self._shares[k], (high[0] - low[0]) / area.width, _EXACT)
                yield Reading(self._starts[k], (low[0] - area.left) / area.width, _EXACT)
        for word in self.words:
            if is_visible(word):
                yield Reading(self._tokens[self._slot(float(word.anchor[1]))], word.text)
        for term in (term for line in self.raises for term in line.terms.values()):
            if term.name in self._by_lane and term.opacity == 1:
                meant = self._by_lane[term.name][self._slot(float(term.anchor[1]))]
                numbers = (one for one in term.get_family() if isinstance(one, TypesetNumber))
                yield from (Reading(meant, float(number.state), 0.0) for number in numbers)

    def _slot(self, height: float) -> int:
        """The lane at a height."""
        return int((self._area.top - height) / self._lane)


class Ahead(Picture):
    """“−∞” in the cells of what comes later, which therefore gets a share of 0."""

    def __init__(self, pattern: Any, grid: Matrix) -> None:
        super().__init__(pattern)
        self._grid = grid
        n = grid.n_rows
        cells = [grid.cell(i, j) for i in range(n) for j in range(i + 1, n)]
        color = theme().muted
        size = min(_SIGN, _SIGN_SHARE * cells[0].height / PX) if cells else _SIGN
        self.signs = [Label("−∞", size=size, color=color, align="center") for _ in cells]
        for sign, cell in zip(self.signs, cells, strict=True):
            sign.center_on(cell.center - CAP_HEIGHT / 6 * size * PX * UP)
        self.add(*self.signs)

    def readings(self) -> Iterator[Reading]:
        """The share of every cell in which it stands."""
        for sign in self.signs:
            if is_visible(sign):
                i, j = self._grid.lattice.nearest(sign.middle)
                yield Reading(self.shown[i, j], 0.0)


def _stand(line: Equation, left: float, base: float, share: float) -> None:
    """Begin at a point, smaller by a share."""
    width, height = max(line.least.width, line.most.width * share), line.most.height
    line.place(Region(left, base, left + width, base + height))
    line.shift(UP * (base - line.term("equals").anchor[1]))
