"""The picture moves, and the score of its filter with it; the score falls towards the edge."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from manim import DL, UR
from numpy.typing import NDArray

from clockhead.model.films.convolution.shifted import MovedPicture, moved_picture
from clockhead.model.networks.filters import PATCH, SIDE
from clockhead.scenes.convolution.inputs import NetInputs
from clockhead.scenes.convolution.page import (
    PicturePage,
    TitledMatrix,
    bound,
    number_specs,
    signed_matrix,
)
from clockhead.scenes.convolution.stencil import Stencil, Visit
from clockhead.scenes.facts import format_fact
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.spelling import quoted, said
from clockhead.scenes.stage import CAPTION, Column, Derived, Row, Stage, Steps, beat, fit
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut, together
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.type import SMALL

_SHARE = ".1%"
_APART, _RIM = 0.1, 0.5
"""Gap between two numbers above bars, and room for the chart beside its bars, in units."""
_SAME = 1e-9
"""Relative tolerance for equal scores."""
_STEP = 0.8
"""Duration of a move by one pixel, in seconds."""


def _question_sentence(shifts: MovedPicture) -> str:
    if shifts.copy.is_lost:
        return said("The copy was lost after one pixel. Is the filter?")
    return said("After one pixel, less of the copy fitted. And of what the filter finds?")


def _right_sentence(shifts: MovedPicture) -> str:
    here, there = shifts.net.score, shifts.right_score
    if math.isclose(here, there, rel_tol=_SAME):
        return "Yes: it finds as much."
    if there > here:
        return "No: now it is {right_score}."
    return "No: {right_score} is left." if there else "No: nothing is left."


def _left_sentence(shifts: MovedPicture) -> str:
    if np.allclose(shifts.evidence, shifts.evidence[::-1], rtol=_SAME, atol=0.0):
        return "Moved to the left, it scores the same as to the right."
    return "Moved to the left, it scores differently than to the right."


def _lead_sentence(shifts: MovedPicture) -> str:
    net, n, n_led = shifts.net, len(shifts.places), shifts.n_led
    leads = f"{quoted(net.answer)} beats {quoted(net.names[1 - net.winner])}"
    if net.is_tie:
        which = f"{n_led} of {n}" if n_led else f"none of {n}"
        return f"{leads} at {which} places. Where the picture stood, both scored the same."
    if n_led == n:
        return f"{leads} at all {n} places: its filter looks everywhere."
    if n_led == 1:
        return f"{leads} at one of {n} places, the one where it was: no move is forgiven."
    if shifts.leads_beside:
        return f"{leads} at {n_led} of {n} places: filters forgive small moves."
    return f"{leads} at {n_led} of {n} places: the filter forgives some moves, but not all."


def _edge_sentence(shifts: MovedPicture) -> str:
    if shifts.nets[-1].is_tie:
        return "Both filters score {edge_score}: a tie, half each."
    return "There “{edge_answer}” leads, {edge_score} to {edge_other}."


class Shifted(Stage[MovedPicture]):
    """The picture at every position, and how much of its score is left there."""

    Inputs = NetInputs
    title = "One pixel over, once more"
    question = "{asked}"
    caption = "{kept}"
    opens = ("image", "pool")
    leaves = ("image",)
    derived = {
        "asked": Derived("the question of this shot", _question_sentence),
        "kept": Derived("a sentence about the positions at which the answer leads", _lead_sentence),
        "edge_answer": Derived("the answer at the rightmost position", lambda s: s.nets[-1].answer),
        "edge_score": Derived("the answer's score there", lambda s: s.nets[-1].score),
        "edge_other": Derived("the other class's score there", lambda s: s.nets[-1].other_score),
    }

    compute = moved_picture

    def layout(self) -> None:
        page, shifts = PicturePage(self, "net.first.image"), self.values
        self.image, self.here = page.image, shifts.reach
        most, spec = bound(self["sums"]), number_specs(self["sums"])
        self.map = signed_matrix(self["rectified"][self.here], most, spec=spec)
        self.pool = signed_matrix(self["pooled"][self.here], most, spec=spec)
        headed = (
            TitledMatrix(said("feature map"), self.map),
            TitledMatrix(said("pooled"), self.pool),
        )
        words = self.say_of("probability of “{net.answer}”")
        self.share = Readout(self["shares"][self.here], _SHARE, words=words)
        names = tuple(
            format_fact(place, "+d" if place else "d") for place in shifts.places.tolist()
        )
        across = slots(names, name=said("score when moved to the right by"))
        self.chart = Chart(across, Scale(0.0, shifts.evidence.max() or 1.0), least=(2.4, 1.0))
        numbered = self._numbered_bars(page.room.width)
        self.bars = Bars(
            self["evidence"], self.chart, "value", spec="", numbered=numbered, grown=False
        )
        weights = 1.2, 1, 0.5
        level, dense = (Row(*headed, self.share, gap=gap, weights=weights) for gap in (0.3, 0.1))
        under = Column(Row(*headed, gap=0.3), self.share, gap=0.1, weights=(1, 0))
        ways = (Column(over, self.chart, gap=0.3, weights=(3, 2)) for over in (level, dense, under))
        fit(page.room, *ways)
        self.heads = [one.write("muted") for one in headed]

    def _numbered_bars(self, width: float) -> list[int]:
        """The bars with numbers at this width: all, or every k-th if they would overlap."""
        evidence = self.values.evidence.tolist()
        widest = max(text_width(format_fact(x), SMALL, "semibold") for x in evidence) + _APART
        every = math.ceil(widest * len(evidence) / (width - _RIM))
        return [k for k in range(len(evidence)) if (k - self.here) % every == 0]

    @beat("As the picture stands, “{net.answer}” scores {net.score}.")
    def stand(self) -> Steps:
        yield 0.48 * together(FadeIn(self.map, *self.heads), FadeIn(self.chart))
        yield 0.48 * together(self.bars.grow([self.here]), FadeIn(self.share))
        self.shown = {self.here}

    @beat(_right_sentence, ask="One pixel to the right: is it still {net.score}?")
    def right(self) -> Steps:
        yield from self._move_picture(self.here, self.here + 1, 1.4)

    @beat("In the map, an inner column is in {inner_uses} patches, one at its edge in {rim_uses}.")
    def rim(self) -> Steps:
        visit = Visit(self.map, self.pool, PATCH, lambda patch: float(patch.max()))
        self.add(visit)
        yield visit.appear(run_time=0.4)
        stops = list(np.ndindex(*self.pool.table.shape))
        yield visit.walk(stops, run_time=max(3.0, 0.75 * self.reading))
        yield FadeOut(visit, run_time=0.4)

    @beat("The window stays on the page: its middle never reaches the rim.")
    def far(self) -> Steps:
        now, last = self.here + 1, len(self.values.places) - 1
        for place in range(now + 1, last + 1):
            yield from self._move_picture(now, place, _STEP, "sums")
            now = place
        yield from self._show_filter_at_edge()

    @beat(_edge_sentence)
    def edge(self) -> Steps:
        yield self.map.to(self["rectified"][-1], run_time=0.7)
        number = self.share.figure.number
        low, high = number.get_corner(DL) - _APART / 2, number.get_corner(UR) + _APART / 2
        frame = self.map.frame(Region(*low[:2].tolist(), *high[:2].tolist()), "token")
        yield 0.3 * FadeIn(frame)
        yield FadeOut(frame, run_time=0.4)

    @beat(_left_sentence)
    def left(self) -> Steps:
        now = len(self.values.places) - 1
        for place in range(self.here - 1, -1, -1):
            yield from self._move_picture(now, place, _STEP)
            now = place

    @beat(CAPTION)
    def back(self) -> Steps:
        yield from self._move_picture(0, self.here, 0.65 * self.reading)

    def _show_filter_at_edge(self) -> Steps:
        """Show the filter at its rightmost position."""
        side = "net.second" if self.values.net.winner else "net.first"
        weights, rim = self[f"{side}.weights"], self.map.n_columns - 1
        filter_ = signed_matrix(weights, bound(weights))
        filter_.place_cells(self.image.block(0, rim, SIDE, SIDE))
        stencil = Stencil(filter_, self.image, self.map)
        stencil.spot = np.array([0.0, rim])
        stencil.show(stencil.state)
        yield FadeIn(stencil, run_time=0.4)
        yield stencil.lie_down(run_time=0.8)
        yield 0.8
        yield FadeOut(stencil, run_time=0.4)

    def _move_picture(self, start: int, end: int, time: float, found: str = "rectified") -> Steps:
        """Move the picture from one position to another, and update all that depends on it."""
        options: dict[str, Any] = {"run_time": time}
        places = self.values.places
        ink = self["net.first.image"]
        yield (
            self.image.slide(ink, places[start], places[end], self["images"][end], **options),
            self.map.to(self[found][end], **options),
            self.pool.to(self["pooled"][end], **options),
            self._change_share(end, time),
            *([] if end in self.shown else [self.bars.grow([end], **options)]),
        )
        self.shown.add(end)

    def _change_share(self, end: int, time: float) -> Drive:
        """Change the probability, which is hidden between two positions."""
        number = self.share.figure.number

        def show(gone: NDArray[np.float64]) -> None:
            share = float(gone)
            if share >= 0.5:
                self.share.set_to(self["shares"][end])
            number.set_fill(opacity=min(1.0, max(0.0, abs(8 * share - 4) - 3)))

        return Drive(self.share, show, 0.0, 1.0, run_time=time)
