"""A program that compares a picture with a stored copy fails when it moves by one pixel."""

from __future__ import annotations

import numpy as np
from manim import Create

from clockhead.model.films.convolution.shifted import CopyReader, copy_reader
from clockhead.model.networks.filters import SIDE
from clockhead.scenes.convolution.inputs import PictureInputs
from clockhead.scenes.convolution.page import PicturePage, PixelSheet
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.cell_outlines import FramedCells
from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.parts.matrix_moves import slide_cells, slide_matrix
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import CAPTION, Column, Room, Row, Stage, Steps, beat, fit, wide_or_tall
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut, together

NAME, LONG_NAME = "Convolution", "one small filter, at every place"
_FAINT = 20.0
"""Upper end of the scale at first, relative to the most ink, so that all ink looks faint."""


def _match_sentence(copy: CopyReader) -> str:
    if copy.is_lost:
        return "Nothing at all: no ink lies where the copy has any."
    only = "Only " if copy.moved_score < copy.score / 2 else ""
    return only + "{moved_score} instead of {score}, although it is the same picture."


def _even_pace(share: float) -> float:
    """Rate function for the scale that darkens the shades at an even pace."""
    return float((_FAINT - _FAINT ** (1 - share)) / (_FAINT - 1))


def _fit_centered(cells: Region, room: Region) -> Region:
    """A region as large as the cells, or as fits, in the middle of the room."""
    size = min(1.0, room.width / cells.width, room.height / cells.height)
    aside, down = (room.width - size * cells.width) / 2, (room.height - size * cells.height) / 2
    return room.inset(aside, down)


class _Score(Readout):
    """A readout with a large number."""

    figure_size = 64.0


class Pixels(Stage[CopyReader]):
    """A copy compared with a picture pixel by pixel no longer fits after the picture has moved."""

    Inputs = PictureInputs
    title = "The same picture, one pixel over"
    question = "How does a program know a picture again?"
    caption = "So look for a small piece of it, and look for it everywhere: that is a convolution."
    opens = ("image",)
    leaves = ("image",)

    compute = copy_reader

    def layout(self) -> None:
        page = PicturePage(self, middle=True)
        self.image, self.home = page.image, page.place
        self.image.rescale(high=_FAINT * self.image.scale_now.high)
        self.copy_ = PixelSheet(self["image"], digits=True)
        self.score = _Score(
            self["score"], "", words=said("pixel times pixel of the copy, added up")
        )
        place = Room(self.copy_.least, self.copy_.most)
        row = Row(place, Column(self.score))
        column = Column(place, self.score, weights=(1, 0))
        fit(page.room, wide_or_tall(row, column))
        self.card = TitleCard(NAME, said(LONG_NAME), role="value")
        self.card.place(page.room)
        self.copy_.place_cells(self.image.lattice.region)
        self.beside = _fit_centered(self.image.plan.spot_in(self.home)[0], place.region)

    def _frame_matches(self, path: str) -> FramedCells:
        """Frames around the pixels that have ink in both the image and the copy."""
        lattices = self.image.lattice, self.copy_.lattice
        return FramedCells(self[path], *lattices, role="value", width=5)

    @beat("To a program it is a table of numbers: how much ink is where.")
    def ink(self) -> Steps:
        most = float(self.values.image.max())
        yield 0.98 * self.image.to(self["image"], high=most, rate_func=_even_pace)

    @beat("It could keep a copy, multiply the two pixel by pixel, and add up: {score}.")
    def copy_it(self) -> Steps:
        yield together(
            slide_matrix(self.image, self.home), slide_cells(self.copy_, self.beside), run_time=1.6
        )
        self.same = self._frame_matches("products")
        yield 0.35 * FadeIn(self.same)
        yield FadeIn(self.score, run_time=0.6)

    @beat(_match_sentence, ask="One pixel to the right: how much still fits?")
    def move(self) -> Steps:
        yield FadeOut(self.same, self.score, run_time=0.4)
        yield self.image.slide(self["image"], 0, 1, self["moved"], run_time=1.6)
        self.same = self._frame_matches("moved_products")
        self.score.set_to(self["moved_score"])
        yield FadeIn(self.same, self.score, run_time=0.8)

    @beat(CAPTION)
    def name(self) -> Steps:
        image, (rows, columns) = self.image, np.array(self.values.image.shape) - SIDE
        yield FadeOut(self.copy_, self.score, self.same, run_time=0.8)
        frame = image.frame(image.block(0, 0, SIDE, SIDE), "value", 6)
        back = image.slide(self["image"], 1, 0, self["image"], run_time=0.8)
        yield Create(frame, run_time=0.8), back
        stops = [(i, j) for i in range(rows + 1) for j in range(columns + 1)][1:]
        walk = [image.block(i, j, SIDE, SIDE) for i, j in stops]
        time = max(4.0, 0.8 * self.reading)
        yield frame.trace(*walk, run_time=time), self.card.appear(run_time=1.6)
        yield FadeOut(frame, run_time=0.5)
