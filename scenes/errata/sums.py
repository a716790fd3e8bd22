"""A printed sum whose last digits already show that it is wrong."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Create, Line, VGroup

from clockhead.model.films.errata.sums import PrintedSum, printed_sum
from clockhead.scenes.errata.sheets import NUMBER
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.stage import CAPTION, REST, Stage, Steps, beat, together
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import CAP_HEIGHT

_LARGEST = 54.0
"""Largest size of digits, in pixels at 720p."""
_WORDS = 2.9
"""Room for words at the left of the rows on a wide canvas, in units."""
_LINE = 1.15
"""Largest distance between rows, in units."""
_ROWS: tuple[tuple[str, str, Role], ...] = (
    ("row", "“{asker}”", "residual"),
    ("added", "attention adds", "value"),
    ("printed", "printed sum", "token"),
    ("total", "true sum", "right"),
)


class Sums(Stage[PrintedSum]):
    """Two printed rows, their printed sum, and their true sum."""

    title = "Add it up"
    caption = (
        "The last digit gives away {n_by_digit} of {n_wrong} wrong sums. Where it fits, a sum "
        "can still be wrong."
    )
    opens = ("rows", "words", "line")

    compute = printed_sum

    def layout(self) -> None:
        canvas, n = self.canvas, self.values.n_sums
        beside = _WORDS if canvas.wide else 0.0
        pitch = (canvas.width - beside) / n
        size = min(_LARGEST, 0.86 * pitch / text_width("−0.400", 1.0))
        step = min(_LINE if canvas.wide else 1.6 * _LINE, canvas.height / 4.4)
        top = canvas.center[1] + 1.5 * step
        heights = [top - step * (k + 0.25 * (k > 1)) for k in range(4)]
        down = CAP_HEIGHT / 2 * size * PX
        self.figures: list[list[Figure]] = []
        words: list[Label] = []
        for (path, name, role), y in zip(_ROWS, heights, strict=True):
            xs = [canvas.left + beside + (j + 1) * pitch - 0.06 * pitch for j in range(n)]
            self.figures.append(
                [
                    Figure(self[path][j], ".3f", size=size, color=role, align="right").put(
                        np.array([x, y - down, 0.0])
                    )
                    for j, x in enumerate(xs)
                ]
            )
            over = 0.0 if canvas.wide else 0.42 * step
            word = Label(self.say_of(name), size=NUMBER, color=role)
            words.append(word.put(np.array([canvas.left, y - down + over, 0.0])))
        self.rows = VGroup(*(figure for row in self.figures[:3] for figure in row))
        self.words, self.last_word = VGroup(*words[:3]), words[3]
        y = (heights[1] + heights[2]) / 2 + (0.0 if canvas.wide else 0.15 * step)
        self.line = Line((canvas.left, y, 0), (canvas.right, y, 0), color=self.theme.muted)
        self.plus = Label("+", size=size, color="ink")

    def _around(self, figures: Sequence[Figure], role: Role, *, digit: bool = False) -> CellFrame:
        """A frame around the numbers of a column, or around their last digits."""
        box = Region.around(np.concatenate([f.number.points for f in figures]))
        if digit:
            wide = text_width("0", 1.0, "semibold") * figures[0].number.em / PX
            box = Region(box.right - wide, box.bottom, box.right, box.top)
        return CellFrame(box.inset(-0.06, -0.14), role)

    @beat(
        "Here is a sum, as one would write it on paper: the row of “{asker}”, "
        "and what attention adds to it."
    )
    def summands(self) -> Steps:
        frames = [
            self._around(row, role)
            for row, (*_, role) in zip(self.figures, _ROWS[:2], strict=False)
        ]
        yield Create(frames[0], run_time=0.6)
        yield 0.35 * self.reading
        yield Create(frames[1], run_time=0.6)
        yield 0.3 * self.reading
        yield FadeOut(*frames, run_time=0.5)

    @beat(
        "No, and the last digit shows it: {digit_row} and {digit_added} make {digit_total}, not "
        "{digit_printed}.",
        ask="Is the third row the sum of the other two?",
        rest=REST,
    )
    def digits(self) -> Steps:
        column = [row[0] for row in self.figures[:3]]
        self.lit = self._around(column, "wrong", digit=True)
        yield Create(self.lit)

    @beat("Add up the rest: none of the {n_sums} numbers is the sum.", rest=REST)
    def rest(self) -> Steps:
        yield FadeIn(self.last_word)
        for j, figure in enumerate(self.figures[3]):
            digits = self._around([row[j] for row in self.figures[:3]], "wrong", digit=True)
            step = self.lit.trace(digits.region, run_time=0.5)
            yield together(step, FadeIn(figure, run_time=0.5))

    @beat(CAPTION)
    def end(self) -> Steps:
        yield FadeOut(self.lit, run_time=0.4)
        yield [Create(self._around([f], "wrong")) for f in self.figures[2]]
